"""Whether a metric or a model falls when the text gets worse."""
