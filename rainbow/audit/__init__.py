"""Audits: tests whether a score drops when a text gets worse."""
