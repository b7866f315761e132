"""Tests of differences of two correlations or means, and multiplicity corrections."""
