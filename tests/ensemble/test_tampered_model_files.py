"""A file that is not as it was saved is refused with one clear sentence, and never crashes the process."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pytest

from rainbow.ensemble import archive, vector_kernel
from rainbow.ensemble.archive import pack, unpack
from rainbow.ensemble.model_file import load_model, save_model
from tests.ensemble import saved

PRESETS = ("default", "neural", "paper")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    """Give a sound model file of every preset."""
    folder = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(vector_kernel, "sentence_vectors", saved.vectors)
        patch.setattr(vector_kernel, "MODEL_PACKAGE", "rainbow")  # any package that is there
        models = {preset: saved.model(preset, ("TER", "lm_mean", "len"), ("surface",)) for preset in PRESETS}
        yield {preset: save_model(model, folder / f"{preset}.rainbow") for preset, model in models.items()}


@pytest.fixture
def entries(files: dict[str, Path]) -> saved.Entries:
    return saved.entries_of(files["default"])


def refused(path: Path, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        load_model(path)
    assert str(caught.value).startswith(f"{path} is not a model that can be used: ")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"no zip file", b"\x80\x04\x95", b"PK\x05\x06" + 18 * b"\xff", b"PK\x03\x04" * 30]
)
def test_what_is_not_a_zip_file_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.rainbow"
    path.write_bytes(content)
    refused(path, "it is not a zip file, or only a part of one|it is damaged")


def test_a_part_of_a_file_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    whole, path = files["default"].read_bytes(), tmp_path / "model.rainbow"
    for size in [*range(0, len(whole), len(whole) // 50), len(whole) - 1]:
        path.write_bytes(whole[:size])
        refused(path, "it is not a zip file, or only a part of one")


def test_a_zip_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.rainbow"
    path.write_bytes(pack({"readme.txt": b"an inn"}))
    refused(path, "no RAINBOW model: it has no manifest.json")
    for manifest, told in [({"format": "pub"}, "its format is 'pub'"), ([], "its format is None"), ({}, "None")]:
        path.write_bytes(pack({"manifest.json": json.dumps(manifest).encode()}))
        refused(path, f"no RAINBOW model: .*{told}")


def manifest_edited(file: Path, target: Path, edit: Callable[[Any], None]) -> Path:
    whole = unpack(file.read_bytes())
    target.write_bytes(pack(saved.edited(whole, "manifest.json", edit)))
    return target


def test_a_newer_version_asks_for_an_upgrade(files: dict[str, Path], tmp_path: Path) -> None:
    newer = manifest_edited(
        files["default"], tmp_path / "m", lambda manifest: manifest.update(version=3, rainbow="7.0", entries="other")
    )
    refused(
        newer, r"made by a newer RAINBOW \(7.0; format version 3, here 2\): upgrade with pip install -U rainbow-nlg"
    )
    for version in (0, "1", None, True, 1.0):
        odd = manifest_edited(files["default"], tmp_path / "m", lambda manifest: manifest.update(version=version))  # noqa: B023
        refused(odd, "its format version is .*, not a number from 1 up")


def test_an_older_version_asks_to_fit_again(files: dict[str, Path], tmp_path: Path) -> None:
    older = manifest_edited(files["default"], tmp_path / "m", lambda manifest: manifest.update(version=1))
    refused(older, "it is of the old format version 1, here 2: fit the model again")


def test_every_entry_that_is_missing_or_changed_is_named(files: dict[str, Path], tmp_path: Path) -> None:
    whole, path = unpack(files["default"].read_bytes()), tmp_path / "model.rainbow"
    for name in whole.keys() - {"manifest.json"}:
        path.write_bytes(pack({other: content for other, content in whole.items() if other != name}))
        refused(path, f"the entry {name!r} is missing")
        for content in (whole[name][:-1], whole[name].replace(b"e", b"f", 1), b""):
            path.write_bytes(pack(whole | {name: content}))
            refused(path, f"the entry {name!r} is not the one that was saved")


def test_entries_too_many_or_there_twice_are_named(files: dict[str, Path], tmp_path: Path) -> None:
    whole, path = unpack(files["default"].read_bytes()), tmp_path / "model.rainbow"
    path.write_bytes(pack(whole | {"code.py": b"import os"}))
    refused(path, "it has an entry 'code.py' that its manifest does not name")
    entries = {name: content for name, content in whole.items() if name != "manifest.json"}
    refused(saved.write(path, entries | {"code.py": b"import os"}), "it has statistics .*'code.py'")
    for name in ("model.json", "learner.skops"):
        refused(saved.write(path, {other: entries[other] for other in entries if other != name}), f"{name}' is missing")
    buffer = BytesIO(files["default"].read_bytes())
    with pytest.warns(UserWarning, match="Duplicate"), ZipFile(buffer, "a") as zip_file:
        zip_file.writestr("model.json", b"{}")
    path.write_bytes(buffer.getvalue())
    refused(path, "it has the entry 'model.json' twice")


def test_a_file_that_unpacks_to_more_than_there_is_room_for_is_not_unpacked(
    files: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "model.rainbow"
    with ZipFile(path, "w", ZIP_DEFLATED) as zip_file:
        zip_file.writestr("manifest.json", bytes(archive.LARGEST + 1))
    assert path.stat().st_size < 100_000
    refused(path, "its entries take 67,108,865 bytes, and a model file holds at most 67,108,864")
    monkeypatch.setattr("rainbow.ensemble.model_file.LARGEST", 1000)
    refused(files["default"], "it has .* bytes, and a model file at most 1,000")


def test_a_small_declared_size_does_not_let_a_large_entry_in(tmp_path: Path) -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as zip_file:
        zip_file.writestr("manifest.json", bytes(10**7))
    declared = (10**7).to_bytes(4, "little")
    (tmp_path / "m").write_bytes(buffer.getvalue().replace(declared, (10).to_bytes(4, "little")))
    refused(tmp_path / "m", "it is damaged: Bad CRC-32")


def test_other_ways_of_compression_are_refused(entries: saved.Entries, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(pack(entries, ZIP_BZIP2))
    refused(tmp_path / "m", "is compressed in a way that model files do not use")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda data: data.pop("low"), "has not the fields name, rating"),
        (lambda data: data.update(more=1), "has not the fields name, rating"),
        (lambda data: [data], "has not the fields name, rating"),
        (lambda data: data.update(low="1"), "low in model.json is of type str, not float"),
        (lambda data: data.update(low=True), "low in model.json is of type bool, not float"),
        (lambda data: data.update(low=6.0), "the scale of the ratings has no width"),
        (lambda data: data.update(half_width=-1.0), "the interval a negative one"),
        (lambda data: data.update(columns=["TER", "TER"]), "columns in model.json are not names, each once"),
        (lambda data: data.update(texts=[1]), "texts in model.json are not names, each once"),
        (lambda data: data["signatures"].pop("TER"), "signatures in model.json are not those of its columns"),
        (lambda data: data["signatures"].update(TER=1), "signatures in model.json are not those of its columns"),
        (
            lambda data: data["signatures"].update(TER="x"),
            "other definitions: TER was made with 'x', and here has 'ter'",
        ),
        (lambda data: data["metrics"].append(3), "a metric in model.json has not the fields name, package"),
        (lambda data: data["metrics"].clear(), "it has statistics"),
        (lambda data: data["metrics"][0].update(name="nothing"), "metric 'nothing', which this RAINBOW does not have"),
        (lambda data: data["metrics"][0].update(parameters=[]), "parameters in a metric in model.json is of type list"),
        (lambda data: data["metrics"][0].update(statistics="model.json"), "it has statistics"),
        (lambda data: data["metrics"][0]["parameters"].update(statistics=None), "has no parameter 'statistics' here"),
        (lambda data: data["metrics"][0]["parameters"].update(alpha=2), "has no parameter 'alpha' here"),
        (lambda data: data["metrics"][0].update(parameters={"$tuple": []}), "has no parameter '\\$tuple' here"),
        (lambda data: data.update(card={"a": {"$set": [[1]]}}), "is no set: unhashable"),
        (lambda data: data.update(card={"a": {"$set": 3}}), "is no value of a model file"),
    ],
)
def test_a_description_that_is_none_is_refused(
    edit: Callable[[Any], Any], message: str, entries: saved.Entries, tmp_path: Path
) -> None:
    def change(data: Any) -> Any:
        return replaced if isinstance(replaced := edit(data), list) and replaced and replaced[0] is data else data

    refused(saved.write(tmp_path / "m", saved.edited(entries, "model.json", change)), message)


@pytest.mark.parametrize("name", ["model.json", "statistics/1.json"])
@pytest.mark.parametrize(
    "content", [b"", b"\xff", b"{", b"[" * 100_000, b'{"low": NaN}', b'{"low": Infinity}', b"1" * 10_000, b"null"]
)
def test_json_that_is_none_is_refused(name: str, content: bytes, entries: saved.Entries, tmp_path: Path) -> None:
    assert name in entries
    refused(saved.write(tmp_path / "m", entries | {name: content}), "is not JSON|has not the fields|does not take what")


@pytest.mark.parametrize(
    "edit",
    [
        lambda data: data.update(order=0),
        lambda data: data.update(order="3"),
        lambda data: data.update(documents=[1]),
        lambda data: data.update(documents={"1": 2}),
        lambda data: data.pop("documents"),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": -1}}})),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": 1}})),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": 1.5}}})),
        lambda data: (data.pop("documents"), data.update(counts={"a": {"b": {"c": 2}}})),
    ],
)
def test_statistics_that_are_none_or_others_are_refused(
    edit: Callable[[Any], Any], entries: saved.Entries, tmp_path: Path
) -> None:
    changed = saved.edited(entries, "statistics/1.json", lambda data: (edit(data), data)[1])
    refused(saved.write(tmp_path / "m", changed), "'language-model' does not take what was saved|other definitions")


def schema_edited(entries: saved.Entries, edit: Callable[[Any], Any]) -> saved.Entries:
    def change(inner: saved.Entries) -> None:
        schema = json.loads(inner["schema.json"])
        edit(schema)
        inner["schema.json"] = json.dumps(schema).encode()

    return saved.learner_edited(entries, change)


def node(loader: str, module: str, name: str, content: Any = None) -> dict[str, Any]:
    return {"__loader__": loader, "__module__": module, "__class__": name, "content": content, "__id__": 0}


@pytest.mark.parametrize(
    "smuggled",
    [
        node("FunctionNode", "os", "system"),
        node("FunctionNode", "numpy", "exp"),
        node("TypeNode", "builtins", "eval"),
        node("TypeNode", "builtins", "int"),
        node("MethodNode", "os", "system", {"func": "system", "obj": None}),
        node("ObjectNode", "sklearn.linear_model._base", "LinearRegression"),
        node("ObjectNode", "builtins", "dict"),
        node("ObjectNode", "rainbow.corpus", "Corpus"),
        node("TreeNode", "sklearn.tree._tree", "Tree"),
        node("PartialNode", "functools", "partial"),
        node("CachedNode", "builtins", "dict"),
        node("TupleNode", "builtins", "list", []),
        node("NdArrayNode", "numpy", "float64"),
        node("ListNode", "builtins", "set", []),
        {"__loader__": ["ObjectNode"], "__module__": "builtins", "__class__": "dict"},
    ],
)
def test_types_that_no_learner_of_ours_holds_are_refused_wherever_they_stand(
    smuggled: dict[str, Any], entries: saved.Entries, tmp_path: Path
) -> None:
    def beside(schema: Any) -> None:
        schema["content"]["content"]["odd"] = smuggled

    def within(schema: Any) -> None:
        schema["content"]["content"]["_share"]["content"]["scores"] = smuggled

    for edit in (beside, within, lambda schema: schema.update(smuggled)):
        changed = schema_edited(entries, edit)
        refused(saved.write(tmp_path / "m", changed), "its learner.skops is not sound: it holds a .*, which no learner")


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda schema: schema.pop("protocol"), "it cannot be read"),
        (lambda schema: schema.update(protocol=99), "it cannot be read: .*it is of skops protocol 99"),
        (lambda schema: schema.pop("content"), "arrays are not those that it names"),
        (lambda schema: schema.update(content=node("JsonNode", "builtins", "str", "3")), "arrays are not those"),
        (lambda schema: schema.clear(), "arrays are not those that it names"),
        (lambda schema: schema["content"]["content"].pop("_share"), "'_share' too much or too little"),
        (
            lambda schema: schema.update({"__class__": "Trees", "__module__": "rainbow.ensemble.trees"}),
            "in the place of a R",
        ),
    ],
)
def test_a_learner_that_is_none_is_refused(
    edit: Callable[[Any], Any], message: str, entries: saved.Entries, tmp_path: Path
) -> None:
    refused(saved.write(tmp_path / "m", schema_edited(entries, edit)), message)


def learner(schema: Any) -> Any:
    return schema["content"]["content"]


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda ridge: ridge["_share"]["content"]["scores"].update(content="NaN"), "share of scores is nan"),
        (lambda ridge: ridge["_share"]["content"].pop("texts"), "shares of other kernels"),
        (lambda ridge: kernel_of(ridge, 0)["ngrams"].update(content='"a\\na"'), "it has an n-gram twice"),
        (lambda ridge: kernel_of(ridge, 0)["ngrams"].update(content='"a\\nb"'), "rarity has the type"),
        (lambda ridge: kernel_of(ridge, 0)["ngrams"].update(content="[1]"), "it cannot be read"),
        (lambda ridge: kernel_of(ridge, 0)["units"].update(content='"letters"'), "not one text kernel for each of"),
        (lambda ridge: kernel_of(ridge, 0).pop("units"), "'units' too much or too little"),
        (lambda ridge: ridge["_text_parts"]["content"].reverse(), None),
        (lambda ridge: ridge["_text_parts"].update(content=[]), "arrays are not those that it names"),
        (lambda ridge: ridge["_score_kernel"]["content"]["content"]["gamma"].update(content="-1.0"), "gamma is -1.0"),
        (lambda ridge: ridge["_score_kernel"]["content"]["content"]["gamma"].update(content="true"), "gamma is True"),
    ],
)
def test_a_kernel_that_is_none_is_refused(
    edit: Callable[[Any], Any], message: str | None, entries: saved.Entries, tmp_path: Path
) -> None:
    path = saved.write(tmp_path / "m", schema_edited(entries, lambda schema: edit(learner(schema))))
    if message is None:
        load_model(path)
    else:
        refused(path, message)


def kernel_of(ridge: Any, place: int) -> Any:
    return ridge["_text_parts"]["content"][place]["content"][1]["content"]["content"]


def test_deep_nesting_is_refused(entries: saved.Entries, tmp_path: Path) -> None:
    deep = b'{"__loader__":"ListNode","__module__":"builtins","__class__":"list","content":['
    for levels in (100, 300, 900, 100_000):
        nested = deep * levels + b"]}" * levels
        changed = saved.learner_edited(entries, lambda inner: inner.update({"schema.json": nested}))  # noqa: B023
        refused(saved.write(tmp_path / "m", changed), "its learner.skops is not sound")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x93NUMPY\x01\x00",
        b"\x93NUMPY\x02\x00\x76\x00\x00\x00" + b" " * 118,
        b"\x93NUMPY\x01\x00\x76\x00"
        + b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }".ljust(118),
        b"\x93NUMPY\x01\x00\x76\x00"
        + b"{'descr': '|O', 'fortran_order': False, 'shape': (1,), }".ljust(118)
        + b"\x80\x04.",
        b"\x93NUMPY\x01\x00\x76\x00" + b"{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }".ljust(118),
        b"\x93NUMPY\x01\x00\x76\x00" + b"__import__('os').system('true')".ljust(118),
        b"\x80\x04\x95 a pickle",
    ],
)
def test_an_array_that_is_none_or_declares_another_size_is_refused(
    content: bytes, entries: saved.Entries, tmp_path: Path
) -> None:
    changed = saved.learner_edited(entries, lambda inner: inner.update({sorted(inner)[0]: content}))
    refused(saved.write(tmp_path / "m", changed), r"npy is no array|npy declares shape")


def test_arrays_too_many_missing_or_used_twice_are_refused(entries: saved.Entries, tmp_path: Path) -> None:
    def twice(schema: Any) -> None:
        score_kernel = learner(schema)["_score_kernel"]["content"]["content"]
        score_kernel["mean"] = score_kernel["median"]

    changes = [
        saved.learner_edited(entries, lambda inner: inner.update({"more.npy": b""})),
        saved.learner_edited(entries, lambda inner: inner.pop(sorted(inner)[0])),
        schema_edited(entries, twice),
    ]
    for changed in changes:
        refused(saved.write(tmp_path / "m", changed), "its arrays are not those that it names, each once")


# What no array of an estimator can be; sentence vectors alone may be of any real type.
WRONG_ARRAYS: dict[str, Callable[[Any], Any]] = {
    "shorter": lambda array: array[:-1],
    "longer": lambda array: np.concatenate([array, array[-1:]]),
    "empty": lambda array: array[:0],
    "deeper": lambda array: array[None],
    "flat": lambda array: array.ravel()[0],
    "other type": lambda array: array.astype(np.float16 if array.dtype.kind == "i" else np.int64),
    "bytes swapped": lambda array: array.astype(array.dtype.newbyteorder(">")),
    "text": lambda array: array.astype("U8"),
    "not a number": lambda array: array * np.nan,
    "endless": lambda array: array + np.inf,
    "negative": lambda array: -9 - np.abs(array),
    "huge": lambda array: np.full_like(array, 2**31 - 1 if array.dtype.kind == "i" else 1e308),
}
# Coefficients and values may be any finite number.
FREE = {"negative", "huge"}
BOUND = {"scale": {"negative"}, "support": FREE, "roots": FREE, "left": FREE, "right": FREE, "column": FREE}


def wrong_arrays(entries: saved.Entries, part: str = "") -> Iterator[tuple[str, saved.Entries]]:
    for place, array in saved.arrays_of(entries).items():
        if part not in place:
            continue
        name = place.rpartition(".")[2]
        vectors = "_vector_kernels" in place
        for what, change in WRONG_ARRAYS.items():
            skipped = what in FREE and what not in BOUND.get(name, set())
            if not skipped and not (vectors and what in FREE | {"other type", "bytes swapped"}):
                yield f"{place} {what}", saved.with_array(entries, place, change(array))


def wrong_trees(entries: saved.Entries) -> Iterator[tuple[str, saved.Entries]]:
    """Give trees with right types and lengths that lead astray."""
    trees = {place: array for place, array in saved.arrays_of(entries).items() if "trees." in place}
    names = {place.rpartition(".")[2]: place for place in trees}
    left, right, roots = (trees[names[name]] for name in ("left", "right", "roots"))
    inner = np.flatnonzero(left != np.arange(len(left)))
    node, later = inner[1], inner[inner > roots[1]][1]
    for name, place, value in [
        ("left", node, 0),
        ("left", node, node),
        ("left", node, right[node]),
        ("left", node, -1),
        ("left", node, len(left)),
        ("left", node, roots[1]),
        ("right", node, left[node] + 1 if right[node] != left[node] + 1 else left[node]),
        ("left", later, 1),
        ("right", later, roots[0]),
        ("roots", 0, 1),
        ("roots", 1, 0),
        ("roots", 1, node),
        ("roots", -1, len(left)),
        ("column", node, 3),
        ("column", node, -1),
    ]:
        changed = trees[names[name]].copy()
        changed[place] = value
        yield f"{name}[{place}] = {value}", saved.with_array(entries, names[name], changed)


def wild_trees(entries: saved.Entries, count: int) -> Iterator[tuple[str, saved.Entries]]:
    """Give trees with random numbers in random places."""
    rng = np.random.default_rng(2017)
    trees = {place: array for place, array in saved.arrays_of(entries).items() if "trees." in place}
    for number in range(count):
        changed = entries
        for place, array in trees.items():
            wild = array.copy().ravel()
            where = rng.integers(0, wild.size, rng.integers(1, 4))
            bits = rng.bytes(wild.itemsize * len(where))
            wild[where] = np.frombuffer(bits, wild.dtype) if number % 2 else rng.integers(-2, len(wild) + 2, len(where))
            changed = saved.with_array(changed, place, wild.reshape(array.shape))
        yield f"wild trees {number}", changed


# Loads every file of a folder, and uses what it could load: what happened to each, in a process of its own.
LOADER = """
import json, pathlib, sys, warnings
from rainbow.ensemble import vector_kernel
from rainbow.ensemble.model_file import load_model
from tests.ensemble import saved
warnings.simplefilter("ignore")
vector_kernel.sentence_vectors, vector_kernel.MODEL_PACKAGE = saved.vectors, "rainbow"
corpus, found = saved.corpus().take(range(3)), {}
for path in pathlib.Path(sys.argv[1]).iterdir():
    try:
        load_model(path).predict(corpus)
        found[path.name] = "loaded"
    except ValueError as error:
        found[path.name] = f"ValueError: {error}"
    except BaseException as error:
        found[path.name] = f"{type(error).__name__}: {error}"
