"""MQM tables: one row per error that a rater marked, as published by WMT.

Errors are weighted as in Freitag et al. (2021, "Experts, Errors, and Context", table 1): 25 for a non-translation, 5
for a major error, 1 for a minor one (punctuation .1), 0 for a neutral one and none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

# The names of each field, in lower case without spaces, underscores and hyphens.
_NAMES = {
    "category": ("category", "errorcategory", "errortype", "errorcategories"),
    "severity": ("severity", "errorseverity", "severitylevel"),
    "rater": ("rater", "raterid", "annotator", "annotatorid", "evaluator", "evaluatorid"),
    "source": ("source", "sourcetext", "sourcesegment", "src"),
    "target": ("target", "targettext", "targetsegment", "translation", "hypothesis", "tgt"),
}
_OF_ONE_ERROR = ("taggedsource", "taggedtarget", "taggedsrc", "taggedtgt", "span", "errorspan", "comment")
_WEIGHTS = {"critical": 5.0, "major": 5.0, "minor": 1.0, "neutral": 0.0, "no-error": 0.0, "no error": 0.0, "": 0.0}


def is_mqm_table(columns: Iterable[str]) -> bool:
    """Return whether these are the columns of an MQM table."""
    return len(_field_columns(columns)) == len(_NAMES)


def _normalise_name(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _field_columns(columns: Iterable[str]) -> dict[str, str]:
    """Return the column of each field."""
    by_name = {_normalise_name(name): name for name in columns}
    result = {
        field: next((by_name[name] for name in names if name in by_name), None) for field, names in _NAMES.items()
    }
    return {field: name for field, name in result.items() if name is not None}


def weight_errors(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row per judgement with the rating `mqm`, the negative sum of error weights."""
    field = _field_columns(map(str, frame))
    severity, category = (frame[field[name]].fillna("").astype(str).str.strip() for name in ("severity", "category"))
    weights = severity.str.casefold().map(_WEIGHTS)
    if weights.isna().any() or ((severity == "") & (category != "")).any():
        return frame
    weights = weights.mask(category.str.contains("punctuation", case=False) & (weights == 1), 0.1)
    weights = weights.mask(category.str.contains("non-translation", case=False), 25.0)
    texts = [field["source"], field["target"]]
    of_error = [name for name in frame if _normalise_name(str(name)) in _OF_ONE_ERROR] + [
        field["category"],
        field["severity"],
    ]
    judgement = [name for name in frame if name not in (*of_error, *texts)]
    plain = {name: frame[name].str.replace(r"</?v>", "", regex=True) for name in texts}
    table = frame.drop(columns=of_error).assign(**plain, mqm=0.0 - weights)
    first = dict.fromkeys(texts, "first")
    return table.groupby(judgement, sort=False, as_index=False, dropna=False).agg({**first, "mqm": "sum"})
