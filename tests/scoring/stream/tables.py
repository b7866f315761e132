"""Rows to be scored chunk by chunk, and runs that are interrupted."""

import json
from pathlib import Path

import pandas as pd
import pytest

from rainbow import open_dataset, score_rows
from rainbow.base.progress import RowProgress
from rainbow.scoring.score_rows import ScoredTable

SOME = ["len", "BLEU4", "CIDEr", "slots", "lm_mean"]


WHERE = ["in soma", "near the park", "by the river", "and nice", "number two"]


def table(rows: int = 40) -> pd.DataFrame:
    """Return rows of five inputs; a later row has no reference, some no rating, and extra columns of several types."""
    inns = [f"inn {n % 5}" for n in range(rows)]
    return pd.DataFrame({
        "output": [f"the {inn} is cheap, number {n}." for n, inn in enumerate(inns)],
        "gold_1": ["" if n == 17 else f"{inn} is cheap {WHERE[n % 5]}." for n, inn in enumerate(inns)],
        "gold_2": ["" if n % 3 or n == 17 else f"an inn named {inn}." for n, inn in enumerate(inns)],
        "mr": [f"inform(name='{inn}',price=cheap)" for inn in inns],
        "system": ["ab"[n % 2] for n in range(rows)],
        "quality": ["" if n == 30 else str(n % 6 + 1) for n in range(rows)],
        "note": [f"n{n}" for n in range(rows)],
    })  # fmt: skip


OPTIONS = {"references": ["gold_1", "gold_2"], "ratings": ["quality"]}


def written(folder: Path, suffix: str = ".csv", frame: pd.DataFrame | None = None) -> Path:
    frame, path = table() if frame is None else frame, folder / f"mine{suffix}"
    match suffix:
        case ".csv" | ".tsv":
            frame.to_csv(path, index=False, sep="\t" if suffix == ".tsv" else ",")
        case ".jsonl":
            path.write_text("".join(json.dumps(row) + "\n" for row in frame.to_dict("records")))
        case ".parquet":
            frame.to_parquet(path, row_group_size=7)
    return path


def score(path: Path, out: Path, **options: object) -> ScoredTable:
    return score_rows(open_dataset(path, **OPTIONS), out, **{"metrics": SOME, "chunk_rows": 6} | options)


def stop_after(rows: int, what: str = "scoring") -> RowProgress:
    """Return a progress callback that interrupts a stage after this number of rows."""

    def stop(stage: str, done: int, total: int | None) -> None:
        if stage == what and done >= rows:
            raise KeyboardInterrupt

    return stop


def interrupted(path: Path, out: Path, after: int, **options: object) -> Path:
    """Score this number of rows, then interrupt; return the folder of parts."""
    with pytest.raises(KeyboardInterrupt):
        score(path, out, progress=stop_after(after), **options)
    assert not out.exists()
    return out.with_name(f".{out.name}.partial")


def parts(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.parquet"))
