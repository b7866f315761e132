"""Similarity of systems: each scored with another's outputs as references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from rainbow.base.arrays import FloatArray
from rainbow.base.lazy import pd
from rainbow.meaning import delexicalise
from rainbow.metrics import Batch, Metric
from rainbow.metrics.contract.selection import language_problem
from rainbow.systems.alignment import AlignedSystems
from rainbow.systems.corpus_scores.segment_sums import AVERAGE, PARTS, column_sums, normalised_average, system_columns
from rainbow.systems.text_measures.textual_measures import select_slots

# Names that every output mentions would make all outputs alike. The challenge delexicalised restaurant names; `near` is
# kept.
NAMES = ("name",)


class Similarity(NamedTuple):
    """Similarity of systems."""

    pairs: pd.DataFrame  # a row per metric and ordered pair of systems
    means: pd.DataFrame  # a row per metric and system


def compute_similarity(
    aligned: AlignedSystems,
    metrics: Sequence[str | Metric] = tuple(PARTS),
    *,
    names: Sequence[str] = NAMES,
    threads: int = 1,
) -> Similarity:
    """Return the score of every system against every other, per metric and on average.

    Source: Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural
    language generation: the E2E NLG challenge. Computer Speech & Language 59.
    """
    scores = _pair_scores(aligned, metrics, names, threads)
    systems, size = aligned.systems, len(aligned.systems)
    pairs = [(systems[tested], systems[other]) for other in range(size) for tested in range(size) if tested != other]
    tested, other = zip(*pairs, strict=True)
    tables = [
        pd.DataFrame({"metric": name, "system": tested, "reference_system": other, "value": values})
        for name, values in scores.items()
    ]
    table = pd.concat(tables, ignore_index=True)
    means = table.groupby(["metric", "reference_system"], sort=False)["value"].mean().reset_index()
    return Similarity(table, means.rename(columns={"reference_system": "system"}))


def _pair_scores(
    aligned: AlignedSystems, metrics: Sequence[str | Metric], names: Sequence[str], threads: int
) -> dict[str, FloatArray]:
    """Return every metric's score of each ordered system pair, and their normalised average."""
    language = aligned.corpus.with_language().language
    asked = {
        name: column
        for name, column in system_columns(metrics).items()
        # METEOR of another language takes minutes for all pairs of many systems.
        if not (column.metric.unavailable() or language_problem(column.metric.made_for, language))
    }
    batch = _pair_batch(aligned, names, threads)
    counted = column_sums(asked, lambda _: batch, (-1, len(aligned.items)))
    scores = {name: column.scores for name, column in counted.items()}
    return scores | ({AVERAGE: normalised_average(scores)} if PARTS.keys() & scores.keys() else {})


def _pair_batch(aligned: AlignedSystems, names: Sequence[str], threads: int) -> Batch:
    """Return the batch of all ordered pairs, by reference system, tested system, item."""
    texts = _delexicalise_names(aligned, names)
    outputs: list[str] = []
    references: list[tuple[str]] = []
    collections: list[str] = []
    for place, system in enumerate(aligned.systems):
        others = [other for other in range(len(aligned.systems)) if other != place]
        outputs += [text for other in others for text in texts[other]]
        references += [(text,) for text in texts[place]] * len(others)
        collections += [system] * (len(others) * len(aligned.items))
    items = list(aligned.items) * (len(aligned.systems) * (len(aligned.systems) - 1))
    return Batch(outputs, references, items=items, collections=collections, threads=threads)


def _delexicalise_names(aligned: AlignedSystems, names: Sequence[str]) -> list[list[str]]:
    """Return each system's outputs in item order, with names delexicalised."""
    pairs = zip(aligned.corpus.frame["output"], aligned.corpus.meanings, strict=True)
    texts = [delexicalise(output, select_slots(meaning, names)) for output, meaning in pairs]
    return [[texts[row] for row in rows] for rows in aligned.rows.tolist()]
