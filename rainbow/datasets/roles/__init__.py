"""What each column of a table holds: features, a small network, and the best joint assignment of roles."""
