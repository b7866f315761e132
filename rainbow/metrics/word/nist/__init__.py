"""NIST: n-grams in common, weighted by the information they carry."""
