"""`rainbow gate`: exit status 3 where outputs got worse."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

import rainbow
from rainbow.analysis.run_comparison import compare_outputs
from rainbow.cli import app


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, arguments)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make scores of two versions of the demo's outputs: of the second, every third lacks its last word."""
    folder = tmp_path_factory.mktemp("gate")
    frame = rainbow.load_dataset("demo").frame[["mr", "item", "system", "output", "references"]][:150]
    frame = frame.assign(references=[json.dumps(list(texts)) for texts in frame["references"]])
    cut = [text.rsplit(" ", 1)[0] if row % 3 == 0 else text for row, text in enumerate(frame["output"])]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, table in (("v1", frame), ("v2", frame.assign(output=cut))):
            table.to_csv(f"{name}.csv", index=False)
            assert run("metrics", f"{name}.csv", "--metrics", "METEOR,TER,len").exit_code == 0
    return folder


def gate(folder: Path, now: str, before: str, *options: str) -> Result:
    table = str(folder / "metrics" / f"{now}.parquet")
    return run(
        "gate", now, "--table", table, "--no-worse-than", str(folder / "metrics" / f"{before}.parquet"), *options
    )


def test_worse_outputs_are_refused_in_the_direction_of_each_metric(folder: Path) -> None:
    worse = gate(folder, "v2", "v1", "--metric", "METEOR", "--metric", "TER", "--json")
    assert worse.exit_code == 3
    assert {row["metric"]: row["worse"] for row in json.loads(worse.output)} == {"METEOR": True, "TER": True}
    better = gate(folder, "v1", "v2", "--metric", "METEOR", "--metric", "TER")
    assert (better.exit_code, better.output.count("no worse")) == (0, 2)
    assert gate(folder, "v1", "v1", "--metric", "METEOR").exit_code == 0


def test_a_margin_asks_for_evidence_that_nothing_fell_so_far(folder: Path) -> None:
    assert gate(folder, "v2", "v1", "--metric", "METEOR", "--margin", "0.2").exit_code == 0
    assert gate(folder, "v2", "v1", "--metric", "METEOR", "--margin", "0.001").exit_code == 3
    assert gate(folder, "v2", "v1", "--metric", "TER", "--margin", "0.001").exit_code == 3


def test_what_cannot_be_compared_is_refused(folder: Path) -> None:
    assert "len has no better direction" in str(gate(folder, "v1", "v2", "--metric", "len").exception)
    assert "no score column 'BLEU4'" in str(gate(folder, "v1", "v2", "--metric", "BLEU4").exception)


def test_the_difference_is_that_of_the_means_of_inputs_and_p_is_corrected() -> None:
    rng = np.random.default_rng(1)
    before = pd.DataFrame({"item": np.repeat([f"i{place}" for place in range(30)], 2), "a": rng.normal(size=60)})
    before["b"] = before["a"]
    now = before.assign(a=before["a"] - 0.5 + rng.normal(0, 0.5, 60), b=before["b"] + rng.normal(0, 0.5, 60))
    found = compare_outputs(now, before, {"a": True, "b": True}).set_index("metric")
    expected = now.groupby("item")["a"].mean().mean() - before.groupby("item")["a"].mean().mean()
    assert (found.loc["a", "difference"], found["worse"].tolist()) == (pytest.approx(expected), [True, False])
    assert (found["p_holm"] >= found["p"]).all() and compare_outputs(now, before[:40], {"a": True})["n"].item() == 20


def test_missing_scores_and_other_inputs() -> None:
    before = pd.DataFrame({"item": list("pqrst"), "a": [1.0, 2.0, 3.0, 4.0, np.nan]})
    one = compare_outputs(before.assign(a=[0.5, 1.5, 2.5, 3.5, 1.0]), before, {"a": True}).iloc[0]
    assert (one["n"], one["worse"], one["reason"]) == (4, True, "the difference is the same for every item")
    with pytest.raises(ValueError, match="the tables share no input"):
        compare_outputs(before.assign(item=list("vwxyz")), before, {"a": True})
    with pytest.raises(ValueError, match="the table of before has no column 'b'"):
        compare_outputs(before.assign(b=1.0), before, {"b": True})
