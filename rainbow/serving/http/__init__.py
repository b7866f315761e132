"""Scores over HTTP: the application of `rainbow serve` and its client."""
