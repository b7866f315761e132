"""Scores that stand for a rating: whether they can replace a rater, and their biases."""
