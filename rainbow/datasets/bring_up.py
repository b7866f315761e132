"""A saved table of scores, brought up to what is said of its file now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from rainbow.datasets import dataset_names, open_dataset
from rainbow.datasets.columns import Columns, Rating
from rainbow.scoring.saved_scores import About, is_table_of_scores, read_about
from rainbow.scoring.stream import score_rows

__all__ = ["bring_up"]


def bring_up(dataset: str, path: Path, columns: Columns) -> None:
    """Write a table of scores anew if other ratings, systems or scores of others are asked for than it has.

    Its metrics stay, so its rows must be those of the file still. Where there is no table and scores that others
    computed are named, it is made of these alone.

    Parameters
    ----------
    dataset
        The name or file that the scores are of.
    path
        The table.
    columns
        What is known of the file; ratings are added to those that the table has.

    Raises
    ------
    FileNotFoundError
        If there is neither a table nor a score.
    ValueError
        If what is said now would give other rows than those that were scored, or there is no such column.
    """
    there = is_table_of_scores(path)
    if not there and (path.is_file() or not columns.scores):
        return  # who reads it says what is wrong
    about = read_about(path) if there else About()
    named = dataset in dataset_names()
    wanted = columns.without("ratings") if named else columns
    said = Columns.of(**about.columns)
    before = _by_name(about.ratings) | _by_name(said.ratings)
    wanted = wanted if named else replace(wanted, ratings=tuple((before | _by_name(wanted.ratings)).values()))
    known = said if named else replace(said, ratings=tuple(before.values()))
    if there and wanted == known and (not Path(dataset).is_file() or not wanted.scores):
        return
    rows = open_dataset(dataset, **wanted.declared())
    if not there or wanted != known or rows.about()["external"] != about.external:
        score_rows(rows, path, (), keep=True)


def _by_name(ratings: Sequence[str]) -> dict[str, str]:
    return {Rating.of(rating).name: rating for rating in ratings}
