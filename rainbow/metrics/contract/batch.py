"""Texts prepared once and shared by all metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.base.native import compiled, kernels
from rainbow.corpus import Corpus, View
from rainbow.corpus.rows import check_lengths, parse_meanings, validate_references, validate_texts
from rainbow.meaning import MeaningRepresentation
from rainbow.text.tokens.sacrebleu_tokens import TOKENISERS, tokeniser_of_split_texts
from rainbow.text.tokens.token_ids import encode_tokens

Preparation = Callable[[Any], Any]
Kept = TypeVar("Kept")


class Encoded(NamedTuple):
    """Tokens of a batch as integers, the common input of all compiled kernels."""

    outputs: compiled.Texts
    references: compiled.Sets
    rows: NDArray[np.int32]
    sets: NDArray[np.int32]


def _steps(steps: tuple[Preparation, ...], is_split: bool) -> tuple[Preparation, ...]:
    """Return the steps, without a tokeniser for texts that are split already."""
    return (tokeniser_of_split_texts(steps[0]), *steps[1:]) if is_split and steps else steps


class References:
    """Reference sets prepared once and shared by any number of batches.

    Equal sets are prepared once. References without a visible character are ignored.

    Parameters
    ----------
    sets : sequence of sequences of str
        The references of each row; empty if it has none.
    is_split : bool
        Whether blanks separate their tokens already, so that word-based metrics do not tokenise them.

    Raises
    ------
    ValueError
        If a set is a bare string or holds anything but strings, e.g. transposed references.

    Examples
    --------
    >>> references = References([["a b", "c"], ["a b", "c"]])
    >>> len(references), references.preprocess(str.split)
    (2, [[['a', 'b'], ['c']], [['a', 'b'], ['c']]])
    """

    def __init__(self, sets: Sequence[Sequence[str]], is_split: bool = False) -> None:
        self.is_split = is_split
        given = validate_references("references", sets)
        kept = [tuple(filter(str.strip, texts)) for texts in given]
        self.empty = [not seen and len(texts) > 0 for texts, seen in zip(given, kept, strict=True)]
        distinct: dict[tuple[str, ...], int] = {}
        self._row_set = [distinct.setdefault(seen, len(distinct)) for seen in kept]
        self._distinct = list(distinct)
        self._prepared: dict[tuple[Preparation, ...], list[list[Any]]] = {}
        self._kept: dict[Any, Any] = {}

    def __len__(self) -> int:
        return len(self._row_set)

    def __getitem__(self, row: int) -> tuple[str, ...]:
        return self._distinct[self._row_set[row]]

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return map(self._distinct.__getitem__, self._row_set)

    def preprocess(self, *steps: Preparation) -> list[list[Any]]:
        """Return the references of every row after these steps, computing each step once."""
        sets = self._prepared_sets(_steps(steps, self.is_split))
        return [sets[index] for index in self._row_set]

    def _prepared_sets(self, steps: tuple[Preparation, ...]) -> list[list[Any]]:
        if not steps:
            return [list(texts) for texts in self._distinct]
        if steps not in self._prepared:
            before = self._prepared_sets(steps[:-1])
            self._prepared[steps] = [[steps[-1](text) for text in texts] for texts in before]
        return self._prepared[steps]

    def tokens(self, tokenizer: Preparation) -> list[list[list[str]]]:
        """Return the tokenised references of every row, using compiled kernels if available."""
        if not kernels():
            return self.preprocess(tokenizer)
        sets = self.encoded(tokenizer).words()
        return [sets[place] for place in self._row_set]

    def encoded(self, tokenizer: Preparation) -> compiled.Sets:
        """Return the distinct tokenised sets for the compiled kernels, cached per tokenizer."""
        (tokenizer,) = _steps((tokenizer,), self.is_split)
        return self.kept(tokenizer, lambda: self._encode(tokenizer))

    def _encode(self, tokenizer: Preparation) -> compiled.Sets:
        """Encode the distinct reference sets for the compiled kernels."""
        texts = encode_tokens(tokenizer, list(chain.from_iterable(self._distinct)))
        return compiled.Sets(texts, list(map(len, self._distinct)))

    def kept(self, key: Any, make: Callable[[], Kept]) -> Kept:
        """Return the object that a kernel caches under a key, creating it on first use."""
        if key not in self._kept:
            self._kept.setdefault(key, make())  # threads share the first result
        kept: Kept = self._kept[key]
        return kept

    @cached_property
    def row_sets(self) -> NDArray[np.int32]:
        """Index of every row's set among the distinct sets."""
        return np.array(self._row_set, dtype=np.int32)

    @cached_property
    def present(self) -> NDArray[np.bool_]:
        """Whether each row has a reference."""
        return np.array([bool(texts) for texts in self._distinct], dtype=bool)[self.row_sets]

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_kept": {}}  # compiled objects stay in their process


