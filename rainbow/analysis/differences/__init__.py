"""Tests of whether one metric agrees better than another."""
