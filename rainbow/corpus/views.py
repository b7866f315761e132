"""Views: the texts that metrics see, as given, delexicalised, or supplied by a dataset."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from rainbow.corpus.rows import validate_references
from rainbow.meaning import MeaningRepresentation, delexicalise
from rainbow.text.tokens.sacrebleu_tokens import BETWEEN_SPACES, TOKENISERS

SURFACE, DELEXICALISED = "surface", "delexicalised"
# The surface with a space around each character of a script without spaces between words.
CHARACTERS = "characters"
# Prefix of the view's name at the end of a column's signature.
IN_SIGNATURE = "|view:"


def splits_words(view: str | None) -> bool:
    """Return whether a view separates words, or characters, in scripts without spaces."""
    return view == CHARACTERS or (view in TOKENISERS and view not in BETWEEN_SPACES)


@dataclass(frozen=True)
class View:
    """Outputs and references as a metric sees them.

    Attributes
    ----------
    name : str
        ``surface``, ``delexicalised``, or a name defined by the dataset.
    outputs : tuple of str
        One text per row.
    references : tuple of tuples of str
        The references of each row; empty if it has none.
    collections : tuple of str
        Name of the collection whose corpus statistics apply to each row; empty for one collection.
    documents : mapping of str to tuple
        Reference sets of each collection, for corpus statistics; by default the distinct ones, one per item.

    Examples
    --------
    >>> import rainbow
    >>> view = rainbow.Corpus.from_texts(["the inn"], [["an inn"]]).view("surface")
    >>> view.outputs, view.references
    (('the inn',), (('an inn',),))
    """

    name: str
    outputs: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    collections: tuple[str, ...] = ()
    documents: Mapping[str, tuple[tuple[str, ...], ...]] = field(default_factory=dict)

    def check(self, size: int) -> None:
        """Raise ValueError if a view does not have an output and references for each row."""
        lengths = {len(self.outputs), len(self.references), len(self.collections or self.outputs)}
        if lengths != {size}:
            raise ValueError(f"view {self.name!r} must have an output and references for each of the {size} rows")
        validate_references("references", self.references)

    def take(self, rows: Sequence[int]) -> Self:
        """Return the view of the rows at these positions."""
        return type(self)(
            self.name,
            tuple(self.outputs[row] for row in rows),
            tuple(self.references[row] for row in rows),
            tuple(self.collections[row] for row in rows) if self.collections else (),
            self.documents,
        )

    @classmethod
    def joined(cls, views: Sequence[View]) -> Self:
        """Return the concatenated rows of several views of one name."""
        return cls(
            views[0].name,
            tuple(text for view in views for text in view.outputs),
            tuple(texts for view in views for texts in view.references),
            tuple(name for view in views for name in view.collections),
            {name: sets for view in views for name, sets in view.documents.items()},
        )


def delexicalise_references(
    sets: Iterable[tuple[str, ...]], meanings: Iterable[MeaningRepresentation | None]
) -> tuple[tuple[str, ...], ...]:
    """Return the references of every row, delexicalised if the row has a meaning representation."""
    rows = [((id(meaning), texts), meaning) for texts, meaning in zip(sets, meanings, strict=True)]
    done = {key: tuple(delexicalise(text, meaning) for text in key[1]) for key, meaning in dict(rows).items()}
    return tuple(done[key] for key, _ in rows)
