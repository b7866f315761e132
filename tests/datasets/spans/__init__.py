"""Tests of exports of error spans."""
