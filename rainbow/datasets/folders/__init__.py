"""Rows in many files, and those that other machines read: what is one table all the same."""
