"""Evaluation protocols: held-out rows and the accuracy of their predictions."""
