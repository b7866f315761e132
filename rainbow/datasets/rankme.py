"""RankME: three E2E systems rated by Likert scale, magnitude, and relative magnitude.

Outputs of Slug, Sheff2 and TGen for 100 meaning representations of the E2E test set, each rated by three people or more
in six ways. Published at https://github.com/jeknov/RankME (CC BY-SA 4.0) as twelve archives that also say where the
raters live; ``rankme/ratings.csv`` is one table of all, without who rated.
"""

from __future__ import annotations

from pathlib import Path

from rainbow.base.downloads import locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.e2e import REFERENCES
from rainbow.datasets.published_files import published_files
from rainbow.datasets.text_files import read_references

DOMAIN = "hotels and restaurants"
NAME = "rankme"
OPTIONS = ("method",)
CRITERIA = ("informativeness", "naturalness", "quality")
(RATINGS,) = published_files(NAME).values()
FILES = {NAME: (RATINGS, REFERENCES)}

# Names of the systems in the table and in the challenge.
SYSTEMS = {"slug2slug": "Slug", "sheffield_v2": "Sheff2", "baseline": "TGen"}
KINDS = {"likert": "likert", "plainME": "magnitude", "rankME": "magnitude"}
# The way of rating in which one person saw the outputs of all systems at once.
COMPARATIVE_METHOD = "rankME"


def load(name: str = NAME, *, method: str | None = None) -> Corpus:
    """Load the 300 rated outputs, with all references of the E2E test set; see :func:`judgements`."""
    if method not in (None, *KINDS):
        raise ValueError(f"unknown method {method!r}: choose from {', '.join(KINDS)}")
    rated = _read_ratings(locate_file(RATINGS)).rename(columns={"mr": "item"})
    sets = read_references(locate_file(REFERENCES)).sets
    outputs = rated[["item", "system", "text"]].drop_duplicates(["item", "system"]).rename(columns={"text": "output"})
    outputs = outputs.assign(
        id=[f"{name}-{row:03d}" for row in range(1, len(outputs) + 1)],
        dataset=name,
        mr=outputs["item"],
        references=outputs["item"].map(sets),
    )
    asked = rated if method is None else rated[rated["method"] == method]
    return Corpus(add_mean_ratings(outputs, asked.astype({"rating_z_rater": float}), "rating_z_rater"), CRITERIA)


def judgements(name: str = NAME) -> pd.DataFrame:
    """Return the human judgements of three criteria, collected by six methods."""
    import numpy as np

    rated = _read_ratings(locate_file(RATINGS))
    shared = rated["method"] == COMPARATIVE_METHOD
    seen = rated["mr"].where(shared, rated["mr"] + "|" + rated["system"])
    numbers = seen.groupby(rated["file"]).transform(lambda part: part.factorize()[0] + 1).astype(str)
    return rated.assign(
        judgement=rated["file"] + "-" + numbers + "-" + rated["judgement"],
        rater=np.full(len(rated), np.nan),
        item=rated["mr"],
        kind=rated["method"].map(KINDS),
        value=rated["rating"].astype(float),
        output=rated["text"],
    )[["judgement", "rater", "item", "system", "criterion", "kind", "value", "output", "method", "setup"]]


def _read_ratings(path: Path) -> pd.DataFrame:
    table = pd.read_csv(path, usecols=lambda name: name in RATINGS.columns, dtype=str)
    if missing := [column for column in RATINGS.columns if column not in table]:
        raise ValueError(f"{path}: missing column {missing[0]!r}")
    if unknown := sorted(set(table["system"]) - set(SYSTEMS)):
        raise ValueError(f"{path}: unknown system {unknown[0]!r}: the systems are {', '.join(SYSTEMS)}")
    parts = table["file"].str.extract(r"^stp(?P<setup>\d)_(?P<method>[^_]+)")
    return table.assign(system=table["system"].map(SYSTEMS), method=parts["method"], setup=parts["setup"].astype(int))
