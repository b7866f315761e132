"""`rainbow.run`: metrics, analysis, systems, learned score and one report for any file."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import Any

import numpy as np

from rainbow.analysis.analysis_inputs import analysis_inputs
from rainbow.analysis.summary import analysis_files
from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.base.progress import Progress, RowProgress, silent
from rainbow.datasets import is_frame
from rainbow.datasets.columns import Columns
from rainbow.datasets.folders.user_files import UserFiles, open_user_files, open_user_table
from rainbow.datasets.roles.mapping import ColumnMapping
from rainbow.datasets.table_mapping import check_certain
from rainbow.learned.score import choose_speed, find_training_corpora
from rainbow.learned.scorer import default_speed
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.pipeline.findings import load_verdicts, summarise_findings
from rainbow.pipeline.metric_cards import card_files, save_cards
from rainbow.pipeline.preferences import measure_position_bias, rank_by_preference, read_comparisons
from rainbow.pipeline.recommendation import recommendation_files, recommendation_sentences, save_recommendation
from rainbow.pipeline.score_table import add_learned_score
from rainbow.pipeline.stages import Stage, Stages, hash_values
from rainbow.scoring.chunks import MOST_ROWS
from rainbow.scoring.saved_scores import About, is_score_table
from rainbow.scoring.score_rows import ScoredTable
from rainbow.stats.order.position_bias import position_sentence
from rainbow.stats.tidy_tables import records
from rainbow.systems.tables import POSITION_BIAS
from rainbow.systems.tables import TABLES as SYSTEMS
from rainbow.text.languages.detection import ENGLISH, language_name

RESAMPLES, SEED = 1000, 2017
VIEWS = {
    "delexicalised": "; word-based ones compare delexicalised texts",
    "characters": "; word-based ones compare characters",
}


@dataclass(frozen=True, repr=False)
class Run:
    """Stages of a finished run and the paths of its results."""

    name: str  # name of its tables and pages
    mapping: ColumnMapping  # role of each column
    stages: tuple[Stage, ...]  # stages with seconds, and reasons of skipped ones
    page: Path | None  # the report; None if there was nothing to report
    findings: tuple[str, ...]  # at most five sentences: next steps, then the verdicts
    verdicts: tuple[dict[str, Any], ...] = ()  # verdict on each rating, as in ``summary.json``

    def __repr__(self) -> str:
        stages = ", ".join(f"{stage.name} ({stage.state})" for stage in self.stages)
        return "\n".join([f"{self._title()}: {self.page or 'no report'}", f"stages: {stages}", *self._headlines()])

    def _repr_html_(self) -> str:
        page = f'<a href="{escape(str(self.page))}">{escape(str(self.page))}</a>' if self.page else "no report"
        head = f"<p>{escape(self._title())}: {page}</p>"
        verdicts = "".join(f"<p><b>{escape(line)}</b></p>" for line in self._headlines())
        return head + verdicts + self._stage_table().to_html(index=False, border=0)

    def _title(self) -> str:
        return f"Run of {self.name}"

    def _headlines(self) -> list[str]:
        return [str(line["headline"]) for line in self.verdicts]

    def _stage_table(self) -> pd.DataFrame:
        """Return the stages as text table for a notebook."""
        lines = [(stage.name, stage.state, f"{stage.seconds:.1f}", stage.says) for stage in self.stages]
        return pd.DataFrame(lines, columns=["stage", "state", "seconds", "result"])


@dataclass
class _Runner:
    """The stages of one run."""

    opened: UserFiles
    stages: Stages
    resamples: int
    workers: int
    rows_progress: RowProgress
    progress: Progress

    @property
    def table(self) -> Path:
        return Path("metrics") / f"{self.opened.name}.parquet"

    @property
    def folder(self) -> Path:
        return Path("analysis") / self.opened.name

    @property
    def columns(self) -> Columns:
        return self.opened.mapping.columns

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Saved table of scores."""
        from rainbow.scoring.saved_scores import load_scores

        return load_scores(self.table)

    @property
    def command(self) -> str:
        """Shell command that repeats this run."""
        return self._stage_command("run")

    def _stage_command(self, name: str) -> str:
        return shlex.join(["rainbow", name, *map(str, self.opened.files or [self.opened.name])])

    @property
    def has_outputs(self) -> bool:
        return not self.columns.is_comparison or bool(self.columns.output)

    def all(self) -> None:
        """Run all stages in order."""
        roles = self.opened.mapping.roles()
        of = hash_values(*self.opened.identity, self.columns.set_options(), roles)
        if self.has_outputs:
            self.stages.run_stage("metrics", of, [self.table], self._metrics_stage, needed=True)
            self._learned_stage(of)
        else:
            self.stages.skip("metrics", "no outputs: with text columns, every metric could be computed")
        if self.columns.pair:
            results = [self._ranking_stage, self.folder / f"{POSITION_BIAS.name}.csv"]
            self.stages.run_stage("preferences", of, results, self._preference_stage)
        if not self.has_outputs:
            return
        self.stages.run_stage("metric cards", hash_values(self.table), card_files(self.folder), self._measure_metrics)
        self._analysis_stage()
        self._systems_stage()

    @property
    def _ranking_stage(self) -> Path:
        return self.folder / "preferences.csv"

    def _preference_stage(self) -> str:
        from rainbow.base.files import write_csv

        comparisons = read_comparisons(self.opened.tables(), self.columns)
        table, bias = rank_by_preference(comparisons), measure_position_bias(comparisons)
        write_csv(self._ranking_stage, table)
        write_csv(self.folder / f"{POSITION_BIAS.name}.csv", bias)
        first = table.iloc[0]
        return (
            f"{first['system']} ranks first, preferred in {first['preferred']:.0%} of {first['comparisons']} "
            f"comparisons; {position_sentence(records(bias))}"
        )

    def _metrics_stage(self) -> str:
        """Compute the metrics; other metric columns of the same rows are kept."""
        try:
            scored = self._compute_scores(keep=is_score_table(self.table))
        except ValueError:
            scored = self._compute_scores(keep=False)
        self.__dict__.pop("frame", None)
        view = VIEWS.get(scored.view, "")
        if scored.language not in (None, ENGLISH):
            view += f"; the outputs are {language_name(scored.language)}, so metrics that do not know it are missing"
        return f"{format_count(len(scored.signatures), 'column')} of {format_count(scored.table.rows, 'output')}{view}"

    def _compute_scores(self, *, keep: bool) -> ScoredTable:
        from rainbow.scoring.score_rows import score_rows

        return score_rows(self.opened.rows, self.table, workers=self.workers, keep=keep, progress=self.rows_progress)

    def _learned_stage(self, rating: str) -> None:
        if (language := About.from_table(self.frame).language) != ENGLISH:
            self.stages.skip("learned score", f"it knows English only, and the outputs are {language_name(language)}")
        elif known := find_training_corpora(self.frame):  # a model cannot be tested on its training data
            learned = f"the models were trained on ratings of these outputs ({', '.join(known)})"
            self.stages.skip("learned score", f"{learned}: rainbow fit evaluates one without leakage")
        else:
            self.stages.run_stage(
                "learned score", hash_values(rating, choose_speed(self.frame)), [self.table], self._fit_model
            )
            self.stages.record("metrics", [self.table])  # the same file with further columns

    def _fit_model(self) -> str:
        result = add_learned_score(self.opened.rows, self.table, self.rows_progress, self.workers)
        self.__dict__.pop("frame", None)
        rough = ""
        if not result.is_familiar:
            known = f"is familiar with only {result.familiarity:.0%} of the words of these texts"
            rough = f": rough here, as it {known if self.frame['mr'].map(bool).any() else 'got no inputs'}"
        mean = np.nanmean(result.columns[f"{LEARNED}quality"])
        # Even if it was fetched, it is skipped unless requested, as it takes minutes.
        more = f"; {self._stage_command('metrics')} --metrics general-full adds the full score, in minutes"
        more = more if result.model != default_speed() else ""
        return f"mean quality {mean:.2f} of 6 by the model {result.model}{rough}{more}"

    def _analysis_stage(self) -> None:
        ratings = About.from_table(self.frame).ratings
        if not any(self.frame[rating].notna().any() for rating in ratings):
            self.stages.skip("analysis", "no human ratings: with ratings, metrics can be compared with people")
            return
        self.stages.run_stage(
            "analysis", hash_values(self.table, self.resamples), analysis_files(self.folder), self._run_analysis
        )
        if self.stages.has("analysis"):
            of = hash_values(self.table, self.folder / "evidence.csv", self.resamples)
            self.stages.run_stage("recommendation", of, recommendation_files(self.folder), self._recommend)

    def _run_analysis(self) -> str:
        from rainbow.analysis.analyse import analyse
        from rainbow.analysis.summary import save_analysis, summarise

        inputs = analysis_inputs(self.frame)._replace(resamples=self.resamples, seed=SEED)
        tables = analyse(inputs, self.progress)
        save_analysis(self.folder, tables, summarise(inputs, tables) | {"command": self.command})
        scored = sum(self.frame[name].notna().any() for name in inputs.metrics)
        return f"{format_count(int(scored), 'column')} against {', '.join(inputs.ratings)}"

    def _recommend(self) -> str:
        inputs = analysis_inputs(self.frame)._replace(resamples=self.resamples, seed=SEED)
        return recommendation_sentences(save_recommendation(self.folder, inputs, _dataset_argument(self.opened)))

    def _measure_metrics(self) -> str:
        corpus = next(iter(self.opened.rows.chunks(MOST_ROWS)))
        known = [name for name in About.from_table(self.frame).signatures if self.frame[name].notna().any()]
        return save_cards(self.folder, corpus, known)

    def _systems_stage(self) -> None:
        frame = self.frame
        if frame["system"].nunique() < 2:
            self.stages.skip("systems", "only one system: with a column of systems, they can be compared")
        elif not any(frame["references"]):
            self.stages.skip(
                "systems", "no references: with references, every pair of systems is tested by corpus metrics"
            )
        else:
            of = hash_values(self.table, self.resamples)
            files = [self.folder / "systems.json", *(self.folder / f"{table.name}.csv" for table in SYSTEMS)]
            self.stages.run_stage("systems", of, files, self._compare_systems)

    def _compare_systems(self) -> str:
        from rainbow.corpus import Corpus
        from rainbow.systems.system_evaluation import evaluate_systems
        from rainbow.systems.system_files import report_texts, save_systems

        corpus = Corpus.concatenate(list(self.opened.rows.chunks(1 << 40)))
        tables = evaluate_systems(
            corpus, rng=SEED, resamples=self.resamples, lenient=True, threads=self.workers, progress=self.progress
        )
        tables |= report_texts(corpus)
        save_systems(self.folder, tables, {"seed": SEED, "resamples": self.resamples, "command": self.command})
        return f"{format_count(corpus.frame['system'].nunique(), 'system')} compared"

    def page(self) -> Path | None:
        """Write the report."""
        page = Path("reports") / f"{self.opened.name}.html"
        results = {"analysis": self.folder / "summary.json", "systems": self.folder / "systems.json"}
        results["preferences"] = self._ranking_stage
        made = [path for stage, path in results.items() if self.stages.has(stage)]
        own = [self.table] if self.has_outputs else []
        own += card_files(self.folder) if self.stages.has("metric cards") else []
        of = hash_values(*own, *made)
        self.stages.run_stage("report", of, [page], lambda: self._write_report(page), needed=True)
        return page

    def _write_report(self, page: Path) -> str:
        from rainbow.reports.pages.metrics_page import make_report, make_scores_page
        from rainbow.reports.pages.page import write_page
        from rainbow.reports.pages.systems_page import make_systems_page
        from rainbow.reports.saved.saved_analysis import load_analysis, load_scores_without_ratings
        from rainbow.reports.saved.saved_systems import load_systems

        name, folder = self.opened.name, page.parent
        if self.stages.has("systems"):
            write_page(make_systems_page(load_systems(name), self.workers), folder)
        if self.stages.has("analysis"):
            written = write_page(make_report(load_analysis(name), self.workers), folder)
        else:
            explained = ("learned score", "preferences")
            stages = [stage for stage in self.stages.all if stage.name in explained and stage.state != "left out"]
            done = [f"{stage.name}: {stage.says}." for stage in stages]
            left = [(stage.name, stage.says) for stage in self.stages.all if stage.state == "left out"]
            taken = [tuple(entry) for entry in self.opened.mapping.taken]
            written = write_page(
                make_scores_page(load_scores_without_ratings(name, self.command), done, left, taken), folder
            )
        return f"{written.path}, {written.size / 1e6:.1f} MB"


