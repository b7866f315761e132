"""Searches for texts without content that a score rates above good texts."""
