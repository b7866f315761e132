"""Tables with one row per answer of a study, or per error that a rater marked (MQM), converted to rows of judgements.

Errors are weighted as in Freitag et al. (2021, "Experts, Errors, and Context", table 1): 25 for a non-translation, 5
for a major error, 1 for a minor one (punctuation .1), 0 for a neutral one and none.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from rainbow.base.lazy import pd
from rainbow.corpus.error_spans import ERROR_SPANS, ErrorSpan, join_annotators, summarise_spans

# The columns that identify such a table; any other describes the output.
ANSWER_COLUMNS = ("rater", "output", "rating", "value", "seconds", "order", "control")
_DROPPED = ("rating", "value", "seconds", "order", "control", "task", "repeat", "spans", "against", "id")


def find_conversion(
    columns: Iterable[str], weights: Mapping[str, float] = MappingProxyType({})
) -> Callable[[pd.DataFrame], pd.DataFrame] | None:
    """Return what converts a whole table with these columns to rows of judgements; None for any other table."""
    columns = list(columns)
    if {*ANSWER_COLUMNS} <= {*columns}:
        return spread_ratings
    return partial(weight_errors, changed=weights) if len(_field_columns(columns)) == len(_NAMES) else None


def spread_ratings(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a row for each answer, with a column for each rating, without control items."""
    kept = frame[frame["control"].isin(["", None]) | frame["control"].isna()]
    names = [name for name in kept["rating"].dropna().unique() if name != ""]
    if taken := [name for name in names if name in frame]:
        raise ValueError(f"the rating name {taken[0]!r} is already a column of the table: rename the rating")
    ratings = {name: kept["value"].where(kept["rating"] == name, "") for name in names}
    left = kept.drop(columns=[name for name in _DROPPED if name in kept])
    if "spans" in kept and (spans := [_read_spans(cell) for cell in kept["spans"]]) and any(spans):
        outputs = [repr(cells) for cells in left.drop(columns="rater").itertuples(index=False, name=None)]
        cells = join_annotators(outputs, kept["rater"].map(str).tolist(), spans)
        left = left.assign(**{ERROR_SPANS: pd.Series(cells, index=left.index, dtype=object)})
    return left.assign(**ratings).reset_index(drop=True)


def _read_spans(cell: Any) -> list[ErrorSpan] | None:
    """Return the errors that a rater marked; None for an answer to another question."""
    try:
        return [ErrorSpan(span["start"], span["end"], span["kind"], span["severity"]) for span in json.loads(cell)]
    except (TypeError, ValueError, KeyError):
        return None


# The names of each field, in lower case without spaces, underscores and hyphens.
_NAMES = {
    "category": ("category", "errorcategory", "errortype", "errorcategories"),
    "severity": ("severity", "errorseverity", "severitylevel"),
    "rater": ("rater", "raterid", "annotator", "annotatorid", "evaluator", "evaluatorid"),
    "source": ("source", "sourcetext", "sourcesegment", "src"),
    "target": ("target", "targettext", "targetsegment", "translation", "hypothesis", "tgt"),
}
_OF_ONE_ERROR = ("taggedsource", "taggedtarget", "taggedsrc", "taggedtgt", "span", "errorspan", "comment", "metadata")
_MARKED = re.compile(r"<v>(.*?)</v>", re.DOTALL)
_NO_ERROR = ("no-error", "no error", "")
_PLANTED = "hotw-test"  # a row about an error that was planted to test the rater
_WEIGHTS = {"critical": 5.0, "major": 5.0, "minor": 1.0, "neutral": 0.0} | dict.fromkeys(_NO_ERROR, 0.0)


def _normalise_name(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _field_columns(columns: Iterable[str]) -> dict[str, str]:
    """Return the column of each field."""
    by_name = {_normalise_name(name): name for name in columns}
    known = {field: [by_name[name] for name in names if name in by_name] for field, names in _NAMES.items()}
    return {field: names[0] for field, names in known.items() if names}


def weight_errors(frame: pd.DataFrame, changed: Mapping[str, float] = MappingProxyType({})) -> pd.DataFrame:
    """Return a row per judgement with the rating `mqm`, the negative sum of error weights, and the marked spans."""
    field = _field_columns(map(str, frame))
    frame = frame[frame[field["severity"]].astype(str).str.casefold() != _PLANTED]
    severity, category = (frame[field[name]].fillna("").astype(str).str.strip() for name in ("severity", "category"))
    weights = severity.str.casefold().map(_WEIGHTS | dict(changed))
    if weights.isna().any() or ((severity == "") & (category != "")).any():
        return frame
    weights = weights.mask(category.str.contains("punctuation", case=False) & (weights == 1), 0.1)
    weights = weights.mask(category.str.contains("non-translation", case=False), 25.0)
    weights = category.str.casefold().map(dict(changed)).fillna(weights).astype(float)
    texts = [field["source"], field["target"]]
    of_error = [name for name in map(str, frame) if _normalise_name(name) in _OF_ONE_ERROR or name.startswith("#")]
    of_error += [field["category"], field["severity"]]
    judgement = [name for name in frame if name not in (*of_error, *texts)]
    marked = [_read_span(*cells) for cells in zip(frame[field["target"]], category, severity, strict=True)]
    spans = pd.Series(marked, index=frame.index, dtype=object)
    plain = {name: frame[name].str.replace(r"</?v>", "", regex=True) for name in texts}
    table = frame.drop(columns=of_error).assign(**plain, mqm=0.0 - weights, **{ERROR_SPANS: spans})
    first = dict.fromkeys(texts, "first")
    gathered = table.groupby(judgement, sort=False, as_index=False, dropna=False)
    result = gathered.agg({**first, "mqm": "sum", ERROR_SPANS: "sum"})
    output = [name for name in (*judgement, *texts) if name != field["rater"]]
    keys = [repr(cells) for cells in result[output].itertuples(index=False, name=None)]
    cells = join_annotators(keys, result[field["rater"]].map(str).tolist(), result[ERROR_SPANS].tolist())
    result = result.assign(**{ERROR_SPANS: pd.Series(cells, index=result.index, dtype=object)})
    result.attrs["summary"] = [summarise_spans("an MQM table", dict(zip(keys, cells, strict=True)).values())]
    return result


def _read_span(target: Any, category: str, severity: str) -> tuple[ErrorSpan, ...]:
    """Return the error span of a row, or an empty tuple if the row is marked as free of errors."""
    if severity.casefold() in _NO_ERROR or category.casefold() == "no-error":
        return ()
    marked = _MARKED.search(str(target))
    start = marked.start() if marked else 0
    return (ErrorSpan(start, start + len(marked[1]) if marked else 0, category, severity.casefold()),)
