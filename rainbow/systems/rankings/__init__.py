"""Judgements of outputs in, rankings of systems out: which system people prefer, and how sure that is."""
