"""Judgements: a maker of small tables, and those of the E2E challenge and of RankME."""

from collections.abc import Callable, Sequence
from pathlib import Path

import pandas as pd
import pytest

Make = Callable[..., pd.DataFrame]


@pytest.fixture(scope="session")
def judged() -> Make:
    """Give a function that makes a table of judgements from the values of systems A, B, ... in each of them."""

    def make(
        values: Sequence[Sequence[float]], items: Sequence[object] | None = None, **columns: object
    ) -> pd.DataFrame:
        rows = [
            {
                "judgement": number,
                "item": number if items is None else items[number],
                "system": "ABCDEFG"[place],
                "value": value,
            }
            for number, row in enumerate(values)
            for place, value in enumerate(row)
        ]
        return pd.DataFrame(rows).assign(**{"criterion": "quality", "kind": "magnitude"} | columns)

    return make


@pytest.fixture(scope="session")
def e2e_judgements(data_dir: Path) -> pd.DataFrame:
    """Give the 2,979 judgements of five outputs each, with `shown`: the text that was judged."""
    file = data_dir / "e2e" / "human_ratings" / "quality.csv"
    if not file.is_file():
        pytest.skip(f"the judgements of the E2E challenge are not at {file}")
    wide = pd.read_csv(file, low_memory=False)
    parts = [
        pd.DataFrame(
            {
                "judgement": wide.index,
                "rater": None,
                "item": wide["mr"],
                "system": wide[f"sys{place}"],
                "criterion": "quality",
                "kind": "magnitude",
                "value": wide[f"quality{place}"].astype(float),
                "shown": wide[f"ref{place}"],
            }
        )
        for place in range(1, 6)
    ]
    return pd.concat(parts, ignore_index=True)


@pytest.fixture(scope="session")
def rankme_judgements(data_dir: Path) -> pd.DataFrame:
    """Give the ratings of RankME's study; `file` names how they were asked for."""
    file = data_dir / "rankme" / "ratings.csv"
    if not file.is_file():
        pytest.skip(f"the ratings of RankME are not at {file}")
    table = pd.read_csv(file).rename(columns={"mr": "item", "rating": "value"})
    likert = table["file"].str.contains("likert")
    return table.assign(rater=None, kind=likert.map({True: "likert", False: "magnitude"}), value=table["value"] * 1.0)


@pytest.fixture(scope="session")
def table_11(data_dir: Path) -> pd.DataFrame:
    """Give the printed table of rankings, systems named as in the judgements."""
    found = sorted((data_dir.parent / "published").glob("dusek2019_table11*.csv"))
    if not found:
        pytest.skip(f"the published tables are not at {data_dir.parent / 'published'}")
    table = pd.read_csv(found[0])
    return table.assign(system=table["system"].str.lower())
