"""Comparison of systems in a notebook: tables and the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from rainbow.base.formatting import format_interval, format_number
from rainbow.base.lazy import pd
from rainbow.base.progress import Progress
from rainbow.corpus import Corpus
from rainbow.metrics import Metric
from rainbow.serving.table_results import TableResults, as_corpus, write_page
from rainbow.systems.system_evaluation import evaluate_systems
from rainbow.systems.system_files import report_texts, save_systems

NAME = "systems"  # name of the report


def compare_systems(
    corpus: Corpus | pd.DataFrame | str | Path,
    judgements: pd.DataFrame | None = None,
    *,
    metrics: Sequence[str | Metric] = (),
    resamples: int = 10_000,
    seed: int = 2017,
    threads: int = 1,
    view: str | None = None,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare whole systems, with intervals and tests of all pairs, like `rainbow systems`, for notebooks.

    Parameters
    ----------
    corpus : Corpus, DataFrame, str or path
        A corpus; a file or dataset name (:func:`rainbow.load_dataset`); or a table with the columns of a corpus
        (`output`, `references`, `system`, `item`, optionally `mr`). Every system needs one output per item.
    judgements : DataFrame, optional
        Pairwise human judgements (:func:`rainbow.datasets.judgements`), for rankings.
    metrics : sequence of str or Metric
        Corpus metrics in addition to BLEU, NIST, METEOR, ROUGE-L, CIDEr, TER and chrF++.
    resamples, seed : int
        Number of bootstrap resamples and permutations; random seed.
    threads : int
        Number of threads; results do not depend on it.
    view : str, optional
        View of the texts for word-based metrics (:meth:`rainbow.Corpus.view`), e.g. ``ja-mecab``.
    progress : callable, optional
        Wraps the list of questions, e.g. ``tqdm``.

    Raises
    ------
    ValueError
        If the systems cannot be compared; the message names the row.

    Examples
    --------
    >>> import rainbow
    >>> found = rainbow.compare_systems(rainbow.load_dataset("demo").take(range(90)), resamples=99)
    >>> found.headline()[:36]
    'Comparison of 3 systems on 30 items;'
    >>> found.short()["system"].tolist()
    ['template', 'neural', 'ngram']
    >>> found.corpus_metric_differences.columns[:3].tolist()
    ['metric', 'first', 'second']
    """
    given = as_corpus(corpus)
    tables = evaluate_systems(
        given,
        judgements,
        rng=seed,
        resamples=resamples,
        threads=threads,
        metrics=metrics,
        view=view,
        progress=progress or iter,
    )
    return SystemComparison(tables=tables, corpus=given, seed=seed, resamples=resamples)


@dataclass(frozen=True, repr=False, kw_only=True)
class SystemComparison(TableResults):
    """Results of :func:`compare_systems`; tables are attributes, e.g. ``corpus_metrics`` (see analysis/README.md)."""

    corpus: Corpus  # compared outputs
    seed: int  # random seed
    resamples: int  # number of resamples

    def headline(self) -> str:
        """Return the size of the comparison in one sentence."""
        table = self.tables["corpus_metrics"]
        systems, items = table["system"].nunique(), self.corpus.frame["item"].nunique()
        shown = "average of all metrics, 95 % interval, groups without significant differences, BLEU, METEOR, TER"
        return f"Comparison of {systems} systems on {items} items; {shown}"

    def short(self) -> pd.DataFrame:
        """Return every system with its normalised average, interval, groups, BLEU, METEOR and TER."""
        average, others = "normalised_average", ("BLEU", "METEOR", "TER")
        lines = [
            (
                *([str(row["dataset"])] if "dataset" in row else []),
                *(str(row["system"]), format_number(row[average])),
                f"({format_interval(row[f'{average}_low'], row[f'{average}_high'], format_number)})",
                *(str(row["groups"]), *(format_number(row[name]) for name in others)),
            )
            for row in self.tables["corpus_metrics"].to_dict("records")
        ]
        first = ["dataset"] if "dataset" in self.tables["corpus_metrics"] else []
        return pd.DataFrame(lines, columns=[*first, "system", "average", "95 % interval", "groups", *others])

    def to_html(self, path: str | Path | None = None) -> str:
        """Return the systems report of `rainbow report` as one HTML page; write it to `path` if given."""
        from rainbow.reports.pages.systems_page import make_systems_page
        from rainbow.reports.saved.saved_systems import load_systems

        # Via files, because a page lists the hashes of its sources and links the tables.
        with TemporaryDirectory() as folder:
            about = {"seed": self.seed, "resamples": self.resamples, "command": "rainbow.compare_systems(...)"}
            save_systems(Path(folder, "analysis", NAME), {**self.tables, **report_texts(self.corpus)}, about)
            page = make_systems_page(load_systems(NAME, folder=Path(folder)))
        return write_page(page.html, path)
