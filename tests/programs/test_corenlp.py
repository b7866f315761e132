"""The CoreNLP server gives what the parser inside the process gives, and is gone afterwards."""

import socket
import subprocess

import pytest

from rainbow.metrics import Batch, get
from rainbow.programs import other_parsers
from rainbow.programs.bundles import CORENLP
from rainbow.programs.other_parsers import corenlp_unavailable_reason, parse_with_corenlp
from rainbow.programs.stanford_parser import parse_texts, parser_unavailable_reason

pytestmark = pytest.mark.xdist_group("parser")

TEXTS = [
    "x is a restaurant.", "x is a restaurant. i'm near x.", 'the (inn) is "cheap" & [nice].', "don't, can't; it's 'ok'",
    "the \0 inn", "the \ud800 inn \x01", "", " \n", "word " * 101, "a. " * 4000,
]  # fmt: skip


@pytest.fixture(autouse=True)
def installed() -> None:
    if missing := corenlp_unavailable_reason() or parser_unavailable_reason():
        pytest.skip(missing)


def servers() -> list[str]:
    found = subprocess.run(["ps", "-eo", "args"], capture_output=True, text=True, check=True).stdout.splitlines()
    return [line for line in found if CORENLP.path.name in line]


def test_the_server_gives_what_the_process_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_parsers, "_remembered", other_parsers.TextCache(100))
    before = servers()
    assert parse_with_corenlp(TEXTS, threads=2) == parse_texts(TEXTS)
    assert servers() == before  # nothing is left running


def test_a_server_that_cannot_start_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as taken:
        taken.bind(("", 0))
        taken.listen()
        monkeypatch.setattr(other_parsers, "_free_port", lambda: taken.getsockname()[1])
        with pytest.raises(RuntimeError, match="the CoreNLP server failed"):
            parse_with_corenlp(["an inn that nobody parsed before"])


def test_the_metric_takes_it_as_its_backend() -> None:
    batch, metric = Batch(TEXTS[:2]), get("parser", backend="corenlp")
    assert metric.score(batch).tolist() == get("parser").score(batch).tolist()
    assert "parser:stanford-corenlp-4.5.10" in metric.signature
