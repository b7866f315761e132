"""Tables as LaTeX has them."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPECIAL = re.compile(r"[&%$#_{}~^\\<>]")
_WORDS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$"}


def longtable(head: Sequence[str], lines: Sequence[Sequence[str]], about: str) -> str:
    r"""Return a table whose first column is text and whose others are numbers; for `booktabs` and `longtable`."""
    rows = [" & ".join([escaped(first), *(cell.replace("-", "$-$") for cell in cells)]) for first, *cells in lines]
    return "\n".join(
        [
            rf"\begin{{longtable}}{{l*{{{len(head) - 1}}}{{r}}}}",
            rf"\caption{{{escaped(about)}}}\\",
            r"\toprule",
            rf"{' & '.join(map(escaped, head))} \\",
            r"\midrule",
            r"\endfirsthead",
            *(rf"{row} \\" for row in rows),
            r"\bottomrule",
            r"\end{longtable}",
        ]
    )


def escaped(text: str) -> str:
    r"""Return a text in which LaTeX sees no orders."""
    return _SPECIAL.sub(lambda found: _WORDS.get(found[0], rf"\{found[0]}"), text)
