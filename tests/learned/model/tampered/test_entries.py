"""A file that is no model, or whose entries are not those that were saved, is refused."""

import json
import random
import re
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZIP_BZIP2, ZIP_DEFLATED, ZIP_STORED, ZipFile

import numpy as np
import pytest

from rainbow.corpus import Corpus
from rainbow.learned.model import archive
from rainbow.learned.model.archive import pack, unpack
from rainbow.learned.model.model_file import read_model
from tests.learned import saved
from tests.learned.model.tampered.refusals import KINDS, refused


@pytest.mark.parametrize(
    "content", [b"", b"PK", b"no zip file", b"\x80\x04\x95", b"PK\x05\x06" + 18 * b"\xff", b"PK\x03\x04" * 30]
)
def test_a_file_that_is_not_a_model_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "model.rainbow"
    path.write_bytes(content)
    refused(path, "it was not written by `rainbow fit`: name a model file|the model file is incomplete|it is damaged")


def test_a_part_of_a_file_is_refused(files: dict[str, Path], tmp_path: Path) -> None:
    whole, path = files["default"].read_bytes(), tmp_path / "model.rainbow"
    for size in [*range(0, len(whole), len(whole) // 50), len(whole) - 1]:
        path.write_bytes(whole[:size])
        refused(path, "the model file is incomplete: copy it again" if size > 1 else "it was not written by")


def test_a_zip_file_of_something_else_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.rainbow"
    path.write_bytes(pack({"readme.txt": b"an inn"}))
    refused(path, "not a RAINBOW model: manifest.json is missing")
    for manifest, told in [({"format": "pub"}, "its format is 'pub'"), ([], "its format is None"), ({}, "None")]:
        path.write_bytes(pack({"manifest.json": json.dumps(manifest).encode()}))
        refused(path, f"not a RAINBOW model: .*{told}")


def manifest_edited(file: Path, target: Path, edit: Callable[[Any], None]) -> Path:
    target.write_bytes(pack(saved.edited(unpack(file.read_bytes()), "manifest.json", edit)))
    return target


def test_a_newer_version_asks_for_an_upgrade(files: dict[str, Path], tmp_path: Path) -> None:
    newer = manifest_edited(
        files["default"], tmp_path / "m", lambda manifest: manifest.update(version=4, rainbow="7.0", entries="other")
    )
    refused(
        newer, r"made by a newer RAINBOW \(7.0; format version 4, here 3\): upgrade with pip install -U rainbow-nlg"
    )
    for version in (0, "1", None, True, 1.0):
        odd = manifest_edited(files["default"], tmp_path / "m", lambda manifest: manifest.update(version=version))  # noqa: B023
        refused(odd, "its format version is .*: it must be a whole number of at least 1")


def test_an_older_version_asks_to_fit_again(files: dict[str, Path], tmp_path: Path) -> None:
    older = manifest_edited(files["default"], tmp_path / "m", lambda manifest: manifest.update(version=1))
    refused(older, "its format version is 1, but this RAINBOW needs 3: fit the model again")


def test_every_entry_that_is_missing_or_changed_is_named(files: dict[str, Path], tmp_path: Path) -> None:
    whole, path = unpack(files["default"].read_bytes()), tmp_path / "model.rainbow"
    for name in whole.keys() - {"manifest.json"}:
        path.write_bytes(pack({other: content for other, content in whole.items() if other != name}))
        refused(path, f"the entry {name!r} is missing")
        for content in (whole[name][:-1], whole[name].replace(b"e", b"f", 1), b""):
            path.write_bytes(pack(whole | {name: content}))
            refused(path, f"the entry {name!r} was changed after saving")


def test_entries_too_many_or_there_twice_are_named(files: dict[str, Path], tmp_path: Path) -> None:
    whole, path = unpack(files["default"].read_bytes()), tmp_path / "model.rainbow"
    path.write_bytes(pack(whole | {"code.py": b"import os"}))
    refused(path, "its entry 'code.py' is not listed in the manifest")
    entries = {name: content for name, content in whole.items() if name != "manifest.json"}
    refused(saved.write(path, entries | {"code.py": b"import os"}), "it has statistics .*'code.py'")
    for name in ("model.json", "learner.skops"):
        refused(saved.write(path, {other: entries[other] for other in entries if other != name}), f"{name}' is missing")
    buffer = BytesIO(files["default"].read_bytes())
    with pytest.warns(UserWarning, match="Duplicate"), ZipFile(buffer, "a") as zip_file:
        zip_file.writestr("model.json", b"{}")
    path.write_bytes(buffer.getvalue())
    refused(path, "its entry 'model.json' occurs twice")


def test_a_file_that_unpacks_to_more_than_there_is_room_for_is_not_unpacked(files, tmp_path, monkeypatch) -> None:
    path = tmp_path / "model.rainbow"
    with ZipFile(path, "w", ZIP_DEFLATED) as zip_file:
        zip_file.writestr("manifest.json", bytes(archive.MAX_BYTES + 1))
    assert path.stat().st_size < 100_000
    refused(path, "its entries take 67,108,865 bytes, but a model file of its size holds at most 67,108,864")
    monkeypatch.setattr("rainbow.learned.model.model_file.MAX_BYTES", 1000)
    refused(files["default"], "it has .* bytes, but a model file has at most 1,000")


def test_a_small_declared_size_does_not_let_a_large_entry_in(tmp_path: Path) -> None:
    buffer = BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED) as zip_file:
        zip_file.writestr("manifest.json", bytes(10**7))
    (tmp_path / "m").write_bytes(buffer.getvalue().replace((10**7).to_bytes(4, "little"), (10).to_bytes(4, "little")))
    refused(tmp_path / "m", "it is damaged: Bad CRC-32")


def test_other_ways_of_compression_are_refused(entries: saved.Entries, tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(pack(entries, ZIP_BZIP2))
    refused(tmp_path / "m", "uses a compression method that model files do not use")


def test_a_file_put_together_again_unchanged_loads(files: dict[str, Path], tmp_path: Path) -> None:
    for preset in KINDS:
        entries = saved.entries_of(files[preset])
        for place, array in saved.arrays_of(entries).items():
            entries = saved.with_array(entries, place, array)
        read_model(saved.write(tmp_path / "m", saved.edited(entries, "model.json", lambda data: None)))


@pytest.mark.parametrize("preset", KINDS)
def test_random_bytes_anywhere_are_refused_or_change_nothing(preset, files, tmp_path) -> None:
    rng = np.random.default_rng(2017)
    whole, path = files[preset].read_bytes(), tmp_path / "model.rainbow"
    expected, rows = read_model(files[preset]), saved.corpus().take(range(3))
    scores = expected.predict(rows)
    # Half of them where the zip file describes its entries: the rest is covered by checksums.
    described = [*range(60), *range(whole.index(b"PK\x01\x02"), len(whole))]
    places = [*rng.integers(0, len(whole), 100).tolist(), *rng.choice(described, 100).tolist()]
    for place in places:
        changed = bytearray(whole)
        changed[place] ^= int(rng.integers(1, 256))
        path.write_bytes(changed)
        try:
            model = read_model(path)
        except ValueError as error:
            assert re.match(f"{re.escape(str(path))} is not a usable model: ", str(error))
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


VALUES: list[Any] = [None, True, -1, 0, 1e308, -1e308, 10**30, "", "x" * 50, [], {}, [[1]], {"a": None}]
TEXTS = Corpus.from_texts(["the inn is cheap.", "", "x"], [["an inn"], ["a bar"], []])


def places(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Return the way to every value in nested data."""
    below = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
    return [path, *(way for key, value in list(below)[:200] for way in places(value, (*path, key)))]


def changed(data: Any, draw: random.Random) -> Any:
    """Return data with one value, of any place, that is another, doubled or gone."""
    way = draw.choice(places(data)[1:] or [()])
    if not way:
        return draw.choice(VALUES)
    holder = data
    for key in way[:-1]:
        holder = holder[key]
    match draw.randrange(3):
        case 0:
            del holder[way[-1]]
        case 1 if isinstance(holder, list):
            holder.insert(way[-1], holder[way[-1]])
        case _:
            holder[way[-1]] = draw.choice(VALUES)
    return data


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("count", [150, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("preset", ["default", "combination", "paper"])
def test_what_is_wrong_behind_a_right_checksum_is_refused_or_scores(preset, count, files, tmp_path) -> None:
    sound, draw = saved.entries_of(files[preset]), random.Random(count)
    described = [name for name in sound if name.endswith(".json")]
    for _ in range(count // 2):
        name = draw.choice(described)
        path = saved.write(tmp_path / "m.rainbow", saved.edited(sound, name, lambda data: changed(data, draw)))
        try:
            model = read_model(path)
        except ValueError as error:
            assert str(error)
            continue
        try:
            scores = model.predict(TEXTS)
        except ValueError as error:
            assert str(error)
            continue
        assert scores.shape == (3,) and not np.isinf(scores).any()
