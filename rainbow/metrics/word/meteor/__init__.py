"""METEOR 1.5 for English, without Java: tables, words, matches, alignment, score, each in the file of its name."""

from rainbow.metrics.word.meteor.meteor_score import MeteorScore, meteor_score
from rainbow.metrics.word.meteor.tables import Tables, meteor_tables

__all__ = ["MeteorScore", "Tables", "meteor_score", "meteor_tables"]
