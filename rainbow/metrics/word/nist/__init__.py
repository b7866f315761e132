"""NIST: shared n-grams, weighted by their information."""
