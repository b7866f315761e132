"""Data files: where they are looked for, how they are fetched and checked; the server is one of this test's own."""

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import platformdirs
import pytest

from rainbow.datasets import download
from rainbow.datasets.download import RemoteFile, data_folder, fetch, locate

CONTENT = "a,b\n1,é\n".encode()
FILE = RemoteFile(
    "mine/table.csv", "owner/name", "0a1b", "data/train+test.csv", hashlib.sha256(CONTENT).hexdigest(), "mine"
)


class Server(ThreadingHTTPServer):
    """Gives the content of `pages` by path; `cut` is how many bytes it holds back; `asked` is what was asked for."""

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages = {"/owner/name/0a1b/data/train%2Btest.csv": CONTENT}
        self.cut = 0
        self.asked: list[str] = []


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        page = self.server.pages.get(self.path)
        if page is None:
            self.send_error(404)
            return
        self.send_response(200)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page[: len(page) - self.server.cut])

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return an empty cache for this test; no folder of data is named."""
    monkeypatch.delenv("RAINBOW_DATA", raising=False)
    monkeypatch.setattr(platformdirs, "user_cache_path", lambda name: tmp_path / "cache" / name)
    return tmp_path / "cache" / "rainbow-nlg" / "data"


@pytest.fixture
def server(cache: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    """Run a server that stands for GitHub."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with Server() as server:
        monkeypatch.setattr(download, "BASE_URL", f"http://127.0.0.1:{server.server_port}")
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield server
        server.shutdown()


def files_below(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


def test_a_fetched_file_lies_in_the_cache_byte_for_byte(server: Server, cache: Path) -> None:
    assert fetch(FILE) == cache / "mine" / "table.csv"
    assert locate(FILE).read_bytes() == CONTENT
    assert locate(FILE).read_text(encoding="utf-8").endswith("é\n")


def test_a_file_that_is_there_is_not_downloaded_again(server: Server) -> None:
    fetch(FILE)
    fetch(FILE)
    assert server.asked == ["/owner/name/0a1b/data/train%2Btest.csv"]


def test_looking_for_a_file_never_downloads_and_names_the_command(server: Server) -> None:
    with pytest.raises(FileNotFoundError, match=r"table\.csv is not there: run `rainbow fetch mine`, or name a folder"):
        locate(FILE)
    assert server.asked == []


def test_what_is_not_the_published_file_is_refused_and_not_kept(server: Server, cache: Path) -> None:
    server.pages = dict.fromkeys(server.pages, b"something else")
    with pytest.raises(ValueError, match=r"train%2Btest\.csv gives is not the file that was published"):
        fetch(FILE)
    assert files_below(cache) == []


def test_a_download_that_breaks_off_leaves_nothing_behind(server: Server, cache: Path) -> None:
    server.cut = 3
    with pytest.raises((OSError, ValueError), match=r"train%2Btest\.csv"):
        fetch(FILE)
    assert files_below(cache) == []


def test_a_file_that_the_server_lacks_is_named(server: Server) -> None:
    with pytest.raises(OSError, match=r"cannot download http.*gone\.csv \(the server answers 404\): try again"):
        fetch(replace(FILE, source="gone.csv"))


def test_without_a_connection_the_way_out_is_named(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download, "BASE_URL", "http://127.0.0.1:1")
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    with pytest.raises(OSError, match=r"\(ConnectionError\): try again, or put the file at mine/table\.csv in a"):
        fetch(FILE)


def test_a_damaged_file_is_an_error_that_fetching_mends(server: Server) -> None:
    fetch(FILE).write_bytes(b"damaged")
    with pytest.raises(ValueError, match=r"table\.csv is not the file that was published .*: run `rainbow fetch mine`"):
        locate(FILE)
    fetch(FILE)
    assert locate(FILE).read_bytes() == CONTENT


def test_a_failed_download_leaves_the_old_file_as_it_was(server: Server) -> None:
    old = fetch(FILE)
    newer = replace(FILE, sha256=hashlib.sha256(b"newer").hexdigest())
    with pytest.raises(ValueError, match="not the file that was published"):
        fetch(newer)
    assert old.read_bytes() == CONTENT


def test_the_named_folder_is_read_and_nothing_downloaded(
    server: Server, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path / "data"))
    assert data_folder() == tmp_path / "data"
    with pytest.raises(FileNotFoundError, match=r"data/mine/table\.csv is not there: put http.* there, or unset RAIN"):
        fetch(FILE)
    (tmp_path / "data" / "mine").mkdir(parents=True)
    (tmp_path / "data" / "mine" / "table.csv").write_bytes(CONTENT)
    assert fetch(FILE) == locate(FILE) == tmp_path / "data" / "mine" / "table.csv"
    assert server.asked == files_below(cache) == []


def test_a_file_in_the_named_folder_is_checked_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(tmp_path))
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "table.csv").write_bytes(CONTENT + b"2,x\n")
    with pytest.raises(ValueError, match=r"mine/table\.csv is not the file that was published"):
        locate(FILE)
    assert locate(replace(FILE, sha256=None)).is_file()  # where no hash is known, nothing is checked


def test_an_empty_variable_is_as_good_as_none(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", "")
    assert data_folder() == cache


def test_a_file_of_two_datasets_is_one_file() -> None:
    assert len({FILE, replace(FILE, dataset="yours")}) == 1


TABLE = replace(FILE, path="mine/rated.csv", sha256=None, columns=("text", "score"))
RATED = b'rater,text,score,city\n7,"an inn,\nold",5,Leeds\n8,a bar,4,Bath\n'


def test_columns_that_are_not_kept_never_reach_the_disk(server: Server, cache: Path) -> None:
    server.pages = dict.fromkeys(server.pages, RATED)
    path = fetch(TABLE)
    assert path.read_bytes() == b'text,score\r\n"an inn,\nold",5\r\na bar,4\r\n'
    assert files_below(cache) == [path]
    assert fetch(TABLE) == locate(TABLE) == path
    assert len(server.asked) == 1


def test_a_reduced_table_is_checked_before_it_is_reduced(server: Server, cache: Path) -> None:
    server.pages = dict.fromkeys(server.pages, RATED)
    known = replace(TABLE, sha256=hashlib.sha256(RATED).hexdigest())
    assert locate(replace(known, path=str(fetch(known).relative_to(cache)))).is_file()
    with pytest.raises(ValueError, match="not the file that was published"):
        fetch(replace(TABLE, path="mine/other.csv", sha256=hashlib.sha256(b"another").hexdigest()))
    assert [path.name for path in files_below(cache)] == ["rated.csv"]


def test_a_table_to_reduce_that_the_server_lacks_is_named(server: Server, cache: Path) -> None:
    with pytest.raises(OSError, match=r"cannot download http.*gone\.csv \(the server answers 404\): try again"):
        fetch(replace(TABLE, source="gone.csv"))
    assert files_below(cache) == []


def test_what_cannot_be_downloaded_says_how_to_get_it(server: Server) -> None:
    with pytest.raises(FileNotFoundError, match=r"table\.csv is not there: ask the authors"):
        fetch(replace(FILE, by_hand="ask the authors"))
    assert server.asked == []
