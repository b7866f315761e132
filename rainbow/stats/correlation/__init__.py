"""Correlations of arrays with p-values and confidence intervals."""
