"""How far raters agree, and how high that lets any metric correlate."""
