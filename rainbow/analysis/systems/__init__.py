"""How good systems are, and whether they differ."""
