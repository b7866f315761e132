"""Pairs of values: which is better, how often two orders agree, and how often they would by chance."""
