"""Whether the ids of any number of rows are unique, in eight bytes for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from rainbow.corpus import RowError

__all__ = ["UniqueIds"]


class UniqueIds:
    """The ids met so far, as sorted hashes.

    Examples
    --------
    >>> ids = UniqueIds()
    >>> ids.add(["a", "b"], lambda: iter("abca"))
    >>> ids.add(["c", "a"], lambda: iter("abca"))
    Traceback (most recent call last):
    rainbow.corpus.rows.RowError: row 2, id: 'a' already stands in row 1
    """

    def __init__(self) -> None:
        self._hashes = np.empty(0, dtype=np.int64)

    def add(self, ids: Sequence[str], all_ids: Callable[[], Iterable[str]]) -> None:
        """Take the ids of the next rows, which are unique among themselves.

        Parameters
        ----------
        ids
            The new ones.
        all_ids
            Gives the ids of all rows from the first on, to tell equal ids from equal hashes.

        Raises
        ------
        RowError
            If one has been met before: the row is counted among the new ones, the earlier one among all.
        """
        before = len(self._hashes)
        hashes = np.fromiter(map(hash, ids), dtype=np.int64, count=len(ids))
        if before:
            places = np.searchsorted(self._hashes, hashes).clip(max=before - 1)
            for row in np.flatnonzero(self._hashes[places] == hashes).tolist():
                for earlier, identity in zip(range(1, before + 1), all_ids(), strict=False):
                    if identity == ids[row]:
                        raise RowError(row + 1, f"id: {identity!r} already stands in row {earlier}")
        self._hashes = np.sort(np.concatenate([self._hashes, hashes]))
