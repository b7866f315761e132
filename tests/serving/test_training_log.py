"""Training logs of several trainers, the signs in them, and the plot."""

import json
import os
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from rainbow import TrainingLog

STEPS = range(1, 31)


def history(**columns: Any) -> list[dict[str, Any]]:
    """Return entries as TRL logs them, with a summary at the end."""
    entries = [{"step": n, "loss": 0.1} | {name: values(n) for name, values in columns.items()} for n in STEPS]
    return [*entries, {"step": STEPS[-1], "train_runtime": 12.0}]


TRL = history(**{
    "reward": lambda n: n / 100,
    "completions/mean_length": lambda n: 20.0,
    "rewards/quality/mean": lambda n: n / 50,
    "rewards/chrF++/mean": lambda n: 1 - n / 100,
})  # fmt: skip
VERL = [{"critic/rewards/mean": n / 100, "response_length/mean": 20.0 + n} for n in STEPS]


def written(folder: Path, kind: str) -> Any:
    """Write the same training as each trainer logs it."""
    if kind == "list":
        return TRL
    if kind == "state":
        for step, age in ((10, 100), (30, 0)):
            state = folder / f"checkpoint-{step}" / "trainer_state.json"
            state.parent.mkdir()
            state.write_text(json.dumps({"global_step": step, "log_history": TRL[:step]}))
            os.utime(state, (1e9 - age, 1e9 - age))
        return folder
    path = folder / {"console": "run.log", "nested": "metrics.jsonl", "export": "export.csv"}[kind]
    if kind == "console":
        lines = [
            f"(Task pid=1) step:{n} - " + " - ".join(f"{k}:{v:.3f}" for k, v in row.items())
            for n, row in zip(STEPS, VERL, strict=True)
        ]
        path.write_text("\n".join(["Loading weights: 3 - 4", *lines]))
    elif kind == "nested":
        path.write_text("\n".join(json.dumps({"step": n, "data": row}) for n, row in zip(STEPS, VERL, strict=True)))
    else:
        frame = pd.DataFrame(VERL).rename(
            columns={"critic/rewards/mean": "train/reward", "response_length/mean": "train/response_length"}
        )
        frame.assign(_step=STEPS, note="text").to_csv(path, index=False)
    return path


@pytest.mark.parametrize("kind", ["list", "state", "console", "nested", "export"])
def test_logs_of_every_trainer_are_read(kind: str, tmp_path: Path) -> None:
    log = TrainingLog.read(written(tmp_path, kind))
    assert log.table["step"].tolist() == list(STEPS)
    assert log.table["reward"].tolist() == pytest.approx([n / 100 for n in STEPS]) and "length" in log.table
    assert log.scores == (["quality", "chrF++"] if kind in ("list", "state") else [])


def test_a_single_reward_function_is_the_reward() -> None:
    entries = [{"step": n, "reward": n / 9, "rewards/quality/mean": n / 9} for n in range(9)]
    assert TrainingLog.read(entries).scores == []


def test_of_steps_that_a_resumed_run_repeated_the_later_count() -> None:
    log = TrainingLog.read([{"step": n, "reward": value} for n, value in ((1, 0.1), (2, 0.2), (3, 0.9), (3, 0.3))])
    assert log.table["reward"].tolist() == [0.1, 0.2, 0.3]


def test_own_names_are_given() -> None:
    log = TrainingLog.read([{"r": n, "tokens": 2 * n} for n in range(6)], reward="r", length="tokens")
    assert log.table.columns.tolist() == ["step", "reward", "length"]


@pytest.mark.parametrize(("log", "options", "message"), [
    ([{"step": 1, "loss": 2.0}], {}, r"no column of rewards: .*; the columns are step, loss"),
    ([{"step": 1, "reward": 2.0}], {"length": "tokens"}, r"no column 'tokens': the columns are step, reward"),
])  # fmt: skip
def test_a_missing_column_is_an_error_that_names_the_others(log: Any, options: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        TrainingLog.read(log, **options)


def test_what_is_not_a_log_is_an_error_that_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match=r"no trainer_state\.json: save a checkpoint"):
        TrainingLog.read(tmp_path)
    with pytest.raises(FileNotFoundError, match="does not exist"):
        TrainingLog.read(tmp_path / "none.jsonl")
    (tmp_path / "log.jsonl").write_text('{"step": 1, "reward": 2}\n{"step": 2, "rew')
    with pytest.raises(ValueError, match=r"log\.jsonl, line 2: not JSON"):
        TrainingLog.read(tmp_path / "log.jsonl")


def warnings(**columns: Any) -> list[str]:
    return TrainingLog.read(history(**{"reward": lambda n: n / 100, **columns})).warnings()


def test_a_training_without_a_sign_has_no_warning() -> None:
    lengths = {"completions/mean_length": lambda n: 20.0 + n % 2, "rewards/other/mean": lambda n: 0.5 + n / 100}
    assert warnings(**lengths, **{"rewards/one/mean": lambda n: n / 100}) == []


@pytest.mark.parametrize(("columns", "sign"), [
    ({}, "no completion length"),
    ({"completions/mean_length": lambda n: 10.0 + n}, "longer: 13.5 to 37.5 tokens"),
    ({"completions/mean_length": lambda n: 60.0 - n}, "shorter: 56.5 to 32.5 tokens"),
    ({"rewards/chrF++/mean": lambda n: 1 - n / 50, "rewards/q/mean": lambda n: n}, "chrF++ fell from 0.93 to 0.45"),
    ({"completions/clipped_ratio": lambda n: 0.3}, "30% of the last completions were cut off"),
    ({"frac_reward_zero_std": lambda n: 0.75}, "In 75% of the last groups all rewards are equal"),
])  # fmt: skip
def test_each_sign_is_named(columns: Any, sign: str) -> None:
    assert any(sign in warning for warning in warnings(**columns))


def test_a_reward_that_follows_length_from_step_to_step_is_named() -> None:
    steps = [{"step": n, "reward": n / 100 + n % 3, "completions/mean_length": 50 + 5.0 * (n % 3)} for n in STEPS]
    (sign,) = TrainingLog.read(steps).warnings()
    assert sign.startswith("Steps with longer completions get higher rewards: Spearman ")


def test_a_score_that_varies_more_than_it_falls_is_not_named() -> None:
    found = warnings(**{"rewards/noise/mean": lambda n: 0.5 * (n % 2) - n / 1000, "rewards/q/mean": lambda n: n})
    assert not any("noise" in warning for warning in found)


def test_few_steps_say_how_to_log_more() -> None:
    assert TrainingLog.read(TRL[:3]).warnings() == ["Only 3 steps were logged: log every step (logging_steps=1)."]


def test_the_plot_shows_what_was_logged() -> None:
    log = TrainingLog.read(TRL)
    over_steps, length, path = log.plot().axes[:3]
    assert [line.get_label() for line in over_steps.lines] == ["reward", "quality", "chrF++"]
    assert over_steps.lines[0].get_ydata().tolist() == log.table["reward"].tolist()
    assert length.lines[0].get_ydata().tolist() == log.table["length"].tolist()
    assert path.lines[0].get_xydata().tolist() == log.table[["length", "reward"]].to_numpy().tolist()
    assert len(TrainingLog(log.table.drop(columns="length")).plot().axes) == 1
