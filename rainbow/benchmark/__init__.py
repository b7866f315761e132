"""The benchmark: all available rated corpora, all scores, and submitted scores."""
