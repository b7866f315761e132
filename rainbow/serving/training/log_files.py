"""Training logs of TRL, verl and others as tables: a row per step, a column per logged number."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from rainbow.base.lazy import pd

# A line of verl's console: step:12 - critic/rewards/mean:0.5 - response_length/mean:20.1
_CONSOLE_LINE = re.compile(r"\bstep:(\d+) - (\S.*)")


def read_log(log: Any) -> pd.DataFrame:
    """Return the numbers that were logged, from a file, a folder of checkpoints, a list of entries or a table."""
    if isinstance(log, pd.DataFrame):
        table = log.reset_index(drop=True)
    elif isinstance(log, (str, Path)):
        path = _log_file(Path(log))
        table = pd.read_csv(path) if path.suffix == ".csv" else _table(_file_entries(path))
    else:
        table = _table(log)
    numbers: pd.DataFrame = table.apply(pd.to_numeric, errors="coerce")
    return numbers.dropna(axis="columns", how="all")


def _table(entries: Iterable[Mapping[str, Any]]) -> pd.DataFrame:
    return pd.DataFrame([dict(entry) for entry in entries])


def _log_file(path: Path) -> Path:
    """Return the file itself, or the newest trainer_state.json below a folder."""
    if not path.exists():
        raise FileNotFoundError(f"{path} does not exist")
    if path.is_file():
        return path
    states = sorted(path.rglob("trainer_state.json"), key=lambda state: state.stat().st_mtime)
    if not states:
        raise FileNotFoundError(
            f"{path} has no trainer_state.json: save a checkpoint, or give trainer.state.log_history instead"
        )
    return states[-1]


def _file_entries(path: Path) -> Iterator[Mapping[str, Any]]:
    text = path.read_text(encoding="utf-8", errors="replace")
    if path.suffix == ".json":
        state = json.loads(text)
        yield from state["log_history"] if isinstance(state, Mapping) else state
        return
    for number, line in enumerate(text.splitlines(), 1):
        if path.suffix == ".jsonl" and line.strip():
            yield _json_entry(path, number, line)
        elif found := _CONSOLE_LINE.search(line):
            pairs = (part.rpartition(":") for part in found[2].split(" - "))
            yield {"step": found[1]} | {name.strip(): value for name, _, value in pairs}


def _json_entry(path: Path, number: int, line: str) -> Mapping[str, Any]:
    """Return an entry of a JSONL file; numbers below `data` are moved up, as verl nests them."""
    try:
        entry = json.loads(line)
    except ValueError as error:
        raise ValueError(f"{path}, line {number}: not JSON ({error})") from None
    if not isinstance(entry, Mapping):
        raise ValueError(f"{path}, line {number}: {line[:40]!r} is not an object")
    nested = entry.get("data")
    return {**entry, **nested} if isinstance(nested, Mapping) else entry
