"""What is known of a metric: all of it stands in the metric's own file, and is only read here."""

from __future__ import annotations

import inspect
import re
from typing import NamedTuple

from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import all_columns, find

__all__ = ["LEARNED", "Facts", "facts", "plain_sentence", "short_name"]

# What names of the learned score begin with where it stands beside metrics, and those of its metric.
LEARNED, _FAST = "rainbow_", "fast_"

# The headings of a docstring that end its text.
_HEADING = re.compile(r"^(\w[\w ]*)\n-{3,}$", re.MULTILINE)


class Facts(NamedTuple):
    """What a metric's docstring says.

    Attributes
    ----------
    plain
        One sentence for whoever does not know the metric.
    definition
        What is computed, in paragraphs.
    sources
        Publications that it is from, one each.
    """

    plain: str
    definition: str
    sources: list[str]


def facts(metric: type[Metric]) -> Facts:
    """Return what the file of a metric says about it.

    Examples
    --------
    >>> from rainbow.metrics import find
    >>> found = facts(find("ter"))
    >>> found.plain
    'How many edits turn the output into the nearest reference, where moving a phrase is one edit.'
    >>> found.sources[1]
    'Post, M. (2018). A call for clarity in reporting BLEU scores. WMT.'
    """
    parts = _HEADING.split(inspect.cleandoc(metric.__doc__ or ""))
    sections = dict(zip(parts[1::2], parts[2::2], strict=True))
    entries = re.split(r"\n\s*\n|\n(?=\S[^\n]*\(\d{4}\))", sections.get("References", "").strip())
    sources = [" ".join(entry.split()) for entry in entries if entry.strip()]
    text = parts[0].strip()
    return Facts(metric.plain or text.split("\n", 1)[0], text, sources)


def plain_sentence(column: str) -> str:
    """Return what a column says of an output, for whoever does not know it; nothing for one that no metric gives.

    Examples
    --------
    >>> plain_sentence("TER"), plain_sentence("comet")
    ('How many edits turn the output into the nearest reference, where moving a phrase is one edit.', '')
    """
    own = re.sub(f"^{LEARNED}", _FAST, column)
    known = all_columns().get(own)
    return (known[0].plain or facts(find(own)).plain) if known else ""


def short_name(column: str) -> str:
    """Return what a chart calls a column; its own name where no metric says more.

    Examples
    --------
    >>> short_name("lm_min"), short_name("comet"), short_name("rainbow_quality")
    ('least likely word', 'comet', 'learned score: quality')
    """
    if column.startswith(LEARNED):
        return column.replace(LEARNED, "learned score: ")
    known = all_columns().get(column)
    return (known[0].short if known else "") or column
