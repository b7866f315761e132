"""What columns mean in other domains than the one that they were counted or learned in."""

from __future__ import annotations

from functools import cache

from rainbow.metrics.contract.base import Metric
from rainbow.metrics.contract.registry import all_metrics

__all__ = ["TEXT_ALONE", "compared_columns", "counted_columns", "general_columns", "slot_columns"]

# Ratings of how a text is written, whatever it was to say.
TEXT_ALONE = frozenset({"naturalness", "fluency", "grammar", "grammaticality", "readability"})


@cache
def counted_columns() -> frozenset[str]:
    """Return the columns of language models that are counted on the texts of a corpus.

    Examples
    --------
    >>> sorted({"slots_missing", "class_slor", "slor", "len"} & counted_columns())
    ['slor']
    """
    return frozenset(
        column.name for metric in all_metrics().values() if _is_counted(metric) for column in metric.columns
    )


@cache
def general_columns() -> frozenset[str]:
    """Return the columns with a direction, but for those that are counted on a corpus.

    Examples
    --------
    >>> sorted({"slots_missing", "class_slor", "slor", "len"} & general_columns())
    ['class_slor', 'slots_missing']
    """
    return _with_direction(*all_metrics().values()) - counted_columns()


@cache
def compared_columns() -> frozenset[str]:
    """Return the columns with a direction that compare outputs with their references.

    Examples
    --------
    >>> sorted({"slots_missing", "TER", "ROUGE"} & compared_columns())
    ['ROUGE', 'TER']
    """
    return _with_direction(*(metric for metric in all_metrics().values() if "references" in metric.needs))


@cache
def slot_columns() -> frozenset[str]:
    """Return the columns that say how many of the values that were asked for an output realises.

    Examples
    --------
    >>> sorted(slot_columns())
    ['slots_invented', 'slots_missing', 'slots_realised', 'slots_repeated']
    """
    return frozenset(column.name for column in all_metrics()["slots"].columns)


def _with_direction(*metrics: type[Metric]) -> frozenset[str]:
    columns = (column for metric in metrics for column in metric.columns)
    return frozenset(column.name for column in columns if column.higher_is_better is not None)


def _is_counted(metric: type[Metric]) -> bool:
    return metric.group == "language-model" and hasattr(metric, "statistics")
