"""LanguageTool's matches are counted by category, names are spared, and no text hangs or kills the process."""

import math
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rainbow.base.downloads import locate_file
from rainbow.metrics import Batch, MissingResourceError, get
from rainbow.metrics.grammar.grammar_rules import CATEGORIES, LanguageTool
from rainbow.programs import languagetool
from rainbow.programs.bundles import bundle_files
from rainbow.programs.jvm import attach_java
from rainbow.programs.languagetool import LONGEST_STRING, find_matches, languagetool_unavailable_reason

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("languagetool")]


@pytest.fixture(autouse=True)
def program(request: pytest.FixtureRequest) -> None:
    """Skip where LanguageTool is not installed, but for tests that do without."""
    if "without_parser" not in request.keywords and (missing := languagetool_unavailable_reason()):
        pytest.skip(missing)


def counts(text: str, mr: str | None = None, **parameters: bool) -> list[float]:
    return LanguageTool(**parameters).score(Batch([text], mrs=[mr])).tolist()[0]


@pytest.mark.parametrize(("text", "expected"), [
    ("The inn is cheap.", [0, 0, 0]),
    ("The inn are cheap.", [1, 0, 0]),
    ("It is a inn.", [1, 0, 0]),
    ("It is the the inn.", [1, 0, 0]),
    ("It have rooms.", [1, 0, 0]),
    ("the inn is cheap.", [0, 0, 1]),
    ("The inn is cheap .", [0, 0, 1]),
    ("It is in close proximity to the park.", [0, 1, 0]),
    ("The restaurnat is cheap.", [0, 0, 0]),  # spelling is another metric's
    ("The theatre is in the town centre.", [0, 0, 0]),  # British English is no mistake
    ("", [0, 0, 0]),
])  # fmt: skip
def test_matches_count_in_their_column(text: str, expected: list[float]) -> None:
    assert counts(text) == expected


def test_what_stands_in_a_value_is_not_counted() -> None:
    text = "Near the the hotel there is an inn."
    assert (counts(text), counts(text, "inform(name='the the hotel')")) == ([1, 0, 0], [0, 0, 0])
    assert counts(text, "inform(name='the the hotel')", protect_values=False) == [1, 0, 0]
    assert counts("The inn are near the the hotel.", "inform(near='the the hotel')") == [1, 0, 0]


def test_places_are_those_of_python_after_signs_that_java_counts_twice() -> None:
    text = "It is fun 😀 🍕! The inn are cheap."
    (match,) = (found for found in find_matches([text])[0] or () if found.category == "GRAMMAR")
    assert text[match.start : match.stop] == "are"


def test_every_category_of_rules_that_are_on_is_counted() -> None:
    with attach_java(*map(locate_file, bundle_files("languagetool"))) as jpype:
        active = {str(rule.getCategory().getId()) for rule in languagetool._new_checker(jpype).getAllActiveRules()}
    assert active <= frozenset().union(*CATEGORIES.values())


@pytest.mark.slow
def test_threads_give_what_one_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"The inn are {number} miles from from the park ." for number in range(20)]
    alone = find_matches(texts)
    for threads in (2, 4):
        monkeypatch.setattr(languagetool, "_remembered", languagetool.TextCache(10))
        assert find_matches(texts, threads) == alone
    monkeypatch.setattr(languagetool, "_remembered", languagetool.TextCache(10))
    with ThreadPoolExecutor(8) as threads_of_mine:
        assert all(found == alone for found in threads_of_mine.map(find_matches, [texts] * 8))


@pytest.mark.timeout(60, func_only=True)
@pytest.mark.parametrize(
    "text", ["\0", "the \ud800 inn are", "\x01\x1b", "." * 1000, "(" * 1000, "a." * 500, "\n" * 5000]
)
def test_odd_texts_are_counted_all_the_same(text: str) -> None:
    assert all(map(math.isfinite, counts(text)))


def test_a_text_that_is_too_long_is_undefined_at_once_and_says_why() -> None:
    batch = Batch(["word " * 10_000])
    values = LanguageTool().score(batch)
    assert all(map(math.isnan, values[0]))
    assert f"more than {LONGEST_STRING:,} characters" in LanguageTool().reasons(batch, values)[0, 0]


@pytest.mark.slow
def test_a_process_that_checked_on_threads_ends_and_prints_nothing() -> None:
    script = """
from rainbow.metrics import Batch, get
print(get("languagetool").score(Batch(["the inn are cheap.", "a bar"], threads=2)).shape)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=240)
    assert (done.returncode, done.stdout, done.stderr) == (0, "(2, 3)\n", "")


@pytest.mark.without_parser
def test_what_is_missing_is_told_before_scoring(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("RAINBOW_JARS", str(tmp_path))
    with pytest.raises(MissingResourceError, match=r"languagetool: .*(rainbow fetch languagetool|install)"):
        get("languagetool")
