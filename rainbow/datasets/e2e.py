"""The E2E NLG Challenge: 21 systems' outputs for 630 inputs, with human judgements.

The files are not part of this package: ``rainbow fetch e2e`` brings them from https://github.com/tuetschek/e2e-dataset
(the test set, CC BY-SA 4.0) and https://github.com/tuetschek/e2e-eval.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rainbow.base.downloads import locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings, normalise_judgements, validate_judgements
from rainbow.datasets.published_files import published_files
from rainbow.datasets.text_files import read_outputs, read_references

NAME = "e2e"
DOMAIN = "hotels and restaurants"
OUTPUTS = published_files("e2e_outputs")  # by the name of the system in the published tables
SYSTEMS = {Path(file.local).stem: system for system, file in OUTPUTS.items()}  # by its name in the files
(REFERENCES,), (QUALITY,) = (published_files(group).values() for group in ("e2e", "e2e_ratings"))
FILES = {NAME: (REFERENCES, *OUTPUTS.values(), QUALITY)}
OPTIONS = ("as_published",)
RATINGS = ("quality",)

RATED_TOGETHER = 5  # outputs shown at once to a rater
# The columns of each in the file of ratings, and what they are called in a table of judgements.
_NAMES = {"sys": "system", "ref": "output", "quality": "value", "check": "check"}


def load(name: str = NAME, *, as_published: bool = False) -> Corpus:
    """Load the 13,230 outputs: one row per system and meaning representation."""
    references = read_references(locate_file(REFERENCES)).sets
    rows: list[dict[str, Any]] = []
    for system, file in OUTPUTS.items():
        lines = read_outputs(locate_file(file), as_published=as_published).lines
        rows.extend({"system": system, "mr": line.mr, "output": line.output} for line in lines)
    for number, row in enumerate(rows, 1):
        row |= {"id": f"{name}-{number:05d}", "dataset": name, "item": row["mr"], "references": references[row["mr"]]}
    judged = validate_judgements(judgements(name))
    return Corpus(add_mean_ratings(pd.DataFrame(rows), judged.assign(value=normalise_judgements(judged))), RATINGS)


def judgements(name: str = NAME) -> pd.DataFrame:
    """Return the human quality judgements: one row per output in every judgement."""
    return _read_quality(locate_file(QUALITY))


def _read_quality(path: Path) -> pd.DataFrame:
    import numpy as np

    wide = pd.read_csv(path, usecols=lambda name: name in QUALITY.columns, dtype=str, encoding="utf-8")
    if missing := [name for name in QUALITY.columns if name not in wide]:
        raise ValueError(
            f"{path}: the column {missing[0]!r} is missing, so this is not a file of the challenge's ratings"
        )
    identity = pd.DataFrame(
        {
            "judgement": [f"{NAME}-quality-{row:04d}" for row in range(1, len(wide) + 1)],
            "rater": np.full(len(wide), np.nan),
            "item": wide["mr"],
            "unit": wide["_unit_id"],
            "created": pd.to_datetime(wide["_created_at"], format="%m/%d/%Y %H:%M:%S"),
        }
    )
    places = [
        identity.join(wide[[f"{name}{place}" for name in _NAMES]].set_axis(list(_NAMES.values()), axis=1))
        for place in range(1, RATED_TOGETHER + 1)
    ]
    long = pd.concat(places).sort_index(kind="stable").reset_index(drop=True)
    try:
        long["value"] = pd.to_numeric(long["value"]).astype(float)
    except ValueError as error:
        raise ValueError(f"{path}: a rating is not a number: {error}") from None
    if unknown := sorted(set(long["system"]) - set(SYSTEMS)):
        raise ValueError(f"{path}: unknown system {unknown[0]!r}: the systems are {', '.join(SYSTEMS)}")
    long["system"] = long["system"].map(SYSTEMS)
    long["check"] = long["check"].str.replace("\n", ", ")
    long = long.assign(criterion="quality", kind="magnitude")
    first = ["judgement", "rater", "item", "system", "criterion", "kind", "value", "check"]
    return long[[*first, "output", "unit", "created"]]
