"""Sections of a report, one file per template."""
