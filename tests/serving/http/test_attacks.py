"""What a hostile caller may not do to a server: to other callers, to its memory, to what it tells."""

import http.client
import json
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from random import Random
from threading import Event, Thread
from time import sleep
from typing import Any

import pytest
from typer.testing import CliRunner

for package in ("starlette", "uvicorn", "prometheus_client"):
    pytest.importorskip(package, reason="pip install 'rainbow-nlg[serve]'")

from rainbow.cli import app as command  # noqa: E402
from rainbow.serving.http import limits as limits_module  # noqa: E402
from rainbow.serving.http.app import make_app  # noqa: E402
from rainbow.serving.http.client import RemoteScorer  # noqa: E402
from rainbow.serving.http.connections import GuardedProtocol  # noqa: E402
from rainbow.serving.http.limits import Limits  # noqa: E402
from tests.serving.http.test_serve import asked, running  # noqa: E402
from tests.serving.test_shared_scorer import Lengths  # noqa: E402

HEAD = b"POST /score HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n"
SMALL = {"outputs": ["abc"]}


@pytest.fixture
def port() -> Iterator[int]:
    with running(make_app(Lengths(), limits=Limits(queue=4))) as (port, _):
        yield port


def sent(port: int, data: bytes) -> socket.socket:
    connection = socket.create_connection(("127.0.0.1", port), timeout=10)
    connection.sendall(data)
    return connection


def answered(connection: socket.socket) -> bytes:
    """Return what comes until the server closes, or resets a connection of which it has not read everything."""
    found = b""
    try:
        while part := connection.recv(1 << 16):
            found += part
    except ConnectionResetError:
        pass
    return found


def test_a_request_of_too_much_work_is_refused_however_few_its_rows() -> None:
    with running(make_app(Lengths(), limits=Limits(work=1000))) as (port, _):
        status, found, _ = asked(port, "/score", {"outputs": ["x" * 100] * 10, "mrs": ["y"] * 10})
        expected = (413, "the texts have 1,030 characters in total: the limit is 1,000; send fewer rows")
        assert (status, found["error"]) == expected
        assert asked(port, "/score", {"outputs": ["x"], "references": [[""] * 1001]})[0] == 413
        assert asked(port, "/score", {"outputs": ["x" * 100] * 9, "mrs": ["y"] * 9})[0] == 200


def test_a_row_of_many_long_references_is_told_why_it_has_no_score() -> None:
    with running(make_app(Lengths(), limits=Limits(characters=100))) as (port, _):
        found = asked(port, "/score", {"outputs": ["x", "x"], "references": [["y" * 100] * 9, ["y" * 100] * 7]})[1]
        assert found["scores"] == [None, 1.0]
        assert found["reasons"][0] == "texts of 912 characters in total: the limit per row is 800"


def test_a_remote_scorer_sends_long_texts_in_more_requests() -> None:
    long = Lengths()
    with running(make_app(long, limits=Limits(work=1 << 19))) as (port, _):
        outputs = ["x" * 2000] * 400
        assert RemoteScorer(f"http://127.0.0.1:{port}")(outputs, mrs=outputs).tolist() == [2000.0] * 400


class Slow(Lengths):
    """Takes 20 microseconds for each character."""

    def __call__(self, outputs: Any, references: Any = None, mrs: Any = None) -> Any:
        sleep(sum(map(len, outputs)) * 2e-5)
        return super().__call__(outputs)


def test_a_small_request_goes_before_the_later_parts_of_large_ones() -> None:
    with running(make_app(Slow())) as (port, _):
        large = {"outputs": ["x" * 1000] * 40}
        ends: list[int] = []
        callers = [Thread(target=lambda: ends.append(asked(port, "/score", large)[0])) for _ in "ab"]
        for caller in callers:
            caller.start()
        sleep(0.75)  # both have had their first part, a third of a second each
        assert asked(port, "/score", SMALL)[1]["scores"] == [3.0]
        before = list(ends)
        for caller in callers:
            caller.join()
        assert (before, ends) == ([], [200, 200])


def test_half_sent_bodies_lock_nobody_out(port: int) -> None:
    with ExitStack() as halves:
        first = halves.enter_context(sent(port, HEAD + b"\r\n{"))
        for _ in range(11):
            halves.enter_context(sent(port, HEAD + b"\r\n{"))
        status, health, _ = asked(port, "/health")
        assert (status, health["ready"], health["waiting"]) == (200, True, 0)
        assert asked(port, "/score", SMALL)[1]["scores"] == [3.0]
        assert b"408" in first.recv(1 << 16)  # more than the queue takes: the oldest goes


def test_a_body_that_drips_is_not_waited_for(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_module, "READ_SECONDS", 0.3)
    monkeypatch.setattr(GuardedProtocol, "head_seconds", 0.5)
    with sent(port, HEAD + b"\r\n") as connection:
        connection.sendall(b" ")
        found = b""
        while b"}" not in found:
            found += connection.recv(1 << 16)
        assert b"the body did not arrive within 0.3 seconds" in found
        start = time.monotonic()
        with suppress(OSError):
            while time.monotonic() < start + 5:
                connection.sendall(b" ")
                sleep(0.05)
        assert time.monotonic() < start + 4  # what drips on is cut off


@pytest.mark.parametrize("half", [HEAD, b"GET /health HT", b""])
def test_headers_that_do_not_come_are_not_waited_for(port: int, half: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "head_seconds", 0.2)
    with sent(port, half) as connection:
        found = answered(connection)
    assert not half or found.startswith(b"HTTP/1.1 408 Request Timeout\r\n")
    assert not half or json.loads(found.partition(b"\r\n\r\n")[2]) == {
        "error": "the headers did not come within 0.2 seconds"
    }


