"""Training of the network of the metrics `evaluator`; see :mod:`scripts.evaluator.train`."""
