"""Learned metrics as files: content, validation, and the shipped models."""
