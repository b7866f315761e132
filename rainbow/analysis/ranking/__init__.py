"""Agreement of metrics and people on the order of outputs and systems."""
