"""File readers: bytes to DataFrames of text cells, in chunks of rows."""
