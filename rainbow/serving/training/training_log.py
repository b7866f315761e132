"""The log of a training with a reward: read from files of trainers, warning signs, and a plot."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rainbow.base.lazy import pd

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# What trainers call each column, in the order of preference; `train/` may come before it.
NAMES = {
    "step": ("step", "global_step", "train/global_step", "training/global_step", "_step", "Step"),
    "reward": ("reward", "critic/rewards/mean", "critic/score/mean", "reward/mean"),
    "length": ("completions/mean_length", "response_length/mean", "response_length", "completion_length"),
    "cut off": ("completions/clipped_ratio", "response_length/clip_ratio"),
    "equal groups": ("frac_reward_zero_std",),
}
# The mean of one of several reward functions, as TRL logs it.
_FUNCTION = re.compile(r"^(?:train/)?rewards/(.+)/mean$")


class TrainingLog:
    """Reward, completion length and single reward functions over the steps of a training.

    Watch a score that is not part of the reward: in TRL, pass it as a further reward function with weight 0.

    Parameters
    ----------
    table : DataFrame
        A row per step: `step`, `reward`, and if known `length` (mean completion length in tokens), `cut off` (share of
        completions that end at the length limit), `equal groups` (share of groups without differing rewards), and one
        column per reward function.

    Attributes
    ----------
    table : DataFrame
        As given.
    scores : list of str
        Columns of single reward functions.

    Examples
    --------
    >>> history = [
    ...     {"step": n, "reward": 0.1 * n, "completions/mean_length": 10.0 + 2 * n, "rewards/SE/mean": 1 - 0.1 * n}
    ...     for n in range(10)
    ... ]
    >>> log = TrainingLog.read(history)  # or a file: trainer_state.json, metrics.jsonl, a CSV export
    >>> log.table.columns.tolist(), log.scores
    (['step', 'reward', 'length', 'SE'], ['SE'])
    >>> for sign in log.warnings():
    ...     print(sign)
    Completions got longer: 11 to 27 tokens. Does the reward prefer long texts (rainbow audit --kinds length-padding)?
    SE fell from 0.95 to 0.15 while the reward rose from 0.05 to 0.85.
    """

    def __init__(self, table: pd.DataFrame) -> None:
        self.table = table
        self.scores = [str(name) for name in table if name not in NAMES]

    @classmethod
    def read(cls, log: Any, *, reward: str | None = None, length: str | None = None) -> TrainingLog:
        """Read a training log.

        Parameters
        ----------
        log : str, path, DataFrame or list of mappings
            TRL's ``trainer_state.json`` or a folder with checkpoints, ``trainer.state.log_history``, verl's console
            output or JSONL file, or a table with a row per step (CSV, JSONL), such as an export of Weights & Biases.
        reward, length : str, optional
            Names of the columns of mean reward and mean completion length, if they are not those of TRL, verl or
            OpenRLHF.

        Raises
        ------
        FileNotFoundError
            If the file does not exist, or the folder has no checkpoint.
        ValueError
            If the log has no column of rewards, or a line cannot be parsed as JSON.
        """
        logged = read_log(log)
        chosen = {role: _find_column(logged, role, {"reward": reward, "length": length}.get(role)) for role in NAMES}
        if chosen["reward"] is None:
            raise ValueError(
                f"no column of rewards: name it with reward=...; the columns are {', '.join(map(str, logged))}"
            )
        table = logged.rename(columns={name: role for role, name in chosen.items() if name is not None})
        table = table.rename(columns=lambda name: _FUNCTION.sub(r"\1", str(name)))
        functions = [_FUNCTION.sub(r"\1", str(name)) for name in logged if _FUNCTION.match(str(name))]
        table = table[table["reward"].notna()]
        if "step" not in table:
            table = table.assign(step=range(1, len(table) + 1))
        columns = [name for name in (*NAMES, *functions) if name in table]
        table = table[columns].drop_duplicates("step", keep="last").sort_values("step", ignore_index=True)
        same = [name for name in functions if table[name].equals(table["reward"].rename(name))]
        return cls(table.drop(columns=same))  # the only function with a weight of 1 is the reward itself

    def warnings(self) -> list[str]:
        """Return signs of a cheated reward, one sentence each."""
        return warning_signs(self.table, self.scores)

    def plot(self) -> Figure:
        """Return a figure: reward and length over the steps, and reward against length."""
        from rainbow.serving.training.training_plot import plot_training

        return plot_training(self.table, self.scores)

    def __repr__(self) -> str:
        first, last = self.table["reward"].iloc[[0, -1]]
        return f"TrainingLog: {len(self.table)} steps, reward {first:.3g} to {last:.3g}"


def _find_column(logged: pd.DataFrame, role: str, name: str | None) -> str | None:
    """Return the column of a role; a given name must exist."""
    if name is not None:
        if name not in logged:
            raise ValueError(f"no column {name!r}: the columns are {', '.join(map(str, logged))}")
        return name
    known = [*NAMES[role], *(f"train/{each}" for each in NAMES[role])]
    return next((each for each in known if each in logged), None)


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
            try:
                entry = json.loads(line)
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: not JSON ({error})") from None
            if not isinstance(entry, Mapping):
                raise ValueError(f"{path}, line {number}: {line[:40]!r} is not an object")
            nested = entry.get("data")  # verl nests numbers here
            yield {**entry, **nested} if isinstance(nested, Mapping) else entry
        elif found := _CONSOLE_LINE.search(line):
            pairs = (part.rpartition(":") for part in found[2].split(" - "))
            yield {"step": found[1]} | {name.strip(): value for name, _, value in pairs}


FEWEST = 5  # logged steps
PART = 5  # the first and the last fifth of the steps are compared
GROWTH = 0.25  # relative change of the mean length
FALL = 1.0  # fall of a score in standard deviations within the two fifths
CUT_OFF = 0.1
EQUAL = 0.5
RELATED, PAIRS = 0.3, 20  # Spearman of changes from step to step, and the fewest changes


def warning_signs(table: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Return the signs, one sentence each."""
    if len(table) < FEWEST:
        return [f"Only {len(table)} steps were logged: log every step (logging_steps=1)."]
    signs = list(_length_signs(table))
    before, after = _ends(table["reward"])
    count = max(1, len(table) // PART)
    for name in scores:
        first, last = _ends(table[name])
        parts = table[name].iloc[:count].var(), table[name].iloc[-count:].var()
        spread = (sum(part for part in parts if part == part) / 2) ** 0.5
        if after > before and first - last > max(FALL * spread, 1e-9):
            fall = f"{name} fell from {first:.3g} to {last:.3g}"
            signs.append(f"{fall} while the reward rose from {before:.3g} to {after:.3g}.")
    if "cut off" in table and (share := _ends(table["cut off"])[1]) > CUT_OFF:
        signs.append(f"{share:.0%} of the last completions were cut off: raise the length limit, or reward an end.")
    if "equal groups" in table and (share := _ends(table["equal groups"])[1]) > EQUAL:
        signs.append(f"In {share:.0%} of the last groups all rewards are equal, so nothing is learned from them.")
    return signs


def _ends(values: pd.Series[float]) -> tuple[float, float]:
    """Return the means of the first and of the last fifth."""
    count = max(1, len(values) // PART)
    return float(values.iloc[:count].mean()), float(values.iloc[-count:].mean())


def _length_signs(table: pd.DataFrame) -> Iterator[str]:
    if "length" not in table:
        yield "The log has no completion length: log it, as most rewards are cheated by length."
        return
    first, last = _ends(table["length"])
    if abs(last - first) > GROWTH * first:
        longer = last > first
        question = (
            "Does the reward prefer long texts (rainbow audit --kinds length-padding)?"
            if longer
            else "Is anything left out (rainbow audit --kinds truncated)?"
        )
        yield f"Completions got {'longer' if longer else 'shorter'}: {first:.3g} to {last:.3g} tokens. {question}"
    changes = table[["reward", "length"]].diff().dropna()
    if len(changes) >= PAIRS and (changes.nunique() > 1).all():
        related = changes["reward"].corr(changes["length"], method="spearman")
        if abs(related) > RELATED:
            more = "longer" if related > 0 else "shorter"
            yield (
                f"Steps with {more} completions get higher rewards: Spearman {related:.2f} over {len(changes)} changes "
                "from step to step."
            )
