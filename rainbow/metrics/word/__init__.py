"""Metrics that compare words with references or with the meaning representation."""
