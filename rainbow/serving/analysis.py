"""Comparison of metrics with ratings in a notebook: tables, figures and the report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from rainbow.analysis.analyse import analyse as tables_of
from rainbow.analysis.analysis_inputs import Inputs, analysis_inputs
from rainbow.analysis.paper_table import paper_table
from rainbow.analysis.summary import save_analysis, summarise
from rainbow.analysis.verdicts.candidate_columns import CANDIDATE, LENGTH
from rainbow.base.aliases import accept_aliases
from rainbow.base.formatting import format_interval, format_number
from rainbow.base.lazy import pd
from rainbow.base.progress import Progress
from rainbow.corpus import Corpus
from rainbow.learned.score import choose_speed, compute_learned_columns, find_training_corpora
from rainbow.scoring.saved_scores import save_scores
from rainbow.scoring.score_corpus import score_corpus
from rainbow.serving.table_results import TableResults, accept_corpus, write_page

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "analysis"  # name of the report
PLOTTED = 10  # candidates in the chart of a verdict


@accept_aliases(ratings=("rating",), scores=("score",))
@accept_corpus
def analyse(
    corpus: Corpus,
    scores: pd.DataFrame | None = None,
    *,
    ratings: str | Sequence[str] | None = None,
    higher_is_better: Mapping[str, bool | None] = MappingProxyType({}),
    resamples: int = 1000,
    seed: int = 2017,
    progress: Progress | None = None,
) -> Analysis:
    """Compare metrics with human ratings, like `rainbow analyse`, for notebooks.

    Parameters
    ----------
    corpus : Corpus, DataFrame, str or path
        A corpus with ratings; a file or dataset name (:func:`rainbow.load_dataset`); or a table with the columns of a
        corpus (`output`, and if available `references`, `mr`, `system`, `item`, `dataset`).
    scores : DataFrame, optional
        One column per metric, one row per output in the same order, as from :func:`rainbow.score_corpus`. By default
        all metrics and the learned score are computed, in seconds for some thousand outputs.
    ratings : str or sequence of str, optional
        Columns of human ratings; by default those of the corpus.
    higher_is_better : mapping of str to bool or None
        Direction of external score columns of the corpus, or of columns of `scores` that are not registered metrics;
        None for no direction. These columns are compared too.
    resamples, seed : int
        Number of resamples for intervals and tests; random seed.
    progress : callable, optional
        Wraps the list of questions, e.g. ``tqdm``.

    Raises
    ------
    ValueError
        If there is no rating or no metric, a column is missing, or a row is invalid (:class:`rainbow.Corpus`).

    Examples
    --------
    >>> import rainbow
    >>> corpus = rainbow.load_dataset("demo").take(range(60))
    >>> found = rainbow.analyse(corpus, rainbow.score_corpus(corpus, ["len", "SE"]), ratings=["quality"], resamples=50)
    >>> found
    No metric here for quality
    Analysis of 60 outputs, 2 metrics; Spearman of the best metric of each group, 95 % interval
    quality  grammar  len  -0.157  (-0.427 to 0.091)
    quality  word     SE   0.299   (0.052 to 0.496)
    >>> whole = found.correlations.query("level == 'pooled' and dataset == 'demo' and system == 'all'")
    >>> whole[["metric", "r"]].round(3).values.tolist()
    [['len', -0.157], ['SE', 0.299]]
    """
    rated = [ratings] if isinstance(ratings, str) else list(corpus.ratings if ratings is None else ratings)
    computed = _score_everything(corpus) if scores is None else scores.set_axis(corpus.frame.index)
    directed = {name: {"higher_is_better": better} for name, better in higher_is_better.items()}
    external = corpus.frame.attrs.get("external", {}) | directed | computed.attrs.get("external", {})
    adjacent = [name for name in external if name not in computed]
    if unknown := [name for name in (*rated, *adjacent) if name not in corpus.frame]:
        raise ValueError(f"unknown column {unknown[0]!r}: the columns are {', '.join(map(str, corpus.frame))}")
    frame = corpus.frame.join(computed)
    frame.attrs = {"signatures": dict.fromkeys([*map(str, computed), *adjacent], ""), "external": external}
    frame.attrs |= {name: computed.attrs[name] for name in ("view", "language") if name in computed.attrs}
    frame.attrs["ratings"] = list(dict.fromkeys([*corpus.ratings, *rated]))
    inputs = analysis_inputs(frame, rated)._replace(resamples=resamples, seed=seed)
    tables = tables_of(inputs, progress or iter)
    return Analysis(tables=tables, corpus=corpus, scores=computed, inputs=inputs, external=external)


def _score_everything(corpus: Corpus) -> pd.DataFrame:
    """Return every default metric and the learned score, as a run saves them."""
    scores, external = score_corpus(corpus), dict[str, Any]()
    if "language" not in scores.attrs and not find_training_corpora(corpus.frame):
        result = compute_learned_columns(corpus.frame, choose_speed(corpus.frame))
        attrs, external = scores.attrs, result.about
        scores = scores.assign(**result.columns)
        signatures = {name: str(facts["signature"]) for name, facts in external.items()}
        scores.attrs = {**attrs, "signatures": attrs["signatures"] | signatures}
    scores.attrs["external"] = external
    return scores


@dataclass(frozen=True, repr=False, kw_only=True)
class Analysis(TableResults):
    """Results of :func:`rainbow.analyse`; tables are attributes, e.g. ``correlations`` (see analysis/README.md).

    Attributes
    ----------
    corpus : Corpus
        Analysed outputs.
    scores : DataFrame
        Computed scores.
    inputs : Inputs
        Prepared inputs of the analysis, with seed and resamples.

    Examples
    --------
    >>> import rainbow
    >>> corpus = rainbow.load_dataset("demo").take(range(60))
    >>> analysis = rainbow.analyse(corpus, rainbow.score_corpus(corpus, ["len"]), ratings=["quality"], resamples=9)
    >>> analysis.short()[["rating", "metric"]].values.tolist()
    [['quality', 'len']]
    """

    corpus: Corpus
    scores: pd.DataFrame
    inputs: Inputs
    external: Mapping[str, Mapping[str, Any]]

    def __repr__(self) -> str:
        return "\n".join([*self._headlines(), super().__repr__()])

    def _repr_html_(self) -> str:
        verdicts = "".join(f"<p><b>{escape(line)}</b></p>" for line in self._headlines())
        return verdicts + super()._repr_html_()

    def _headlines(self) -> list[str]:
        """Return the headline of the verdict on each rating."""
        return [str(line) for line in self.tables["verdicts"]["headline"]]

    def headline(self) -> str:
        """Return the size of the analysis in one sentence."""
        frame, metrics = self.inputs.frame, self.inputs.metrics
        best = "Spearman of the best metric of each group, 95 % interval"
        return f"Analysis of {len(frame)} outputs, {len(metrics)} metrics; {best}"

    def short(self) -> pd.DataFrame:
        """Return the best metric of each group over all outputs: rating, group, metric, correlation and interval."""
        result = self.summary["best_metrics"]
        whole = [row for row in result if row["dataset"] == result[-1]["dataset"]]
        lines = [
            (
                row["rating"],
                row["group"],
                str(row["metric"]),
                format_number(row["r"]),
                f"({format_interval(row['low'], row['high'], format_number)})",
            )
            for row in whole
        ]
        return pd.DataFrame(lines, columns=["rating", "group", "metric", "Spearman", "95 % interval"])

    @cached_property
    def summary(self) -> dict[str, Any]:
        """Summary of the results, as in ``summary.json``."""
        return summarise(self.inputs, self.tables)

    def to_dict(self) -> dict[str, Any]:
        """Return the summary and every table as JSON-compatible lists and numbers (NaN if undefined)."""
        return self.summary | super().to_dict()

    def to_markdown(self) -> str:
        """Return the agreement of metrics with each rating, with intervals, as a Markdown table."""
        return paper_table(self.tables["correlations"], "md")

    def to_latex(self) -> str:
        """Return the table of :meth:`to_markdown` as a LaTeX `longtable` with `booktabs` rules."""
        return paper_table(self.tables["correlations"], "latex")

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the report of `rainbow report` as one HTML page; write it to `path` if given."""
        from rainbow.reports.pages.metrics_page import make_report
        from rainbow.reports.saved.saved_analysis import load_analysis

        # Via files, because a page lists the hashes of its sources and links the tables.
        with TemporaryDirectory() as folder:
            scores = self.scores.copy()
            known = {"view": self.corpus.default_view, "signatures": {}}
            scores.attrs = known | scores.attrs | {"external": self.external}
            save_scores(Path(folder, "metrics", f"{NAME}.parquet"), self.corpus, scores)
            save_analysis(Path(folder, "analysis", NAME), self.tables, self.summary)
            page = make_report(load_analysis(NAME, folder=Path(folder)))
        return write_page(page.html, path)

    def plot(self, metric: str | None = None, rating: str | None = None, ax: Axes | None = None) -> Axes:
        """Plot the verdict on a rating (the first by default), or a metric against it, and return the axes.

        Without a metric: the agreement of the ten best candidates with 95 % intervals, output length as a vertical
        line, and the headline of the verdict as title. With a metric: its scores against jittered ratings.

        Raises
        ------
        ValueError
            If there is no such metric or rating.
        """
        import numpy as np

        rating = self._known_rating(rating)
        if metric is None:
            return self._plot_verdict(rating, ax)
        if metric not in self.inputs.metrics:
            raise ValueError(f"unknown metric {metric!r}: choose from {', '.join(self.inputs.metrics)}")
        marks, ax = self.inputs.frame[rating].to_numpy(float), ax or _new_axes()
        moved = marks + np.random.default_rng(0).uniform(-0.15, 0.15, len(marks))
        ax.plot(self.inputs.frame[metric], moved, ".", alpha=0.4)
        ax.set(xlabel=metric, ylabel=rating)
        return ax

    def _plot_verdict(self, rating: str, ax: Axes | None) -> Axes:
        """Draw the agreement of the ten best candidates with a rating."""
        headlines = dict(zip(self.tables["verdicts"]["rating"], self._headlines(), strict=True))
        evidence = self.tables["evidence"]
        rows = evidence[evidence["rating"] == rating].dropna(subset="agreement")
        best = rows[rows["status"] == CANDIDATE].nlargest(PLOTTED, "agreement")[::-1]  # best on top
        ax = ax or _new_axes(height=1.3 + 0.22 * len(best))
        ax.hlines(best["metric"], best["low"], best["high"], alpha=0.5)
        ax.plot(best["agreement"], best["metric"], "o", ms=4)
        ax.axvline(0, color="grey", lw=0.7)
        for agreement in rows.loc[rows["status"] == LENGTH, "agreement"]:
            ax.axvline(agreement, color="black", lw=1, ls="--", label=LENGTH)
            ax.legend()
        ax.set(xlabel=f"Spearman correlation with {rating}", title=headlines[rating])
        return ax

    def _known_rating(self, rating: str | None) -> str:
        """Return an analysed rating, the first by default."""
        known = self.inputs.ratings
        if not known:
            raise ValueError("no rating to plot: analyse a corpus with ratings")
        if rating is not None and rating not in known:
            raise ValueError(f"unknown rating {rating!r}: choose from {', '.join(known)}")
        return rating or known[0]

    def plot_correlations(self, rating: str | None = None, ax: Axes | None = None) -> Axes:
        """Plot every metric's correlation with a rating (the first by default), with intervals, largest first.

        Raises
        ------
        ValueError
            If there is no such rating.
        """
        rating = self._known_rating(rating)
        table = self.tables["correlations"]
        whole = table[(table["level"] == "pooled") & (table["rating"] == rating) & (table["system"] == "all")]
        lines = whole[whole["dataset"] == whole["dataset"].iloc[-1]].dropna(subset="r").sort_values("r", key=abs)
        ax = ax or _new_axes(height=1 + 0.16 * len(lines))
        ax.hlines(lines["metric"], lines["low"], lines["high"], alpha=0.5)
        ax.plot(lines["r"], lines["metric"], ".")
        ax.axvline(0, color="grey", lw=0.7)
        ax.set(xlabel=f"Spearman correlation with {rating}")
        return ax


def _new_axes(height: float = 4.0) -> Axes:
    import matplotlib.pyplot as plt  # displayed by notebooks, and by plt.show() elsewhere

    axes: Axes = plt.figure(figsize=(6, height), layout="constrained").subplots()
    return axes
