"""METEOR 1.5 for English, without Java: tables, words, matches, alignment, score, each in the file of its name."""

from rainbow.metrics.word.meteor.meteor_statistics import MeteorStatistics, meteor_statistics
from rainbow.metrics.word.meteor.tables import Tables, meteor_tables

__all__ = ["MeteorStatistics", "Tables", "meteor_statistics", "meteor_tables"]
