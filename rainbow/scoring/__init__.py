"""From a corpus to a table of scores: plan, chunks and saved tables."""
