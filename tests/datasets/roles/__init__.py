"""The reading of columns."""
