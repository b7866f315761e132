"""English words: stems, function words and mentions of phrases."""
