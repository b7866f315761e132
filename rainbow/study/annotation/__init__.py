"""Annotation interfaces: own pages, other programs and tables for platforms."""
