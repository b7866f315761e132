"""Tables in files of every format."""

from pathlib import Path

import pandas as pd

from rainbow.datasets.read.formats import DELIMITED


def write(path: Path, frame: pd.DataFrame) -> Path:
    """Write a table in the format of its file's ending."""
    match path.suffix:
        case ".parquet":
            frame.to_parquet(path, row_group_size=3)
        case ".xlsx":
            frame.to_excel(path, index=False)
        case ".jsonl" | ".ndjson" | ".json":
            frame.to_json(path, orient="records", lines=path.suffix != ".json")
        case _:
            frame.to_csv(path, index=False, sep=DELIMITED[path.suffix], lineterminator="\r\n")
    return path
