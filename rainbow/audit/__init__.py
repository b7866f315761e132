"""Audits: does a score drop when a text gets worse?"""
