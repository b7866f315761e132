"""The same file gets the same candidates, evidence and verdicts through every command and Python function."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rainbow as library
from tests.commands import Rainbow

pytestmark = pytest.mark.usefixtures("figures_unwritten")
Maker = Callable[[np.random.Generator], pd.DataFrame]
NAMES, AREAS = ["inn", "bistro", "hotel", "cafe", "pub"], ["soma", "riverside", "harbour", "old town"]
FILLER = ["indeed", "also", "nice", "really", "there"]


def study(rng: np.random.Generator, systems: int = 3, inputs: int = 14, without_reference: float = 0) -> pd.DataFrame:
    """Return outputs that leave words out, and a rating that follows how many are left."""
    rows = []
    for _ in range(inputs):
        name, area = rng.choice(NAMES), rng.choice(AREAS)
        full = f"the {name} is a cheap place in {area} with friendly staff".split()
        for system in range(systems):
            kept = [word for word in full if rng.random() < 0.9 - 0.15 * system]
            text = " ".join([*kept, *rng.choice(FILLER, rng.integers(0, 3))]) or "nothing"
            faithful = len({*kept} & {name, *area.split()}) / (1 + len(area.split())) + 0.2 * rng.normal()
            rows.append([f"name={name}; area={area}", "abc"[system], text, " ".join(full), faithful])
    frame = pd.DataFrame(rows, columns=["input", "system", "output", "reference", "faithful"])
    gone = rng.permutation(len(frame) // systems)[: round(without_reference * inputs)]
    frame.loc[np.isin(np.arange(len(frame)) // systems, gone), "reference"] = ""
    frame["quality"] = marks(frame.pop("faithful"), rng)
    return frame


def marks(values: pd.Series, rng: np.random.Generator) -> np.ndarray:
    return np.clip(np.round(1 + 4 * values + 0.5 * rng.normal(size=len(values))), 1, 5).astype(int)


def raters(rng: np.random.Generator) -> pd.DataFrame:
    frame = study(rng)
    for place in (1, 2, 3):
        frame[f"quality_R{place}"] = np.clip(frame["quality"] + rng.integers(-1, 2, len(frame)), 1, 5)
    return frame.drop(columns="quality")


def long_form(rng: np.random.Generator) -> pd.DataFrame:
    frame = study(rng)
    parts = [
        frame.assign(rater=name, quality=np.clip(frame["quality"] + shift, 1, 5)) for name, shift in RATERS.items()
    ]
    return pd.concat(parts, ignore_index=True)


RATERS = {"ann": 0, "bob": 1}


def judged(rng: np.random.Generator, name: str = "gpt4_judge") -> pd.DataFrame:
    frame = study(rng)
    return frame.assign(**{name: np.clip(frame["quality"] + rng.integers(-1, 2, len(frame)), 1, 5) + 0.5})


def undirected(rng: np.random.Generator) -> pd.DataFrame:
    frame = judged(rng)
    return frame.assign(factcheck=(frame["quality"] + rng.normal(size=len(frame))).round(3))


FILES: dict[str, Maker] = {
    "wide": study,
    "raters": raters,
    "long": long_form,
    "no_references": lambda rng: study(rng).drop(columns="reference"),
    "judge": judged,
    "undirected": undirected,
    "missing_5": lambda rng: study(rng, inputs=20, without_reference=0.05),
    "missing_12": lambda rng: study(rng, inputs=17, without_reference=0.12),
    "missing_30": lambda rng: study(rng, inputs=20, without_reference=0.3),
    "missing_60": lambda rng: study(rng, inputs=20, without_reference=0.6),
    "tiny": lambda rng: study(rng, inputs=3),
    "one_system": lambda rng: study(rng, systems=1, inputs=30).drop(columns="system"),
}
QUICK = ("undirected", "missing_12")
ORDERS = [("run", "analyse", "python"), ("metrics", "analyse", "run"), ("python", "run", "metrics", "analyse", "run")]

Found = tuple[pd.DataFrame, list[dict[str, object]]]


def plain(evidence: pd.DataFrame) -> pd.DataFrame:
    """Return a table as a CSV file holds it, so that it is compared to the last digit."""
    return pd.read_csv(io.StringIO(evidence.to_csv(index=False)))


def go_through(door: str, rainbow: Rainbow, resamples: int) -> Found | None:
    """Open the file as a user does, and return what its verdicts rest on, and the verdicts."""
    if door == "python":
        found = library.analyse("mine.csv", resamples=resamples)
        return plain(found.evidence), json.loads(json.dumps(found.summary["verdicts"]).replace("NaN", "null"))
    if door == "library run":
        library.run("mine.csv", resamples=resamples)
    else:
        words = ("--yes",) if door == "run" else ()
        rainbow(door, "mine.csv", *words, *(() if door == "metrics" else ("--resamples", str(resamples))), status=0)
    if door == "metrics":
        return None
    folder = Path("analysis/mine")
    return pd.read_csv(folder / "evidence.csv"), json.loads((folder / "summary.json").read_text())["verdicts"]


@pytest.mark.parametrize(
    "name", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in FILES]
)
@pytest.mark.filterwarnings("ignore")
def test_every_door_gives_the_same_answer(name, rainbow, tmp_path) -> None:
    FILES[name](np.random.default_rng(11)).to_csv(tmp_path / "mine.csv", index=False)
    order = ORDERS[[*FILES].index(name) % len(ORDERS)]
    found = [go_through(door, rainbow, 20 + 10 * place) for place, door in enumerate((*order, "library run"))]
    answers = [answer for answer in found if answer is not None]
    for evidence, verdicts in answers[1:]:
        pd.testing.assert_frame_equal(evidence, answers[0][0], check_exact=True)
        assert str(verdicts) == str(answers[0][1])
    assert set(answers[0][0]["draws"].dropna()) <= {0, 1000, 10_000}


@pytest.mark.slow
@pytest.mark.parametrize("name", FILES)
@pytest.mark.filterwarnings("ignore")
def test_every_order_of_doors_gives_the_same_answer(name, rainbow, tmp_path) -> None:
    FILES[name](np.random.default_rng(12)).to_csv(tmp_path / "mine.csv", index=False)
    doors = [door for order in ORDERS for door in order]  # each of them twice at least, the last ones with all made
    answers = [answer for door in doors if (answer := go_through(door, rainbow, 20)) is not None]
    for evidence, verdicts in answers[1:]:
        pd.testing.assert_frame_equal(evidence, answers[0][0], check_exact=True)
        assert str(verdicts) == str(answers[0][1])


@pytest.mark.filterwarnings("ignore")
def test_a_single_rater_can_be_analysed_and_is_not_the_default(rainbow, tmp_path) -> None:
    raters(np.random.default_rng(13)).to_csv(tmp_path / "mine.csv", index=False)
    asked = []
    for words in (("metrics",), ("analyse", "--rating", "quality_R1"), ("analyse",)):
        rainbow(words[0], "mine.csv", *words[1:], status=0)
        if words[0] == "analyse":
            asked.append(json.loads(Path("analysis/mine/summary.json").read_text())["ratings"])
    assert asked == [["quality_R1"], ["quality"]]
