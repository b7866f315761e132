"""Saved tables, the input of every report."""
