"""Places, what is written about them, and labelled tables by their name."""

from typing import Any

from benchmarks.roles.tables import labelled

PLACES = [(name, food) for name in ("Aromi", "Zizzi", "Cotto", "Strada") for food in ("French", "Indian", "English")]
GOOD = [f"{name} is a {food} place." for name, food in PLACES]
BAD = [f"there is {food} {name} place" for name, food in PLACES]
ASKED = [f"Describe {name}, which serves {food} food" for name, food in PLACES]
MARKS = [1 + row % 5 for row in range(len(PLACES))]
FACTS = [f"Ort={name}; Art={food}; Preis={row} Euro" for row, (name, food) in enumerate(PLACES)]
PEOPLE = [f"{name} offers you {food} dishes" for name, food in PLACES]


def labelled_table(name: str) -> dict[str, list[Any]]:
    """Return the cells of a labelled table by column."""
    return next(table.columns for table in labelled("earlier_tests") if name in table.name)
