"""Models come back from their files as they were, or not at all."""

import dataclasses
import hashlib
import json
import multiprocessing
import pickle
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import numpy as np
import pandas as pd
import pytest
import skops.io

import rainbow.metrics.contract.base
from rainbow.base.arrays import FloatArray
from rainbow.learned.learner.regressor import PRESETS, RainbowRegressor
from rainbow.learned.model.archive import VERSION, decode_value, encode_value, json_bytes, parse_json
from rainbow.learned.model.model import Model
from rainbow.learned.model.model_file import read_model, save_model
from rainbow.learned.model.saved_learner import TYPES, load_learner
from rainbow.learned.protocols.calibration import RatingClasses
from rainbow.learned.training.features import Features
from rainbow.metrics.contract.base import Column, Metric, MissingResourceError
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.registry import _METRICS, register
from rainbow.metrics.word.ter.ter import Ter
from tests.learned import saved


@pytest.fixture(scope="module", params=[*PRESETS, "started"])
def model(request: pytest.FixtureRequest) -> Model:
    return saved.model(request.param)


@pytest.fixture(scope="module")
def small() -> Model:
    return saved.model(columns=("TER", "len"), texts=())


def test_a_loaded_model_scores_as_the_saved_one_bit_by_bit(model: Model, tmp_path: Path) -> None:
    loaded = read_model(save_model(model, tmp_path / "model.rainbow"))
    others = rainbow.load_dataset("demo").take(range(60, 90))
    for rows in (saved.corpus(), others):
        assert np.array_equal(loaded.predict(rows), model.predict(rows))


def test_a_loaded_model_has_all_that_was_saved(model: Model, tmp_path: Path) -> None:
    loaded = read_model(save_model(model, tmp_path / "model.rainbow"))
    for name in ("name", "rating", "low", "high", "half_width", "needs"):
        assert getattr(loaded, name) == getattr(model, name)
    assert (loaded.features.columns, loaded.features.texts) == (model.features.columns, model.features.texts)
    assert (loaded.features.view, loaded.features.metrics) == ("delexicalised", model.features.metrics)
    assert loaded.features.signatures == model.features.signatures
    assert type(loaded.learner) is type(model.learner) and repr(loaded.card) == repr(model.card)


def test_classes_come_back(tmp_path: Path) -> None:
    classes = RatingClasses.fit([1, 2.5, 4, 6] * 9, np.linspace(1, 6, 36))
    assert classes is not None
    loaded = read_model(save_model(dataclasses.replace(saved.model(), classes=classes), tmp_path / "model.rainbow"))
    assert loaded.classes is not None
    scores = [1.0, 3.3, 6.0, np.nan]
    assert np.array_equal(loaded.classes.probabilities(scores), classes.probabilities(scores), equal_nan=True)
    assert np.array_equal(loaded.classes.as_frequent(scores), classes.as_frequent(scores), equal_nan=True)


def test_a_file_from_before_there_were_classes_is_read_and_has_none(model: Model, tmp_path: Path) -> None:
    entries = saved.entries_of(save_model(model, tmp_path / "model.rainbow"))
    older = saved.write(
        tmp_path / "older", saved.edited(entries, "model.json", lambda data: data.pop("classes") and None)
    )
    loaded = read_model(older)
    assert loaded.classes is None and np.array_equal(loaded.predict(saved.corpus()), model.predict(saved.corpus()))


def test_a_loaded_model_can_be_pickled_and_saved_again(model: Model, tmp_path: Path) -> None:
    loaded = read_model(save_model(model, tmp_path / "model.rainbow"))
    copy = pickle.loads(pickle.dumps(loaded))
    assert np.array_equal(copy.predict(saved.corpus()), model.predict(saved.corpus()))
    assert save_model(loaded, tmp_path / "again.rainbow").read_bytes() == (tmp_path / "model.rainbow").read_bytes()


def test_the_same_model_gives_the_same_bytes_also_after_another_training(tmp_path: Path) -> None:
    first, again = saved.model("paper"), saved.model.__wrapped__("paper")
    assert first.learner is not again.learner
    files = [save_model(model, tmp_path / "model.rainbow").read_bytes() for model in (first, again)]
    assert files[0] == files[1]


