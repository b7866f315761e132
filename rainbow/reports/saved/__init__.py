"""The tables that the commands saved: all that a report is made from."""
