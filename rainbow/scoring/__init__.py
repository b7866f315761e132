"""From a corpus to a table of scores: what to compute, in which chunks, and how the table is kept."""
