"""The rows that everything flows through: outputs, references, meaning representations, ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from rainbow.corpus.corpus_table import (
    COLUMNS,
    RowError,
    check_texts,
    check_unique,
    parsed_meaning,
    reference_sets,
    with_defaults,
    with_ratings,
)
from rainbow.meaning import MeaningRepresentation, delexicalise

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["COLUMNS", "Corpus", "RowError", "View"]


@dataclass(frozen=True)
class View:
    """The texts that a metric sees: one output and its references for every row.

    Attributes
    ----------
    name
        ``surface``, ``delexicalised``, or a name that the dataset gives.
    outputs
        One text per row.
    references
        A tuple of texts per row; empty where a row has none.
    collections
        For every row the name of the collection whose corpus statistics apply to it (empty: one for all).
    documents
        The reference sets of each collection, for corpus statistics; where a name is missing, the distinct
        reference sets of its rows are meant, one per item.
    """

    name: str
    outputs: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    collections: tuple[str, ...] = ()
    documents: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Corpus:
    """A validated table of outputs with what belongs to them; rows are never dropped, reordered or changed.

    Parameters
    ----------
    frame
        A row per output. `output` (str) must be there; `id`, `dataset`, `system`, `item`, `mr`, `mr_type` (str) and
        `references` (a tuple of str) are filled in where they are missing: the item from the meaning
        representation or else the references, the type from the meaning representation's act.
    ratings
        The names of the columns that hold human ratings (numbers; NaN where there is none).
    views
        Further text views by name, besides `surface` and `delexicalised`.
    background
        References for further inputs, which no system was run on (the outputs in it count for nothing): what people
        write in this domain, a system's training set, say. Language models learn from them too.

    Raises
    ------
    ValueError
        If a row is not as described; the message names the row (counted from 1) and the field. If rows have meaning
        representations and the background has none: its texts could not be delexicalised.

    Examples
    --------
    >>> corpus = Corpus.of(outputs=["the inn is cheap."], references=[["the inn is not expensive."]])
    >>> len(corpus), corpus.default_view
    (1, 'surface')
    """

    frame: pd.DataFrame
    ratings: tuple[str, ...] = ()
    views: Mapping[str, View] = field(default_factory=dict)
    background: Corpus | None = None

    def __post_init__(self) -> None:
        frame = with_defaults(self.frame)
        check_texts(frame)
        check_unique(frame["id"].tolist())
        object.__setattr__(self, "frame", with_ratings(frame, self.ratings))
        for view in self.views.values():
            _check_view(view, len(frame))
        _ = self.meanings  # an unreadable meaning representation is told here, with its row
        if self.background is not None and self.default_view not in self.background.view_names:
            raise ValueError("background: give it meaning representations, as the outputs have them")

    @classmethod
    def of(
        cls,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        mrs: Sequence[str] | None = None,
        **columns: Sequence[Any],
    ) -> Corpus:
        """Make a corpus from parallel sequences: a row per output; other columns by keyword.

        Parameters
        ----------
        outputs, references, mrs
            One text, one sequence of texts, one meaning representation per row.
        **columns
            `id`, `dataset`, `system`, `item`, `mr_type`, or ratings.

        Raises
        ------
        ValueError
            If the lengths differ, or a row is not valid.

        Examples
        --------
        >>> Corpus.of(["a", "b"], [["a"]])
        Traceback (most recent call last):
        ValueError: references has 1 entries for 2 outputs: give one sequence of references per output
        """
        import pandas as pd

        _refuse_bare_string("outputs", outputs)
        data: dict[str, list[Any]] = {"output": list(outputs)}
        for name, values in {"references": references, "mr": mrs, **columns}.items():
            if values is None:
                continue
            _refuse_bare_string(name, values)
            if len(values) != len(data["output"]):
                what = "sequence of references" if name == "references" else "value"
                raise ValueError(
                    f"{name} has {len(values)} entries for {len(outputs)} outputs: give one {what} per output"
                )
            data[name] = list(values)
        frame = pd.DataFrame({name: pd.Series(values, dtype=object) for name, values in data.items()})
        return cls(frame, ratings=tuple(name for name in columns if name not in COLUMNS))

    @classmethod
    def concatenate(cls, corpora: Sequence[Corpus]) -> Corpus:
        """Return the rows of several corpora one after the other; all must have the same ratings, views and background.

        Examples
        --------
        >>> corpus = Corpus.of(["a", "b", "c"])
        >>> Corpus.concatenate([corpus.take([2]), corpus.take([0, 1])]).frame["id"].tolist()
        ['3', '1', '2']
        """
        import pandas as pd

        first = corpora[0]
        if len(corpora) == 1:
            return first
        views = {name: _joined_views([corpus.views[name] for corpus in corpora]) for name in first.views}
        return cls(
            pd.concat([corpus.frame for corpus in corpora], ignore_index=True), first.ratings, views, first.background
        )

    def __len__(self) -> int:
        return len(self.frame)

    @cached_property
    def meanings(self) -> tuple[MeaningRepresentation | None, ...]:
        """The parsed meaning representation of every row, None where there is none."""
        return tuple(
            parsed_meaning(row, text) if text else None for row, text in enumerate(self.frame["mr"].tolist(), start=1)
        )

    @property
    def default_view(self) -> str:
        """The view that word-based and language-model metrics see: delexicalised where an MR is there."""
        return "delexicalised" if any(self.meanings) else "surface"

    @property
    def view_names(self) -> tuple[str, ...]:
        """The names that :meth:`view` takes."""
        return ("surface", *(["delexicalised"] if any(self.meanings) else []), *self.views)

    def view_name(self, name: str | None = None) -> str:
        """Return the name of the view that is meant, :attr:`default_view` by default.

        Raises
        ------
        ValueError
            If the corpus has no such view.
        """
        name = name or self.default_view
        if name not in self.view_names:
            raise ValueError(f"this corpus has no text view {name!r}: choose from {', '.join(self.view_names)}")
        return name

    def view(self, name: str | None = None) -> View:
        """Return the texts as metrics see them.

        Parameters
        ----------
        name
            One of :attr:`view_names`; by default :attr:`default_view`.

        Raises
        ------
        ValueError
            If the corpus has no such view.
        """
        name = self.view_name(name)
        if name in self.views:
            return self.views[name]
        return self._delexicalised if name == "delexicalised" else self._surface

    @cached_property
    def _surface(self) -> View:
        return View("surface", tuple(self.frame["output"]), tuple(self.frame["references"]))

    @cached_property
    def _delexicalised(self) -> View:
        surface = self._surface
        # Rows for the same input share their references: each set is worked on once.
        sets: dict[tuple[str, tuple[str, ...]], tuple[str, ...]] = {}
        references = []
        for texts, mr, meaning in zip(surface.references, self.frame["mr"], self.meanings, strict=True):
            if (mr, texts) not in sets:
                sets[mr, texts] = tuple(_delexicalised(text, meaning) for text in texts)
            references.append(sets[mr, texts])
        outputs = zip(surface.outputs, self.meanings, strict=True)
        return View(
            "delexicalised", tuple(_delexicalised(text, meaning) for text, meaning in outputs), tuple(references)
        )

    def take(self, rows: Sequence[int]) -> Corpus:
        """Return a corpus of the rows at these positions, in the order given, their views with them.

        It has no background: that may say of the rows left out what the rows taken should not know.

        Examples
        --------
        >>> Corpus.of(["a", "b", "c"]).take([2, 0]).frame["output"].tolist()
        ['c', 'a']
        """
        return Corpus(
            self.frame.iloc[list(rows)],
            self.ratings,
            {name: _take_view(view, rows) for name, view in self.views.items()},
        )


def _delexicalised(text: str, meaning: MeaningRepresentation | None) -> str:
    return text if meaning is None else delexicalise(text, meaning)


def _take_view(view: View, rows: Sequence[int]) -> View:
    return View(
        view.name,
        tuple(view.outputs[row] for row in rows),
        tuple(view.references[row] for row in rows),
        tuple(view.collections[row] for row in rows) if view.collections else (),
        view.documents,
    )


def _joined_views(views: Sequence[View]) -> View:
    documents: dict[str, tuple[tuple[str, ...], ...]] = {}
    for view in views:
        documents |= view.documents
    return View(
        views[0].name,
        tuple(text for view in views for text in view.outputs),
        tuple(texts for view in views for texts in view.references),
        tuple(name for view in views for name in view.collections),
        documents,
    )


def _refuse_bare_string(name: str, values: object) -> None:
    if isinstance(values, str):
        raise ValueError(f"{name} is one string: give a sequence with one entry per output")


def _check_view(view: View, size: int) -> None:
    lengths = {len(view.outputs), len(view.references), len(view.collections or view.outputs)}
    if lengths != {size}:
        raise ValueError(f"view {view.name!r}: it must have an output and references for each of the {size} rows")
    reference_sets(view.references)
