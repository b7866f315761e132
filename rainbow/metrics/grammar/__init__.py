"""Metrics of the output alone: readability, length, spelling and grammar."""
