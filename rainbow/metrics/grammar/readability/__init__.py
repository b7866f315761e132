"""Reading ease and counts of characters, words and syllables."""
