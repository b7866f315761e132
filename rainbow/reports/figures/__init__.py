"""Figures: each file gives matplotlib figures from saved tables."""
