"""From a corpus with ratings to a learned metric."""
