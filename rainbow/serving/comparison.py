"""Comparison of systems in a notebook: tables and the report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from rainbow.base.formatting import format_interval, format_number
from rainbow.base.progress import Progress
from rainbow.corpus import Corpus
from rainbow.metrics import Metric
from rainbow.serving.table_results import TableResults, as_corpus, write_page
from rainbow.systems.system_evaluation import evaluate_systems
from rainbow.systems.system_files import report_texts, save_systems

if TYPE_CHECKING:
    import pandas as pd

NAME = "systems"  # of the report


def compare_systems(
    corpus: Corpus | pd.DataFrame | str | Path,
    judgements: pd.DataFrame | None = None,
    *,
    metrics: Sequence[str | Metric] = (),
    resamples: int = 10_000,
    seed: int = 2017,
    threads: int = 1,
    progress: Progress | None = None,
) -> SystemComparison:
    """Compare systems as wholes, with intervals and tests of all pairs: what `rainbow systems` does, for a notebook.

    Parameters
    ----------
    corpus
        A corpus; a file or the name of a dataset (:func:`rainbow.load_dataset`); or a table with the
        columns of one (`output`, `references`, `system`, `item`, and `mr` where it is
        there); every system has one output for each item.
    judgements
        What people thought of outputs side by side (:func:`rainbow.datasets.judgements`), for rankings.
    metrics
        Further corpus metrics, by name or of your own, beside BLEU, NIST, METEOR, ROUGE-L, CIDEr, TER and chrF++.
    resamples, seed
        Bootstrap samples and shuffles, and the seed of all that is drawn.
    threads
        How many threads compute metrics; the numbers are the same for any number.
    progress
        Wraps the list of questions while they are answered (``tqdm``, say).

    Raises
    ------
    ValueError
        If systems cannot be compared; the message names the row.

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
        given, judgements, rng=seed, resamples=resamples, threads=threads, metrics=metrics, progress=progress or iter
    )
    return SystemComparison(tables=tables, corpus=given, seed=seed, resamples=resamples)


@dataclass(frozen=True, repr=False, kw_only=True)
class SystemComparison(TableResults):
    """How systems compare: every table is an attribute, as ``corpus_metrics`` (docs: analysis/README.md)."""

    corpus: Corpus  # the outputs
    seed: int  # of what was drawn
    resamples: int  # of what was drawn

    def headline(self) -> str:
        """Say how much was compared."""
        table = self.tables["corpus_metrics"]
        systems, items = table["system"].nunique(), self.corpus.frame["item"].nunique()
        shown = "average of all metrics, 95 % interval, groups without significant differences, BLEU, METEOR, TER"
        return f"Comparison of {systems} systems on {items} items; {shown}"

    def short(self) -> pd.DataFrame:
        """Return every system with its normalised average, interval and groups, and its BLEU, METEOR and TER."""
        import pandas as pd

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
        """Return the report that `rainbow report` makes of systems, one HTML page; write it to `path` if given."""
        from rainbow.reports.pages.systems_page import make_systems_page
        from rainbow.reports.saved.saved_systems import load_systems

        # By way of files, since a page lists the hashes of what it was made from, and gives the tables out.
        with TemporaryDirectory() as folder:
            about = {"seed": self.seed, "resamples": self.resamples, "command": "rainbow.compare_systems(...)"}
            save_systems(Path(folder, "analysis", NAME), {**self.tables, **report_texts(self.corpus)}, about)
            page = make_systems_page(load_systems(NAME, folder=Path(folder)))
        return write_page(page.html, path)
