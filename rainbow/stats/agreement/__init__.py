"""Inter-rater agreement, and the ceiling it sets for the correlation of any metric."""
