"""Published studies of systems, as they were carried out: what holds for one study only."""
