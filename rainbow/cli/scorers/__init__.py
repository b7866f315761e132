"""Commands about scorers: to score with one, to take it elsewhere, to see whether it can be cheated."""
