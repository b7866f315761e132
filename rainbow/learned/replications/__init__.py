"""Replications of published studies of learned metrics."""
