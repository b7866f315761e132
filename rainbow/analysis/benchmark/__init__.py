"""Every score on every rated corpus: agreement with people, ties, and means over corpora."""
