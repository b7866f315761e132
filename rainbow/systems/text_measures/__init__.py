"""Richness, variety and length of texts: measures of one system's outputs or of references."""

from rainbow.systems.text_measures.textual_measures import measure_texts

__all__ = ["measure_texts"]
