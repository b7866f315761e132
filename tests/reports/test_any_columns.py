"""Metrics, analysis and report of any columns: each alone, each group, and what is left where something is missing."""

import random
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
import pytest
from _pytest.mark.structures import ParameterSet

from rainbow import Corpus, load_dataset, score_corpus
from rainbow.cli.analyse import _print_summary
from rainbow.metrics.contract.registry import all_columns
from rainbow.reports.pages.metrics_page import make_report
from rainbow.reports.saved.saved_analysis import load_analysis
from tests.reports.conftest import save_scored

pytestmark = pytest.mark.xdist_group("any columns")  # one process, which computes the scores once

ROWS = 24
RATINGS = ("informativeness", "naturalness", "quality")
SUBSETS = 50
ONE_IN = 8  # of these many cases one runs by default, the others with those that are slow


class Scored(NamedTuple):
    corpus: Corpus
    scores: pd.DataFrame


@pytest.fixture(scope="module")
def scored() -> dict[str, Scored]:
    """Return a few rows with every score: as they are, without references, without meaning representations."""
    frame = load_dataset("demo").frame.head(ROWS)
    frame = frame[["id", "dataset", "system", "item", "mr", "output", "references", *RATINGS]]
    without = {"nothing": {}, "references": {"references": [()] * ROWS}, "mrs": {"mr": ""}}
    corpora = {name: Corpus(frame.assign(**changed), RATINGS) for name, changed in without.items()}
    return {name: Scored(corpus, score_corpus(corpus)) for name, corpus in corpora.items()}


Check = Callable[..., None]


@pytest.fixture
def check(scored, tmp_path, figures_unwritten, capsys) -> Check:
    """Analyse and report some columns: there are a page and a summary, and no number that is none is printed."""

    def run(missing: str, columns: list[str], ratings: list[str], rated: np.ndarray | None = None) -> None:
        corpus, scores = scored[missing]
        if rated is not None:
            corpus = Corpus(corpus.frame.assign(**{name: corpus.frame[name].where(rated) for name in ratings}))
        chosen = scores[columns]
        chosen.attrs = {
            key: {name: value[name] for name in columns if name in value} if isinstance(value, dict) else value
            for key, value in scores.attrs.items()
        }
        _print_summary(save_scored(tmp_path, "mine", Corpus(corpus.frame, tuple(ratings)), chosen, resamples=20))
        assert "nan" not in capsys.readouterr().out.split()
        html = make_report(load_analysis("mine", folder=tmp_path)).html
        assert "nan to nan" not in html and all(name in html for name in columns)

    return run


def columns_of_groups() -> dict[str, list[str]]:
    known = all_columns()
    by_group = sorted(score_corpus(load_dataset("demo").take(range(3))), key=lambda name: known[name][1])
    return {str(group): list(names) for group, names in groupby(by_group, key=lambda name: known[name][1])}


def sparse(cases: Iterable[Any]) -> list[ParameterSet]:
    """Return cases of which most are slow."""
    return [pytest.param(case, marks=[pytest.mark.slow] if place % ONE_IN else []) for place, case in enumerate(cases)]


GROUPS = columns_of_groups()


@pytest.mark.parametrize("column", sparse(name for names in GROUPS.values() for name in names))
def test_one_column_alone_is_analysed_and_reported(check: Check, column: str) -> None:
    check("nothing", [column], ["quality"])


@pytest.mark.parametrize("group", GROUPS)
def test_a_group_alone_is_analysed_and_reported(check: Check, group: str) -> None:
    check("nothing", GROUPS[group], ["quality"])


@pytest.mark.parametrize("seed", sparse(range(SUBSETS)))
def test_columns_at_random_are_analysed_and_reported_whatever_is_missing(check: Check, seed: int) -> None:
    rng = random.Random(seed)
    columns = rng.sample([name for names in GROUPS.values() for name in names], rng.choice([1, 2, 3, 5, 8]))
    rows = np.arange(ROWS)
    rated = rng.choice([None, None, rows % 7 == 0, rows < 3, rows < 0])
    check(rng.choice(["nothing", "references", "mrs"]), columns, rng.sample(RATINGS, rng.choice([1, 1, 2, 3])), rated)
