"""A score over HTTP: what `rainbow serve` starts, and a scorer that asks such a server."""
