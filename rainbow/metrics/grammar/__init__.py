"""Metrics that look at the output alone: how it reads, how long it is, what is wrong with its words and its grammar."""