def run(
    files: str | Path | pd.DataFrame | Sequence[str | Path],
    *,
    yes: bool = False,
    resamples: int = RESAMPLES,
    workers: int = 1,
    progress: Progress | None = None,
    rows_progress: RowProgress | None = None,
    started: Callable[[str], object] | None = None,
    ended: Callable[[Stage], object] | None = None,
    **columns: Any,
) -> Run:
    r"""Run everything that a file allows: metrics, learned score, analysis, systems and one report.

    Writes tables to ``metrics/`` and ``analysis/`` in the current folder and the report to ``reports/``. Up-to-date
    stages are skipped, and interrupted metrics are resumed.

    Parameters
    ----------
    files : str, path, DataFrame or sequence of paths
        A table (file or DataFrame), several tables with the same columns, a folder of plain texts, or the name of a
        dataset (:func:`rainbow.datasets.folders.user_files.open_user_files`).
    yes : bool
        Accept the most likely columns if detection is uncertain.
    resamples : int
        Number of resamples for intervals and tests.
    workers : int
        Number of processes.
    progress, rows_progress, started, ended : callable, optional
        Callbacks for the questions of a stage, for rows, for the name of a stage that starts, and for a finished stage.
    **columns
        Known columns of the file, as in :func:`rainbow.load_dataset`; the others are detected.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    ValueError
        If the column of outputs is missing or ambiguous, or a row is invalid; the message names file, row and field.

    Examples
    --------
    >>> import os
    >>> from tempfile import TemporaryDirectory
    >>> here = os.getcwd()
    >>> with TemporaryDirectory() as folder:
    ...     os.chdir(folder)
    ...     _ = Path("mine.csv").write_text("text,ref\nthe inn is cheap.,a cheap inn.\nan inn.,the inn.\n")
    ...     found = run("mine.csv")
    ...     os.chdir(here)
    >>> found.mapping.roles(), found.page
    ({'text': 'output', 'ref': 'reference'}, PosixPath('reports/mine.html'))
    >>> [stage.name for stage in found.stages if stage.state == "done"]
    ['metrics', 'learned score', 'metric cards', 'report']
    """
    if is_frame(files):
        opened = open_user_table(files, Columns.create(**columns))
    else:
        names = [str(files)] if isinstance(files, (str, Path)) else list(map(str, files))
        opened = open_user_files(names, Columns.create(**columns))
    if yes:
        opened = replace(opened, mapping=opened.mapping.accept_doubts())
    elif opened.mapping.columns.output or opened.mapping.columns.pair:
        check_certain(opened.mapping, opened.name)
    return run_opened(
        opened, resamples, workers, progress or iter, rows_progress or silent, started or str, ended or str
    )


