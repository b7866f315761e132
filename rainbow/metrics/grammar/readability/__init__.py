"""Reading ease, length, words, syllables."""
