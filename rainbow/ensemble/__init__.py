"""Metrics learnt from human ratings, and honest numbers on how well they do."""
