"""A score over HTTP: the numbers of the library, clear refusals, and no caller that harms another."""

import http.client
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Thread
from time import sleep
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from rainbow import Scorer, load_dataset
from rainbow.serving import MetricScorer, Reward
from rainbow.serving.adapters.verl_reward import as_compute_score
from tests.serving.test_hostile_rows import ROWS
from tests.serving.test_shared_scorer import Lengths

for package in ("starlette", "uvicorn", "prometheus_client"):
    pytest.importorskip(package, reason="pip install 'rainbow-nlg[serve]'")

from rainbow.serving.http.app import make_app  # noqa: E402
from rainbow.serving.http.client import RemoteScorer  # noqa: E402
from rainbow.serving.http.limits import Limits  # noqa: E402
from rainbow.serving.http.server import make_server, open_socket  # noqa: E402

MR = "inform(name='the inn',area=soma)"
GOOD, BAD = "the inn is in soma .", "soma the the inn"
MIB = 1 << 20


@contextmanager
def running(app: Any) -> Iterator[Any]:
    """Serve an application on a free port, and give the port and its server."""
    listener, server = open_socket("127.0.0.1", 0), make_server(app)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
    thread.start()
    while not server.started:
        sleep(0.005)
    try:
        yield listener.getsockname()[1], server
    finally:
        server.should_exit = True
        thread.join(10)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with running(make_app(Scorer("fast"), mrs="label", limits=Limits(rows=100, bytes=MIB))) as (port, _):
        yield port


@pytest.fixture(scope="module")
def rouge() -> Iterator[int]:
    with running(make_app(MetricScorer("ROUGE"))) as (port, _):
        yield port


def asked(port: int, path: str, body: Any = None, method: str = "", **headers: str) -> tuple[int, Any, Any]:
    """Return the status, the answer, and the headers."""
    data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    sent = {"Content-Type": "application/json"} | headers
    connection.request(method or ("GET" if data is None else "POST"), path, data, sent)
    answer = connection.getresponse()
    text = answer.read()
    connection.close()
    kind = answer.headers["content-type"]
    return answer.status, json.loads(text) if kind == "application/json" else text.decode(), answer.headers


def test_scores_are_those_of_the_library_whatever_a_row_brings(port: int) -> None:
    status, found, _ = asked(port, "/score", {"outputs": [GOOD, BAD, GOOD], "mrs": [MR, MR, None]})
    assert (status, found["scores"]) == (200, Scorer("fast")([GOOD, BAD, GOOD], mrs=[MR, MR, None]).tolist())
    assert (found["reasons"], found["model"]) == ([None, None, None], "quality-fast")


def test_references_may_be_one_or_many(rouge: int) -> None:
    references = ["the inn", ["an inn", "the inn is cheap"], []]
    _, found, _ = asked(rouge, "/score", {"outputs": ["the inn"] * 3, "references": references})
    expected = MetricScorer("ROUGE")(["the inn"] * 2, [["the inn"], ["an inn", "the inn is cheap"]]).tolist()
    assert (found["scores"], found["reasons"][2]) == ([*expected, None], "ROUGE needs references")


def test_openrlhf_gets_what_its_own_server_gives(port: int) -> None:
    prompts = ["<user>say it</user>", "<user>now</user>"]
    body = {"query": [f"{prompts[0]}{GOOD}</s>", f"{prompts[1]}{BAD}"], "prompts": prompts, "labels": [MR, MR]}
    status, found, _ = asked(port, "/get_reward", body)
    expected = Reward(Scorer("fast"), mrs="label")(prompts=prompts, completions=[GOOD, BAD], label=[MR, MR])
    assert (status, found["rewards"]) == (200, expected)
    assert found == {"rewards": expected, "scores": expected, "extra_logs": {"quality-fast": expected}}


def test_verl_gets_the_score_of_one_solution_or_of_many(rouge: int) -> None:
    compute_score = as_compute_score(Reward(MetricScorer("ROUGE"), references="ground_truth"))
    truths = [["the inn is cheap", "an inn"], "the inn"]
    expected = [compute_score("e2e", "the inn", truth, {}) for truth in truths]
    one = {"data_source": "e2e", "solution_str": "the inn", "ground_truth": truths[0], "extra_info": {"index": 3}}
    assert asked(rouge, "/compute_score", one)[1] == {"score": expected[0]}
    many = {"data_sources": ["e2e"] * 2, "solution_strs": ["the inn"] * 2, "ground_truths": truths}
    assert asked(rouge, "/compute_score", many)[1] == {"scores": expected}


