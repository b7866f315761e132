"""Metrics of generated text: the interface, the registry, and one metric family per file."""

from rainbow.metrics.contract.base import Column, Metric, MissingResourceError
from rainbow.metrics.contract.batch import Batch, References
from rainbow.metrics.contract.registry import all_metrics, find, get, register

__all__ = ["Batch", "Column", "Metric", "MissingResourceError", "References", "all_metrics", "find", "get", "register"]
