"""What is wrong with the data, or to be known before its numbers are read."""
