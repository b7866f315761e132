"""Commands that check this machine, the metrics and published results."""
