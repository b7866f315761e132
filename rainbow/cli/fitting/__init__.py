"""Parts of `rainbow fit`: option checks, the rated corpus and the results."""
