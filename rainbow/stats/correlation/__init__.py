"""Correlations of arrays, their p, and their intervals."""
