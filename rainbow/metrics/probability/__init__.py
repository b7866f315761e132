"""Metrics of the probability of an output under a language model."""
