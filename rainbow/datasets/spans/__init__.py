"""Exports of error spans: a reader for each tool, and their conversion to ratings."""
