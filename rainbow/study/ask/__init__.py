"""Ways to ask: pages of our own, projects of other programs, tables for platforms."""
