"""Outputs as the metrics of one model see them: as given, and delexicalised."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Self

from rainbow.corpus import Corpus
from rainbow.corpus.inputs import check_lengths, mr_rows, reference_rows, text_rows
from rainbow.meaning import delexicalise
from rainbow.metrics.contract.batch import Batch, References

__all__ = ["PreparedReferences", "Views"]


class PreparedReferences:
    """References, and the meaning representations that they say, prepared once for any number of outputs.

    Parameters
    ----------
    references
        One sequence of texts per row.
    mrs
        One meaning representation per row (None or empty where there is none).

    Raises
    ------
    ValueError
        If the lengths differ, references have the wrong shape, or a meaning representation cannot be read.

    Examples
    --------
    >>> prepared = PreparedReferences([["the inn is cheap"]], ["inform(name='the inn')"])
    >>> prepared.surface[0], prepared.delexicalised[0]
    (('the inn is cheap',), ('Xname is cheap',))
    """

    def __init__(self, references: Sequence[Sequence[str]], mrs: Sequence[str | None] | None = None) -> None:
        given = reference_rows(references)
        self.surface = References(given)
        self.mrs = tuple(mr_rows(mrs)) if mrs is not None else ("",) * len(given)
        if len(self.mrs) != len(given):
            raise ValueError(f"mrs has {len(self.mrs)} entries for {len(given)} rows of references: give one for each")
        # Inputs are named as in a corpus, so that what is said for the same input is left out of corpus statistics.
        self.items = tuple(mr or " | ".join(texts) for mr, texts in zip(self.mrs, given, strict=True))
        meanings = Batch([""] * len(self.mrs), mrs=self.mrs).meanings
        self.delexicalised = References(
            [
                [delexicalise(text, meaning) for text in self.surface[row]] if meaning else self.surface[row]
                for row, meaning in enumerate(meanings)
            ]
        )

    def __len__(self) -> int:
        return len(self.surface)


class Views:
    """The same rows in each text view, each made when it is first asked for.

    Examples
    --------
    >>> views = Views.of_texts(["the inn is cheap"], mrs=["inform(name='the inn')"])
    >>> views.get("surface").outputs, views.get("delexicalised").outputs
    (('the inn is cheap',), ('Xname is cheap',))
    """

    def __init__(self, size: int, makers: Mapping[str, Callable[[], Batch]]) -> None:
        self._size, self._makers = size, makers
        self._made: dict[str, Batch] = {}

    @classmethod
    def of(cls, corpus: Corpus) -> Self:
        """Return the views of a corpus; without any meaning representation the delexicalised texts are the surface."""
        names = {name: name for name in corpus.view_names} | (
            {} if "delexicalised" in corpus.view_names else {"delexicalised": "surface"}
        )
        return cls(
            len(corpus),
            {name: lambda source=source: Batch.of(corpus, corpus.view(source)) for name, source in names.items()},  # type: ignore[misc]
        )

    @classmethod
    def of_texts(
        cls,
        outputs: Sequence[str],
        references: PreparedReferences | Sequence[Sequence[str]] | None = None,
        mrs: Sequence[str | None] | None = None,
    ) -> Self:
        """Return the views of texts; meaning representations may come with prepared references.

        Raises
        ------
        ValueError
            If the lengths differ, anything has another shape, a meaning representation cannot be read, or they come
            both with prepared references and without.
        """
        texts = text_rows("outputs", outputs)
        prepared = _prepared(references, mrs, len(texts))
        surface = Batch(texts, prepared.surface, prepared.mrs, prepared.items)
        makers = {"surface": lambda: surface, "delexicalised": lambda: _delexicalised(surface, prepared)}
        return cls(len(texts), makers)

    def __len__(self) -> int:
        return self._size

    def get(self, name: str) -> Batch:
        """Return the rows in this view.

        Raises
        ------
        ValueError
            If there is no such view.
        """
        if name not in self._makers:
            raise ValueError(f"there is no text view {name!r} here: there are {', '.join(self._makers)}")
        if name not in self._made:
            self._made[name] = self._makers[name]()
        return self._made[name]


def _prepared(
    references: PreparedReferences | Sequence[Sequence[str]] | None, mrs: Sequence[str | None] | None, size: int
) -> PreparedReferences:
    if isinstance(references, PreparedReferences):
        if mrs is not None:
            raise ValueError("the references are prepared: give mrs when they are, PreparedReferences(references, mrs)")
        check_lengths(size, references=references)
        return references
    given = [()] * size if references is None else reference_rows(references)
    meanings = None if mrs is None else mr_rows(mrs)
    check_lengths(size, references=given, mrs=meanings)
    return PreparedReferences(given, meanings)


def _delexicalised(surface: Batch, prepared: PreparedReferences) -> Batch:
    outputs = [
        delexicalise(text, meaning) if meaning else text
        for text, meaning in zip(surface.outputs, surface.meanings, strict=True)
    ]
    return Batch(outputs, prepared.delexicalised, prepared.mrs, prepared.items)
