"""Checks of the data behind a comparison."""
