"""METEOR 1.5 without Java: tables, words, matches, alignment and score."""

from rainbow.metrics.word.meteor.meteor_score import MeteorScore, meteor_score
from rainbow.metrics.word.meteor.tables import Tables, meteor_tables

__all__ = ["MeteorScore", "Tables", "meteor_score", "meteor_tables"]
