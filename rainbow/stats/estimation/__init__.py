"""Means of systems from few ratings and many scores, and how many ratings a study needs."""
