"""Replications of published system evaluations."""
