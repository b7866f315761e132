"""Commands for human evaluations: planning, estimation and model judges."""
