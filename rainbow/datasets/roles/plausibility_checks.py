"""Plausibility checks of a reading; a failed check raises a question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import NamedTuple

from rainbow.base.lazy import pd
from rainbow.datasets.columns import Columns
from rainbow.datasets.lexicon import has_word_class
from rainbow.datasets.roles.assignment import COMPARISONS, RANKS
from rainbow.datasets.roles.column import _CODE, _DATE, _LINK, Column
from rainbow.datasets.roles.column_detection import Reading
from rainbow.datasets.roles.relations import count_distinct_rows, is_row_count, shared_correlation
from rainbow.datasets.shapes.comparisons import preference_values

# Roles that come with outputs.
SIGNS = frozenset(["system", "rating", "score", "rank", "winner", "best", "worst", "mark", "reference"])
ESSENTIAL_ROLES = SIGNS - {"reference"} | {"output", "criterion"}
HARMLESS = (frozenset(["item", "id", "unused"]), frozenset(["rating", "rank"]), frozenset(["winner", "best"]))
FEW_TEXTS, LABEL_WORDS = 8, 1.5  # different outputs, and words of one, up to which outputs may be labels
MAX_CODE_SHARE = 0.5  # share of outputs that may look like codes, dates or links
READABLE = 0.9  # share of winners that name one of the sides
COPY = 0.9995  # correlation of a rating and a copy of it
SEVERAL = 1.5  # outputs of an input, on average
MANY = 20  # rows of which outputs are not all the same
MIN_ROWS = 6  # rows that checks of repetition need


class Doubt(NamedTuple):
    """An uncertain role, the alternative, the reason, and whether outputs or ratings are affected."""

    column: str
    role: str
    other: str
    why: str
    at_stake: bool
    lead: float = 0.0
    stops: bool = False


def find_doubts(
    reading: Reading, columns: Columns, given: Columns, table: pd.DataFrame, unplaced: Sequence[str] = ()
) -> Iterator[Doubt]:
    """Return the uncertain roles: small leads of the model, and failed checks."""
    fields = ("output", "references", "mr", "system", "ratings", "scores", "pair")
    named = {name for field in fields for name in given.columns_of(field)}
    if not reading.is_complete and given.columns_of("output"):
        return  # the error names the column that is missing
    if not reading.is_complete:
        yield Doubt("", "output", "", "no column looks like generated texts", True, stops=True)
        return
    if not len(table):
        return
    checked = [doubt for doubt in _failed_checks(reading, columns, given, table, unplaced) if doubt.column not in named]
    yield from checked
    yield from _rival_doubts(reading, named | {doubt.column for doubt in checked}, rated=bool(given.ratings))


def _failed_checks(
    reading: Reading, columns: Columns, given: Columns, table: pd.DataFrame, unplaced: Sequence[str]
) -> Iterator[Doubt]:
    """Yield the roles that fail a check."""
    others = {column.name for column in reading.columns_with("rating")} if given.ratings else set()
    for name, role, why in (
        *_check_outputs(reading),
        *_check_ratings(reading),
        *_check_names(reading),
        *_check_winners(reading, columns, table),
    ):
        if name not in others:
            yield Doubt(name, role, "unused", why, role in ESSENTIAL_ROLES, stops=role in ESSENTIAL_ROLES)
    if len(columns.output) == 1 and not {*reading.assignment.roles} & SIGNS:
        yield Doubt(columns.output[0], "output", "reference", "no system, rating or reference comes with it", True)
    rated, why = {*reading.names("rating")} - {*given.ignored}, "it is unclear which output it belongs to"
    for name in unplaced:
        if name in rated:
            yield Doubt(name, "rating", "unused", why, True, stops=not columns.ratings)


def _rival_doubts(reading: Reading, named: Set[str], *, rated: bool) -> Iterator[Doubt]:
    """Yield the first column of each difference from a nearly as probable reading."""
    for name, role in reading.left_out.items():
        yield Doubt(name, "unused", role, "its name and cells fit both", True)
    best, seen = reading.assignment, {*reading.left_out}
    harmless = (*HARMLESS, frozenset(["rating", "unused"])) if rated else HARMLESS
    for rival in sorted(reading.rivals, key=lambda rival: -rival.score):
        lead = best.score - rival.score
        if rival is best or lead >= reading.sure:
            continue
        differ = [
            (column.name, one, other)
            for column, one, other in zip(reading.columns, best.roles, rival.roles, strict=True)
            if one != other and not any({one, other} <= alike for alike in harmless)
            if column.name not in named and column.name not in reading.left_out
        ]
        stake = [part for part in differ if not ESSENTIAL_ROLES.isdisjoint(part[1:])]
        for name, one, other in (stake or differ)[:1]:
            if name not in seen:
                seen.add(name)
                stops = bool(stake) and lead < reading.likely
                yield Doubt(name, one, other, "its name and cells fit both", bool(stake), lead, stops)


Failed = tuple[str, str, str]  # column, role, reason


def _check_outputs(reading: Reading) -> Iterator[Failed]:
    """Check that outputs look like written texts."""
    for column in reading.columns_with("output"):
        if max(column.share(_CODE), column.share(_DATE), column.share(_LINK)) > MAX_CODE_SHARE:
            yield column.name, "output", "its cells look like codes, dates, numbers or links, not like texts"
        elif len(column.texts) >= MIN_ROWS and column.distinct <= FEW_TEXTS and column.words <= LABEL_WORDS:
            yield column.name, "output", f"it has only {column.distinct} different cells, like labels"
        elif column.distinct == 1 and len(column.texts) >= MANY:
            yield column.name, "output", "all its cells are equal"
    for column in reading.columns_with("reference"):
        if column.distinct == 1 and len(column.texts) >= MIN_ROWS:
            yield column.name, "reference", "all its cells are equal"


def _check_ratings(reading: Reading) -> Iterator[Failed]:
    """Check that ratings are not counters or ids, and scores not copies of ratings."""
    ratings = reading.columns_with("rating", "rank", "mark")
    keys = [column for column in reading.columns if not column.is_mark or column not in ratings]
    for column in ratings:
        is_rank = has_word_class(column.name, "rank") and not column.scale
        if is_rank and not reading.names("system") and len(reading.columns_with("output")) < 2:
            yield column.name, "rating", "it looks like ranks, but no column names the ranked systems"
        elif column.is_count or (not column.scale and any(is_row_count(column, key) for key in keys)):
            yield column.name, "rating", "its numbers look like row numbers"
        elif column.kind == "number" and column.is_whole and max(column.numbers) > 1000:
            yield column.name, "rating", "its numbers are larger than any scale"
    yield from _check_input_ratings(reading, ratings)
    for column in reading.columns_with("score"):
        for other in ratings:
            if shared_correlation(column.row_numbers, other.row_numbers, MIN_ROWS) > COPY:
                yield column.name, "score", f"it is a copy of the rating {other.name!r} on another scale"


def _check_input_ratings(reading: Reading, ratings: Sequence[Column]) -> Iterator[Failed]:
    """Check that ratings differ between the outputs of an input, as other ratings do."""
    for item in (reading.columns_with("item") or reading.columns_with("input"))[:1]:
        for output in reading.columns_with("output")[:1]:
            if count_distinct_rows(item.codes, output.codes) < SEVERAL * item.distinct or item.distinct < MIN_ROWS:
                continue
            kinds = [count_distinct_rows(item.codes, rating.codes) for rating in ratings]
            same = [r for r, kind in zip(ratings, kinds, strict=True) if kind == item.distinct > r.distinct]
            for rating in same if len(same) < len(ratings) else ():
                yield rating.name, "rating", "it is the same for all outputs of an input"


def _check_names(reading: Reading) -> Iterator[Failed]:
    """Check that systems have several rows, and that item and system identify one output."""
    if len(reading.columns_with("output")) > 1 or reading.assignment.layout == RANKS:
        return
    for column in reading.columns_with("system"):
        if len(column.texts) >= MIN_ROWS and column.distinct > max(2, len(column.texts) / 2):
            yield column.name, "system", f"it has {column.distinct} names in {len(column.texts)} rows"
    for rater in reading.columns_with("rater"):
        for output in reading.columns_with("output"):
            if count_distinct_rows(rater.codes, output.codes) == output.distinct == rater.distinct > MIN_ROWS:
                yield rater.name, "rater", "each row has a different name"


def _check_winners(reading: Reading, columns: Columns, table: pd.DataFrame) -> Iterator[Failed]:
    """Check that the preferred side is one of the two sides."""
    if reading.assignment.layout != COMPARISONS or not columns.winner or columns.winner not in table:
        return
    values = preference_values(table, columns.winner, columns.pair, columns.output)
    filled = sum(str(cell).strip() not in ("", "None", "nan") for cell in table[columns.winner])
    known = [value for value in values if value is not None]
    if len(known) < READABLE * filled:
        yield columns.winner, "winner", "its cells do not match the two sides"
