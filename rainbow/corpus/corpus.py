"""The central data structure: outputs, references, meaning representations and ratings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.base.lazy import pd
from rainbow.corpus.corpus_table import COLUMNS, validate_table
from rainbow.corpus.rows import as_rows, check_lengths, parse_meanings
from rainbow.corpus.text_profile import profile_outputs, separate_characters
from rainbow.corpus.views import CHARACTERS, DELEXICALISED, SURFACE, View, delexicalise_references
from rainbow.meaning import MeaningRepresentation, delexicalise
from rainbow.text.languages.detection import UNSPACED, validate_language
from rainbow.text.tokens.sacrebleu_tokens import TOKENISERS, tokenise


@dataclass(frozen=True, eq=False)
class Corpus:
    """A validated table of outputs, with inputs, references and ratings; rows are never dropped, reordered or changed.

    Parameters
    ----------
    frame : DataFrame
        One row per output. `output` (str) is required. `id`, `dataset`, `system`, `item`, `mr`, `mr_type` (str) and
        `references` (tuple of str) are filled in if missing: `item` from the meaning representation or else the
        references, `mr_type` from the act of the meaning representation.
    ratings : tuple of str
        Columns of human ratings (numbers; NaN if missing).
    views : mapping of str to View
        Text views in addition to `surface` and `delexicalised`.
    background : Corpus, optional
        References for other inputs, on which language models are also fitted; its outputs are ignored.
    mr_format : str, optional
        Notation of all meaning representations, one of :data:`rainbow.meaning.FORMATS`; ``text`` is not parsed. By
        default the notation is detected, and anything else is free text without slot columns.
    language : str, optional
        Code of the language of the outputs (ISO 639-1), such as ``de``; by default it is detected when they are scored.

    Raises
    ------
    ValueError
        If a row is invalid; the message names the row (counted from 1) and the field. If rows have meaning
        representations but the background has none, so that it cannot be delexicalised.

    Examples
    --------
    >>> corpus = Corpus.from_texts(outputs=["the inn is cheap."], references=[["the inn is not expensive."]])
    >>> len(corpus), corpus.default_view
    (1, 'surface')
    >>> Corpus.from_texts(["an inn", "inn"], inputs=["inform(name=inn)"] * 2, system=["a", "b"], quality=[6, 3])
    Corpus(outputs=2, systems=2, items=1, inputs=True, references=False, ratings=['quality'])
    """

    frame: pd.DataFrame
    ratings: tuple[str, ...] = ()
    views: Mapping[str, View] = field(default_factory=dict)
    background: Corpus | None = None
    mr_format: str | None = None
    language: str | None = None

    def __post_init__(self) -> None:
        if self.language is not None:
            validate_language(self.language)
        object.__setattr__(self, "frame", validate_table(self.frame, self.ratings, self.mr_format))
        for view in self.views.values():
            view.check(len(self))
        _ = self.meanings  # raises an error with the row if one is invalid
        if self.background is not None and self.default_view not in self.background.view_names:
            raise ValueError("background: give meaning representations as well, because the outputs have them")

    @classmethod
    @accept_aliases(outputs=("output",), references=("reference",), inputs=INPUTS, mr_format=("input_format",))
    def from_texts(
        cls,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        inputs: Sequence[str] | None = None,
        mr_format: str | None = None,
        language: str | None = None,
        **columns: Sequence[Any],
    ) -> Corpus:
        """Make a corpus from parallel sequences, one entry per output.

        Parameters
        ----------
        outputs : sequence of str
            One text per row.
        references : sequence of sequences of str, optional
            The references of each row.
        inputs : sequence of str, optional
            One meaning representation or other input per row.
        mr_format, language : str, optional
            As in :class:`Corpus`.
        **columns
            `id`, `dataset`, `system`, `item`, `mr_type`, or ratings.

        Raises
        ------
        ValueError
            If the lengths differ, or a row is invalid.

        Examples
        --------
        >>> Corpus.from_texts(["a", "b"], [["a"]])
        Traceback (most recent call last):
        ValueError: references has 1 entries for 2 outputs: give one for each
        """
        check_lengths(len(as_rows("outputs", outputs)), {"references": references, "inputs": inputs, **columns})
        data = {"output": outputs, "references": references, "mr": inputs, **columns}
        filled = {name: pd.Series(list(values), dtype=object) for name, values in data.items() if values is not None}
        ratings = tuple(name for name in columns if name not in COLUMNS)
        return cls(pd.DataFrame(filled), ratings, mr_format=mr_format, language=language)

    @classmethod
    def concatenate(cls, corpora: Sequence[Corpus]) -> Corpus:
        """Concatenate corpora with the same ratings, views and background.

        Examples
        --------
        >>> corpus = Corpus.from_texts(["a", "b", "c"])
        >>> Corpus.concatenate([corpus.take([2]), corpus.take([0, 1])]).frame["id"].tolist()
        ['3', '1', '2']
        """
        first = corpora[0]
        if len(corpora) == 1:
            return first
        views = {name: View.joined([corpus.views[name] for corpus in corpora]) for name in first.views}
        frame = pd.concat([corpus.frame for corpus in corpora], ignore_index=True)
        (language, *others) = {corpus.language for corpus in corpora}
        return cls(frame, first.ratings, views, first.background, first.mr_format, None if others else language)

    def __len__(self) -> int:
        return len(self.frame)

    def __repr__(self) -> str:
        counts = {f"{name}s": self.frame[name].nunique() for name in ("system", "item")}
        there = {"inputs": any(self.frame["mr"]), "references": any(self.frame["references"])}
        parts = {"outputs": len(self), **counts, **there, "ratings": list(self.ratings)}
        return f"Corpus({', '.join(f'{name}={value}' for name, value in parts.items())})"

    @cached_property
    def meanings(self) -> tuple[MeaningRepresentation | None, ...]:
        """Parsed meaning representation of every row; None if it is missing or free text."""
        return parse_meanings(self.frame["mr"], self.mr_format)

    @property
    def default_view(self) -> str:
        """View used by word-based and language-model metrics: delexicalised if a row has an MR."""
        if self._is_unspaced:
            return CHARACTERS
        return DELEXICALISED if any(self.meanings) else SURFACE

    @cached_property
    def _is_unspaced(self) -> bool:
        may_be = self.language is None or self.language in UNSPACED
        return may_be and profile_outputs(self.frame).language(self.language).is_unspaced

    def with_language(self) -> Corpus:
        """Return the corpus with the language that was detected, if none was given."""
        language = self.language or profile_outputs(self.frame).language().code
        return self if language == self.language else replace(self, language=language)

    @property
    def view_names(self) -> tuple[str, ...]:
        """Names that :meth:`view` accepts."""
        return (SURFACE, *([DELEXICALISED] if any(self.meanings) else []), CHARACTERS, *TOKENISERS, *self.views)

    def view(self, name: str | None = None) -> View:
        """Return the texts as metrics see them.

        Parameters
        ----------
        name : str, optional
            One of :attr:`view_names`; by default :attr:`default_view`. Rows without a meaning representation are never
            delexicalised. The name of a tokeniser of sacrebleu, such as ``13a`` or ``ja-mecab``, gives its tokens,
            lower-cased, which word-based metrics then compare.

        Raises
        ------
        ValueError
            If the corpus has no such view, or a tokeniser is not installed.
        """
        name = name or self.default_view
        if name in self.views:
            return self.views[name]
        if name == DELEXICALISED:
            return self._delexicalised_view
        if name == CHARACTERS:
            return self._character_view
        if name in TOKENISERS:
            texts, sets = self._surface_view.outputs, self._surface_view.references
            return View(name, tokenise(name, texts), tuple(tokenise(name, references) for references in sets))
        if name != SURFACE:
            raise ValueError(f"this corpus has no view {name!r}: choose from {', '.join(self.view_names)}")
        return self._surface_view

    @cached_property
    def _surface_view(self) -> View:
        return View(SURFACE, tuple(self.frame["output"]), tuple(self.frame["references"]))

    @cached_property
    def _delexicalised_view(self) -> View:
        texts, sets = self._surface_view.outputs, self._surface_view.references
        outputs = tuple(map(delexicalise, texts, self.meanings))
        return View(DELEXICALISED, outputs, delexicalise_references(sets, self.meanings))

    @cached_property
    def _character_view(self) -> View:
        texts, sets = self._surface_view.outputs, self._surface_view.references
        return View(CHARACTERS, separate_characters(texts), tuple(map(separate_characters, sets)))

    def with_background(self, background: Corpus) -> Corpus:
        """Return the corpus with further references added to its background.

        Examples
        --------
        >>> corpus = Corpus.from_texts(["a"]).with_background(Corpus.from_texts([""], [["an inn"]]))
        >>> len(corpus.with_background(Corpus.from_texts(["", ""], [["a pub"], ["a bar"]])).background)
        3
        """
        known = [corpus.frame[["mr", "output", "references"]] for corpus in (self.background, background) if corpus]
        return replace(self, background=Corpus(pd.concat(known, ignore_index=True)))

    def with_outputs(self, rows: Sequence[int], outputs: Sequence[str], **columns: Sequence[Any] | str) -> Corpus:
        """Return the rows at these positions, with repetition, each with a new output.

        Ratings, scores and views are dropped. Ids count from 0 unless given in `columns`.

        Examples
        --------
        >>> corpus = Corpus.from_texts(["a", "b"], [["x"], ["y"]])
        >>> corpus.with_outputs([1, 1], ["c", "d"]).frame[["id", "output", "references"]].values.tolist()
        [['0', 'c', ('y',)], ['1', 'd', ('y',)]]
        """
        frame = self.frame.iloc[list(rows)][list(COLUMNS)]
        # Objects, because pandas' own strings cannot hold lone surrogates.
        texts = pd.Series(list(outputs), index=frame.index, dtype=object)
        given = {"id": list(map(str, range(len(frame))))} | columns
        return Corpus(frame.assign(output=texts, **given), mr_format=self.mr_format, language=self.language)

    def take(self, rows: Sequence[int]) -> Corpus:
        """Return a corpus of the rows at these positions, in this order, with their views but no background.

        The background is dropped because it may contain information about the rows left out.

        Examples
        --------
        >>> Corpus.from_texts(["a", "b", "c"]).take([2, 0]).frame["output"].tolist()
        ['c', 'a']
        """
        return Corpus(
            self.frame.iloc[list(rows)],
            self.ratings,
            {name: view.take(rows) for name, view in self.views.items()},
            mr_format=self.mr_format,
            language=self.language,
        )
