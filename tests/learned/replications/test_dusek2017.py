"""The study of Dušek et al. (2017): what is learned from, how it is resumed, and what its tables say."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rainbow.learned.replications.dusek2017 import network as network_module
from rainbow.learned.replications.dusek2017.network import Network, Run, RunPredictions, list_runs, load_or_train
from rainbow.learned.replications.dusek2017.setups import CONDITIONS, INSIDE, SETUPS, Study
from rainbow.learned.replications.dusek2017.tables import INSTANCES, results_table, round_predictions
from rainbow.learned.replications.training import printed_table
from rainbow.text.words.words_and_punctuation import text_words
from tests.commands import Rainbow


@pytest.fixture(scope="module")
def study(data_dir: Path) -> Iterator[Study]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_DATA", str(data_dir))
        yield Study()


@pytest.fixture
def published(data_dir: Path) -> Path:
    path = data_dir.parent / "published" / "dusek2017_table3_quality_estimation.csv"
    if not path.is_file():
        pytest.skip(f"the published tables are not at {path}")
    return path


def test_the_figures_that_are_printed_beside_ours_are_those_of_the_paper(published: Path) -> None:
    import pandas as pd

    table = printed_table("dusek2017")
    assert set(table["condition"]) == set(CONDITIONS) and set(table["setup"]) >= set(SETUPS)
    own = table[table["condition"] == "folds"].drop(columns="condition").reset_index(drop=True)
    expected = pd.read_csv(published)
    expected["setup"] = expected["setup"].replace("Constant", "constant")
    pd.testing.assert_frame_equal(own, expected)


def test_the_folds_part_no_pair_of_input_and_output_and_hold_out_every_row_once(study: Study) -> None:
    folds, frame = study.folds("folds"), study.corpus.frame
    pairs = list(zip(frame["mr"], frame["output"], strict=True))
    assert sorted(np.concatenate([fold.test for fold in folds]).tolist()) == list(range(2460))
    for fold in folds:
        parts = [{pairs[row] for row in part} for part in (fold.train, fold.dev, fold.test)]
        assert not (parts[0] & parts[1] or parts[0] & parts[2] or parts[1] & parts[2])
        assert set(fold.fabricated) <= set(fold.train)
        assert len(fold.fabricated) == pytest.approx(len(fold.train) / 3, abs=3)


@pytest.mark.parametrize(("setup", "share"), [("S1", 0), ("S2", 0.01), ("S5", 0.01), ("S6", 0.01)])
def test_the_instances_of_table_2_come_out(study: Study, setup: Any, share: float) -> None:
    for fold in study.folds("folds")[:2]:
        assert len(study.instances(setup, "folds", fold)) == pytest.approx(INSTANCES[setup], rel=share)


@pytest.mark.parametrize(("condition", "test"), [("domain-C1", 675), ("domain-C2", 675), ("system-C3", 981)])
def test_conditions_test_the_rest_of_what_is_inside(study: Study, condition: Any, test: int) -> None:
    [fold] = study.folds(condition)
    assert len(fold.test) == test
    column, name = ("dataset", "sfhotel") if "domain" in condition else ("system", "LOLS")
    inside = (study.corpus.frame[column] == name).to_numpy()
    assert inside[fold.test].all() and inside[fold.train].sum() == (0 if "C2" in condition else INSIDE)
    assert inside[fold.train].all() == ("C1" in condition) and not set(fold.test) & {*fold.train, *fold.dev}


@pytest.mark.parametrize("setup", ["S2", "S3"])
def test_errors_are_put_into_training_outputs_alone(study: Study, setup: Any) -> None:
    fold = study.folds("folds")[0]
    given = study.instances(setup, "folds", fold)
    own = len(fold.train) + len(fold.dev)
    assert given.held.tolist() == list(range(len(fold.train), own))
    assert (given.groups[:own] >= 0).all() and (given.groups[own:] == -1).all()
    copied = given.texts["delexicalised"][own : own + 5 * len(fold.fabricated) : 5]
    assert copied == [" ".join(text_words(study.texts["delexicalised"][row])) for row in fold.fabricated]


@pytest.mark.parametrize(("metric", "expected"), [
    ("constant", (None, None, 1.013, 1.233)),
    ("BLEU", (0.074, 0.061, 2.264, 2.731)),
    ("METEOR", (0.095, 0.099, 1.820, 2.129)),
    ("ROUGE-L", (0.079, 0.072, 1.312, 1.674)),
    ("CIDEr", (0.061, 0.058, 2.606, 2.935)),
])  # fmt: skip
def test_the_metrics_of_table_3_come_out_of_the_stored_scores(study, metric, expected) -> None:
    table = results_table({Run("S1", "folds", 1): drawn(study)}, study).set_index("setup").loc[metric]
    # METEOR's stored scores part from those that the paper had by some hundredths.
    near = 0.03 if metric == "METEOR" else 0.0035
    for name, value in zip(("pearson", "spearman", "mae", "rmse"), expected, strict=True):
        assert np.isnan(table[name]) if value is None else table[name] == pytest.approx(value, abs=near)


def drawn(study: Study, noise: float = 1.0) -> RunPredictions:
    rows = np.random.default_rng(1).permutation(len(study.ratings))
    predicted = study.ratings[rows] + np.random.default_rng(2).normal(0, noise, len(rows))
    return RunPredictions(rows, predicted, [1476] * 5)


def test_runs_are_taken_together_and_tested_on_the_rows_that_there_are(study: Study) -> None:
    done = {Run("S1", "folds", seed): drawn(study, 2) for seed in (1, 2)} | {Run("S4", "folds", 1): drawn(study, 0.5)}
    table = results_table(done, study).set_index("setup")
    assert table.loc["S1", "runs"] == 2
    one = results_table({Run("S1", "folds", 1): drawn(study, 2)}, study).set_index("setup")
    assert table.loc["S1", "pearson"] == pytest.approx(one.loc["S1", "pearson"])
    assert table.loc["S1", "over_best_metric_p"] == pytest.approx(one.loc["S1", "over_best_metric_p"])
    assert table.loc["S4", "over_s1_p"] < 1e-6 and np.isnan(table.loc["S1", "over_s1_p"])


def test_predictions_are_cut_and_rounded_to_halves() -> None:
    assert round_predictions(np.array([-3.0, 4.24, 4.25, 5.75, 9.0])).tolist() == [1.0, 4.0, 4.5, 6.0, 6.0]


def test_the_first_seed_of_everything_comes_before_the_second() -> None:
    found = list_runs(["S1", "S4"], ["folds", "domain-C1"], 2)
    assert [run.name for run in found[:4]] == ["folds-S1-1", "folds-S4-1", "domain-C1-S1-1", "domain-C1-S4-1"]
    assert [run.seed for run in found] == [1] * 4 + [2] * 4


def test_a_run_that_is_there_is_not_computed_again_unless_the_network_is_another(study, tmp_path, monkeypatch) -> None:
    pytest.importorskip("torch")
    told: list[str] = []
    run, network = Run("S1", "domain-C1", 1), Network(units=8, steps=2, device="cpu")
    first = load_or_train(run, study, network, tmp_path, told.append)
    assert len(first.rows) == 675 and told[0].startswith("domain-C1-S1-1, fold 1 of 1: epoch 1 of 2: dev")
    assert json.loads((tmp_path / "domain-C1-S1-1.json").read_text())["instances"] == [100]
    monkeypatch.setattr(network_module, "train_network", lambda *given: 1 / 0)
    again = load_or_train(run, study, network._replace(device="auto"), tmp_path, told.append)
    np.testing.assert_array_equal(again.predicted, first.predicted)
    np.testing.assert_array_equal(again.rows, first.rows)
    with pytest.raises(ZeroDivisionError):
        load_or_train(run, study, network._replace(units=9), tmp_path, told.append)


def test_the_command_prints_ours_beside_what_was_printed_and_goes_on_where_it_stood(
    study, data_dir, tmp_path, rainbow, monkeypatch
) -> None:
    computed: list[str] = []
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    monkeypatch.setattr(network_module, "_compute_run", lambda run, *given: computed.append(run.name) or drawn(study))
    for seeds in ("1", "2"):
        done = rainbow("published", "dusek2017", "--setups", "S1,S2", "--seeds", seeds, status=0)
    assert computed == [f"folds-{setup}-{seed}" for seed in (1, 2) for setup in ("S1", "S2")]
    [line] = [line.split() for line in done.out.splitlines() if line.split()[:2] == ["folds", "S2"]]
    assert (line[2], line[4:11:2]) == ("2", ["0.283", "0.268", "0.948", "1.273"])
    assert {path.name for path in (tmp_path / "analysis" / "dusek2017").iterdir()} == {
        "instances.csv", "results.csv", "dusek2017.html", "runs"
    }  # fmt: skip


@pytest.mark.parametrize(("arguments", "message"), [
    (("dusek2018",), "'dusek2018'"),
    (("dusek2017", "--setups", "S7"), "'S7' is not one of S1, S2"),
    (("dusek2017", "--conditions", "C1"), "'C1' is not one of folds, domain-C1"),
])  # fmt: skip
def test_names_that_there_are_not_are_refused(arguments: tuple[str, ...], message: str, rainbow: Rainbow) -> None:
    done = rainbow("published", *arguments)
    assert done.status == 2 and message in " ".join(done.err.split())
