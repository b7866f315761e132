"""Referenceless quality estimation by a neural network (Dušek, Novikova and Rieser 2017)."""
