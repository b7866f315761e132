"""chrF++: character and word n-grams shared with a reference."""
