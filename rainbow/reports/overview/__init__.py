"""The first screen: verdicts, best columns, systems, outputs and cautions."""
