"""A saved score table kept complete: requested columns and the learned score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rainbow.base.progress import RowProgress, silent
from rainbow.datasets import dataset_names, open_dataset
from rainbow.datasets.columns import Columns, Rating
from rainbow.learned.score import LearnedColumns, choose_speed, compute_learned_columns, find_training_corpora
from rainbow.metrics.contract.metric_card import LEARNED
from rainbow.metrics.contract.selection import select_metrics
from rainbow.scoring.chunks import AddedScores, Rows
from rainbow.scoring.saved_scores import About, is_score_table, load_scores, read_about
from rainbow.scoring.score_rows import score_rows


def update_table(dataset: str, path: Path, columns: Columns) -> None:
    """Rewrite a score table if other ratings, systems or external scores are requested."""
    there = is_score_table(path)
    if not there and (path.is_file() or not columns.scores):
        return  # the reader reports the problem
    about = read_about(path) if there else About()
    named = dataset in dataset_names()
    wanted = columns.without("ratings") if named else columns
    saved = Columns.create(**about.columns)
    before = _ratings_by_name(saved.ratings)
    wanted = wanted if named else replace(wanted, ratings=tuple((before | _ratings_by_name(wanted.ratings)).values()))
    same = wanted == saved and set(wanted.rating_names) <= {*about.ratings, *wanted.rating_names * named}
    edited = there and Path(dataset).is_file() and Path(dataset).stat().st_mtime > path.stat().st_mtime
    if there and same and not edited and (not Path(dataset).is_file() or not wanted.scores):
        return
    rows = open_dataset(dataset, **wanted.set_options())
    external = {name: facts for name, facts in about.external.items() if not name.startswith(LEARNED)}
    if not there or not same or edited or rows.metadata()["external"] != external:
        ratings = {"ratings": list(before.values())} if before else {}
        known = {**rows.metadata()["columns"], **ratings} if there else None
        try:
            score_rows(AddedScores(rows, {}, {}, known), path, (), keep=True)
        except ValueError as error:
            if not (edited and same):
                raise
            anew = f"`rainbow metrics {dataset} --anew`"
            raise ValueError(f"{dataset} has changed since it was scored ({error}): {anew} scores it again") from error


def _ratings_by_name(ratings: Sequence[str]) -> dict[str, str]:
    return {Rating.parse(rating).name: rating for rating in ratings}


def add_learned_score(rows: Rows, path: Path, progress: RowProgress = silent, workers: int = 1) -> LearnedColumns:
    """Add the learned score to a table of these rows, and return it."""
    frame = load_scores(path)
    result = compute_learned_columns(frame, choose_speed(frame), progress)
    added = AddedScores(rows, result.columns, result.about, read_about(path).columns)
    score_rows(added, path, (), keep=True, workers=workers, progress=progress)
    return result


def complete_table(dataset: str, path: Path, progress: RowProgress = silent) -> None:
    """Add the learned score, if missing, to a table with every default metric."""
    if not is_score_table(path) or path.is_dir():
        return
    about = read_about(path)
    usual = {column for entry in select_metrics(None) for column in entry.columns}
    if not usual <= {*about.signatures} or any(name.startswith(LEARNED) for name in about.signatures):
        return
    if not find_training_corpora(load_scores(path)):
        columns = Columns.create(**about.columns)
        columns = columns.without("ratings") if dataset in dataset_names() else columns
        add_learned_score(open_dataset(dataset, **columns.set_options()), path, progress)
