"""Artifacts of repositories: where they are looked for, how they are fetched and checked; the server is our own."""

import hashlib
import io
import re
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import platformdirs
import pytest

from rainbow.base import artifact
from rainbow.base.artifact import Artifact, artifact_folder, fetch, locate, missing
from rainbow.programs.bundles import BUNDLES, bundle

GRAMMAR = b"S -> NP VP" * 1000


def archive() -> bytes:
    """Return an archive with a small entry among much else."""
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_STORED) as file:
        file.writestr("other.bin", bytes(1_000_000))
        file.writestr("models/grammar.gz", GRAMMAR)
        file.writestr("another.bin", bytes(1_000_000))
    return content.getvalue()


ARCHIVE = archive()
WHOLE = Artifact("org/a/1/a-1.jar", hashlib.sha256(ARCHIVE).hexdigest())
ENTRY = Artifact("org/a/1/a-1.jar", hashlib.sha256(GRAMMAR).hexdigest(), "models/grammar.gz")


class Handler(BaseHTTPRequestHandler):
    """Gives the archive, or the range of its bytes that is asked for; notes how many bytes it gave."""

    given = 0

    def do_GET(self) -> None:
        if self.path != "/org/a/1/a-1.jar":
            self.send_error(404)
            return
        size, part = len(ARCHIVE), ARCHIVE
        if match := re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", "")):
            first, last = match.groups()
            start = int(first) if first else size - int(last)
            stop = int(last) + 1 if first and last else size
            part = ARCHIVE[start:stop]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{start + len(part) - 1}/{size}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        Handler.given += len(part)
        self.wfile.write(part)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("RAINBOW_JARS", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)
    return tmp_path / "cache" / "rainbow-nlg" / "jars"


@pytest.fixture
def server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ThreadingHTTPServer]:
    """Run a server that stands for Maven Central."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(Handler, "given", 0)
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        monkeypatch.setitem(artifact.REPOSITORIES, "maven", f"http://127.0.0.1:{running.server_port}")
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.usefixtures("server")
def test_a_jar_is_fetched_whole_into_the_layout_of_a_repository(cache: Path) -> None:
    assert fetch(WHOLE) == locate(WHOLE) == cache / "org/a/1/a-1.jar"
    assert locate(WHOLE).read_bytes() == ARCHIVE


@pytest.mark.usefixtures("server")
def test_of_one_entry_only_its_bytes_are_fetched(cache: Path) -> None:
    assert fetch(ENTRY).read_bytes() == GRAMMAR
    assert fetch(ENTRY) == locate(ENTRY) == cache / "org/a/1/a-1/models/grammar.gz"
    assert files_below(cache) == [cache / "org/a/1/a-1/models/grammar.gz"]
    assert len(GRAMMAR) < Handler.given < len(ARCHIVE) / 5


@pytest.mark.usefixtures("server")
def test_what_is_there_is_not_fetched_again() -> None:
    for file in (WHOLE, ENTRY):
        fetch(file)
    given = Handler.given
    for file in (WHOLE, ENTRY):
        fetch(file)
    assert Handler.given == given


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("file", [WHOLE, ENTRY])
def test_what_is_not_the_published_file_is_refused_and_not_kept(file: Artifact, cache: Path) -> None:
    with pytest.raises(ValueError, match="its SHA-256 differs"):
        fetch(replace(file, sha256="0" * 64))
    assert files_below(cache) == []


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("file", [WHOLE, ENTRY])
def test_what_the_server_lacks_is_named_with_a_way_out(file: Artifact) -> None:
    with pytest.raises(OSError, match=r"b-1\.jar \(.*404.*\): try again, or put the file at org/b/b-1"):
        fetch(replace(file, path="org/b/b-1.jar"))


@pytest.mark.usefixtures("server")
@pytest.mark.parametrize("file", [WHOLE, ENTRY])
def test_a_damaged_file_is_an_error_that_fetching_mends(file: Artifact) -> None:
    fetch(file).write_bytes(b"damaged")
    with pytest.raises(ValueError, match="is not the file that was published"):
        locate(file)
    fetch(file)
    assert locate(file).is_file()


@pytest.mark.usefixtures("server")
def test_the_named_folder_is_read_and_nothing_fetched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_JARS", str(tmp_path / "repository"))
    with pytest.raises(FileNotFoundError, match=r"a-1\.jar is not there"):
        fetch(WHOLE)
    assert artifact_folder() == tmp_path / "repository"
    assert Handler.given == 0


def test_what_is_missing_is_told_with_the_command(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing([WHOLE], "parser") == "its files are not on this machine: rainbow fetch parser"
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    assert "unset RAINBOW_JARS" in (missing([WHOLE], "parser") or "")


@pytest.mark.parametrize("name", BUNDLES)
def test_every_file_of_a_program_is_pinned_once(name: str) -> None:
    files = bundle(name)
    assert len({file.local for file in files}) == len(files)
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) for file in files)


def test_a_program_that_there_is_not_is_told() -> None:
    with pytest.raises(ValueError, match="no program 'parsr': there are parser"):
        bundle("parsr")
