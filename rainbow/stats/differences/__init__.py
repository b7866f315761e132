"""Whether two correlations, or two means, differ; and corrections for many tests."""
