"""`rainbow score`: predict human ratings, one number per line."""

from __future__ import annotations

import json
import re
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from rainbow.base.formatting import plain
from rainbow.datasets.lexicon import role_by_name
from rainbow.datasets.read.formats import split_fields

if TYPE_CHECKING:
    from rainbow.learned.explanation import Explanation
    from rainbow.learned.scorer import Scorer

HELP = """Predict human ratings of texts: one number per line, in the order of the texts.

Texts are arguments, or lines of standard input. For outputs of several inputs, a line is a JSON object with output
and input or references. For a table, use rainbow run FILE.

\b
  {"output": "the inn is cheap.", "input": "inform(price_range=cheap)"}
  {"output": "an inn in soma.", "references": ["the inn is in soma."]}

A text that cannot be scored gets nan; its line and the reason are printed on standard error. By default the model
uses whatever is given: input, references, both, or the text alone. Scores are predicted ratings from 1 to 6
(accuracy: docs/general-score.md).

\b
Examples:
  rainbow score "the inn is cheap." --input "inform(price_range=cheap)"
  rainbow score "an inn in soma." --reference "the inn is in soma." --explain
  rainbow score --interval < outputs.jsonl > scores.tsv
"""

AT_ONCE = 256
MOST = 5  # contributions that are shown
# Other names of these are read where the usual ones are not there.
FIELDS = {"output": "output", "input": "input", "mr": "input", "references": "reference", "text": "output"}

_JSON_LIST = re.compile(r"\s*\[\s*($|\{)")


class Row(NamedTuple):
    """A text with its input and references, or the reason why it has no score."""

    output: str
    mr: str | None = None
    references: tuple[str, ...] = ()
    wrong: str = ""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP)(score)


