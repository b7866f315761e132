"""Metrics learned from human ratings, and honest numbers on how well they do."""