def test_a_field_of_extra_info_can_hold_what_is_needed() -> None:
    with running(make_app(Scorer("fast"), mrs="mr", rescale=True)) as (port, _):
        body = {"data_source": "e2e", "solution_str": GOOD, "ground_truth": "", "extra_info": {"mr": MR}}
        expected = as_compute_score(Reward(Scorer("fast"), mrs="mr", rescale=True))("e2e", GOOD, "", {"mr": MR})
        assert asked(port, "/compute_score", body)[1] == {"score": expected}
        status, found, _ = asked(port, "/get_reward", {"query": ["x"], "prompts": [""], "labels": [MR]})
        assert (status, found["error"]) == (422, "unknown column 'mr': the columns are label, prompt")
        odd = {"data_source": "", "solution_str": "", "ground_truth": "", "extra_info": {"\ud800": 1}}
        assert asked(port, "/compute_score", odd)[0] == 422


def test_what_has_no_reward_gets_the_worst(port: int) -> None:
    body = {"query": ["", "x" * 6000], "prompts": [""] * 2, "labels": [MR, MR]}
    assert asked(port, "/get_reward", body)[1]["rewards"] == [1.0] * 2


def test_odd_rows_leave_their_neighbours_as_they_are(port: int) -> None:
    outputs, mrs, _ = zip(*ROWS, strict=True)
    status, found, _ = asked(port, "/score", {"outputs": [GOOD, *outputs, GOOD], "mrs": [MR, *mrs, MR]})
    alone = Scorer("fast")([GOOD], mrs=[MR])[0]
    assert (status, found["scores"][0], found["scores"][-1]) == (200, alone, alone)
    assert found["reasons"][1 + list(outputs).index("a" * 20_000)] == "a text of 20,000 characters: the limit is 2,000"
    assert all((score is None) == bool(reason) for score, reason in zip(found["scores"], found["reasons"], strict=True))


REFUSED = [
    ("/score", b"{", 400, "the body is not valid JSON: Expecting property name"),
    ("/score", b"", 400, "the body is not valid JSON: Expecting value"),
    ("/score", b"\xff\x00\xfe", 400, "the body is not valid JSON: "),
    ("/score", b"[" * 100_000, 400, "the body is not valid JSON: maximum recursion"),
    ("/score", b'{"outputs": [NaN]}', 400, "the body is not valid JSON: NaN is not a JSON value"),
    ("/score", [1], 422, "the body is [1]: send a JSON object"),
    ("/score", {}, 422, "missing field 'outputs': the fields are outputs, references, mrs"),
    ("/score", {"outputs": [], "mr": []}, 422, "unknown field 'mr': the fields are outputs, references, mrs"),
    ("/score", {"outputs": "the inn"}, 422, "outputs is a single string, 'the inn': give a list"),
    ("/score", {"outputs": {"a": 1}}, 422, "outputs is {'a': 1}: give a list"),
    ("/score", {"outputs": ["x", 3], "mrs": [MR, MR]}, 422, "row 2, output: 3 is not a text"),
    ("/score", {"outputs": ["x"], "mrs": [[MR]]}, 422, "row 1, mr: "),
    ("/score", {"outputs": ["x", "y"], "mrs": [MR]}, 422, "mrs has 1 entries for 2 outputs"),
    ("/score", {"outputs": ["x"], "references": [[3]]}, 422, "row 1, references: 3 is not a text"),
    ("/score", {"outputs": ["x"] * 101}, 413, "outputs has 101 entries: the limit is 100"),
    ("/score", b"x" * (MIB + 1), 413, "the body has more than 1,048,576 bytes"),
    ("/get_reward", {"query": ["x"]}, 422, "missing field 'prompts': the fields are query, prompts, labels"),
    ("/get_reward", {"query": ["x"], "prompts": ["y"]}, 422, "row 1, query: 'x' does not start with its prompt 'y'"),
    ("/get_reward", {"query": ["x"], "prompts": [1]}, 422, "row 1, prompt: 1 is not a text"),
    ("/get_reward", {"query": ["x"], "prompts": [""], "labels": [7]}, 422, "row 1, column 'label': 7 is not a text"),
    ("/compute_score", {"solution_str": "x"}, 422, "missing field 'data_source'"),
    ("/compute_score", {"data_source": 1, "solution_str": 2, "ground_truth": MR}, 422, "row 1, completion: 2 is no"),
    ("/compute_score", {"data_source": 1, "solution_str": "x", "ground_truth": MR, "extra_info": 5}, 422,
     "row 1, extra_info: 5 is not a mapping"),
    ("/nowhere", {}, 404, "Not Found"),
    ("/health", {}, 405, "Method Not Allowed"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "status", "told"), REFUSED, ids=[told for *_, told in REFUSED])
