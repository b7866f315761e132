"""Parts of `rainbow fit`: which options go together, the rated corpus, and the results."""
