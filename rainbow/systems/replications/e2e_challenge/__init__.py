"""The E2E NLG Challenge as its own scripts counted and measured it (Dušek et al. 2020)."""
