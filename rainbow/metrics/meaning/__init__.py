"""Metrics that compare the output with what its meaning representation asks for."""
