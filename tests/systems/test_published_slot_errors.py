"""Table 12 of Dušek et al. (2020), made by a script and by people; printed with pytest -s.

The challenge's script knew fewer wordings than ours and hardly counted repetitions; its reading does as it did.
"""

from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.systems.replications.e2e_challenge.challenge_slot_errors import read_challenge_output
from rainbow.systems.slot_errors import system_slot_errors
from tests.systems.e2e_files import read_e2e, read_printed

pytestmark = pytest.mark.xdist_group("e2e-slots")

RATE = "slot_error_rate_percent"
CLASSES = ("ok_percent", "added_percent", "missed_percent", "added_and_missed_percent")
NEAR = 0.1  # points of the rate


@pytest.fixture(scope="module")
def corpus(data_dir: Path) -> Corpus:
    return read_e2e(data_dir)


@pytest.fixture(scope="module")
def printed(data_dir: Path) -> pd.DataFrame:
    return read_printed(data_dir, "dusek2019_table12").query("source == 'pattern_matching'").set_index("system")


@pytest.fixture(scope="module")
def default(corpus: Corpus) -> pd.DataFrame:
    return system_slot_errors(corpus).set_index("system")


@pytest.fixture(scope="module")
def published(corpus: Corpus) -> pd.DataFrame:
    return system_slot_errors(corpus, reading=read_challenge_output).set_index("system")


def compared(found: pd.DataFrame, printed: pd.DataFrame, title: str) -> pd.DataFrame:
    """Print how near the cells are, and give ours with how far the rates are off, in the printed order."""
    ours = found.loc[printed.index]
    off = ours[RATE] - printed[RATE]
    print(f"\ntable 12, {title}: {RATE} within {NEAR} point: {(off.abs() <= NEAR).sum()}/21")
    print("missed:", off[off.abs() > NEAR].round(2).to_dict())
    for name in CLASSES:
        print(f"{name}: {((ours[name] - printed[name]).abs() <= 1).sum()}/21 within 1 point")
    return ours.assign(off=off)


def test_rates_are_those_printed_as_published(published: pd.DataFrame, printed: pd.DataFrame) -> None:
    found = compared(published, printed, "as published")
    assert (found["outputs"] == 630).all() and (found["slots"] == 4352).all() and found["off"].abs().max() < 0.005
    assert all(((found[name] - printed[name]).abs() <= 1).all() for name in CLASSES)


@pytest.mark.slow
def test_rates_by_default_order_systems_as_printed(default: pd.DataFrame, printed: pd.DataFrame) -> None:
    found = compared(default, printed, "by default")
    assert (found["off"].abs() <= NEAR).sum() >= 8 and found[RATE].corr(printed[RATE], method="spearman") > 0.9


@pytest.mark.slow
def test_the_more_wordings_are_known_the_fewer_slots_are_missed(default: pd.DataFrame, published: pd.DataFrame) -> None:
    errors = ["missing", "wrong"]
    assert (default[errors].sum(axis=1) <= published[errors].sum(axis=1)).all()
    assert (default[RATE] <= published[RATE]).sum() >= 19  # by default repetitions count, too


@pytest.mark.slow
def test_systems_are_ordered_as_people_ordered_them(data_dir, default, published) -> None:
    people = read_printed(data_dir, "dusek2019_table12").query("source == 'human'").set_index("system")["ok_percent"]
    rho = {
        name: people.corr(found.loc[people.index, "ok_percent"], method="spearman")
        for name, found in (("by default", default), ("as published", published))
    }
    print(
        "\ntable 12, outputs without errors, Spearman with people:",
        {name: f"{value:.3f}" for name, value in rho.items()},
    )
    assert len(people) == 21 and min(rho.values()) > 0.85


@pytest.mark.slow
def test_a_system_of_templates_is_found_without_error(default: pd.DataFrame) -> None:
    assert default.loc["TUDA", RATE] == 0
