"""Sections of the page that compares datasets, one file per template."""
