"""English words: stems, function words, mentions of a phrase in a text."""
