"""Referenceless quality estimation by a network (Dušek, Novikova and Rieser 2017): its setups, runs and tables."""