def predicted(path: Path) -> FloatArray:
    return read_model(path).predict(saved.corpus())


def test_another_process_gives_the_same_scores(tmp_path: Path) -> None:
    model = saved.model()
    path = save_model(model, tmp_path / "model.rainbow")
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert np.array_equal(pool.apply(predicted, (path,)), model.predict(saved.corpus()))


def test_a_model_without_scores_of_its_own_input_or_with_columns_never_there_comes_back(tmp_path: Path) -> None:
    features = Features(("len", "TER"), ("surface",)).fit(saved.corpus())
    table = features.table(saved.corpus()).assign(TER=np.nan, len=3.0)
    for preset in PRESETS:
        learner = RainbowRegressor(preset).fit(table, saved.corpus().frame["quality"]).learner_
        model = Model("odd", "quality", 1.0, 6.0, features, learner)
        loaded = read_model(save_model(model, tmp_path / "odd.rainbow"))
        assert np.array_equal(loaded.predict(saved.corpus()), model.predict(saved.corpus()))
        assert np.isnan(loaded.half_width)


def test_texts_of_any_characters_come_back(tmp_path: Path) -> None:
    outputs = ["", "a\nb\r\x0b\x1c\x85\u2028c", "NUL\0", "\ud800 alone", "emoji 🦆🦆", 'quote " \\ back'] * 3
    corpus = rainbow.Corpus.from_texts(outputs, quality=[float(row % 5) for row in range(18)])
    features = Features(("len",), ("surface",)).fit(corpus)
    table = pd.DataFrame({"len": map(float, map(len, outputs)), "surface": pd.Series(outputs, dtype=object)})
    model = Model("odd", "quality", 1.0, 6.0, features, RainbowRegressor().fit(table, corpus.frame["quality"]).learner_)
    loaded = read_model(save_model(model, tmp_path / "odd.rainbow"))
    assert np.array_equal(loaded.predict(corpus), model.predict(corpus))


def test_the_manifest_names_format_version_and_every_other_entry(model: Model, tmp_path: Path) -> None:
    with ZipFile(save_model(model, tmp_path / "model.rainbow")) as archive:
        manifest = json.loads(archive.read("manifest.json"))
        assert (manifest["format"], manifest["version"]) == ("RAINBOW model", VERSION)
        assert manifest["entries"].keys() == set(archive.namelist()) - {"manifest.json"}
        for name, seal in manifest["entries"].items():
            content = archive.read(name)
            assert seal == {"sha256": hashlib.sha256(content).hexdigest(), "size": len(content)}


def test_what_was_learned_is_a_skops_file_with_types_of_ours_only(model: Model, tmp_path: Path) -> None:
    skops_file = saved.entries_of(save_model(model, tmp_path / "model.rainbow"))["learner.skops"]
    assert set(skops.io.get_untrusted_types(data=skops_file)) <= set(TYPES)
    by_skops = skops.io.loads(skops_file, trusted=list(TYPES))
    read = load_learner(skops_file, len(model.features.columns), model.features.texts)
    assert type(by_skops) is type(model.learner)
    assert skops.io.dumps(by_skops).count(b".npy") == skops.io.dumps(read).count(b".npy")


def test_a_file_of_counts_alone_holds_no_reference_word_by_word(tmp_path: Path) -> None:
    model = saved.model(columns=("lm_mean",), texts=())
    metric: Any = model.features.metrics[0]  # type: ignore[index]
    assert any(b'"documents"' in content for content in saved.entries_of(save_model(model, tmp_path / "a")).values())
    counts = dataclasses.replace(metric, statistics=metric.statistics.counts_only())
    bare = dataclasses.replace(model, features=dataclasses.replace(model.features, metrics=(counts,)))
    path = save_model(bare, tmp_path / "b")
    assert not any(b'"documents"' in content for content in saved.entries_of(path).values())
    assert np.array_equal(read_model(path).predict(saved.corpus()), bare.predict(saved.corpus()))


