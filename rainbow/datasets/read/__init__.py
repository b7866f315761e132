"""Read a file into a table: bytes in, pandas DataFrames of text cells out, a number of rows at a time."""
