"""Files whose checksums are right and whose content is wrong anywhere: refused in words, or scores that are numbers."""

import random
from typing import Any

import numpy as np
import pytest

from rainbow.corpus import Corpus
from rainbow.learned.model.model_file import read_model
from tests.learned import saved

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