print(json.dumps(found))
"""


def loaded_elsewhere(changes: Iterator[tuple[str, saved.Entries]], folder: Path) -> dict[str, str]:
    """Say what comes of loading and using these files in a process whose death would be seen."""
    names: list[str] = []
    for what, entries in changes:
        saved.write(folder / f"{len(names)}.rainbow", entries)
        names.append(what)
    ran = subprocess.run(
        [sys.executable, "-c", LOADER, str(folder)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(__file__).parents[2],
    )
    assert ran.returncode == 0, f"the process died: {ran.returncode}\n{ran.stderr[-2000:]}"
    found = json.loads(ran.stdout)
    assert len(found) == len(names) > 0
    return {what: found[f"{number}.rainbow"] for number, what in enumerate(names)}


def test_wrong_arrays_and_trees_that_lead_astray_are_refused_though_checksums_are_right(
    files: dict[str, Path], tmp_path: Path
) -> None:
    kernels, neural, forest = (saved.entries_of(files[preset]) for preset in PRESETS)
    # But for the vectors the neural preset has the arrays of the default one.
    arrays = [wrong_arrays(kernels), wrong_arrays(neural, "_vector_kernels"), wrong_arrays(forest)]
    found = loaded_elsewhere(chain(*arrays, wrong_trees(forest)), tmp_path)
    expected = "ValueError: .*: its learner.skops is not sound: "
    assert {what: result for what, result in found.items() if not re.match(expected, result)} == {}
    assert len(found) > 200


def test_trees_with_random_numbers_never_crash_the_process(files: dict[str, Path], tmp_path: Path) -> None:
    found = loaded_elsewhere(wild_trees(saved.entries_of(files["paper"]), 150), tmp_path)
    assert {what: result for what, result in found.items() if not result.startswith(("ValueError: ", "loaded"))} == {}
    assert sum(result.startswith("ValueError: ") for result in found.values()) > 140


def test_a_file_put_together_again_unchanged_loads(files: dict[str, Path], tmp_path: Path) -> None:
    for preset in PRESETS:
        entries = saved.entries_of(files[preset])
        for place, array in saved.arrays_of(entries).items():
            entries = saved.with_array(entries, place, array)
        load_model(saved.write(tmp_path / "m", saved.edited(entries, "model.json", lambda data: None)))


@pytest.mark.parametrize("preset", PRESETS)
def test_random_bytes_anywhere_are_refused_or_change_nothing(
    preset: str, files: dict[str, Path], tmp_path: Path
) -> None:
    rng = np.random.default_rng(2017)
    whole, path = files[preset].read_bytes(), tmp_path / "model.rainbow"
    expected, rows = load_model(files[preset]), saved.corpus().take(range(3))
    scores = expected.predict(rows)
    # Half of them where the zip file describes its entries: the rest is covered by checksums.
    described = [*range(60), *range(whole.index(b"PK\x01\x02"), len(whole))]
    places = [*rng.integers(0, len(whole), 100).tolist(), *rng.choice(described, 100).tolist()]
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= int(rng.integers(1, 256))
        path.write_bytes(changed)
        try:
            model = load_model(path)
        except ValueError as error:
            assert re.match(f"{re.escape(str(path))} is not a model that can be used: ", str(error))
        else:
            assert np.array_equal(model.predict(rows), scores)
            assert model.features.signatures == expected.features.signatures


def test_bytes_of_a_stored_array_are_covered_by_checksums(files: dict[str, Path], tmp_path: Path) -> None:
    whole = unpack(files["default"].read_bytes())
    flat = pack(whole, ZIP_STORED)
    for place in np.random.default_rng(1).integers(0, len(flat) - 1000, 100):
        changed = bytearray(flat)
        changed[place] ^= 1
        (tmp_path / "m").write_bytes(changed)
        try:
            again = unpack((tmp_path / "m").read_bytes())
        except ValueError:
            continue
        assert again == whole
