"""Belz and Reiter (2006): system-level metrics, significance tests and rater correlations."""
