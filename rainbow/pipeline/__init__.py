"""`rainbow run`: all stages for a file; stages that are up to date are skipped."""

from rainbow.pipeline.runner import Run, run
from rainbow.pipeline.stages import Stage

__all__ = ["Run", "Stage", "run"]
