"""Pairwise orderings: which output is better, how often two orders agree, and by chance."""
