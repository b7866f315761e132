"""What stands on the first screen: verdicts, the best columns, systems, outputs, cautions."""
