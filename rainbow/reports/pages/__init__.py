"""Whole pages: metrics, systems, two datasets side by side, and the page that leads to them."""
