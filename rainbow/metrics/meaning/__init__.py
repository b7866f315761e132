"""Metrics that compare the output with its meaning representation."""
