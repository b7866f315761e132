"""How similar systems' outputs are: each system scored with another's outputs for references."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from rainbow.base.arrays import FloatArray
from rainbow.meaning import MeaningRepresentation, delexicalise
from rainbow.metrics import Batch, Metric
from rainbow.systems.align import Aligned
from rainbow.systems.corpus_scores.average import AVERAGE, PARTS, normalised_average
from rainbow.systems.corpus_scores.segment_sums import sums_of_columns
from rainbow.systems.corpus_scores.system_columns import system_columns

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["NAMES", "Similarity", "similarity"]

# What every output names whatever the system: it would make all outputs alike. Restaurants' names are what the
# challenge delexicalised; `near` stands for itself.
NAMES = ("name",)


class Similarity(NamedTuple):
    """How similar systems are.

    Attributes
    ----------
    pairs
        A row per metric and ordered pair of systems: `metric`, `system`, `reference_system`, `value`: the score of
        `system` where the outputs of `reference_system` are the references.
    means
        A row per metric and system: `metric`, `system`, `value`: the mean of all other systems' scores where the
        outputs of `system` are the references.
    """

    pairs: pd.DataFrame
    means: pd.DataFrame


def similarity(
    aligned: Aligned,
    metrics: Sequence[str | Metric] = tuple(PARTS),
    *,
    names: Sequence[str] = NAMES,
    threads: int = 1,
) -> Similarity:
    """Return the score of every system against every other, for every metric and the mean of all.

    The references are one text per item, and corpus statistics (information weights, document frequencies) are those of
    the reference system. The mean of those of the E2E challenge, each brought between 0 and 1, is
    ``normalised_average``: with the default metrics what the challenge's figure of similarities has (on the texts as
    published, within .01 of the printed means of its 21 systems).

    Parameters
    ----------
    aligned
        The outputs (:func:`rainbow.systems.align.align`).
    metrics
        Names of what metrics give for systems as wholes, or metrics; those that cannot be computed on this machine are
        left out.
    names
        Slots whose values are delexicalised first, where there is a meaning representation; empty for none.
    threads
        How many threads the compiled kernels use; the numbers are the same for any number.

    References
    ----------
    Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural language
    generation: the E2E NLG challenge. Computer Speech & Language 59.

    Examples
    --------
    >>> from rainbow.corpus import Corpus
    >>> from rainbow.systems.align import align
    >>> corpus = Corpus.of(["an inn", "a bar", "an inn", "inns"], [["r"]] * 4, item=list("1212"), system=list("xxyy"))
    >>> similarity(align(corpus), ["ROUGE-L"]).means["value"].tolist()
    [0.5, 0.5, 0.5, 0.5]
    """
    import pandas as pd

    scores = _scores(aligned, metrics, names, threads)
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


def _scores(
    aligned: Aligned, metrics: Sequence[str | Metric], names: Sequence[str], threads: int
) -> dict[str, FloatArray]:
    """Return what every metric gives each ordered pair of systems, and the mean of those that make one."""
    asked = {name: found for name, found in system_columns(metrics).items() if not found.metric.unavailable()}
    counted = sums_of_columns(asked, _every_pair(aligned, names, threads), (-1, len(aligned.items)))
    scores = {name: found.scores for name, found in counted.items()}
    return scores | ({AVERAGE: normalised_average(scores)} if PARTS.keys() & scores.keys() else {})


def _every_pair(aligned: Aligned, names: Sequence[str], threads: int) -> Batch:
    """Return the batch of all ordered pairs, by reference system, tested system, item."""
    texts = _without_names(aligned, names)
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


def _without_names(aligned: Aligned, names: Sequence[str]) -> list[list[str]]:
    """Return each system's outputs in the order of items, the names in them delexicalised."""
    outputs, meanings = aligned.corpus.frame["output"].tolist(), aligned.corpus.meanings
    return [[_without(outputs[row], meanings[row], names) for row in rows] for rows in aligned.rows.tolist()]


def _without(text: str, meaning: MeaningRepresentation | None, names: Sequence[str]) -> str:
    if meaning is None or not names:
        return text
    slots = tuple(slot for slot in meaning.slots if slot.name in names)
    return delexicalise(text, meaning._replace(slots=slots))
