"""Returned answers, read and validated from every interface."""
