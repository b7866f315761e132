"""A campaign of error spans from the command line to the page."""

import json
import random
import re
from pathlib import Path
from typing import Any

import pytest

from rainbow.corpus.error_spans import ErrorSpan
from rainbow.reports.sections.raters.error_spans import _parts, _styles
from tests.commands import Rainbow

WORDS = ("cheap", "quiet", "modern", "family-friendly", "expensive", "small")
ATTACK = "<script>alert(1)</script>"


def line(annotator: str, number: int, output: str, spans: list[dict[str, Any]]) -> str:
    about = {"dataset": "pubs", "split": "test", "setup_id": f"sys{number % 2}", "example_idx": number // 2}
    metadata = {
        "annotation_span_categories": [{"name": "Minor"}, {"name": f"Fact {ATTACK}"}],
        "annotator_id": annotator,
    }
    return json.dumps({**about, "output": output, "metadata": metadata, "annotations": spans}) + "\n"


def write_campaign(folder: Path) -> None:
    """Write 24 outputs with a file for each of two annotators; they differ in a third of the outputs."""
    folder.mkdir()
    draw = random.Random(1)
    lines: dict[str, list[str]] = {"ann": [], "bob": []}
    for number in range(24):
        wrong = draw.sample(WORDS, draw.randint(0, 3))
        output = f"{ATTACK} The pub number {number} is {', '.join([*wrong, 'nice'])}."
        spans = [{"type": place % 2, "text": word, "start": output.index(word)} for place, word in enumerate(wrong)]
        lines["ann"].append(line("ann", number, output, spans))
        lines["bob"].append(line("bob", number, output, spans if number % 3 else spans[1:]))
    for name, own in lines.items():
        (folder / f"{name}.jsonl").write_text("".join(own))


def test_a_campaign_is_rated_analysed_and_shown(rainbow: Rainbow, figures_unwritten: None, tmp_path: Path) -> None:
    write_campaign(tmp_path / "files")
    result = rainbow("run", "files", "--resamples", "20", status=0)
    assert "error spans of factgenie: 24 outputs, 2 annotators, 48 annotations" in result.out
    assert "columns against error_score" in result.out
    first = ((tmp_path / "analysis" / "files") / "span_agreement.csv").read_text().splitlines()[1].split(",")
    assert first[0] == "character F1" and 0.5 < float(first[1]) < 1
    page = (tmp_path / "reports" / "files.html").read_text()
    (section,) = re.findall(r'<section id="spans".*?</section>', page, re.DOTALL)
    assert "Outputs with their errors, largest disagreement first" in section
    assert '<mark class="error-minor" title="minor">' in section and ATTACK not in section
    assert "&lt;script&gt;" in section
    assert len(re.findall(r"(metrics|analysis|report) +current", rainbow("run", "files", "--resamples", "20").out)) == 3


@pytest.mark.parametrize(("spans", "parts"), [
    ([], [("abcdef", "")]),
    ([(0, 6, "major")], [("abcdef", "major")]),
    ([(1, 4, "minor"), (2, 6, "major")], [("a", ""), ("b", "minor"), ("cd", "minor; major"), ("ef", "major")]),
    ([(4, 99, "minor")], [("abcd", ""), ("ef", "minor")]),
])  # fmt: skip
def test_overlapping_spans_make_pieces(spans: list[tuple[int, int, str]], parts: list[tuple[str, str]]) -> None:
    own = [ErrorSpan(start, end, "", severity) for start, end, severity in spans]
    assert [(part.text, part.errors) for part in _parts("abcdef", own, _styles(own))] == parts


def test_severities_and_the_most_frequent_categories_have_styles() -> None:
    spans = [ErrorSpan(0, 1, f"c{n}") for n in range(9) for _ in range(9 - n)] + [ErrorSpan(0, 1, "x", "major")]
    styles = _styles(spans)
    assert list(styles.values()) == ["error-major", *(f"error-{n}" for n in range(1, 7)), *["error-other"] * 3]
    assert next(iter(styles)) == "major"
