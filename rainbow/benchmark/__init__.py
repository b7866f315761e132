"""The benchmark: all rated corpora at hand, all scores, scores that are handed in, and the table of all of them."""
