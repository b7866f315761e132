"""Outputs that copy their input."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rainbow.analysis.checks.findings import Finding
from rainbow.base.lazy import pd
from rainbow.meaning import parse_if_structured
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens

LEAST_WORDS = 5  # of an output: a shorter one may occur in the input by chance
SHARE = 90  # least percent of the words of an output that are consecutive words of the input


def check_copied_inputs(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find datasets with outputs that copy a free-text input."""
    for dataset, part in frame.groupby("dataset", sort=False) if "mr" in frame else ():
        copied = sum(_count_copies(str(text), outputs) for text, outputs in part.groupby("mr", sort=False)["output"])
        if copied:
            finding = (
                f"the input is copied in {copied} of {len(part)} outputs: at least {SHARE} % of the words are "
                "consecutive words of the input"
            )
            yield Finding("copied inputs", "warning", str(dataset), finding, len(part))


def _count_copies(text: str, outputs: Iterable[str]) -> int:
    """Return the number of outputs that copy an input; 0 if it is a meaning representation."""
    words = f" {' '.join(alphanumeric_tokens(text))} "
    copies = sum(_is_copy(output, words) for output in outputs)
    return copies if copies and parse_if_structured(text) is None else 0


def _is_copy(output: str, words: str) -> bool:
    """Return whether enough words of an output are consecutive words of the input, which is given in words."""
    own = alphanumeric_tokens(output)
    spare = len(own) * (100 - SHARE) // 100
    runs = (own[start : start + len(own) - spare] for start in range(spare + 1))
    return len(own) >= LEAST_WORDS and any(f" {' '.join(run)} " in words for run in runs)
