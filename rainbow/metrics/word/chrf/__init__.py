"""chrF++: characters and words in common with a reference."""
