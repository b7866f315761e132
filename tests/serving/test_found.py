"""Learning and comparing systems in a notebook give what the commands give: tables, the answer first, files."""

import json
from pathlib import Path

import numpy as np
import pytest

import rainbow
from rainbow.serving.comparison import SystemComparison
from rainbow.serving.learning import Learned


@pytest.fixture(scope="module")
def corpus() -> rainbow.Corpus:
    return rainbow.load_dataset("demo").take(range(150))


@pytest.fixture(scope="module")
def learned(corpus: rainbow.Corpus, few_trees: None) -> Learned:
    scores = rainbow.score_corpus(corpus, ["SE", "len", "msp"])
    return rainbow.learn(
        corpus, ["quality", "naturalness"], model="gbm", protocols=["by-item-and-text"], scores=scores, resamples=50
    )


def test_what_was_learned_is_measured_and_scores_new_texts(learned: Learned) -> None:
    assert sorted(learned.models) == ["naturalness", "quality"]
    assert (set(learned.protocols["rating"]), learned.scorer().model.rating) == ({"naturalness", "quality"}, "quality")
    [score] = learned.scorer("naturalness")(["the inn is cheap."])
    assert 1 <= score <= 6
    message = "no metric was learned for 'informativeness': choose from quality, naturalness"
    with pytest.raises(ValueError, match=message):
        learned.scorer("informativeness")


def test_a_saved_metric_scores_as_the_one_that_was_learned(learned: Learned, tmp_path: Path) -> None:
    paths = learned.save(tmp_path, "mine")
    assert [path.name for path in paths] == ["mine-quality-gbm.rainbow", "mine-naturalness-gbm.rainbow"]
    assert "by-item-and-text" in paths[0].with_suffix(".md").read_text()
    texts = ["the inn is cheap.", "inn the the"]
    with pytest.warns(UserWarning, match="quality-gbm got no inputs"):
        assert np.array_equal(rainbow.Scorer(paths[0])(texts), learned.scorer("quality")(texts))


def test_the_answer_comes_first_for_each_rating(learned: Learned) -> None:
    lines = repr(learned).splitlines()
    assert lines[0].startswith("Learned quality, naturalness from 150 outputs")
    found = [line.split()[:2] for line in lines[1:]]
    assert found == [[rating, "by-item-and-text"] for rating in ("quality", "naturalness")]
    assert "by-item-and-text" in learned._repr_html_() and "protocols" in dir(learned)
    with pytest.raises(AttributeError, match="unknown table 'protocol': choose from protocols"):
        _ = learned.protocol


def test_a_rating_that_is_not_there_is_named(corpus: rainbow.Corpus) -> None:
    with pytest.raises(ValueError, match="unknown rating 'fluency': the ratings are informativeness"):
        rainbow.learn(corpus, "fluency")


@pytest.fixture(scope="module")
def compared(corpus: rainbow.Corpus) -> SystemComparison:
    return rainbow.compare_systems(corpus, resamples=99)


def test_systems_are_compared_with_tests_of_every_pair(compared: SystemComparison) -> None:
    assert set(compared.short()["system"]) == {"template", "neural", "ngram"}
    assert len(compared.corpus_metric_differences.query("metric == 'BLEU'")) == 3
    assert "3 systems on 50 items" in repr(compared)
    json.dumps(compared.to_dict(), default=str)


def test_the_report_on_systems_is_a_page(compared: SystemComparison, tmp_path: Path, figures_unwritten: None) -> None:
    page = compared.to_html(tmp_path / "systems.html")
    assert page.startswith("<!doctype html>") and (tmp_path / "systems.html").read_text(encoding="utf-8") == page
