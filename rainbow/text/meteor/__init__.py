"""METEOR 1.5 for English, without Java: tables, words, matches, alignment, score, each in the file of its name."""

from rainbow.text.meteor.score import MeteorStatistics, meteor_statistics
from rainbow.text.meteor.tables import Tables, meteor_tables

__all__ = ["MeteorStatistics", "Tables", "meteor_statistics", "meteor_tables"]