def test_what_is_wrong_is_told(port: int, path: str, body: Any, status: int, told: str) -> None:
    found = asked(port, path, body)
    assert found[0] == status and found[1]["error"].startswith(told)


def test_a_hundred_megabytes_are_refused_and_harm_nobody(port: int) -> None:
    def huge(told: bool) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        chunks = (b" " * MIB for _ in range(100))
        size = {"Content-Length": str(100 * MIB)} if told else {}
        connection.request("POST", "/score", chunks, {"Content-Type": "application/json"} | size)
        return connection.getresponse().status

    expected = Scorer("fast")([GOOD], mrs=[MR]).tolist()
    with ThreadPoolExecutor(8) as callers:
        refused = [callers.submit(huge, told) for told in (True, False)]
        good = [callers.submit(asked, port, "/score", {"outputs": [GOOD], "mrs": [MR]}) for _ in range(40)]
        assert [answer.result()[1]["scores"] for answer in good] == [expected] * 40
        assert [answer.result() for answer in refused] == [413, 413]


def test_many_callers_get_their_own_answers(port: int) -> None:
    frame = load_dataset("demo").frame
    outputs, mrs = frame["output"].tolist(), frame["mr"].tolist()
    expected = Scorer("fast")(outputs, mrs=mrs).tolist()

    def ask(caller: int) -> None:
        start = caller * 13 % len(outputs)
        part = slice(start, start + caller % 9)
        _, found, _ = asked(port, "/score", {"outputs": outputs[part], "mrs": mrs[part]})
        assert found["scores"] == expected[part]

    with ThreadPoolExecutor(32) as callers:
        assert list(callers.map(ask, range(300))) == [None] * 300


def test_a_full_queue_is_told_and_what_waits_is_answered() -> None:
    slow = Lengths()
    slow.go_on.clear()
    with running(make_app(slow, limits=Limits(queue=2))) as (port, _), ThreadPoolExecutor(2) as callers:
        waiting = [callers.submit(asked, port, "/score", {"outputs": [text]}) for text in ("a", "bb")]
        while asked(port, "/health")[1]["waiting"] < 2:
            sleep(0.005)
        status, found, headers = asked(port, "/score", {"outputs": ["ccc"]})
        assert (status, headers["retry-after"]) == (503, "1")
        assert (found, asked(port, "/health")[0]) == ({"error": "2 requests are already waiting: try again later"}, 503)
        slow.go_on.set()
        assert [answer.result()[1]["scores"] for answer in waiting] == [[1.0], [2.0]]
        assert asked(port, "/health")[:2] == (200, asked(port, "/health")[1] | {"ready": True, "waiting": 0})


def test_a_server_that_is_told_to_stop_answers_what_it_has_taken() -> None:
    slow = Lengths()
    slow.go_on.clear()
    with running(make_app(slow)) as (port, server), ThreadPoolExecutor(1) as callers:
        answer = callers.submit(asked, port, "/score", {"outputs": ["abc"]})
        assert slow.entered.wait(10)
        server.should_exit = True
        sleep(0.2)
        slow.go_on.set()
        assert answer.result()[1]["scores"] == [3.0]
        sleep(0.2)
        with pytest.raises(ConnectionError):
            asked(port, "/health")


def test_a_scorer_that_breaks_is_an_error_of_the_server() -> None:
    with running(make_app(Lengths())) as (port, _):
        found = asked(port, "/score", {"outputs": ["fatal"]})[:2]
        assert found == (500, {"error": "lengths failed: KeyError: 'fatal'"})
        assert asked(port, "/score", {"outputs": ["fatal", "x"]})[1]["scores"] == [None, 1.0]


def test_only_those_with_the_token_are_let_in() -> None:
    with running(make_app(Lengths(), token="open sesame")) as (port, _):
        body = {"outputs": ["x"]}
        basic = "Basic bmFtZTpvcGVuIHNlc2FtZQ=="  # what clients make of http://name:open%20sesame@host
        for headers in (
            {"Authorization": "Bearer open sesame"},
            {"X-Api-Key": "open sesame"},
            {"Authorization": basic},
        ):
            assert asked(port, "/score", body, **headers)[0] == 200
        for headers in ({}, {"Authorization": "Bearer sesame"}, {"Authorization": "Basic !"}, {"X-Api-Key": "ö"}):
            status, found, answered = asked(port, "/score", body, **headers)
            assert (status, answered["www-authenticate"]) == (401, "Bearer")
            assert found["error"].startswith("missing or wrong token")
        assert asked(port, "/metrics")[0] == asked(port, "/score", b" " * 8 * MIB)[0] == 401
        assert asked(port, "/health")[0] == 200  # what looks after servers has no token


