"""Scores that stand for a rating: whether they could replace a rater, and what they favour."""
