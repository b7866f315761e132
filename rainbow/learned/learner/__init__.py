"""Learners (kernels, forests, ranks), stored as plain arrays once fitted."""
