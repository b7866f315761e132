"""Agreement between raters, and the ceiling it sets for metrics."""
