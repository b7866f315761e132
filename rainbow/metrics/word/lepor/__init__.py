"""LEPOR and hLEPOR."""
