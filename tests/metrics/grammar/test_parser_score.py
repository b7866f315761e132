"""The parser's score is the published one, and no text hangs or kills the process."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow import load_dataset
from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.grammar.parser_score import ParserScore
from rainbow.programs import stanford_parser
from rainbow.programs.stanford_parser import LONGEST_SENTENCE, LONGEST_TEXT, parse_texts, parser_unavailable_reason
from rainbow.stats.correlation.correlation import correlate
from tests.judged import published

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("parser")]
# Stored scores of outputs, among them one of two sentences.
STORED = {
    "x is a restaurant.": -29.952509, "i'm near x.": -53.046454, "x is a chinese food restaurant near x.": -79.349188,
}  # fmt: skip


@pytest.fixture(autouse=True)
def parser(request: pytest.FixtureRequest) -> None:
    """Skip where the parser is not installed, but for tests that do without."""
    if "without_parser" not in request.keywords and (missing := parser_unavailable_reason()):
        pytest.skip(missing)


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parse every text anew."""
    monkeypatch.setattr(stanford_parser, "_remembered", stanford_parser.TextCache(10))


def prs(*texts: str, **parameters: str | bool) -> list[float]:
    return ParserScore(**parameters).score(Batch(texts))[:, 0].tolist()


def test_stored_scores_come_out() -> None:
    np.testing.assert_allclose(prs(*STORED), [-score for score in STORED.values()], atol=1e-4)


def test_the_sentences_of_an_output_are_put_together_as_asked() -> None:
    one, two = prs("x is a restaurant.", "i'm near x.")
    both = "x is a restaurant. i'm near x."
    assert (prs(both), prs(both, over="sum")) == ([pytest.approx((one + two) / 2)], [pytest.approx(one + two)])
    assert prs(both, over="max") == [min(one, two)]  # the most probable sentence
    tokens = 5 + 4  # a final `x.` is one token, as an initial is
    assert ParserScore().score(Batch([both]))[0, 1] == pytest.approx((one + two) / tokens)


def test_placeholders_stand_for_the_values_if_asked() -> None:
    batch = Batch(["the hungry horse inn is cheap."], mrs=["inform(name=the hungry horse inn)"])
    plain, placeholders = (ParserScore(delexicalised=choice).score(batch)[0, 0] for choice in (False, True))
    assert placeholders == prs("Xname is cheap.")[0] != plain


def test_equal_texts_are_parsed_once(forgotten: None, monkeypatch: pytest.MonkeyPatch) -> None:
    parsed: list[str] = []
    original = stanford_parser._parse_text
    monkeypatch.setattr(
        stanford_parser, "_parse_text", lambda text, extract: parsed.append(text) or original(text, extract)
    )
    assert len(set(prs(*["an inn"] * 5, "a bar", "an inn"))) == 2
    prs("a bar")
    assert parsed == ["an inn", "a bar"]


@pytest.mark.slow
def test_threads_give_what_one_gives(forgotten: None, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"the inn has {number} cheap rooms and serves food ." for number in range(20)]
    alone = parse_texts(texts)
    monkeypatch.setattr(stanford_parser, "_remembered", stanford_parser.TextCache(10))
    assert parse_texts(texts, threads=4) == alone
    monkeypatch.setattr(stanford_parser, "_remembered", stanford_parser.TextCache(10))
    with ThreadPoolExecutor(8) as threads:
        assert all(found == alone for found in threads.map(parse_texts, [texts] * 8))


@pytest.mark.timeout(60, func_only=True)
@pytest.mark.parametrize("text", [
    "", " \n", "😀", "\0", "\x01\x02\x1b", "\ud800", "word " * 10_000, "a" * 1_000_000, "a. " * 5_000, "(" * 10_000
])  # fmt: skip
def test_what_cannot_be_parsed_is_undefined_at_once_and_says_why(text: str) -> None:
    batch = Batch([text, "the inn"])
    values = ParserScore().score(batch)
    assert np.isnan(values).all(axis=1).tolist() == [True, False]
    assert f"more than {LONGEST_SENTENCE} tokens" in ParserScore().reasons(batch, values)[0, 0]


@pytest.mark.parametrize(
    "text", ["!", "?! ...", "the \0 inn", "the \ud800 inn", "a\x85b \x07", "</s> &amp; (x) [y]", "«né»"]
)
def test_odd_characters_are_parsed_all_the_same(text: str) -> None:
    assert math.isfinite(prs(text)[0])


