"""Everything that a file allows, stage by stage: what is current is not made again."""

from rainbow.pipeline.running import Run, run
from rainbow.pipeline.stages import Stage

__all__ = ["Run", "Stage", "run"]
