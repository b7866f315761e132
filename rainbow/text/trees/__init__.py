"""Parse trees, and what they say of a sentence."""
