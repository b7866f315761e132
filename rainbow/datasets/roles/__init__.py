"""Column roles of a table: features, a small network, and the best joint assignment."""
