"""Commands that score texts, serve scores and audit them."""
