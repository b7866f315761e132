"""Bytes changed anywhere are noticed; a file put together again unchanged is not."""

import re
from pathlib import Path
from zipfile import ZIP_STORED

import numpy as np
import pytest

from rainbow.learned.model.archive import pack, unpack
from rainbow.learned.model.model_file import read_model
from tests.learned import saved
from tests.learned.model.tampered.refusals import KINDS


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
