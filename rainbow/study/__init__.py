"""Studies with people: what is asked of whom, what came back, how far it is, and what the paper says of it."""

from rainbow.study.study import Study

__all__ = ["Study"]
