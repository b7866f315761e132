"""Text views of a corpus, or of plain texts, as batches for metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Self

from rainbow.base.aliases import INPUTS, accept_aliases
from rainbow.corpus import Corpus
from rainbow.corpus.rows import check_lengths, item_name, parse_meanings, validate_references, validate_texts
from rainbow.corpus.text_profile import separate_characters
from rainbow.corpus.views import CHARACTERS, DELEXICALISED, IN_SIGNATURE, SURFACE, delexicalise_references
from rainbow.meaning import delexicalise
from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.batch import Batch, References
from rainbow.text.tokens.sacrebleu_tokens import TOKENISERS, tokenise


def view_signature(metric: Metric, view: str) -> str:
    """Return the signature of a metric's scores in this view."""
    return f"{metric.signature}{IN_SIGNATURE}{_effective_view(metric, view)}"


def _effective_view(metric: Metric, view: str) -> str:
    """Return the view that a metric uses if this one is selected."""
    for_words = view in (CHARACTERS, *TOKENISERS) and not metric.compares_words
    return SURFACE if metric.surface_only or for_words else view


class PreparedReferences:
    """References and their inputs, prepared once for any number of outputs.

    Parameters
    ----------
    references : sequence of sequences of str
        The references of each row.
    inputs : sequence of str, optional
        One meaning representation per row; None or empty if there is none.

    Raises
    ------
    ValueError
        If the lengths differ, references have the wrong shape, or a meaning representation cannot be parsed.

    Examples
    --------
    >>> prepared = PreparedReferences([["the inn is cheap"]], ["inform(name='the inn')"])
    >>> prepared.surface[0], prepared.delexicalised[0]
    (('the inn is cheap',), ('Xname is cheap',))
    """

    @accept_aliases(inputs=INPUTS)
    def __init__(self, references: Sequence[Sequence[str]], inputs: Sequence[str | None] | None = None) -> None:
        given = validate_references("references", references)
        check_lengths(len(given), {"inputs": inputs}, subject="rows of references")
        self.mrs = ("",) * len(given) if inputs is None else tuple(validate_texts("mrs", inputs, optional=True))
        self.meanings = parse_meanings(self.mrs)
        self.surface = References(given)
        # Inputs are named as in a corpus, so that corpus statistics exclude references of the same input.
        self.items = tuple(map(item_name, self.mrs, given))

    @cached_property
    def delexicalised(self) -> References:
        """References with slot values replaced by placeholders."""
        return References(delexicalise_references(self.surface, self.meanings))

    def __len__(self) -> int:
        return len(self.surface)

    def __iter__(self) -> Iterator[tuple[str, ...]]:
        return iter(self.surface)


class Views:
    """The same rows in each text view, each created on first use."""

    def __init__(self, size: int, make: Callable[[str], Batch]) -> None:
        self._size, self._make = size, make
        self._made: dict[str, Batch] = {}

    @classmethod
    def from_corpus(cls, corpus: Corpus, threads: int = 1) -> Self:
        """Return the views of a corpus, with a thread limit for the compiled kernels."""
        return cls(len(corpus), lambda name: Batch.from_corpus(corpus, corpus.view(name), threads))

    @classmethod
    @accept_aliases(inputs=INPUTS)
    def from_texts(
        cls,
        outputs: Sequence[str],
        references: PreparedReferences | Sequence[Sequence[str]] | None = None,
        inputs: Sequence[str | None] | None = None,
    ) -> Self:
        """Return the views of texts; prepared references may include meaning representations."""
        texts = validate_texts("outputs", outputs)
        if isinstance(references, PreparedReferences) and inputs is not None:
            raise ValueError(
                "the references are already prepared: pass inputs with them, PreparedReferences(references, inputs)"
            )
        check_lengths(len(texts), {"references": references, "inputs": inputs})
        given = [()] * len(texts) if references is None else references
        prepared = given if isinstance(given, PreparedReferences) else PreparedReferences(given, inputs)
        return cls(len(texts), lambda name: _text_batch(name, texts, prepared))

    def __len__(self) -> int:
        return self._size

    def get(self, name: str) -> Batch:
        """Return the rows in this view."""
        if name not in self._made:
            self._made[name] = self._make(name)
        return self._made[name]

    def get_for_metric(self, metric: Metric, view: str) -> Batch:
        """Return the rows as a metric uses them if this view is selected."""
        return self.get(_effective_view(metric, view))


def _text_batch(name: str, texts: Sequence[str], prepared: PreparedReferences) -> Batch:
    """Return the batch of texts in one view."""
    if name == SURFACE:
        return Batch(texts, prepared.surface, prepared.mrs, prepared.items)
    if name == CHARACTERS:
        references = References(tuple(map(separate_characters, prepared.surface)))
        return Batch(separate_characters(texts), references, prepared.mrs, prepared.items)
    if name in TOKENISERS:
        references = References([tokenise(name, texts) for texts in prepared.surface], is_split=True)
        return Batch(tokenise(name, texts), references, prepared.mrs, prepared.items)
    if name != DELEXICALISED:
        raise ValueError(
            f"unknown text view {name!r}: choose from {', '.join((SURFACE, DELEXICALISED, CHARACTERS, *TOKENISERS))}"
        )
    outputs = list(map(delexicalise, texts, prepared.meanings))
    return Batch(outputs, prepared.delexicalised, prepared.mrs, prepared.items)
