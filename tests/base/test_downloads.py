"""Fetched files: where they are looked for, how they are fetched and checked; the server is one of this test's own."""

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

from rainbow.base.downloads import DATA, JARS, RemoteFile, Store, fetch_file, locate_file, missing_files
from rainbow.programs.bundles import BUNDLES, bundle_files

TABLE = "a,b\n1,é\n".encode()
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
COLUMN = "b\r\né\r\n".encode()  # of the table, as it is kept
PAGES = {"/data/train%2Btest.csv": TABLE, "/org/a/1/a-1.jar": ARCHIVE}


class Handler(BaseHTTPRequestHandler):
    """Gives the pages, or the range of bytes that is asked for."""

    server: "Server"

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        page = self.server.pages.get(self.path)
        if page is None:
            self.send_error(404)
            return
        size, part = len(page), page
        if match := re.fullmatch(r"bytes=(\d*)-(\d*)", self.headers.get("Range", "")):
            first, last = match.groups()
            start = int(first) if first else size - int(last)
            part = page[start : int(last) + 1 if first and last else size]
            self.send_response(206)
            self.send_header("Content-Range", f"bytes {start}-{start + len(part) - 1}/{size}")
        else:
            self.send_response(200)
        self.send_header("Content-Length", str(len(part)))
        self.end_headers()
        self.server.given += len(part)
        self.wfile.write(part[: len(part) - self.server.cut])

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


class Server(ThreadingHTTPServer):
    """`cut`: how many bytes it holds back; `asked`: the paths that were asked for; `given`: how many bytes it gave."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = dict(PAGES)
        self.cut = self.given = 0
        self.asked: list[str] = []


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache for this test; no other folder is named."""
    for store in (DATA, JARS):
        monkeypatch.delenv(store.variable, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)
    return tmp_path / "cache" / "rainbow-nlg"


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        yield running
        running.shutdown()


def files(server: Server | None = None) -> dict[str, RemoteFile]:
    """Return a file of each kind, as this server has them: a table, columns of it, an archive, an entry of it."""
    address = f"http://127.0.0.1:{server.server_port if server else 1}"
    hashes = [hashlib.sha256(content).hexdigest() for content in (TABLE, ARCHIVE, GRAMMAR, COLUMN)]
    table = RemoteFile(DATA, "mine/table.csv", f"{address}/data/train%2Btest.csv", hashes[0], "mine")
    jar = RemoteFile(JARS, "org/a/1/a-1.jar", f"{address}/org/a/1/a-1.jar", hashes[1], "parser")
    return {
        "whole": table,
        "columns": replace(table, local="mine/b.csv", columns=("b",), sha256=hashes[3]),
        "jar": jar,
        "entry": replace(jar, local="org/a/1/a-1/models/grammar.gz", sha256=hashes[2], entry="models/grammar.gz"),
    }


KINDS = tuple(files())
CONTENTS = dict(zip(KINDS, (TABLE, COLUMN, ARCHIVE, GRAMMAR), strict=True))


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


@pytest.mark.parametrize("kind", KINDS)
def test_a_fetched_file_lies_in_the_cache_byte_for_byte_and_nothing_else_does(server, cache, kind) -> None:
    file = files(server)[kind]
    assert fetch_file(file) == locate_file(file) == cache / file.store.name / file.local
    assert (locate_file(file).read_bytes(), files_below(cache)) == (CONTENTS[kind], [file.path])


def test_of_one_entry_only_its_bytes_are_fetched(server: Server) -> None:
    fetch_file(files(server)["entry"])
    assert len(GRAMMAR) < server.given < len(ARCHIVE) / 5


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_there_is_not_fetched_again(server: Server, kind: str) -> None:
    fetch_file(files(server)[kind])
    asked = list(server.asked)
    fetch_file(files(server)[kind])
    assert server.asked == asked != []


def test_looking_for_a_file_never_downloads_and_names_the_command(server: Server) -> None:
    with pytest.raises(FileNotFoundError, match=("table\\.csv does not exist: run `rainbow fetch mine`, or set ")):
        locate_file(files(server)["whole"])
    assert server.asked == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_not_the_published_file_is_refused_and_not_kept(server: Server, cache: Path, kind: str) -> None:
    file = files(server)[kind]
    with pytest.raises(ValueError, match=f"{re.escape(file.origin)} is not the published one: its SHA-256 differs"):
        fetch_file(replace(file, sha256="0" * 64))
    assert files_below(cache) == []


@pytest.mark.parametrize("kind", KINDS)
def test_a_download_that_breaks_off_leaves_nothing_behind(server: Server, cache: Path, kind: str) -> None:
    server.cut = 3
    with pytest.raises((OSError, ValueError), match=re.escape(files(server)[kind].origin)):
        fetch_file(files(server)[kind])
    assert files_below(cache) == []


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_server_lacks_is_named_with_a_way_out(server: Server, cache: Path, kind: str) -> None:
    server.pages.clear()
    file = files(server)[kind]
    told = rf"cannot download {re.escape(file.origin)} \(.*404.*\): try again, or put the file at {file.local} in a"
    with pytest.raises(OSError, match=told):
        fetch_file(file)
    assert files_below(cache) == []


