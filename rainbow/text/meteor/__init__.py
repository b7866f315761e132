"""METEOR 1.5 for English, without Java: tables, words, matches, alignment, score, each in the file of its name."""

from rainbow.text.meteor.score import meteor_score
from rainbow.text.meteor.tables import Tables, meteor_tables

__all__ = ["Tables", "meteor_score", "meteor_tables"]
