"""Naturalness as classes (Liu, Maier, Minker and Ultes 2021): data, methods, runs and tables."""
