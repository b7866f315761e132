"""Tables as files hold them: text, Parquet, workbooks, so many rows at a time."""
