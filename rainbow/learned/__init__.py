"""Metrics learned from human ratings, with held-out evaluation."""
