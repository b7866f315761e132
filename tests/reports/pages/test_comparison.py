"""The page that compares datasets: true to the tables of each, and to what changed between them."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from rainbow import load_dataset
from rainbow.corpus import Corpus
from rainbow.reports.pages.comparison_page import make_comparison
from rainbow.reports.saved.saved_analysis import SavedAnalysis, load_analysis
from rainbow.scoring.table_cells import item_numbers
from rainbow.stats.differences.jackknife_differences import (
    RatedScores,
    independent_jackknife_difference,
    jackknife_difference,
)
from tests.reports.conftest import save_scored
from tests.reports.reading import Reader, check_sources, saved_rows, unpacked

pytestmark = [pytest.mark.xdist_group("reports"), pytest.mark.usefixtures("figures_unwritten")]

METRICS = ["BLEU4", "TER", "len"]


@pytest.fixture(scope="module")
def again(demo: SavedAnalysis, tmp_path_factory: pytest.TempPathFactory) -> SavedAnalysis:
    """Return the same outputs, one metric of which was computed in another way."""
    rng, scores = np.random.default_rng(8), demo.scores[METRICS].copy()
    scores["TER"] = scores["TER"] + np.where(np.arange(len(scores)) < 100, rng.uniform(0, 0.4, len(scores)), 0)
    signatures = {name: demo.scores.attrs["signatures"][name] for name in METRICS}
    signatures["TER"] = signatures["TER"].replace("ter|", "ter|shifts:none|")
    return analysed(
        tmp_path_factory.mktemp("again"), "again", load_dataset("demo").take(range(150)), scores, signatures
    )


@pytest.fixture(scope="module")
def systems(tmp_path_factory: pytest.TempPathFactory, demo: SavedAnalysis) -> list[SavedAnalysis]:
    """Return the outputs of each system as if they were those of one system at three dates."""
    found, folder = [], tmp_path_factory.mktemp("systems")
    frame = demo.scores
    for system in ("template", "neural", "ngram"):
        own = frame["system"] == system
        corpus = load_dataset("demo").take(np.flatnonzero(own).tolist())
        scores = frame.loc[own, METRICS].reset_index(drop=True)
        found.append(analysed(folder, system, corpus, scores, {name: f"{name}|1" for name in METRICS}))
    return found


def analysed(
    folder: Path, name: str, corpus: Corpus, scores: pd.DataFrame, signatures: dict[str, str]
) -> SavedAnalysis:
    scores.attrs = {"signatures": signatures, "missing": {}, "view": "surface", "ratings": list(corpus.ratings)}
    save_scored(folder, name, corpus, scores, resamples=20)
    return load_analysis(name, folder=folder)


def read(saved: Sequence[SavedAnalysis]) -> Reader:
    return Reader(make_comparison(saved).html)


def sections(reader: Reader) -> list[str]:
    return [str(attributes["id"]) for tag, attributes in reader.tags if tag == "section"]


def details(reader: Reader, table: str) -> list[str]:
    """Return what the cells of a table say in full."""
    return unpacked(json.loads(reader.scripts["cells-data"]))[table][2]


def test_numbers_are_those_of_the_tables_and_differences_are_to_the_first(demo, learned, again) -> None:
    reader = read([demo, learned, again])
    for saved in (demo, learned, again):
        own = [shown for shown in reader.numbers if shown.source.startswith(f"{saved.name}/")]
        assert len(own) > 12
        check_sources(own, saved_rows(saved.files), f"{saved.name}/")
    values = [float(cell.value or "nan") for cell in reader.cells["correlations"]]
    assert len(values) == len(METRICS) * len(demo.ratings) * 5
    for first, second, difference, third, other in np.reshape(values, (-1, 5)):
        assert [difference, other] == pytest.approx([second - first, third - first], abs=2e-6, nan_ok=True)


def test_every_other_dataset_has_a_figure_beside_the_first(systems: list[SavedAnalysis]) -> None:
    assert [*make_comparison(systems[:2]).figures] == ["side-by-side"]
    page = make_comparison(systems)
    assert [*page.figures] == ["side-by-side-1", "side-by-side-2"]
    assert page.name == "template-and-neural-and-ngram" and "<h1>template, neural and ngram</h1>" in page.html


def test_other_outputs_for_the_same_inputs_are_compared_by_a_paired_test(systems: list[SavedAnalysis]) -> None:
    reader = read(systems[:2])
    assert sections(reader)[:2] == ["comparison-answer", "comparison-changes"]
    first, second = (saved.scores.set_index("item")["TER"] for saved in systems[:2])
    both = first.index.intersection(second.index)
    expected = stats.ttest_rel(second[both], first[both])
    (tip,) = [tip for tip in details(reader, "changes") if tip.startswith("TER, neural minus template")]
    assert f"{len(both)} inputs" in tip
    ends = expected.confidence_interval()
    assert f"{ends.low:.3g} to {ends.high:.3g}".replace("-", "−") in tip
    assert f"other outputs for {len(both)} inputs of template" in "".join(reader.texts)


def test_the_same_outputs_scored_anew_show_what_changed_and_are_compared_as_dependent(demo, again) -> None:
    reader = read([demo, again])
    text = " ".join("".join(reader.texts).split())
    assert "again has the same outputs as demo, rescored" in text
    assert "1 metrics were computed differently" in text and "nothing became shifts:none: TER" in text
    changed = [tip for tip in details(reader, "changes") if "outputs whose score changed" in tip]
    assert changed == ["TER: outputs whose score changed"]
    assert [cell.text for cell in reader.cells["changes"]][-1] == "100"
    assert all(name in text.split("Nothing changed in ")[1] for name in ("BLEU4", "len", "quality"))
    rated = demo.scores["quality"].to_numpy()
    p = jackknife_difference(again.scores["TER"], demo.scores["TER"], rated, item_numbers(demo.scores)).p
    (tip,) = [tip for tip in details(reader, "correlations") if tip.startswith("TER and quality, again minus")]
    assert "(jackknife)" in tip
    shown = tip.split("p = ")[1] if "p = " in tip else tip
    assert float(shown.split(" (")[0]) == pytest.approx(p, abs=0.006) if p >= 0.001 else "< 0.001" in tip
    same = [tip for tip in details(reader, "correlations") if tip.startswith("BLEU4 and quality, again minus")]
    assert same == ["BLEU4 and quality, again minus demo: same outputs in the same order"]


def test_other_inputs_have_no_changes_and_the_test_of_independent_outputs(demo, hostile) -> None:
    reader = read([demo, hostile])
    assert "comparison-changes" not in sections(reader)
    there, here = (saved.scores.dropna(subset=["SE", "quality"]) for saved in (hostile, demo))
    sides = [RatedScores(*own[["SE", "quality"]].to_numpy(float).T, item_numbers(own)) for own in (there, here)]
    p = independent_jackknife_difference(*sides).p
    (tip,) = [tip for tip in details(reader, "correlations") if tip.startswith("SE and quality, hostile minus demo")]
    assert float(tip.split("p = ")[1].split(" (")[0]) == pytest.approx(p, abs=0.006)


def test_rows_of_which_only_the_number_is_known_are_not_taken_for_the_same_inputs(systems: list[SavedAnalysis]) -> None:
    unknown = [
        replace(saved, scores=saved.scores.assign(mr="", references=[()] * len(saved.scores), item=saved.scores["id"]))
        for saved in systems[:2]
    ]
    assert "comparison-changes" not in sections(read(unknown))


def test_datasets_without_a_common_rating_are_not_compared(demo: SavedAnalysis, hostile: SavedAnalysis) -> None:
    other = replace(hostile, summary={**hostile.summary, "ratings": ["fluency"]})
    with pytest.raises(ValueError, match="demo, hostile have no common rating: name"):
        make_comparison([demo, other])


@pytest.mark.parametrize("twice", [1, 2])
def test_a_dataset_is_not_compared_with_itself(demo: SavedAnalysis, twice: int) -> None:
    with pytest.raises(ValueError, match="demo cannot be compared with itself"):
        make_comparison([demo] * twice)
