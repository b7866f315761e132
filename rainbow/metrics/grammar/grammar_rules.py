"""Grammar-based: problems that LanguageTool finds in an output."""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.meaning import MeaningRepresentation, value_pattern
from rainbow.metrics.contract.base import ENGLISH_ONLY, Column, Metric, MissingResourceError
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import register
from rainbow.programs.bundles import bundle_files
from rainbow.programs.languagetool import LONGEST_STRING, Match, find_matches, languagetool_unavailable_reason

# LanguageTool's rule categories of each column.
CATEGORIES = {
    # MISC: a/an, "the the"
    "lt_grammar": frozenset(["GRAMMAR", "CONFUSED_WORDS", "COLLOCATIONS", "SEMANTICS", "NONSTANDARD_PHRASES", "MISC"]),
    "lt_style": frozenset(["STYLE", "REDUNDANCY", "REPETITIONS_STYLE"]),
    "lt_typography": frozenset(["CASING", "TYPOGRAPHY", "PUNCTUATION", "COMPOUNDING"]),
}


@register
@dataclass(frozen=True)
class LanguageTool(Metric):
    """Number of grammar, style and typography errors found by LanguageTool 6.4.

    - `lt_grammar`: grammar, confused words, collocations, semantics, nonstandard phrases, miscellaneous (`a` for `an`,
      a repeated word);
    - `lt_style`: style, redundancy, repetitions;
    - `lt_typography`: casing, typography, punctuation, compounding.

    At least 0, lower is better; an empty output has 0. Lower-cased text has a casing error in almost every sentence,
    tokenised text a typography error before every full stop; `lt_grammar` is unaffected. Spelling rules (see `msp`) and
    rules that separate British from American English are off. Matches inside a value of the row's meaning
    representation are ignored. NaN for an output of more than 5,000 characters.

    Install with ``rainbow fetch languagetool`` (62 MB) and ``pip install 'rainbow-nlg[parse]'``; needs Java, runs
    locally.

    Parameters
    ----------
    protect_values : bool
        Whether to ignore matches inside values of the meaning representation.

    References
    ----------
    Naber, D. (2003). A rule-based style and grammar checker. Diploma thesis, Universität Bielefeld.
    Napoles, C., Sakaguchi, K. and Tetreault, J. (2016). There's no comparison: reference-less evaluation metrics in
    grammatical error correction. EMNLP.

    Examples
    --------
    >>> LanguageTool().score(Batch(["The inn are cheap."])).tolist()  # doctest: +SKIP
    [[1.0, 0.0, 0.0]]
    """

    protect_values: bool = True

    name = "languagetool"
    plain = "Number of grammar, style and typography errors found by LanguageTool."
    group = "grammar"
    no_tool = "LanguageTool itself computes it"
    columns = tuple(
        Column(name, False, 0.0, short=f"{kind} errors", plain=f"Number of {kind} errors found by LanguageTool.")
        for name in CATEGORIES
        for kind in [name.removeprefix("lt_")]
    )
    needs = frozenset({"java", "extra"})
    surface_only = True
    languages = ENGLISH_ONLY
    undefined = f"the output has more than {LONGEST_STRING:,} characters"

    @classmethod
    def unavailable(cls) -> str | None:
        return languagetool_unavailable_reason()

    def compute(self, batch: Batch, rows: Sequence[int]) -> FloatArray:
        if missing := languagetool_unavailable_reason():
            raise MissingResourceError(f"{self.name}: {missing}")
        result = find_matches([batch.outputs[row] for row in rows], batch.threads)
        return np.array([self._counts(batch, row, matches) for row, matches in zip(rows, result, strict=True)])

    def _counts(self, batch: Batch, row: int, matches: Sequence[Match] | None) -> list[float]:
        if matches is None:
            return [math.nan] * len(CATEGORIES)
        meaning = batch.meanings[row] if self.protect_values else None
        values = _value_spans(batch.outputs[row], meaning) if meaning and matches else []
        counted = [
            match.category
            for match in matches
            if not any(start <= match.start and match.stop <= stop for start, stop in values)
        ]
        return [float(sum(category in column for category in counted)) for column in CATEGORIES.values()]

    def resources(self) -> Mapping[str, str]:
        return {"rules": f"languagetool-6.4 en-US {_program_digest()}", "longest": str(LONGEST_STRING)}


def _value_spans(text: str, meaning: MeaningRepresentation) -> list[tuple[int, int]]:
    """Return the spans of meaning representation values in the text."""
    values = {slot.value for slot in meaning.named_slots}
    return [match.span() for value in values for match in re.finditer(value_pattern(value), text)]


@cache
def _program_digest() -> str:
    """Return a digest of the pinned program and its dependencies."""
    hashes = "".join(file.sha256 for file in bundle_files("languagetool"))
    return hashlib.sha256(hashes.encode()).hexdigest()[:12]
