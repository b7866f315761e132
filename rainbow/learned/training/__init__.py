"""Training of a learned metric on a rated corpus."""
