"""How the package reads labelled tables: right, told, asked, refused, or silently wrong."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.roles.accepted import AT_STAKE, wrong
from benchmarks.roles.tables import Table
from rainbow.datasets.files import as_cells
from rainbow.datasets.read.table_frames import convert_judgements
from rainbow.datasets.roles.mapping import map_columns
from rainbow.datasets.roles.network import Network
from rainbow.datasets.roles.plausibility_checks import Doubt

SURE = 6.0  # log odds to the next reading from which a reading is sure
LIKELY = 1.0  # below this a reading stops where outputs or marks depend on it
MOST = 50.0  # leads that are noted
Error = tuple[str, str, tuple[str, ...]]  # column, its role, the accepted roles


@dataclass(frozen=True)
class Outcome:
    """A reading: the columns with a role that is not accepted, and what is not sure."""

    name: str
    refused: bool
    refuse: bool  # is right
    errors: tuple[Error, ...]
    doubts: tuple[Doubt, ...]

    def is_right(self, *, at_stake: bool) -> bool:
        """Return whether all roles are accepted, or those that scores and verdicts depend on."""
        if self.refused or self.refuse:
            return self.refused and self.refuse
        return not [error for error in self.errors if not at_stake or not AT_STAKE.isdisjoint({error[1], *error[2]})]

    def ended(self, sure: float = SURE) -> str:
        """Return what a user meets: ``sure``, ``told`` what is not sure, ``asked``, or ``refused``."""
        if self.refused:
            return "refused"
        if any(doubt.stops for doubt in self.doubts):
            return "asked"
        return "told" if any(doubt.at_stake and doubt.lead < sure for doubt in self.doubts) else "sure"


def outcomes(network: Network, tables: Sequence[Table]) -> list[Outcome]:
    """Return how the package reads some tables with a network; all leads are noted."""
    noting = replace(network, sure=MOST)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return [_outcome(table, noting) for table in tables]


def _outcome(table: Table, network: Network) -> Outcome:
    try:
        mapping = map_columns(convert_judgements(as_cells(table.frame)), network=network)
    except ValueError:
        return Outcome(table.name, True, bool(table.refuse), (), ())
    refused = not (mapping.columns.output or mapping.columns.pair)
    return Outcome(table.name, refused, bool(table.refuse), tuple(wrong(table, mapping)), mapping.doubts)


def summary(found: Sequence[Outcome], sure: float = SURE, *, at_stake: bool = True) -> str:
    """Return the shares of right, sure, told and silently wrong readings."""
    right = np.array([outcome.is_right(at_stake=at_stake) for outcome in found])
    ended = np.array([outcome.ended(sure) for outcome in found])
    among = right[ended == "sure"].mean() if (ended == "sure").any() else float("nan")
    silent = ((ended == "sure") & ~right).mean()
    shares = ", ".join(f"{name} {(ended == name).mean():.1%}" for name in ("sure", "told", "asked", "refused"))
    wrongly = ((ended == "refused") & ~right).mean()
    return (
        f"n {len(found)}, right {right.mean():.1%}, {shares}, right where sure {among:.1%}, "
        f"silently wrong {silent:.1%}, wrongly refused {wrongly:.1%}"
    )
