"""Metrics that say how probable an output is under a language model."""
