"""Conversion of tables of other shapes to one row per output, by column options."""