def run_opened(
    opened: UserFiles,
    resamples: int = RESAMPLES,
    workers: int = 1,
    progress: Progress = iter,
    rows_progress: RowProgress = silent,
    started: Callable[[str], object] = str,
    ended: Callable[[Stage], object] = str,
) -> Run:
    """Run the full pipeline on opened files, like :func:`run`."""
    opened = replace(opened, name=opened.name.replace(".", "-"))
    if not opened.files or opened.mapping.columns.output or opened.mapping.columns.pair or not opened.is_table:
        stages = Stages(Path("analysis") / opened.name / "run.json", started, ended)
        work = _Runner(opened, stages, resamples, workers, rows_progress, progress)
        work.all()
        page = work.page()
        result = summarise_findings(opened.name, stages.all, _dataset_argument(opened))
        verdicts = tuple(load_verdicts(opened.name, stages.all))
        return Run(opened.name, opened.mapping, tuple(stages.all), page, result, verdicts)
    columns = ", ".join(taken.column for taken in opened.mapping.taken)
    raise ValueError(
        f"{opened.files[0]}: no column has the generated texts: name it with --output COLUMN; the columns are {columns}"
    )


def _dataset_argument(opened: UserFiles) -> str | None:
    """Return the dataset argument for other commands: a name, or the only file."""
    if not opened.files:
        return opened.name
    return str(opened.files[0]) if opened.is_table else None