def test_a_large_model_takes_less_than_ten_megabytes(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    words = [f"word{number}" for number in range(4000)]
    columns = saved.COLUMNS
    table = pd.DataFrame(rng.normal(size=(1500, len(columns))), columns=list(columns))
    texts = [" ".join(rng.choice(words, 10)) for _ in range(1500)]
    learner = RainbowRegressor().fit(table.assign(delexicalised=texts), rng.normal(size=1500)).learner_
    features = Features(columns, ("delexicalised",)).fit(saved.corpus())
    path = save_model(Model("large", "quality", -4.0, 4.0, features, learner), tmp_path / "large.rainbow")
    assert sum(len(part.kernel.ngrams) for part in learner._text_parts) > 40_000 and path.stat().st_size < 10e6


@dataclass(frozen=True)
class Odd(Metric):
    """A metric of another package, with parameters of every kind."""

    flag: bool = True
    nothing: None = None
    ratio: float = 0.1
    endless: float = float("-inf")
    word: str = 'a|b\n"\ud800'
    weights: tuple[Any, ...] = (1, 2.0, (None, "x"))
    names: frozenset[str] = frozenset(["inn"])
    pairs: tuple[Any, ...] = ([1, 2], {"key": {3}})

    name = "odd"
    group = "grammar"
    columns = (Column("odd", True),)

    def compute(self, batch: Batch, rows: Any) -> FloatArray:
        return np.array([[float(len(batch.outputs[row]))] for row in rows])


@pytest.fixture
def odd(monkeypatch: pytest.MonkeyPatch) -> type[Odd]:
    monkeypatch.setitem(_METRICS, "odd", Odd)
    return register(Odd)


def with_metric(model: Model, metric: Metric) -> Model:
    rows = saved.corpus()
    features = Features(tuple(column.name for column in metric.columns), (), "surface", (metric,))
    learner = RainbowRegressor().fit(features.table(rows), rows.frame["quality"]).learner_
    return dataclasses.replace(model, features=features, learner=learner)


def test_parameters_of_every_kind_come_back_with_an_equal_signature(odd, small, tmp_path) -> None:
    metric = odd(flag=False, ratio=1e-300, weights=(), pairs=((True, False),))
    loaded = read_model(save_model(with_metric(small, metric), tmp_path / "odd.rainbow"))
    [found] = loaded.features.metrics or ()
    assert (found, found.signature) == (metric, metric.signature)


@pytest.mark.parametrize(
    "value", [None, True, 0, -1.5, float("inf"), "", (), [], (1, [2, {"a": (3,)}]), {1, 2}, frozenset(), {"a": {}}]
)
def test_plain_values_come_back_with_their_types(value: Any) -> None:
    assert repr(decode_value(parse_json(json_bytes(encode_value(value)), "value"))) == repr(value)


@pytest.mark.parametrize("value", [object(), b"bytes", {1: 2}, {"$tuple": [1]}, [print], 1j])
def test_values_that_are_not_plain_are_refused(value: Any) -> None:
    with pytest.raises(ValueError, match="which a model file cannot store"):
        encode_value(value)


def test_a_metric_that_is_not_known_here_is_named_with_its_package(odd, small, tmp_path, monkeypatch) -> None:
    path = save_model(with_metric(small, odd()), tmp_path / "odd.rainbow")
    monkeypatch.delitem(_METRICS, "odd")
    with pytest.raises(ValueError, match=r"odd.rainbow .* needs the metric 'odd' of the package 'tests', which is not"):
        read_model(path)
    entries = saved.edited(
        saved.entries_of(path), "model.json", lambda data: data["metrics"][0].update(package="rainbow")
    )
    with pytest.raises(ValueError, match="which this RAINBOW does not have: upgrade with pip install -U rainbow-nlg"):
        read_model(saved.write(path, entries))


def test_other_definitions_are_told_by_column_and_difference(small, tmp_path, monkeypatch) -> None:
    path = save_model(small, tmp_path / "small.rainbow")
    monkeypatch.setattr(Ter, "resources", lambda self: {"tokens": "other"})
    message = (
        "made with other metric definitions: TER was made with 'tokens:blanks, lower-cased', but this "
        "RAINBOW has 'tokens:other'"
    )
    with pytest.raises(ValueError, match=f"{re.escape(str(path))} .*{message}"):
        read_model(path)


def test_another_version_of_rainbow_itself_is_no_other_definition(small, tmp_path, monkeypatch) -> None:
    path = save_model(small, tmp_path / "small.rainbow")
    monkeypatch.setattr(rainbow.metrics.contract.base, "__version__", "99.0")
    assert all("|version:99.0|" in text for text in read_model(path).features.signatures.values())


def test_a_parameter_that_is_gone_is_told(small: Model, tmp_path: Path) -> None:
    entries = saved.entries_of(save_model(small, tmp_path / "small.rainbow"))
    entries = saved.edited(entries, "model.json", lambda data: data["metrics"][0]["parameters"].update(gone=1))
    with pytest.raises(
        ValueError,
        match=(
            "other\\.rainbow is not a usable model: this model was made with other metric definitions: ter has "
            "no parameter 'gone' here"
        ),
    ):
        read_model(saved.write(tmp_path / "other.rainbow", entries))


def test_a_metric_that_cannot_work_on_this_machine_is_told_with_its_remedy(small, tmp_path, monkeypatch) -> None:
    path = save_model(small, tmp_path / "small.rainbow")
    monkeypatch.setattr(Ter, "unavailable", classmethod(lambda cls: "Java is not installed: apt-get install java"))
    with pytest.raises(MissingResourceError, match=r"small.rainbow needs .*: ter: Java is not installed: apt-get"):
        read_model(path)


def test_a_file_appears_whole_or_not_at_all(small: Model, tmp_path: Path) -> None:
    path = save_model(small, tmp_path / "new" / "small.rainbow")
    before = path.read_bytes()
    with pytest.raises(ValueError, match="function"):
        save_model(dataclasses.replace(small, card={"made": print}), path)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])


