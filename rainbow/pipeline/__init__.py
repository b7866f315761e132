"""Everything that a file allows, stage by stage: what is current is not made again."""

from rainbow.pipeline.running import Run, Stage, run

__all__ = ["Run", "Stage", "run"]
