"""Metrics against ratings as papers print them: one table, in Markdown or LaTeX."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from rainbow.base.printed import between, three
from rainbow.text.latex import longtable

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["PaperFormat", "paper_table"]

PaperFormat = Literal["md", "latex"]

ALL = "all"  # datasets together
_INTERVALS = {
    "bca": "(BCa) from\nresampled inputs",
    "percentile": "(percentile) from\nresampled inputs",
    "influence": "from\ninfluence values by input",
    "fisher": "by\nFisher's z",
}


def paper_table(correlations: pd.DataFrame, form: PaperFormat) -> str:
    r"""Return how far metrics agree with each rating over all outputs, those first that agree most.

    The packages `booktabs` and `longtable` are all that the LaTeX needs.

    Parameters
    ----------
    correlations
        The table `correlations` of an analysis; what is undefined for every rating is left out.
    form
        ``md`` or ``latex``.

    Raises
    ------
    ValueError
        If no correlation is defined.

    Examples
    --------
    >>> import rainbow
    >>> corpus = rainbow.load_dataset("demo").take(range(60))
    >>> found = rainbow.analyse(corpus, rainbow.score_corpus(corpus, ["len", "SE"]), ratings=["quality"], resamples=50)
    >>> print(paper_table(found.correlations, "md"))
    | metric | quality |
    | --- | --- |
    | SE | 0.299 (0.052 to 0.496) |
    | len | -0.157 (-0.427 to 0.091) |
    <BLANKLINE>
    Spearman correlation with human ratings of demo, all systems together; in parentheses 95 % intervals (BCa) from
    resampled inputs. Outputs: 60 (quality). Ordered by the mean of the absolute values.
    """
    whole = correlations[(correlations["level"] == "pooled") & (correlations["system"] == "all")]
    named = [name for name in whole["dataset"].unique() if name != ALL]
    dataset = named[0] if len(named) == 1 else ALL
    whole = whole[(whole["dataset"] == dataset) & whole["r"].notna()]
    if whole.empty:
        raise ValueError("no metric varies together with a rating: there is no table to print")
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
    return _markdown(ratings, lines, about) if form == "md" else longtable(["metric", *ratings], lines, about)


def _cell(row: pd.Series, rating: str) -> str:
    r, low, high = (row[name, rating] for name in ("r", "low", "high"))
    return f"{three(r)} ({between(low, high, three)})"


def _markdown(ratings: Sequence[str], lines: Sequence[Sequence[str]], about: str) -> str:
    head = [["metric", *ratings], ["---"] * (len(ratings) + 1)]
    return "\n".join([*(f"| {' | '.join(line)} |" for line in [*head, *lines]), "", about])
