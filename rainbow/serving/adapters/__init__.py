"""Scores as other packages call for them: one file a package, which is imported only where it is used."""
