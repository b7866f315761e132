"One request for the command, a notebook and scripts: what is learned, how it is called, known differences of ceilings."

from typing import Any

import numpy as np
import pytest

from rainbow import learn, load_dataset
from rainbow.learned.training.features import TEXTS, StoredColumns
from rainbow.learned.training.training_rows import combine_corpora
from rainbow.metrics.general.general_score import general_columns
from rainbow.serving.learning import FitSettings, make_request
from tests.learned.planted import planted

pytestmark = pytest.mark.usefixtures("few_trees")

DEMO = load_dataset("demo").take(range(120))


@pytest.mark.parametrize(("asked", "name", "preset", "texts", "corrupted"), [
    (FitSettings(), "all", "default", TEXTS, True),
    (FitSettings(start="full"), "all", "default", TEXTS, False),
    (FitSettings("gbm"), "gbm", "default", TEXTS, True),
    (FitSettings("gbm", "paper"), "gbm", "paper", (), False),
    (FitSettings("gbm", top=3), "top3", "paper", (), False),
    (FitSettings("gbm", "default", top=3), "top3", "default", (), True),
])  # fmt: skip
def test_what_is_asked_for_decides_what_learns_from_what(asked, name, preset, texts, corrupted) -> None:
    request = make_request(DEMO, ["quality"], asked)
    assert (request.name, request.recipe.preset, request.recipe.features.texts) == (name, preset, texts)
    assert (request.recipe.corrupted, request.recipe.top, request.ratings) == (corrupted, asked.top, ["quality"])


def test_general_scores_are_started_from_unless_the_set_has_none_or_none_is_asked_for() -> None:
    def columns(**asked: Any) -> set[str]:
        return set(make_request(DEMO, ["quality"], FitSettings(**asked)).recipe.features.columns)

    started = columns(model="referenceless")
    assert started - columns(model="referenceless", start="none") == {*general_columns("fast")}
    assert started == columns(model="referenceless", start="full") ^ {
        *general_columns("fast"),
        *general_columns("full"),
    }
    assert not columns(model="gbm") & {*general_columns("fast")}


def test_ceilings_are_those_of_one_corpus_and_why_there_is_none_is_noted() -> None:
    one = make_request(DEMO, ["quality"], FitSettings("gbm"))
    assert list(one.ceilings) == ["quality"] and not one.notes
    both = combine_corpora({"one": DEMO.take(range(60)), "other": DEMO.take(range(60, 120))})
    several = make_request(both, ["quality"], FitSettings("gbm"))
    assert not several.ceilings and several.notes[0].startswith("The ceiling for quality is unknown")
    assert several.protocols == ["by-item-and-text", "leave-one-corpus-out", "leave-one-domain-out"]


def test_scores_that_a_dataset_brings_along_are_measured() -> None:
    corpus = planted(20)
    frame = corpus.frame.rename(columns={"published.first": "published.len", "published.second": "published.prs"})
    stored = make_request(type(corpus)(frame, corpus.ratings), [], FitSettings("gbm", scores="published"))
    assert stored.recipe.features == StoredColumns(("len", "prs")) and not stored.recipe.corrupted
    with pytest.raises(ValueError, match="has no published scores for these metrics"):
        make_request(corpus, [], FitSettings("gbm", scores="published"))


@pytest.mark.parametrize(("ratings", "asked", "message"), [
    (["beauty"], FitSettings(), "unknown rating 'beauty': the ratings are informativeness, naturalness, quality"),
    ([], FitSettings(start="slow"), "unknown start 'slow': choose from fast, full, none"),
    ([], FitSettings("big"), "unknown feature set 'big'"),
    ([], FitSettings(preset="neural"), "unknown preset 'neural'"),  # type: ignore[arg-type]
])  # fmt: skip
def test_names_that_there_are_not_are_refused(ratings: list[str], asked: FitSettings, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make_request(DEMO, ratings, asked)


def test_scores_of_others_are_compared_in_a_notebook_too() -> None:
    corpus = planted(60)
    corpus = type(corpus)(corpus.frame.assign(judge=np.arange(60.0)), corpus.ratings)
    found = learn(corpus, "quality", model="gbm", protocols="kfold", external={"judge": True}, resamples=10)
    assert set(found.external["score"]) == {"judge"}
    assert set(found.protocols["protocol"]) == {"kfold", "by-item-and-text"}
