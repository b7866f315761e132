"""Programs that others publish and that are never part of this package: what they are, and how they get here."""