def test_prometheus_is_told_of_requests_rows_and_seconds() -> None:
    with running(make_app(Lengths())) as (port, _):
        asked(port, "/score", {"outputs": ["x", "odd", "z"]})
        asked(port, "/score", b"nonsense")
        asked(port, "/a/path/of/yours")
        _, text, headers = asked(port, "/metrics")
    lines = text.splitlines()
    assert headers["content-type"].startswith("text/plain")
    for line in (
        'rainbow_requests_total{path="/score",status="200"} 1.0',
        'rainbow_requests_total{path="/score",status="400"} 1.0',
        'rainbow_requests_total{path="other",status="404"} 1.0',
        'rainbow_rows_total{outcome="scored"} 2.0',
        'rainbow_rows_total{outcome="missing"} 1.0',
        'rainbow_request_seconds_count{path="/score"} 2.0',
        "rainbow_rows_scored_together_sum 3.0",
        "rainbow_waiting_requests 0.0",
    ):
        assert line in lines


def test_a_remote_scorer_is_as_good_as_the_one_that_it_asks(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    remote = RemoteScorer(f"http://127.0.0.1:{port}/")
    assert (remote.name, remote.low, remote.high, remote.needs) == ("quality-fast", 1.0, 6.0, set())
    np.testing.assert_array_equal(remote([GOOD, BAD], mrs=[MR, ""]), Scorer("fast")([GOOD, BAD], mrs=[MR, ""]))
    completions = [GOOD, BAD, ""]
    rewards = [Reward(own, mrs="mr")(completions, completions, mr=[MR] * 3) for own in (remote, Scorer("fast"))]
    assert rewards[0] == rewards[1]
    with pytest.raises(ValueError, match=r"/score rejected the request, 413: .*outputs has 101 entries"):
        remote(["x"] * 101, mrs=[MR] * 101)
    with running(make_app(Lengths(), token="sesame")) as (closed, _):
        monkeypatch.setenv("REWARD_TOKEN", "sesame")
        assert RemoteScorer(f"http://127.0.0.1:{closed}", token_env="REWARD_TOKEN")(["abc"]).tolist() == [3.0]


def test_which_field_holds_what_must_be_plain() -> None:
    both = Lengths()
    both.needs = frozenset({"mrs", "references"})
    with pytest.raises(ValueError, match="lengths needs mrs and references: name the field of each"):
        make_app(both)
    with pytest.raises(ValueError, match="TER has no lowest value"):
        make_app(MetricScorer("TER"))
    make_app(both, references="label", mrs="prompt")


def test_the_command_serves_until_it_is_told_to_stop() -> None:
    command = [sys.executable, "-c", "from rainbow.cli import main; main()", "serve", "SE", "--port", "0"]
    with subprocess.Popen([*command, "--host", "0.0.0.0"], stderr=subprocess.PIPE, text=True) as process:
        lines = process.stderr
        expected = "rainbow: anyone who reaches 0.0.0.0 can send requests; use --token-env NAME to restrict access\n"
        assert lines.readline() == expected
        line = lines.readline()
        assert line.startswith("rainbow: serving SE on http://0.0.0.0:")
        port = int(line.split(",")[0].rpartition(":")[2])
        while True:
            try:
                found = asked(port, "/score", {"outputs": ["the inn"], "references": ["the inn is cheap"]})
                break
            except ConnectionError:
                sleep(0.05)
        assert found[1]["scores"] == MetricScorer("SE")(["the inn"], [["the inn is cheap"]]).tolist()
        taken = CliRunner().invoke(__import__("rainbow.cli").cli.app, ["serve", "SE", "--port", str(port)])
        result = str(taken.exception)
        assert result == f"port {port} of 127.0.0.1 is in use: choose another --port, or stop the other program"
        process.send_signal(signal.SIGTERM)
        assert process.wait(10) in (0, -signal.SIGTERM) and lines.read() == ""


def test_an_empty_token_lets_nobody_in(monkeypatch: pytest.MonkeyPatch) -> None:
    from rainbow.cli import app

    monkeypatch.setitem(os.environ, "REWARD_TOKEN", " ")
    result = CliRunner().invoke(app, ["serve", "SE", "--token-env", "REWARD_TOKEN"])
    assert "the environment variable REWARD_TOKEN is empty" in str(result.exception)
