"""Sections of the page on systems, named after the tables of `rainbow systems`."""
