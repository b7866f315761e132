"""Whether metrics order outputs, and systems, as people do."""
