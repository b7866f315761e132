"""Shared foundations that depend on no other room."""
