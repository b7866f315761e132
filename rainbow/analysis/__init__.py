"""Scores against ratings: which metric may be trusted, and how far."""
