"""Pure functions over strings: tokenise, count, compare."""
