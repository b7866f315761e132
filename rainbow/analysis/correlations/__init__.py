"""How well metrics agree with ratings: coefficients, intervals, tables."""