@pytest.mark.parametrize(("change", "message"), [
    (lambda model: {"features": Features(("TER", "len"))}, "the features are not fitted: call fit"),
    (lambda model: {"low": 6.0, "high": 1.0}, "the rating scale is empty"),
    (lambda model: {"features": dataclasses.replace(model.features, columns=("TER",))}, "median has the type"),
    (lambda model: {"features": dataclasses.replace(model.features, texts=("surface",))},
     "not have exactly one text kernel"),
    (lambda model: {"card": {"odd": object()}}, "which a model file cannot store"),
])  # fmt: skip
def test_a_model_that_could_not_be_read_is_not_written(small: Model, change: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=message):
        save_model(dataclasses.replace(small, **change(small)), tmp_path / "model.rainbow")
    assert not list(tmp_path.iterdir())


def test_a_model_of_two_ratings_is_not_written(small: Model, tmp_path: Path) -> None:
    rows = saved.corpus()
    ratings = rows.frame[["quality", "naturalness"]]
    for preset in PRESETS:
        learner = RainbowRegressor(preset).fit(small.features.table(rows), ratings).learner_
        with pytest.raises(ValueError, match="shape"):
            save_model(dataclasses.replace(small, learner=learner), tmp_path / "model.rainbow")


def test_metrics_that_are_not_registered_or_not_fitted_are_not_written(small: Model, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="'odd' is not registered"):
        save_model(with_metric(small, Odd()), tmp_path / "model.rainbow")
    model = saved.model(columns=("NIST",), texts=())
    metric: Any = model.features.metrics[0]  # type: ignore[index]
    features = dataclasses.replace(model.features, metrics=(dataclasses.replace(metric, statistics=None),))
    with pytest.raises(ValueError, match="'nist' is not fitted"):
        save_model(dataclasses.replace(model, features=features), tmp_path / "model.rainbow")


def test_a_missing_file_is_told_as_such(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_model(tmp_path / "none.rainbow")
