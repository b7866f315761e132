"""Tables in LaTeX."""

from __future__ import annotations

import re
from collections.abc import Sequence

_SPECIAL = re.compile(r"[&%$#_{}~^\\<>]")
_WORDS = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": "$<$", ">": "$>$"}


def latex_table(head: Sequence[str], lines: Sequence[Sequence[str]], caption: str) -> str:
    r"""Return a table of one text column and numeric columns, for `booktabs` and `longtable`."""
    rows = [" & ".join([escape_latex(first), *(cell.replace("-", "$-$") for cell in cells)]) for first, *cells in lines]
    return "\n".join(
        [
            rf"\begin{{longtable}}{{l*{{{len(head) - 1}}}{{r}}}}",
            rf"\caption{{{escape_latex(caption)}}}\\",
            r"\toprule",
            rf"{' & '.join(map(escape_latex, head))} \\",
            r"\midrule",
            r"\endfirsthead",
            *(rf"{row} \\" for row in rows),
            r"\bottomrule",
            r"\end{longtable}",
        ]
    )


def escape_latex(text: str) -> str:
    r"""Return a text with LaTeX's special characters escaped."""
    return _SPECIAL.sub(lambda match: _WORDS.get(match[0], rf"\{match[0]}"), text)
