"""Human evaluations: design, collection, progress and the paper's text."""

from rainbow.study.study import Study

__all__ = ["Study"]
