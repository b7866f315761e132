"""Grammar-based: negative log probability of the best parse of an output."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.meaning import delexicalise
from rainbow.metrics.contract.base import ENGLISH_ONLY, Metric, MissingResourceError, make_columns
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.programs.bundles import GRAMMAR
from rainbow.programs.other_parsers import (
    corenlp_unavailable_reason,
    models_digest,
    parse_with_corenlp,
    parse_with_stanza,
    stanza_unavailable_reason,
)
from rainbow.programs.stanford_parser import (
    LONGEST_SENTENCE,
    LONGEST_TEXT,
    Parse,
    parse_texts,
    parser_unavailable_reason,
)

_AGGREGATES: dict[str, Callable[[Sequence[float]], float]] = {
    "mean": lambda values: math.fsum(values) / len(values),
    "max": max,
    "sum": math.fsum,
}


class _Backend(NamedTuple):
    """A parser: missing resources, parsing function, program and grammar version."""

    missing: Callable[[], str | None]
    parse: Callable[[Sequence[str], int], list[tuple[Parse, ...] | None]]
    program: str
    grammar: Callable[[], str]


def _grammar_version() -> str:
    return f"englishPCFG {GRAMMAR.sha256[:12]}"


_BACKENDS = {
    "stanford": _Backend(parser_unavailable_reason, parse_texts, "stanford-parser-3.6.0", _grammar_version),
    "corenlp": _Backend(corenlp_unavailable_reason, parse_with_corenlp, "stanford-corenlp-4.5.10", _grammar_version),
    "stanza": _Backend(stanza_unavailable_reason, parse_with_stanza, "stanza", models_digest),
}


@register
@dataclass(frozen=True)
class ParserScore(Metric):
    """Negative log probability of the best Stanford parse (prs), in total and per token.

    - `prs`: ``-log P(words, tree)`` of the most probable tree, averaged over the sentences;
    - `prs_per_token`: the same, summed over the sentences and divided by the number of tokens.

    The tree is the best of the unlexicalised English grammar (Viterbi, exact). `prs` equals the published score of all
    2,460 outputs of Novikova et al. (2017). At least 0. **It does not measure grammaticality**: it grows by about 8
    with every token (Spearman .91 with the number of tokens), then with the rarity of the words. So neither direction
    is better; compare texts of equal length, or use `prs_per_token`.

    The output is parsed as given, because a delexicalised text is not English and the published scores were computed
    this way (on lower-cased text, names written `x`). NaN for an output without a word and for one that is not parsed:
    a sentence of more than 100 tokens, more than 1,000 tokens or 10,000 characters in total, or no tree.

    Install with ``rainbow fetch parser`` (6 MB) and ``pip install 'rainbow-nlg[parse]'``; it needs Java.

    Parameters
    ----------
    backend : {"stanford", "corenlp", "stanza"}
        ``stanford``: parser 3.6.0, in this process. ``corenlp``: the same grammar in a temporary server of Stanford
        CoreNLP 4.5.10 (``rainbow fetch corenlp`` and ``pip install 'rainbow-nlg[stanza]'``), whose newer tokenizer
        splits a few texts differently. ``stanza``: negative log probability of the neural parser's transitions (the
        tree given the words).
    over : {"mean", "max", "sum"}
        Aggregation over sentences in `prs`: the mean, the most probable sentence, or the sum.
    delexicalised : bool
        Replace values of the meaning representation by placeholders, so that the rarity of names does not count.

    Raises
    ------
    ValueError
        If a parameter has an unknown value.
    MissingResourceError
        If a backend other than ``stanford`` is not installed.

    References
    ----------
    Klein, D. and Manning, C. D. (2003). Accurate unlexicalized parsing. ACL.
    Novikova, J., Dušek, O., Cercas Curry, A. and Rieser, V. (2017). Why we need new evaluation metrics for NLG. EMNLP.

    Examples
    --------
    >>> ParserScore().score(Batch(["x is a restaurant."])).round(2).tolist()  # doctest: +SKIP
    [[29.95, 5.99]]
    """

    backend: str = "stanford"
    over: str = "mean"
    delexicalised: bool = False

    name = "parser"
    plain = "How improbable the best syntax tree of the output is according to the Stanford parser."
    group = "grammar"
    no_tool = "the Stanford parser itself computes it"
    columns = make_columns(
        {
            ("prs", None, 0.0, math.inf, "improbable syntax"): plain,
            ("prs_per_token", None, 0.0, math.inf, "improbable syntax per word"): (
                "How improbable that tree is per word of the output."
            ),
        }
    )
    needs = frozenset({"java", "extra"})
    surface_only = True
    languages = ENGLISH_ONLY
    undefined = (
        f"the output has no word, a sentence of more than {LONGEST_SENTENCE} tokens, more than {LONGEST_TEXT:,} tokens "
        "or 10,000 characters in all, or no parse"
    )

    def __post_init__(self) -> None:
        for name, value, known in (("backend", self.backend, _BACKENDS), ("over", self.over, _AGGREGATES)):
            if value not in known:
                raise ValueError(f"{name} is {value!r}: choose from {', '.join(known)}")
        if self.backend != "stanford":
            self._check_available()

    @classmethod
    def unavailable(cls) -> str | None:
        return parser_unavailable_reason()

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        self._check_available()
        texts = [self._text(batch, row) for row in rows]
        return np.array([self._parse_scores(parses) for parses in _BACKENDS[self.backend].parse(texts, batch.threads)])

    def _check_available(self) -> None:
        if missing := _BACKENDS[self.backend].missing():
            raise MissingResourceError(f"{self.name}: {missing}")

    def _text(self, batch: Batch, row: int) -> str:
        meaning = batch.meanings[row] if self.delexicalised else None
        return batch.outputs[row] if meaning is None else delexicalise(batch.outputs[row], meaning)

    def _parse_scores(self, parses: Sequence[Parse] | None) -> tuple[float, float]:
        if not parses:
            return math.nan, math.nan
        values = [parse.log_probability for parse in parses]
        return -_AGGREGATES[self.over](values), -math.fsum(values) / sum(parse.tokens for parse in parses)

    def resources(self) -> Mapping[str, str]:
        chosen = _BACKENDS.get(self.backend, _BACKENDS["stanford"])
        return {"parser": chosen.program, "grammar": chosen.grammar(), "longest": f"{LONGEST_SENTENCE}/{LONGEST_TEXT}"}