def test_without_a_connection_the_way_out_is_named() -> None:
    with pytest.raises(OSError, match=r"\(ConnectionError\): try again, or put the file at mine/table\.csv in a"):
        fetch_file(files()["whole"])


@pytest.mark.parametrize("kind", KINDS)
def test_a_damaged_file_is_an_error_that_fetching_mends(server: Server, kind: str) -> None:
    file = files(server)[kind]
    fetch_file(file).write_bytes(b"damaged")
    told = rf"{file.local} is not the published file .*: run `rainbow fetch {file.bundle}`"
    with pytest.raises(ValueError, match=told):
        locate_file(file)
    fetch_file(file)
    assert locate_file(file).read_bytes() == CONTENTS[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_a_failed_download_leaves_the_old_file_as_it_was(server: Server, kind: str) -> None:
    old = fetch_file(files(server)[kind])
    with pytest.raises(ValueError, match="not the published one"):
        fetch_file(replace(files(server)[kind], sha256=hashlib.sha256(b"newer").hexdigest()))
    assert old.read_bytes() == CONTENTS[kind]


@pytest.mark.parametrize("kind", KINDS)
def test_the_named_folder_is_read_and_nothing_downloaded(server, cache, tmp_path, monkeypatch, kind) -> None:
    file = files(server)[kind]
    monkeypatch.setenv(file.store.variable, str(tmp_path / "named"))
    assert file.store.folder == tmp_path / "named"
    message = f"named/{file.local} does not exist: put .*http.* there, or unset RAIN"
    with pytest.raises(FileNotFoundError, match=message):
        fetch_file(file)
    path = tmp_path / "named" / file.local
    path.parent.mkdir(parents=True)
    path.write_bytes(CONTENTS[kind])
    assert fetch_file(file) == locate_file(file) == path and server.asked == files_below(cache) == []


def test_a_file_in_the_named_folder_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "table.csv").write_bytes(TABLE + b"2,x\n")
    with pytest.raises(ValueError, match=r"mine/table\.csv is not the published file"):
        locate_file(files()["whole"])
    assert locate_file(replace(files()["whole"], sha256="")).is_file()  # where no hash is known, nothing is checked


@pytest.mark.parametrize("store", [DATA, JARS])
def test_an_empty_variable_is_as_good_as_none(store: Store, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(store.variable, "")
    assert store.folder == cache / store.name


def test_a_file_of_two_datasets_is_one_file() -> None:
    assert len({files()["whole"], replace(files()["whole"], bundle="yours")}) == 1


def test_columns_that_are_not_kept_never_reach_the_disk(server: Server, cache: Path) -> None:
    rated = b'rater,text,score,city\n7,"an inn,\nold",5,Leeds\n8,a bar,4,Bath\n'
    server.pages = dict.fromkeys(server.pages, rated)
    path = fetch_file(replace(files(server)["columns"], columns=("text", "score"), sha256=""))
    assert (path.read_bytes(), files_below(cache)) == (b'text,score\r\n"an inn,\nold",5\r\na bar,4\r\n', [path])


def test_a_table_without_the_columns_is_told(server: Server, cache: Path) -> None:
    with pytest.raises(ValueError, match=r"is not the published one: the table has none of the columns z"):
        fetch_file(replace(files(server)["columns"], columns=("z",), sha256=""))
    assert files_below(cache) == []


def test_what_cannot_be_downloaded_says_how_to_get_it(server: Server) -> None:
    with pytest.raises(FileNotFoundError, match=r"table\.csv does not exist: ask the authors"):
        fetch_file(replace(files(server)["whole"], by_hand="ask the authors"))
    assert server.asked == []


def test_what_is_missing_is_told_with_the_command(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missing_files([files(server)["jar"]]) == "files are missing: rainbow fetch parser"
    fetch_file(files(server)["jar"])
    assert missing_files([files(server)["jar"]]) is None
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    assert "unset RAINBOW_JARS" in (missing_files([files(server)["jar"]]) or "")


@pytest.mark.parametrize("name", BUNDLES)
def test_every_file_of_a_program_is_pinned_once_and_names_the_program(name: str) -> None:
    pinned = bundle_files(name)
    assert len({file.local for file in pinned}) == len(pinned) > 0
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) for file in pinned)
    assert {file.bundle for file in pinned} == {name}


def test_a_program_that_there_is_not_is_told() -> None:
    with pytest.raises(ValueError, match="unknown program 'parsr': choose from parser"):
        bundle_files("parsr")
