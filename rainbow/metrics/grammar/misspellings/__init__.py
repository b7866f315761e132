"""Misspelled words, by an English word list."""
