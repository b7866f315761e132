"""Rankings of systems from human judgements, with uncertainty."""
