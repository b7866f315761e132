"""Generator of the synthetic data set `demo`; run it with ``python -m scripts.demo``."""
