"""N-gram counts, weights, language models and vectors."""
