"""What came back, whichever way it was asked: read, checked, and brought into one table of answers."""
