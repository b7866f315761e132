"""Naturalness as classes (Liu, Maier, Minker and Ultes 2021): its rows and splits, methods, runs and tables."""
