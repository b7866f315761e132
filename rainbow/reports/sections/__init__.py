"""Sections of a report: each file reads saved tables and gives the data of one template."""
