"""Pure functions over strings: tokens, words, n-grams and parse trees."""
