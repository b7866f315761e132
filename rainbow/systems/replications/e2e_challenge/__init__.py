"""The E2E NLG Challenge as measured by its own scripts (Dušek et al. 2020)."""
