"""Figures: functions from saved tables to matplotlib figures."""
