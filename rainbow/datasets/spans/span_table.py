"""Exports of error spans as a table: a row per output and annotator, with a rating counted from the spans."""

from __future__ import annotations

import csv
import re
import warnings
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from rainbow.base.lazy import pd
from rainbow.base.storage import Place
from rainbow.corpus.error_spans import ERROR_SCORE, ERROR_SPANS, ErrorSpan, join_annotators, summarise_spans
from rainbow.datasets.spans.appraise import read_appraise
from rainbow.datasets.spans.export import Annotation, Export, ExportFile
from rainbow.datasets.spans.factgenie import read_factgenie
from rainbow.datasets.spans.label_studio import read_label_studio
from rainbow.datasets.spans.potato import read_potato

_READERS: tuple[Callable[[ExportFile], Export | None], ...] = (
    *(read_factgenie, read_label_studio),
    *(read_potato, read_appraise),
)
_KINDS = (".jsonl", ".ndjson", ".json", ".csv")
ANNOTATOR = "annotator"
# Weights of MQM; an error without a severity, or with another one, weighs 1.
WEIGHTS = {"neutral": 0.0, "minor": 1.0, "major": 5.0, "critical": 25.0}
_MOST_NAMED = 5  # problems that a warning names
_MOST_ANNOTATORS = 12  # annotators that the summary names


def read_span_table(paths: Sequence[Place], weights: Sequence[str] = ()) -> pd.DataFrame | None:
    """Return the table of exports of error spans, with its summary as `attrs`; None for other files."""
    files = tuple(path for path in paths if isinstance(path, Path) and path.is_file())
    if not files or len(files) < len(paths) or not any(file.suffix.lower() in _KINDS for file in files):
        return None
    states = tuple((file.absolute(), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    table = _cached_table(states, tuple(weights))
    return None if table is None else table.copy()


@lru_cache(maxsize=8)
def _cached_table(states: tuple[tuple[Path, int, int], ...], weights: tuple[str, ...]) -> pd.DataFrame | None:
    files = [path for path, *_ in states]
    exports = {file: export for file in files if (export := _read_export(file, files))}
    empty = not any(each.spans for export in exports.values() for each in export.annotations)
    if not exports or (empty and all(export.is_table and not export.problems for export in exports.values())):
        return None
    return make_span_table([*exports.values()], WEIGHTS | parse_weights(weights))


def _read_export(file: Path, files: Sequence[Path]) -> Export | None:
    export_file = ExportFile(file, [other for other in files if other != file])
    try:
        return next((export for read in _READERS if (export := read(export_file))), None)
    except (UnicodeError, csv.Error):  # no tool writes such files
        return None
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"{file.name} begins like an export of error spans, but is damaged: {error!r}") from None


def parse_weights(entries: Sequence[str]) -> dict[str, float]:
    """Return the weights of severities and categories in entries such as ``major=10``."""
    weights = {}
    for entry in entries:
        name, mark, number = entry.rpartition("=")
        try:
            weights[name.strip().casefold()] = float(number)
        except ValueError:
            mark = ""
        if not (mark and name.strip()):
            raise ValueError(f"error_weights {entry!r}: write a severity or category and its weight, e.g. 'major=10'")
    return weights


def error_score(spans: Sequence[ErrorSpan], weights: Mapping[str, float]) -> float:
    """Return minus the sum of weights: of the category if it has a weight, else of the severity, else 1."""
    names = ((span.category.casefold(), span.severity.casefold()) for span in spans)
    return 0.0 - sum(next((weights[name] for name in pair if name in weights), 1.0) for pair in names)


def make_span_table(exports: Sequence[Export], weights: Mapping[str, float]) -> pd.DataFrame:
    """Return a row per output and annotator, whose `error_spans` are those of all annotators of the output."""
    outputs: dict[str, dict[str, Annotation]] = {}
    repeated = 0
    for annotation in (annotation for export in exports for annotation in export.annotations):
        own = outputs.setdefault(repr(sorted(annotation.about.items())), {})
        repeated += annotation.annotator in own
        own[annotation.annotator] = annotation
    problems = [problem for export in exports for problem in export.problems]
    if not outputs:
        raise ValueError(f"no annotation can be read: {'; '.join(problems[:_MOST_NAMED])}")
    kept = [annotation for own in outputs.values() for annotation in own.values()]
    named = {name for annotation in kept for name in annotation.about}
    if taken := sorted(named & {ANNOTATOR, ERROR_SCORE, ERROR_SPANS}):
        raise ValueError(f"the texts have a field {taken[0]!r}, which holds the annotations here: rename it")
    rows: list[dict[str, Any]] = []
    for annotation in kept:
        score = {ANNOTATOR: annotation.annotator, ERROR_SCORE: error_score(annotation.spans, weights)}
        marks = {_rating_name(rating): value for rating, value in annotation.ratings.items()}
        rows.append({**annotation.about, **score, **marks})
    keys = [key for key, own in outputs.items() for _ in own]
    table = pd.DataFrame(rows, dtype=object)
    table[ERROR_SPANS] = join_annotators(keys, table[ANNOTATOR].tolist(), [annotation.spans for annotation in kept])
    known = {_rating_name(name) for annotation in kept for name in annotation.ratings}
    further = [name for name in map(str, table) if name in known]
    constant = [name for name in further if table[name].nunique() < 2]
    table = table.drop(columns=constant)
    if problems:
        more = f"; and {len(problems) - _MOST_NAMED} more" if len(problems) > _MOST_NAMED else ""
        warnings.warn("; ".join(problems[:_MOST_NAMED]) + more, stacklevel=2)
    tool = " and ".join(dict.fromkeys(export.tool for export in exports))
    table.attrs = {
        "tool": tool,
        "ratings": [ERROR_SCORE, *(name for name in further if name not in constant)],
        "summary": [*_summarise(table, keys, exports, tool), *_remarks(weights, repeated, constant)],
    }
    return table


def _rating_name(name: str) -> str:
    """Return a name without the characters that have a meaning in options."""
    return " ".join(re.sub(r"[=,@*{}]", " ", name).split())


def _summarise(table: pd.DataFrame, keys: Sequence[str], exports: Sequence[Export], tool: str) -> list[str]:
    """Return what was read: counts of outputs, annotators, severities and rows that are not outputs."""
    skipped = Counter[str]()
    for export in exports:
        skipped += export.skipped
    lines = [summarise_spans(tool, dict(zip(keys, table[ERROR_SPANS], strict=True)).values())]
    lines += [f"left out: {number} {kind}" for kind, number in skipped.items()]
    annotators = list(dict.fromkeys(table[ANNOTATOR]))
    if len(annotators) <= _MOST_ANNOTATORS:
        lines.append("annotators: " + ", ".join(f"{number} is {name}" for number, name in enumerate(annotators, 1)))
    return lines


def _remarks(weights: Mapping[str, float], repeated: int, constant: Sequence[str]) -> list[str]:
    shown = ", ".join(f"{kind} {weight:g}" for kind, weight in weights.items())
    lines = [f"{ERROR_SCORE}: minus the weights of an annotator's spans ({shown}, others 1), 0 without an error"]
    lines += [f"left out: {name}, which is the same everywhere" for name in constant]
    if repeated:
        lines.append(f"{repeated} repeated by the same annotator: the last one counts")
    return lines
