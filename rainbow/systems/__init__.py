"""Comparison of text generation systems: which is better, at what, and whether significantly."""
