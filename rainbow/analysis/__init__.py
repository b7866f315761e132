"""Comparison of metric scores with human ratings."""
