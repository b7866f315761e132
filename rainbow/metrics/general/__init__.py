"""How people would rate an output of any kind: learned from the ratings of several corpora."""
