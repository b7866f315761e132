"""Studies of learned metrics done again, each with what holds for it alone."""
