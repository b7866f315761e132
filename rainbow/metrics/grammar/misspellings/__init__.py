"""Misspelled words, according to an English word list."""
