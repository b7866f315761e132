"""N-grams: counted, weighted, and as language models and vectors."""
