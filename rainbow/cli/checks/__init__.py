"""Commands that check: the machine, the metrics against other tools, the papers against their tables."""
