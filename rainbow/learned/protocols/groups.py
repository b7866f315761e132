"""Groups of related rows that must be held out together, and their assignment to folds."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from hashlib import blake2b
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import IntArray
from rainbow.base.lazy import pd
from rainbow.meaning import Slot, parse_if_structured
from rainbow.stats.tidy_tables import require_columns
from rainbow.text.tokens.folding import fold_text

Keys = list[Hashable]

# The ways to hold rows out, what each leaves out, and what its number means.
PROTOCOLS = {
    "paper": "Leaves nothing out: it fits on 70 % of the rows and correlates over all rows, including these, so it "
    "leaks, and its number mostly shows how well the model remembers its training ratings.",
    "kfold": "Leaves out random folds of the rows in turn; its number holds for more outputs of the same systems for "
    "the same inputs, since inputs and texts of test rows also occur in training.",
    "by-item-and-text": "Leaves out inputs together with all inputs that share an output text with them; its number "
    "holds for new texts for new inputs of the same kind, from the same systems.",
    "by-template": "Leaves out all inputs with the same slots, whatever their values, and all rows that share a text "
    "with them; its number holds for kinds of input without any ratings.",
    "leave-one-system-out": "Leaves out one system at a time; its number holds for a system without any ratings, on "
    "inputs (and occasionally texts) that were rated for other systems.",
    "leave-one-dataset-out": "Leaves out one dataset at a time; its number holds for another domain and other raters, "
    "without any ratings from them.",
    "leave-one-corpus-out": "Leaves out one corpus at a time, with all rows of others that share a text or an input "
    "with it; its number holds for another rating campaign, without any ratings from it.",
    "leave-one-domain-out": "Leaves out all corpora of a domain at a time, with all rows of others that share a text "
    "or an input with them; its number holds for another domain, without any ratings from it.",
}

# By inputs and texts: the rows on which intervals, classes, importances and the audit are measured are held out so.
STRICT = "by-item-and-text"

# Protocols that are no longer offered, and the one to use instead.
REPLACED = {"split": "kfold", "by-item": STRICT, "by-text": STRICT}

# Default protocols: those without leakage that their names do not announce; the second for several joined corpora.
DEFAULT_PROTOCOLS = (STRICT, "by-template", "leave-one-system-out", "leave-one-dataset-out")
JOINED_PROTOCOLS = (STRICT, "leave-one-corpus-out", "leave-one-domain-out")

# Protocols that hold out what has one name in a column.
NAMED = {
    "leave-one-system-out": "system",
    "leave-one-dataset-out": "dataset",
    "leave-one-corpus-out": "corpus",
    "leave-one-domain-out": "domain",
}

# Those of them under which rows that share a text or an input with test rows are not learned from either.
APART = ("leave-one-corpus-out", "leave-one-domain-out")


def check_protocols(names: Iterable[str]) -> None:
    """Raise ValueError for a protocol that is unknown or no longer offered."""
    for name in names:
        if name in REPLACED:
            raise ValueError(f"the protocol {name!r} is no longer offered: use {REPLACED[name]!r}")
        if name not in PROTOCOLS:
            raise ValueError(f"unknown protocol {name!r}: choose from {', '.join(PROTOCOLS)}")


def input_template(mr: str) -> str:
    """Return the template of a meaning representation: its act and sorted slot names."""
    meaning = parse_if_structured(mr)
    if meaning is None:
        return mr
    return f"{meaning.act}({','.join(sorted(map(_without_literal_value, meaning.slots)))})"


def folded_text(text: str) -> str:
    """Return the text without case, accents and whitespace, to find equal texts."""
    return "".join(fold_text(text).split())


def row_groups(frame: pd.DataFrame, protocol: str) -> IntArray:
    """Return the group number of each row, from 0; a group is never split between folds.

    Shapes: frame (n, columns), returns (n,).
    """
    match protocol:
        case "by-item":
            return _number_keys(_item_keys(frame))
        case "by-text":
            return _number_keys(_text_keys(frame))
        case "by-item-and-text":
            return _connect_rows(_item_keys(frame), _text_keys(frame))
        case "by-template":
            return _connect_rows(_item_keys(frame), _text_keys(frame), row_templates(frame).tolist())
        case name if name in NAMED:
            require_columns(frame, [column := NAMED[name]])
            names = frame[column].tolist()
            if "" in names and any(names):
                raise ValueError(
                    f"row {names.index('') + 1} has no {column}: every row needs one, to leave one out at a time"
                )
            return np.unique(np.array(names, dtype=object), return_inverse=True)[1]
    check_protocols([protocol])
    return np.arange(len(frame))  # paper, kfold


def link_rows(frame: pd.DataFrame) -> IntArray:
    """Return component numbers of rows linked by shared texts or inputs, across data sets."""
    inputs = [mr or item for mr, item in zip(frame["mr"].tolist(), _item_keys(frame), strict=True)]
    return _connect_rows(_item_keys(frame), _text_keys(frame), inputs)


def row_templates(frame: pd.DataFrame) -> IntArray:
    """Return the template number of each row, from 0, or its item if it has no input."""
    items = _item_keys(frame)
    return _number_keys(
        [input_template(mr) if mr else item for mr, item in zip(frame["mr"].tolist(), items, strict=True)]
    )


def _without_literal_value(slot: Slot) -> str:
    return slot.name if slot.literal or not slot.value else f"{slot.name}={slot.value.lower()}"


def _item_keys(frame: pd.DataFrame) -> Keys:
    return list(zip(frame["dataset"].tolist(), frame["item"].tolist(), strict=True))


def _text_keys(frame: pd.DataFrame) -> Keys:
    return list(map(folded_text, frame["output"].tolist()))


def _number_keys(keys: Sequence[Hashable]) -> IntArray:
    """Return numbers for the keys in order of first occurrence."""
    numbers: dict[Hashable, int] = {}
    return np.array([numbers.setdefault(key, len(numbers)) for key in keys], dtype=np.intp)


def _connect_rows(*keys: Sequence[Hashable]) -> IntArray:
    """Return the component number of each row in the graph of rows and keys."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    rows = len(keys[0])
    nodes = [_number_keys(column) for column in keys]
    offsets = rows + np.cumsum([0, *(node.max(initial=-1) + 1 for node in nodes)])
    # 32 bits, because scipy 1.11 rejects graphs with 64-bit indices.
    ends = np.concatenate([node + offset for node, offset in zip(nodes, offsets, strict=False)]).astype(np.int32)
    starts = np.tile(np.arange(rows, dtype=np.int32), len(keys))
    size = int(offsets[-1])
    graph = coo_array((np.ones(len(ends), dtype=np.int8), (starts, ends)), shape=(size, size))
    return _number_keys(connected_components(graph, directed=False)[1][:rows].tolist())


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
