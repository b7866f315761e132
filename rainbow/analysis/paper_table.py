"""Agreement of metrics with ratings as a table for papers, in Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rainbow.base.formatting import format_interval, format_number
from rainbow.base.lazy import pd
from rainbow.text.latex import latex_table

PaperFormat = Literal["md", "latex"]

ALL = "all"  # datasets together
_INTERVALS = {
    "bca": "(BCa) from\nresampled inputs",
    "percentile": "(percentile) from\nresampled inputs",
    "influence": "from\ninfluence values by input",
    "fisher": "by\nFisher's z",
}


def paper_table(correlations: pd.DataFrame, form: PaperFormat) -> str:
    r"""Return the correlation of metrics with each rating over all outputs, highest first."""
    whole = correlations[(correlations["level"] == "pooled") & (correlations["system"] == "all")]
    named = [name for name in whole["dataset"].unique() if name != ALL]
    dataset = named[0] if len(named) == 1 else ALL
    whole = whole[(whole["dataset"] == dataset) & whole["r"].notna()]
    if whole.empty:
        raise ValueError("no table to print, because no metric has a correlation with a rating")
    ratings = list(dict.fromkeys(whole["rating"]))
    by_rating = whole.pivot(index="metric", columns="rating")
    means = whole["r"].abs().groupby(whole["metric"]).mean()
    order = means.sort_values(ascending=False, kind="stable").index
    lines = [[str(metric), *(_cell(by_rating.loc[metric], rating) for rating in ratings)] for metric in order]
    counts = "; ".join(f"{rows['n'].max():,} ({rating})" for rating, rows in whole.groupby("rating", sort=False))
    method = whole["method"].iloc[0]
    made = ", or ".join(_INTERVALS[kind] for kind in whole["interval"].unique())
    of_dataset = f" of {dataset}" if named == [dataset] else ""
    about = (
        f"{method.capitalize()} correlation with human ratings{of_dataset}, all systems together; in parentheses 95 % "
        f"intervals {made}. Outputs: {counts}. Ordered by the mean of the absolute values."
    )
    return _markdown_table(ratings, lines, about) if form == "md" else latex_table(["metric", *ratings], lines, about)


def _cell(row: pd.Series, rating: str) -> str:
    r, low, high = (row[name, rating] for name in ("r", "low", "high"))
    return f"{format_number(r)} ({format_interval(low, high, format_number)})"


def _markdown_table(ratings: Sequence[str], lines: Sequence[Sequence[str]], caption: str) -> str:
    head = [["metric", *ratings], ["---"] * (len(ratings) + 1)]
    return "\n".join([*(f"| {' | '.join(line)} |" for line in [*head, *lines]), "", caption])
