"""The study of Liu et al. (2021): its rows and splits, what each method gives, how it is resumed, and its tables."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rainbow.learned.protocols.groups import folded_text, row_groups
from rainbow.learned.replications.liu2021 import encoder as encoder_module
from rainbow.learned.replications.liu2021 import methods
from rainbow.learned.replications.liu2021 import tables as tables_module
from rainbow.learned.replications.liu2021.methods import CLASSIFIERS
from rainbow.learned.replications.liu2021.study import POINTS, SPLITS, Fold, Instances, RatedPairs, Setting
from rainbow.learned.replications.liu2021.tables import (
    KERNEL,
    LABELS,
    METHODS,
    Trial,
    TrialPredictions,
    classes_table,
    labels_table,
    list_trials,
    load_or_run,
    splits_table,
)
from rainbow.learned.replications.training import printed_table
from tests.learned.replications.small_bert import small_bert

SETTING = Setting(1, lambda how: None, units=8, device="cpu")


@pytest.fixture(scope="module")
def study(data_dir: Path) -> Iterator[RatedPairs]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAINBOW_DATA", str(data_dir))
        yield RatedPairs()


@pytest.fixture
def published(data_dir: Path) -> Path:
    path = data_dir.parent / "published" / "liu2021_table3_naturalness.csv"
    if not path.is_file():
        pytest.skip(f"the published tables are not at {path}")
    return path


def test_the_figures_that_are_printed_beside_ours_are_those_of_the_paper(published: Path) -> None:
    import pandas as pd

    own, expected = printed_table("liu2021"), pd.read_csv(published).set_index("model")
    names = {"BLEURT": "BLEURT", "svm": "BoW+SVM", "bilstm": "Bi-LSTM"}
    for line in own[own["method"] != "majority"].to_dict("records"):
        found = expected.loc[names.get(line["method"], line["method"])].to_dict()
        assert found == {name: line[name] for name in ("f1", "recall", "precision", "accuracy")}
    assert len(own) == len(expected) + 1


def test_the_pairs_and_their_classes_are_nearly_those_of_table_2(study: RatedPairs) -> None:
    table = labels_table(study)
    assert (table["printed"].tolist(), table["pairs"].sum()) == (list(LABELS), pytest.approx(11353, rel=0.001))
    assert (table["pairs"] - table["printed"]).abs().max() < 90
    assert len(set(zip(study.pairs.outputs, study.pairs.references, strict=True))) == len(study.pairs)


def test_the_paper_splits_pairs_in_tenths_and_leaves_most_texts_in_training(study: RatedPairs) -> None:
    (fold,) = study.folds("paper", 1)
    sizes = [len(part) for part in fold]
    assert sum(sizes) == len(study.pairs) and sizes[1] == sizes[2] == len(study.pairs) // 10
    pairs = [set(zip(part.outputs, part.references, strict=True)) for part in fold]
    assert not (pairs[0] & pairs[2] or pairs[0] & pairs[1] or pairs[1] & pairs[2])
    assert 0.87 < np.isin(fold.test.outputs, fold.train.outputs).mean() < 0.95
    (other,) = study.folds("paper", 2)
    assert other.test.outputs != fold.test.outputs


@pytest.mark.parametrize(("split", "share"), [("seen-75", 0.75), ("seen-25", 0.25), ("seen-0", 0)])
def test_so_many_of_the_texts_of_the_same_test_pairs_may_be_seen(study: RatedPairs, split: Any, share: float) -> None:
    (fold,), (paper,) = study.folds(split, 1), study.folds("paper", 1)
    assert fold.test.outputs == paper.test.outputs
    tested, learned = (set(map(folded_text, own.outputs)) for own in (fold.test, fold.train))
    assert len(tested & learned) <= share * len(tested) + 1 and set(fold.train.outputs) <= set(paper.train.outputs)


@pytest.mark.parametrize("choosing", [False, True])
@pytest.mark.parametrize("split", ["by-text", "by-item-and-text", "leave-one-system-out", "leave-one-dataset-out"])
def test_other_splits_hold_out_every_row_once_and_nothing_that_belongs_to_it(study, split, choosing) -> None:
    groups, strict = row_groups(study.corpus.frame, split), row_groups(study.corpus.frame, "by-item-and-text")
    tested: list[int] = []
    for train, dev, test in study.folds(split, 1, choosing):
        assert not set(groups[test.rows]) & set(groups[np.concatenate([train.rows, dev.rows])])
        assert not set(strict[dev.rows]) & set(strict[train.rows]) and (len(dev) > 0) == choosing
        tested += set(test.rows.tolist())
    assert sorted(tested) == list(range(2460))


def fold(labels: list[int], outputs: list[str], tested: list[str]) -> Fold:
    train = Instances(outputs, ["a reference"] * len(outputs), np.array(labels), np.arange(len(labels)))
    test = Instances(tested, ["a reference"] * len(tested), np.ones(len(tested), dtype=int), np.arange(len(tested)))
    return Fold(train, train, test)


def said(method: str, given: Fold) -> list[int]:
    numbers = CLASSIFIERS[method].classify(given, SETTING)
    assert numbers.shape == (len(given.test), len(POINTS))
    return [int(point) for point in POINTS[numbers.argmax(axis=1)]]


def test_the_majority_is_the_commonest_class() -> None:
    assert said("majority", fold([5, 5, 2], ["a", "b", "c"], ["c", "x"])) == [5, 5]


def test_a_look_up_knows_the_same_text_and_else_the_commonest_class() -> None:
    outputs = ["an inn", "An inn", "a pub", "a pub", "x", "y"]
    assert said("look-up", fold([2, 2, 6, 4, 6, 6], outputs, ["an  inn", "a pub", "new"])) == [2, 6, 6]


@pytest.mark.parametrize("method", ["svm", "svm-output", "logistic"])
def test_words_part_classes_and_classes_that_are_not_learned_are_never_predicted(method: str) -> None:
    outputs = [f"{word} number {place}" for place in range(12) for word in ("good", "bad")]
    assert said(method, fold([6, 3] * 12, outputs, ["good thing", "bad thing"])) == [6, 3]


def test_of_two_classes_in_training_and_of_all_six_one_is_predicted_for_every_pair() -> None:
    labels = [1, 2, 3, 4, 5, 6] * 8
    outputs = [f"word{label} and {place}" for place, label in enumerate(labels)]
    assert said("svm", fold(labels, outputs, [f"word{label} here" for label in POINTS])) == POINTS.tolist()


def test_the_words_of_references_count_but_for_the_output_alone() -> None:
    outputs, labels = ["same text"] * 20, [6, 3] * 10
    train = Instances(outputs, ["good one", "bad one"] * 10, np.array(labels), np.arange(20))
    test = Instances(["same text"] * 2, ["good", "bad"], np.array([6, 3]), np.arange(2))
    assert said("svm", Fold(train, train, test)) == [6, 3]
    assert len(set(said("svm-output", Fold(train, train, test)))) == 1


def test_a_bidirectional_lstm_learns_what_words_say_and_twice_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    monkeypatch.setattr(methods, "EPOCHS", 6)
    outputs = [f"{word} text" for _ in range(60) for word in ("good", "bad")]
    given = fold([6, 3] * 60, outputs, ["good text", "bad text", "good"])
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    assert said("bilstm", given)[:2] == [6, 3]
    first, second = (CLASSIFIERS["bilstm"].classify(given, SETTING) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    np.testing.assert_allclose(np.exp(first).sum(axis=1), 1, rtol=1e-5)
    assert torch.equal(torch.random.get_rng_state(), state) and torch.get_num_threads() == threads


def test_an_encoder_learns_what_both_texts_say_and_twice_the_same(tmp_path, monkeypatch) -> None:
    pytest.importorskip("transformers")
    torch = pytest.importorskip("torch")
    tuning = encoder_module.Tuning(small_bert(tmp_path), passes=8, rate=0.003)
    monkeypatch.setattr(encoder_module, "TUNING", tuning)
    outputs = [f"the hotel is {word}" for _ in range(60) for word in ("cheap", "expensive")]
    given = fold([6, 3] * 60, outputs, ["the hotel is cheap", "the hotel is expensive"])
    told: list[str] = []
    setting = SETTING._replace(tell=told.append)
    state, threads = torch.random.get_rng_state(), torch.get_num_threads()
    first, second = (CLASSIFIERS["encoder"].classify(given, setting) for _ in range(2))
    np.testing.assert_array_equal(first, second)
    assert [int(point) for point in POINTS[first.argmax(axis=1)]] == [6, 3]
    assert [line.split(":")[0] for line in told[:8]] == [f"epoch {number} of 8" for number in range(1, 9)]
    assert torch.equal(torch.random.get_rng_state(), state) and torch.get_num_threads() == threads
    (alone,) = CLASSIFIERS["encoder"].classify(given._replace(test=given.test.take(np.array([1]))), SETTING)
    np.testing.assert_allclose(alone, first[1], atol=1e-5)
    monkeypatch.setattr(encoder_module, "TUNING", tuning._replace(model="/none"))
    with pytest.raises(RuntimeError, match="neither a folder"):
        CLASSIFIERS["encoder"].classify(given, SETTING)


def test_an_lstm_without_pytorch_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(methods, "missing_torch", lambda: "torch not installed: pip install it")
    with pytest.raises(RuntimeError, match="pip install"):
        CLASSIFIERS["bilstm"].classify(fold([1], ["a"], ["b"]), SETTING)


def test_splits_that_draw_nothing_are_run_once_and_the_kernel_not_on_pairs() -> None:
    found = list_trials(["majority", "kernel"], ["paper", "by-text"], 3)
    assert [run.name for run in found] == [
        *(f"paper-majority-{seed}" for seed in (1, 2, 3)), "by-text-majority-1", "by-text-kernel-1"
    ]  # fmt: skip


def test_outputs_are_counted_once_elsewhere_by_all_their_pairs(study: RatedPairs, tmp_path: Path) -> None:
    found = load_or_run(Trial("majority", "by-text", 1), study, SETTING, tmp_path)
    assert sorted(found.rows.tolist()) == list(range(2460))
    np.testing.assert_array_equal(found.labels, np.rint(study.rated[found.rows]))
    assert not found.seen.any()


def test_an_output_has_the_class_that_its_pairs_speak_for_together() -> None:
    test = Instances(["a", "a", "b"], ["x", "y", "z"], np.array([5, 5, 2]), np.array([7, 7, 9]))
    numbers = np.zeros((3, 6))
    numbers[0, 0], numbers[1, 4], numbers[2, 1] = 1.0, 1.5, 1.0
    numbers[0, 4] = 0.1
    found = tables_module._fold_predictions(Fold(test.take(np.array([2])), test, test), numbers, pairs=False)
    assert (found.rows.tolist(), found.labels.tolist(), found.predicted.tolist()) == ([7, 9], [5, 2], [5, 2])
    assert found.seen.tolist() == [False, True]
    assert tables_module._fold_predictions(Fold(test, test, test), numbers, pairs=True).predicted.tolist() == [1, 5, 2]


def test_a_look_up_beats_every_network_that_was_printed_and_tells_nothing_honestly(study, tmp_path) -> None:
    paper = load_or_run(Trial("look-up", "paper", 1), study, SETTING, tmp_path)
    right = paper.predicted == paper.labels
    assert 0.9 <= right.mean() <= 0.933 and right.mean() > printed_table("liu2021")["accuracy"].max()
    assert right[paper.seen].mean() > 0.95 > 0.5 > right[~paper.seen].mean()
    honest, majority = (
        load_or_run(Trial(name, "by-text", 1), study, SETTING, tmp_path) for name in ("look-up", "majority")
    )
    np.testing.assert_array_equal(honest.predicted, majority.predicted)


def test_a_run_that_is_there_is_not_computed_again_unless_something_else_is_asked(study, tmp_path, monkeypatch) -> None:
    run = Trial("majority", "paper", 1)
    first = load_or_run(run, study, SETTING, tmp_path)
    monkeypatch.setattr(methods, "_one_hot_labels", lambda instances: 1 / 0)
    again = load_or_run(run, study, SETTING._replace(units=99), tmp_path)
    for name in TrialPredictions._fields:
        np.testing.assert_array_equal(getattr(again, name), getattr(first, name))
    other = RatedPairs("quality")
    with pytest.raises(ZeroDivisionError):
        load_or_run(run, other, SETTING, tmp_path)


def test_the_kernel_is_classified_by_the_classes_of_the_other_folds(study, tmp_path, monkeypatch) -> None:
    from rainbow.learned.protocols.cross_validation import HeldOutResults, predict_held_out
    from rainbow.learned.protocols.groups import assign_folds

    frame, asked = study.corpus.frame, []
    noisy = study.rated + np.random.default_rng(1).normal(0, 0.3, len(frame))

    def cross_validate(examples: Any, protocols: list[str]) -> HeldOutResults:
        asked.append(protocols)
        assignment = assign_folds(frame, protocols[0])
        table = predict_held_out(frame, examples.names, assignment, lambda train, test: noisy[test][:, None])
        return HeldOutResults(table, table)

    monkeypatch.setattr(tables_module, "cross_validate", cross_validate)
    tables_module._kernel_classes.cache_clear()
    found = {name: load_or_run(Trial(name, "leave-one-system-out", 1), study, SETTING, tmp_path) for name in KERNEL}
    tables_module._kernel_classes.cache_clear()
    assert asked == [["leave-one-system-out"]], "both are made of the same predictions"
    for own in found.values():
        np.testing.assert_array_equal(own.labels, np.rint(study.rated[own.rows]))
        assert (own.labels == own.predicted).mean() > 0.6 and 0.05 < own.seen.mean() < 0.15
    assert (found["kernel"].predicted != found["kernel-shares"].predicted).any()


def drawn(study: RatedPairs, right: float, seed: int = 1) -> TrialPredictions:
    rng = np.random.default_rng(seed)
    (fold,) = study.folds("paper", seed)
    guessed = np.where(rng.random(len(fold.test)) < right, fold.test.labels, rng.integers(1, 7, len(fold.test)))
    return TrialPredictions(fold.test.rows, fold.test.labels, guessed, rng.random(len(fold.test)) < 0.9)


def test_the_runs_of_a_method_are_taken_together_and_what_was_printed_stands_beside(study: RatedPairs) -> None:
    done = {Trial("svm", "paper", seed): drawn(study, 0.6, seed) for seed in (1, 2)}
    done[Trial("majority", "by-text", 1)] = drawn(study, 0.2)
    table = splits_table(done, study, resamples=30).set_index(["split", "method"])
    line = table.loc[("paper", "svm")]
    right = [float((own.labels == own.predicted).mean()) for own in list(done.values())[:2]]
    assert (line["runs"], line["accuracy"]) == (2, pytest.approx(np.mean(right)))
    assert (line["least_accuracy"], line["most_accuracy"]) == (min(right), max(right))
    assert line["accuracy_low"] < line["accuracy"] < line["accuracy_high"] and line["printed_accuracy"] == 0.68
    both = line["seen"] * line["seen_accuracy"] + (1 - line["seen"]) * line["unseen_accuracy"]
    assert (both, table.loc[("paper", "BERT"), "printed_accuracy"]) == (pytest.approx(line["accuracy"]), 0.85)
    assert np.isnan(table.loc[("by-text", "majority"), "printed_accuracy"])


def test_of_another_rating_nothing_was_printed(study: RatedPairs) -> None:
    other = RatedPairs("quality")
    assert labels_table(other)["printed"].isna().all()
    table = splits_table({Trial("svm", "paper", 1): drawn(study, 0.6)}, other, resamples=5)
    assert table["printed_accuracy"].isna().all() and table["method"].tolist() == ["svm"]


def test_each_class_has_what_was_tested_and_what_was_predicted(study: RatedPairs) -> None:
    found = drawn(study, 0.7)
    table = classes_table({Trial("svm", "paper", 1): found})
    assert table["label"].tolist() == POINTS.tolist()
    assert table["tested"].tolist() == [(found.labels == point).sum() for point in POINTS]
    assert table["predicted"].tolist() == [(found.predicted == point).sum() for point in POINTS]
    five = table.set_index("label").loc[5]
    assert five["recall"] == pytest.approx((found.predicted[found.labels == 5] == 5).mean())
    assert five["printed_tested"] == 305


def test_the_command_prints_ours_beside_what_was_printed_and_draws_what_was_seen(
    study, data_dir, tmp_path, rainbow, monkeypatch
) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    asked = ("--setups", "majority,look-up", "--conditions", "paper,seen-0,by-text", "--seeds", "2")
    done = rainbow("published", "liu2021", *asked, status=0)
    printed = [line.split() for line in done.out.splitlines()]
    [line] = [line for line in printed if line[:2] == ["paper", "majority"]]
    assert "0.41" in line and any(line[:2] == ["paper", "BERT"] and "0.85" in line for line in printed)
    folder = tmp_path / "analysis" / "liu2021"
    written = {"labels.csv", "results.csv", "classes.csv", "liu2021.html", "liu2021", "runs"}
    assert {path.name for path in folder.iterdir()} == written
    assert (folder / "liu2021" / "seen.svg").read_text().startswith("<?xml")
    assert len(list((folder / "runs").iterdir())) == 2 * 2 + 2 + 2


@pytest.mark.parametrize(("arguments", "message"), [
    (("--setups", "S1"), "'S1' is not one of majority, look-up"),
    (("--conditions", "folds"), "'folds' is not one of paper, seen-75"),
    (("--rating", "overall"), "'overall' is not one of naturalness"),
])  # fmt: skip
def test_names_that_there_are_not_are_refused(arguments, message, data_dir, rainbow, monkeypatch) -> None:
    monkeypatch.setenv("RAINBOW_DATA", str(data_dir))
    done = rainbow("published", "liu2021", *arguments)
    assert done.status == 2 and message in " ".join(done.err.replace("│", " ").split())


def test_every_method_and_split_says_what_it_is() -> None:
    assert all(METHODS.values()) and all(SPLITS.values())
    assert set(printed_table("liu2021")["method"]) & set(METHODS) == {"majority", "svm", "bilstm"}
