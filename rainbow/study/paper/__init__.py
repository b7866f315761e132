"""Text and tables about a study for the paper."""
