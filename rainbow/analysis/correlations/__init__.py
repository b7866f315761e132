"""Correlations of metrics with ratings, with intervals."""