def test_a_kept_connection_may_be_idle_for_longer_than_its_headers_may_take(port, monkeypatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "head_seconds", 0.1)
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    for _ in range(2):
        connection.request("GET", "/health")
        assert connection.getresponse().read()
        sleep(0.3)
    connection.close()


@pytest.mark.parametrize("limit", ["most", "most_of_one"])
def test_half_sent_headers_lock_nobody_out(port: int, limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, limit, 5)
    with ExitStack() as halves:
        first = halves.enter_context(sent(port, HEAD))
        for _ in range(10):
            halves.enter_context(sent(port, HEAD))
        assert asked(port, "/health")[0] == asked(port, "/score", SMALL)[0] == 200 and b"200" not in answered(first)


def test_connections_that_have_asked_are_not_given_up_for_others(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = Lengths()
    slow.go_on.clear()
    with running(make_app(slow)) as (port, _), ExitStack() as connections:
        body = json.dumps(SMALL).encode()
        request = HEAD.replace(b"99", str(len(body)).encode()) + b"Connection: close\r\n\r\n" + body
        callers = [connections.enter_context(sent(port, request)) for _ in range(3)]
        while asked(port, "/health")[1]["waiting"] < 3:
            sleep(0.005)
        sleep(0.1)  # until the connection that asked this is closed
        monkeypatch.setattr(GuardedProtocol, "most", 3)
        assert b"503 Service Unavailable" in answered(connections.enter_context(sent(port, b"")))
        slow.go_on.set()
        assert [b"[3.0]" in answered(caller) for caller in callers] == [True] * 3


def test_an_answer_that_is_not_read_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuardedProtocol, "read_seconds", 0.2)
    gone = Event()
    monkeypatch.setattr(
        GuardedProtocol,
        "connection_lost",
        lambda self, exc, lost=GuardedProtocol.connection_lost: (lost(self, exc), gone.set()),
    )
    with running(make_app(Lengths(), limits=Limits(characters=1, rows=200_000))) as (port, _):
        body = json.dumps({"outputs": ["xx"] * 200_000}).encode()
        with sent(port, HEAD.replace(b"99", str(len(body)).encode()) + b"\r\n" + body):
            assert gone.wait(10)
        assert asked(port, "/score", SMALL)[0] == 200


@pytest.mark.parametrize(("headers", "status"), [
    ({"Host": "evil.example"}, 421),
    ({"Host": "localhost.evil.example:80"}, 421),
    ({"Host": "127.0.0.1.evil.example"}, 421),
    ({"Host": "[::"}, 421),
    ({"Host": ""}, 421),
    ({"Origin": "https://evil.example"}, 403),
    ({"Origin": "null"}, 403),
    ({"Origin": "http://localhost:3000"}, 403),
    ({"Content-Type": "text/plain"}, 415),
    ({"Content-Type": "text/plain; application/json"}, 415),
    ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ({"Content-Type": ""}, 415),
    ({"Host": "localhost:9"}, 200),
    ({"Host": "[::1]:9"}, 200),
    ({"Host": "10.1.2.3"}, 200),
    ({"Host": socket.gethostname()}, 200),
    ({"Host": "Scores.Example.org:8765"}, 200),
    ({"Host": "scores.example.org", "Origin": "https://scores.example.org"}, 200),
    ({"Content-Type": "Application/JSON; charset=utf-8"}, 200),
    ({"Content-Type": "application/vnd.mine+json"}, 200),
])  # fmt: skip
def test_only_programs_that_know_the_server_are_answered(headers: dict[str, str], status: int) -> None:
    with running(make_app(Lengths(), hosts=["scores.example.org"])) as (port, _):
        found = asked(port, "/score", SMALL, **headers)
        assert (found[0], status == 200) == (status, "scores" in found[1])
        if "Host" in headers:
            assert (asked(port, "/health", **headers)[0] == 200) == (status == 200)


@pytest.mark.parametrize("token", ["schlüssel", "tab\tkey", "a\u2028b"])
def test_a_token_that_nobody_can_send_is_refused_at_the_start(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("REWARD_TOKEN", token)
    result = CliRunner().invoke(command, ["serve", "SE", "--port", "0", "--token-env", "REWARD_TOKEN"])
    assert "which cannot be sent in a header" in str(result.exception)


class Dying(Lengths):
    """Ends its thread."""

    def __call__(self, outputs: Any, references: Any = None, mrs: Any = None) -> Any:
        if "end" in outputs:
            raise SystemExit(1)
        return super().__call__(outputs)


def test_a_thread_that_ends_itself_does_not_end_the_server() -> None:
    with running(make_app(Dying())) as (port, _):
        found = asked(port, "/score", {"outputs": ["end"]})[:2]
        assert found == (500, {"error": "the scoring was stopped: SystemExit"})
        assert asked(port, "/score", SMALL)[1]["scores"] == [3.0]


def test_prometheus_gets_no_labels_of_a_callers_making(port: int) -> None:
    random = Random(2017)
    for path in ("/score%22%7D%0Arainbow_rows_total%7B", "/score/", "//score", "/SCORE", "/metrics?x=%0A1"):
        asked(port, path)
    for _ in range(30):
        asked(port, "/" + "".join(random.choices('ab"%{}=,', k=20)).replace("%", "%25"))
    lines = asked(port, "/metrics")[1].splitlines()
    paths = {line.split('path="')[1].split('"')[0] for line in lines if 'path="' in line}
    assert paths <= {"/score", "/metrics", "other"}
