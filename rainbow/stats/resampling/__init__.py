"""Resampling methods: bootstrap and approximate randomisation."""
