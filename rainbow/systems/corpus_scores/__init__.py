"""Metrics of whole systems, from what each segment contributes; with intervals and tests of differences."""
