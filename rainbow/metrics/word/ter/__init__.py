"""Translation edit rate: edits with shifts."""