@pytest.mark.slow
def test_the_bounds_are_those_documented(forgotten: None) -> None:
    sentence = "the inn is cheap " * (LONGEST_SENTENCE // 4)
    assert math.isfinite(prs(sentence)[0]) and math.isnan(prs(f"{sentence} inn")[0])
    short = "the inn is cheap . "
    assert math.isfinite(prs(short * 20)[0]) and math.isnan(prs(short * (LONGEST_TEXT // 5 + 1))[0])


def test_a_process_that_parsed_on_threads_ends_and_prints_nothing() -> None:
    script = """
from rainbow.metrics import Batch, get
print(get("parser").score(Batch(["the inn 😀 is cheap.", "a bar \\x01", "an inn"], threads=2)).shape)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stdout, done.stderr) == (0, "(3, 2)\n", "")


@pytest.mark.without_parser
def test_a_wrong_way_to_put_sentences_together_is_told() -> None:
    with pytest.raises(ValueError, match="over is 'median': choose from mean, max, sum"):
        ParserScore(over="median")


@pytest.mark.without_parser
def test_what_is_missing_is_told_before_scoring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAINBOW_JARS", str(tmp_path))
    with pytest.raises(MissingResourceError, match=r"parser: .*(rainbow fetch parser|install)"):
        get("parser")
    with pytest.raises(MissingResourceError, match="parser: "):
        ParserScore().score(Batch(["an inn"]))


@pytest.fixture(
    scope="module", params=[pytest.param(15, marks=pytest.mark.slow), pytest.param(1, marks=pytest.mark.published)]
)
def scored(data_dir: Path, request: pytest.FixtureRequest) -> pd.DataFrame:
    """Return some or all of 2,460 outputs with ratings, stored scores, `prs` (mean of the sentences) and `max`."""
    if missing := parser_unavailable_reason():
        pytest.skip(missing)  # a fixture of the module comes before the one of each test
    frame = published(data_dir, load_dataset, "emnlp2017").frame.iloc[:: request.param]
    table = pd.read_csv(data_dir / "emnlp2017" / "emnlp_data_medians.csv", encoding="utf-8").iloc[:: request.param]
    batch = Batch(frame["output"].tolist(), threads=2)
    mean, largest = (ParserScore(over=over).score(batch) for over in ("mean", "max"))
    return frame.assign(prs=mean[:, 0], prs_per_token=mean[:, 1], max=largest[:, 0], stored_max=-table["parser.sc.max"])


@pytest.mark.parametrize(("ours", "theirs"), [("prs", "published.prs"), ("max", "stored_max")])
def test_stored_scores_of_real_outputs_come_out(scored: pd.DataFrame, ours: str, theirs: str) -> None:
    exact = (scored[ours] - scored[theirs]).abs() < 1e-4
    rho = correlate(scored[ours], scored[theirs]).r
    print(f"\n{ours}: {exact.sum()}/{len(exact)} equal within 1e-4, Spearman {rho:.6f}")
    assert exact.all() and rho > 0.999999


def test_the_score_is_mostly_length_and_then_the_rarity_of_words(scored: pd.DataFrame) -> None:
    pytest.importorskip("wordfreq", reason="pip install 'rainbow-nlg[parse]'")
    pytest.importorskip("pingouin")
    from pingouin import partial_corr

    words = get("word-frequency").score(Batch(scored["output"].tolist()))
    frame = scored.assign(tokens=scored["prs"] / scored["prs_per_token"], words=words[:, 0], mean_words=words[:, 1])
    for name in ("tokens", "words", "mean_words"):
        print(f"\nSpearman of prs and {name}: {correlate(frame['prs'], frame[name]).r:.3f}", end="")
    for rating in ("informativeness", "naturalness", "quality"):
        plain = correlate(frame["prs"], frame[rating]).r
        given = partial_corr(frame, "prs", rating, "tokens", method="spearman")["r"].item()
        other = partial_corr(frame, "words", rating, "tokens", method="spearman")["r"].item()
        print(f"\n{rating}: prs {plain:.3f}, given length {given:.3f}; frequencies given length {other:.3f}", end="")
    assert correlate(frame["prs"], frame["tokens"]).r > 0.85 and correlate(frame["prs"], frame["words"]).r < -0.9