def score(
    texts: Annotated[
        list[str] | None, typer.Argument(help="Texts to score; default: lines of standard input.", show_default=False)
    ] = None,
    mr: Annotated[str | None, typer.Option("--input", "--mr", help="Input of all texts whose lines have none.")] = None,
    reference: Annotated[
        list[str] | None, typer.Option(help="Reference of all texts whose lines have none (may be repeated).")
    ] = None,
    model: Annotated[
        str | None,
        typer.Option(
            help="Model name or model file.", show_default="full after `rainbow fetch smollm2 minilm`, else fast"
        ),
    ] = None,
    rating: Annotated[str, typer.Option(help="Rating: informativeness, naturalness or quality.")] = "quality",
    interval: Annotated[bool, typer.Option("--interval", help="Also print the 90 % interval, tab-separated.")] = False,
    explain: Annotated[bool, typer.Option("--explain", help="Also print the features that contributed most.")] = False,
    classes: Annotated[
        bool, typer.Option("--classes", help="Also print the most probable point of the scale.", hidden=True)
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per line.")] = False,
) -> None:
    """Predict human ratings."""
    if not texts and sys.stdin.isatty():
        raise ValueError(
            'give texts: rainbow score "the inn is cheap." --input "inform(...)", or lines on standard input'
        )
    if texts and not all(map(str.strip, texts)):
        raise typer.BadParameter("a text is empty: remove it or give another one", param_hint="TEXTS")
    if texts and len(texts) == 1 and len(texts[0]) < 256 and Path(texts[0]).is_file():
        raise ValueError(f"{texts[0]} is a file: rainbow run {texts[0]}")
    from rainbow.learned.scorer import Scorer

    default = Row("", mr, tuple(reference or ()))
    rows = (default._replace(output=text) for text in texts) if texts else _read_rows(_read_lines(sys.stdin), default)
    shown = ["score", *(["low", "high"] if interval else []), *(["most_probable"] if classes else [])]
    scorer, start, empty = None, 1, 0
    while batch := list(islice(rows, AT_ONCE)):
        scorer = scorer or Scorer(model, rating=rating)
        if start == 1 and sys.stdout.isatty() and not as_json:
            scale = f"from {scorer.low:g} to {scorer.high:g}"
            typer.echo(f"{', '.join(shown)}: predicted {scorer.model.rating}, {scale}", err=True)
        for line, values in enumerate(_score_rows(scorer, batch, explain, classes), start):
            if values["reason"]:
                typer.echo(f"rainbow: line {line}: {values['reason']}", err=True)
            typer.echo(json.dumps(plain(values), ensure_ascii=False) if as_json else _json_values(values, shown))
        start += len(batch)
        empty += sum(not row.wrong and not row.output.strip() for row in batch)
    if empty:
        warnings.warn(f"empty texts: {empty} of {start - 1}; they get the score of an empty text", stacklevel=2)


def _read_lines(lines: Iterator[str]) -> Iterator[str]:
    """Return the lines of standard input without a byte order mark; refuse tables."""
    first = list(islice(lines, AT_ONCE))
    first[:1] = [line.removeprefix("\ufeff") for line in first[:1]]
    if first and _JSON_LIST.match(first[0]):
        raise ValueError("standard input is a JSON list: save it as a file, then rainbow run FILE.json")
    if columns := detect_header(first[:-1] if len(first) == AT_ONCE else first):
        raise ValueError(
            f"standard input is a table with the columns {', '.join(columns)}: save it as a file, then rainbow run FILE"
        )
    return chain(first, lines)


def _read_rows(lines: Iterable[str], default: Row) -> Iterator[Row]:
    """Read texts and JSON objects, one per line."""
    for line in lines:
        text = line.rstrip("\r\n")
        yield _row_from_json(text, default) if text.startswith("{") else default._replace(output=text)


def _row_from_json(text: str, default: Row) -> Row:
    try:
        given = json.loads(text)
    except ValueError as error:
        return default._replace(wrong=f"invalid JSON object: {error}")
    roles = {name: _field_role(name) for name in given}
    if unknown := [name for name, role in roles.items() if not role]:
        return default._replace(wrong=f"unknown field {unknown[0]!r}: use output, input, references")
    # The usual names last: they count before others that say the same.
    fields = {roles[name]: given[name] for name in sorted(given, key=lambda name: name in FIELDS)}
    references = fields.get("reference", default.references)
    references = (references,) if isinstance(references, str) else tuple(references or ())
    if not isinstance(fields.get("output"), str) or not all(isinstance(one, str) for one in references):
        return default._replace(wrong="output must be a text, references a list of texts")
    meaning = fields.get("input", default.mr)
    return Row(
        fields["output"], meaning if meaning is None or isinstance(meaning, str) else json.dumps(meaning), references
    )


def _field_role(name: str) -> str | None:
    """Return the role of a field: output, input, reference, or known but unused."""
    return FIELDS.get(name) or role_by_name(name)


def _score_rows(scorer: Scorer, rows: list[Row], explain: bool, classes: bool) -> Iterator[dict[str, Any]]:
    """Yield the score of every row with its details as JSON-serialisable data."""
    reasons = [row.wrong or _missing_input(scorer, row) for row in rows]
    if good := [row for row, reason in zip(rows, reasons, strict=True) if not reason]:
        outputs, mrs, references = zip(*((row.output, row.mr, row.references) for row in good), strict=True)
        result = scorer.scored(outputs, references, mrs, interval=True, explanation=explain, classes=classes)
        columns = (result.score, result.low, result.high, result.familiarity)
    place = 0
    for reason in reasons:
        values: dict[str, Any] = dict.fromkeys(("score", "low", "high", "familiarity"), float("nan"))
        if not reason:
            values.update(zip(values, (float(column[place]) for column in columns), strict=True))
            if result.explanation is not None:
                values["explanation"] = _contributions(result.explanation, place)
            if result.classes is not None:
                points = zip(result.classes.points, result.classes.probabilities[place], strict=True)
                values["most_probable"] = float(result.classes.most_probable[place])
                values["probabilities"] = {f"{point:g}": float(probability) for point, probability in points}
            place += 1
        yield {**values, "reason": reason}


def _missing_input(scorer: Scorer, row: Row) -> str:
    missing = [need for need in sorted(scorer.needs) if not (row.mr if need == "mrs" else row.references)]
    names = {"mrs": "input", "references": "references"}
    return f"{scorer.name} needs {' and '.join(names[need] for need in missing)}" if missing else ""


def _contributions(explanation: Explanation, place: int) -> dict[str, float]:
    """Return the contributions to a prediction, largest first, after the base value."""
    results = sorted(
        zip(explanation.names, explanation.values[place].tolist(), strict=True), key=lambda one: -abs(one[1])
    )
    return {"base": explanation.base, **dict(results)}


def _json_values(values: dict[str, Any], names: list[str]) -> str:
    first = "\t".join(f"{values.get(name, float('nan')):{'g' if name == 'most_probable' else '.4f'}}" for name in names)
    shown = list(values.get("explanation", {}).items())[: MOST + 1]
    return "\n".join([first, *(f"  {value:+.4f}  {name}" for name, value in shown)])


_DELIMITERS = ",\t;|"
_LONGEST, _MOST_WORDS = 40, 4  # characters and words in the name of a column


def detect_header(lines: Sequence[str]) -> list[str]:
    """Return the column names if lines form a delimited table, else nothing."""
    if not lines or lines[0].startswith("{"):  # JSON
        return []
    for delimiter in _DELIMITERS:
        names, *rows = split_fields(lines, delimiter) or [[]]
        if rows and len(names) > 1 and {len(row) for row in rows} == {len(names)} and _looks_like_header(names):
            return names
    first = lines[0].strip().strip('"') if len(lines) > 1 else ""
    return [first] if first.isidentifier() and role_by_name(first) == "output" else []


def _looks_like_header(fields: Sequence[str]) -> bool:
    names = [field.strip() for field in fields]
    short = all(name and len(name) <= _LONGEST and len(name.split()) <= _MOST_WORDS for name in names)
    closed = any(name.endswith((".", "!")) for name in names)
    return short and not closed and len({*names}) == len(names) and any(map(role_by_name, names))
