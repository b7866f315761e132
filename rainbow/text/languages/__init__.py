"""The language that texts are written in."""
