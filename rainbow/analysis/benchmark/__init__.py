"""Every score on every rated corpus: how far each agrees with people, which do not differ, and means over corpora."""
