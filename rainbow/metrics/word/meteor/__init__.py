"""METEOR 1.5 without Java: tables, words, matches, alignment and score."""
