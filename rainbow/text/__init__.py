"""Pure functions over strings: tokens, words, n-grams, trees."""
