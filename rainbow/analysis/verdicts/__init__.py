"""Verdicts: may a metric be used for a rating, only for systems, or not at all."""
