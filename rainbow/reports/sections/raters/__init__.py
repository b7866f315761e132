"""Sections about raters, annotators and judges."""
