"""Whole pages: metrics, systems, comparisons and the index."""
