"""Systems that generate text, compared as wholes: which is better, at what, and whether the difference is real."""
