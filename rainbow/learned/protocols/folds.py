"""Assignment of whole groups of rows to folds, for every protocol."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import IntArray
from rainbow.base.lazy import pd
from rainbow.learned.protocols.groups import APART, NAMED, link_rows, row_groups
from rainbow.stats.tidy_tables import require_columns

# Share of the rows that `paper` does not learn from.
_HELD_OUT = 0.3

# Columns that identify a row whatever the order of the table; an id or an item may be just a row number.
_CONTENT = ("dataset", "system", "mr", "output")


class FoldAssignment(NamedTuple):
    """Fold of each row of a corpus under a protocol."""

    protocol: str  # how rows are grouped, see :func:`~rainbow.learned.protocols.groups.row_groups`
    seed: int  # of the draw; leaving out one system or data set at a time does not depend on it
    # integers, shape (n,), in the order of the rows: rows of fold k are predicted by what was learned from all other
    # rows; for `paper` -1 marks training rows
    fold: IntArray
    # if training rows that share a text or an input with test rows are left out: group numbers of such rows, shape (n,)
    linked: IntArray | None = None


def assign_folds(frame: pd.DataFrame, protocol: str, *, folds: int = 5, seed: int = 2017) -> FoldAssignment:
    """Assign rows to folds, keeping groups (see `row_groups`) together."""
    groups = row_groups(frame, protocol)
    if protocol == "paper":
        if (held_out := round(_HELD_OUT * len(frame))) < 1:
            raise ValueError(f"{len(frame)} rows are too few to hold out {_HELD_OUT:.0%} of them")
        fold = np.full(len(frame), -1)
        fold[_shuffle_groups(frame, np.arange(len(frame)), seed)[:held_out]] = 0
    elif protocol in NAMED:
        fold = groups
        if fold.max(initial=0) == 0:
            raise ValueError(f"all rows have the same {NAMED[protocol]}: leaving one out needs at least two")
    else:
        fold = _deal_groups(frame, groups, protocol, folds, seed)
    return FoldAssignment(protocol, seed, fold, link_rows(frame) if protocol in APART else None)


def iter_folds(assignment: FoldAssignment) -> Iterator[tuple[IntArray, IntArray]]:
    """Yield the positions of the training rows and the test rows of each fold."""
    fold = assignment.fold
    for number in np.unique(fold[fold >= 0]):
        test = np.arange(len(fold)) if assignment.protocol == "paper" else np.flatnonzero(fold == number)
        learned = fold != number
        if assignment.linked is not None:
            learned &= ~np.isin(assignment.linked, assignment.linked[test])
        yield np.flatnonzero(learned), test


def folds_table(frame: pd.DataFrame, assignments: Iterable[FoldAssignment]) -> pd.DataFrame:
    """Return assignments as a tidy table with `protocol`, `seed`, `id` and `fold`."""
    require_columns(frame, ["id"])
    parts = [
        pd.DataFrame({"protocol": protocol, "seed": seed, "id": frame["id"].tolist(), "fold": fold})
        for protocol, seed, fold, _ in assignments
    ]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=["protocol", "seed", "id", "fold"])


def row_positions(frame: pd.DataFrame, ids: Sequence[str]) -> IntArray:
    """Return the row position of each id in the table."""
    places = {identity: place for place, identity in enumerate(frame["id"].tolist())}
    if (unknown := next((identity for identity in ids if identity not in places), None)) is not None:
        raise ValueError(f"the corpus has no row with id {unknown!r}: read CSV files with dtype={{'id': str}}")
    return np.array([places[identity] for identity in ids], dtype=np.intp)


def _deal_groups(frame: pd.DataFrame, groups: IntArray, protocol: str, folds: int, seed: int) -> IntArray:
    """Assign the groups to folds with nearly equal numbers of rows."""
    sizes = np.bincount(groups)
    if folds < 2:
        raise ValueError(f"folds is {folds}: use at least 2")
    if len(sizes) < 2:
        raise ValueError(f"{protocol} gives {len(sizes)} groups of rows: there is nothing to hold out")
    folds = min(folds, len(sizes))
    drawn = _shuffle_groups(frame, groups, seed)
    rows = np.zeros(folds, dtype=np.intp)
    fold_of = np.empty(len(sizes), dtype=np.intp)
    for group in drawn[np.argsort(-sizes[drawn], kind="stable")]:
        fold_of[group] = rows.argmin()
        rows[fold_of[group]] += sizes[group]
    return fold_of[groups]


def _shuffle_groups(frame: pd.DataFrame, groups: IntArray, seed: int) -> IntArray:
    """Return a pseudorandom group order that depends only on the seed and the groups' content."""
    size = int(groups.max(initial=-1)) + 1
    digests = np.zeros(size, dtype=np.uint64)
    # A sum does not depend on the order of the rows; it may overflow.
    rows = zip(*(frame[name].tolist() for name in _CONTENT), strict=True)
    content = b"".join(blake2b(repr((seed, *row)).encode(), digest_size=8).digest() for row in rows)
    np.add.at(digests, groups, np.frombuffer(content, dtype="<u8").astype(np.uint64))
    # Rows may be alike in all but their ids.
    names = np.full(size, len(frame))
    np.minimum.at(names, groups, np.argsort(np.argsort(np.array(frame["id"].tolist(), dtype=object))))
    order: IntArray = np.lexsort((names, digests))
    return order
