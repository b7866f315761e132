"""Texts as tokens, as each tool splits them."""
