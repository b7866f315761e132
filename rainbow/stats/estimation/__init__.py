"""System means from few ratings and many scores, and sample sizes for studies."""