class Batch:
    """Outputs with everything that metrics need to score them.

    Parameters
    ----------
    outputs : sequence of str
        One text per row.
    references : sequence of sequences of str or References, optional
        The references of each row.
    inputs : sequence of str, optional
        One meaning representation per row; None or empty if there is none.
    items : sequence of str, optional
        Name of each row's input, so that corpus statistics can exclude the row's own item.
    collections, documents
        As in :class:`rainbow.corpus.View`.
    threads : int
        Number of threads of the compiled kernels; scores do not depend on it.
    background : References, optional
        References for other inputs, for language models.
    mr_format : str, optional
        As in :class:`rainbow.corpus.Corpus`.

    Raises
    ------
    ValueError
        If the lengths differ or references have the wrong shape.

    Examples
    --------
    >>> batch = Batch(["a b"], [["a c", "b"]])
    >>> batch.preprocess(str.split), batch.preprocess(str.split, len)
    ([['a', 'b']], [2])
    """

    @accept_aliases(inputs=INPUTS)
    def __init__(
        self,
        outputs: Sequence[str],
        references: References | Sequence[Sequence[str]] | None = None,
        inputs: Sequence[str | None] | None = None,
        items: Sequence[str] | None = None,
        collections: Sequence[str] = (),
        documents: Mapping[str, Sequence[Sequence[str]]] | None = None,
        threads: int = 1,
        background: Batch | None = None,
        mr_format: str | None = None,
    ) -> None:
        self.outputs = tuple(validate_texts("outputs", outputs))
        size = len(self.outputs)
        given = {"references": references, "inputs": inputs, "items": items, "collections": collections or None}
        check_lengths(size, given)
        if not isinstance(references, References):
            references = References([()] * size if references is None else references)
        self.references = references
        self.mrs = ("",) * size if inputs is None else tuple(validate_texts("mrs", inputs, optional=True))
        self.items = tuple(map(str, range(size))) if items is None else tuple(items)
        self.collections = tuple(collections) or ("",) * size
        self._documents = documents or {}
        self.threads = threads
        self.background = background
        self.mr_format = mr_format
        self._prepared: dict[tuple[Preparation, ...], list[Any]] = {}
        self._encoded: dict[Preparation, compiled.Texts] = {}

    @classmethod
    def from_corpus(cls, corpus: Corpus, view: View, threads: int = 1) -> Batch:
        """Return all rows of a corpus in one of its text views; views supplied by a dataset have no background."""
        further = None if view.name in corpus.views else corpus.background
        is_split = view.name in TOKENISERS and view.name not in corpus.views
        return cls(
            view.outputs,
            References(view.references, is_split),
            corpus.frame["mr"].tolist(),
            corpus.frame["item"].tolist(),
            view.collections,
            view.documents,
            threads,
            None if further is None else Batch.from_corpus(further, further.view(view.name)),
            corpus.mr_format,
        )

    def __len__(self) -> int:
        return len(self.outputs)

    @cached_property
    def meanings(self) -> tuple[MeaningRepresentation | None, ...]:
        """Parsed meaning representation of every row; None if missing or free text."""
        return parse_meanings(self.mrs, self.mr_format)

    @cached_property
    def has_mr(self) -> NDArray[np.bool_]:
        """Whether each row has a nonblank input."""
        return np.array([bool(text.strip()) for text in self.mrs], dtype=bool)

    @cached_property
    def has_meaning(self) -> NDArray[np.bool_]:
        """Whether each row has a parsed meaning representation, not just free text."""
        return np.array([bool(meaning) for meaning in self.meanings], dtype=bool)

    def preprocess(self, *steps: Preparation) -> list[Any]:
        """Return every output after these steps, e.g. tokenise and count, computing each step once.

        Each step is a module-level function of one argument, the result of the previous step. `references.preprocess`
        does the same for references.
        """
        if not steps:
            return list(self.outputs)
        steps = _steps(steps, self.references.is_split)
        if steps not in self._prepared:
            before = self.preprocess(*steps[:-1])
            # Rows that share one text object (one output with several references) are prepared once.
            done = {key: steps[-1](text) for key, text in {id(text): text for text in before}.items()}
            self._prepared[steps] = [done[id(text)] for text in before]
        return self._prepared[steps]

    def pairs(self, rows: Sequence[int], *steps: Preparation) -> Iterator[tuple[Any, list[Any]]]:
        """Yield the output and the references of these rows after these steps."""
        outputs, references = self.preprocess(*steps), self.references.preprocess(*steps)
        return ((outputs[row], references[row]) for row in rows)

    def encoded(self, tokenizer: Preparation, rows: Sequence[int]) -> Encoded:
        """Return outputs and references, tokenised for the compiled kernels; computed once.

        Parameters
        ----------
        tokenizer : callable
            As in :func:`rainbow.text.tokens.token_ids.encode_tokens`.
        rows : sequence of int
            Rows to score.
        """
        references = self.references.encoded(tokenizer)
        (tokenizer,) = _steps((tokenizer,), self.references.is_split)
        outputs = self._encoded.get(tokenizer)
        if outputs is None:
            made = encode_tokens(tokenizer, self.outputs, references.vocabulary)
            outputs = self._encoded.setdefault(tokenizer, made)  # threads share the first result
        if rows == range(len(self)):
            return Encoded(outputs, references, self._row_numbers, self.references.row_sets)
        chosen = np.asarray(rows, dtype=np.int32)
        return Encoded(outputs, references, chosen, self.references.row_sets[chosen])

    @cached_property
    def _row_numbers(self) -> NDArray[np.int32]:
        return np.arange(len(self), dtype=np.int32)

    def group_by_collection(self, rows: Sequence[int]) -> dict[str, tuple[Sequence[int] | slice, Sequence[int]]]:
        """Return for each collection the indices of its rows among these rows, and the rows.

        Examples
        --------
        >>> batch = Batch(["a", "b", "c"], collections=["inns", "bars", "inns"])
        >>> batch.group_by_collection([0, 2, 1])
        {'inns': ([0, 1], [0, 2]), 'bars': ([2], [1])}
        """
        if len(self._collection_names) == 1:
            return {self.collections[0]: (slice(None), rows)}
        result: dict[str, tuple[list[int], list[int]]] = {}
        for place, row in enumerate(rows):
            places, chosen = result.setdefault(self.collections[row], ([], []))
            places.append(place)
            chosen.append(row)
        return {**result}

    @cached_property
    def _collection_names(self) -> frozenset[str]:
        return frozenset(self.collections)

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"_encoded": {}}  # compiled objects stay in their process

    def documents(self) -> dict[str, References]:
        """Return the reference sets of each collection: its documents, or one set per item."""
        rows: dict[str, dict[str, int]] = {}
        for row, (collection, item) in enumerate(zip(self.collections, self.items, strict=True)):
            rows.setdefault(collection, {}).setdefault(item, row)
        return {
            name: References(
                self._documents.get(name) or [self.references[row] for row in first.values()], self.references.is_split
            )
            for name, first in rows.items()
        }
