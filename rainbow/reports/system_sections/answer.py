"""Answer first: which system is better, by whom, and whether the difference is real."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from rainbow.reports.first.rulings import rulings
from rainbow.reports.number import Number, count, fixed, p_value, precise
from rainbow.reports.saved.saved_systems import Compared, SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.rankings import strength_column
from rainbow.reports.system_sections.slot_errors import RATE
from rainbow.stats.correlation.correlation import correlate
from rainbow.systems.corpus_scores.average import AVERAGE

if TYPE_CHECKING:
    import pandas as pd

# More names in a sentence are not read.
MOST_NAMED = 4
# With fewer systems a correlation over systems says nothing.
FEWEST_SYSTEMS = 5


class Preferred(NamedTuple):
    """Systems that may be the best by what people said."""

    rating: str
    best: list[tuple[str, Number, Number]]
    systems: int
    clusters: int


class First(NamedTuple):
    """The system that metrics put first, with its interval, and those that do not differ from it."""

    system: str
    average: Number
    low: Number
    high: Number
    alike: list[str]


class Standing(NamedTuple):
    """A system with what people and metrics give it, and its place by each, from 1."""

    system: str
    people: list[tuple[Number, int]]
    average: Number
    place: int


class Agreement(NamedTuple):
    """How far the metrics order systems as people do."""

    rating: str
    r: str
    p: str
    systems: int


class Extreme(NamedTuple):
    """The systems with the fewest and the most of something."""

    least: list[str]
    least_number: Number
    most: str
    most_number: Number


class Answer(NamedTuple):
    """What is said of a dataset."""

    part: Compared
    inputs: str  # how many all systems have an output for
    preferred: list[Preferred]
    first: First | None
    rated: list[str]  # the ratings of the standings
    standings: list[Standing]  # the best by people first; none without ratings
    agreement: list[Agreement]
    slots: Extreme | None
    similar: Extreme | None


def section(saved: SavedSystems) -> Section:
    """Return some sentences on every dataset: what people prefer, what metrics call better, what is said wrong."""
    data = {
        "rulings": rulings(saved),
        "answers": answers(saved),
        "notes": _by_cause(saved.tables["notes"])[:MOST_NAMED],
        "analysed": saved.analysed,
        "page": saved.page,
    }
    return Section("systems-answer", "Answer", data)


def _by_cause(notes: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the first note on each thing that was done about what is wrong, and how many more there are."""
    more = notes.groupby("mended", sort=False)["mended"].transform("size") - 1
    first: list[dict[Any, Any]] = notes.assign(more=more)[~notes["mended"].duplicated()].to_dict("records")
    return first


def answers(saved: SavedSystems) -> list[Answer]:
    """Return what is said of every dataset."""
    return [_answer(saved, part) for part in saved.parts]


def _answer(saved: SavedSystems, part: Compared) -> Answer:
    ratings = list(dict.fromkeys(saved.rows("rankings", **part.wanted).get("rating", ())))
    rated = list(saved.rows("verdicts").get("rating", ()))
    similar = saved.rows("similarity_means", metric=AVERAGE, **part.wanted)
    counts = saved.rows("corpus_metrics", **part.wanted)["n"]
    return Answer(
        part,
        count(int(counts.iloc[0])) if len(counts) else "",
        [preferred for rating in ratings if (preferred := _preferred(saved, part, rating))],
        _first(saved, part),
        rated,
        _standings(saved, part, rated),
        [agreement for rating in ratings if (agreement := _agreement(saved, part, rating))],
        _extreme(saved, saved.rows("slot_errors", **part.wanted), "slot_errors", RATE),
        _extreme(saved, similar, "similarity_means", "value") if len(similar) > 2 else None,
    )


def _preferred(saved: SavedSystems, part: Compared, rating: str) -> Preferred | None:
    lines = saved.rows("rankings", rating=rating, **part.wanted).dropna(subset="rank_from")
    if lines.empty:
        return None
    best = [
        (
            str(system),
            saved.number("rankings", row, "rank_from", count),
            saved.number("rankings", row, "rank_to", count),
        )
        for row, system in lines.loc[lines["rank_from"] == 1, "system"].items()
    ]
    return Preferred(rating, best, len(lines), int(lines["cluster"].max()))


def _first(saved: SavedSystems, part: Compared) -> First | None:
    lines = saved.rows("corpus_metrics", **part.wanted).dropna(subset=AVERAGE)
    if lines.empty:
        return None
    row, letters = lines.index[0], set(str(lines["groups"].iloc[0]).split())
    alike = [str(line.system) for line in lines.iloc[1:].itertuples() if letters & set(str(line.groups).split())]
    average, low, high = (
        saved.number("corpus_metrics", row, f"{AVERAGE}{end}", precise) for end in ("", "_low", "_high")
    )
    return First(str(lines["system"].iloc[0]), average, low, high, alike)


def _standings(saved: SavedSystems, part: Compared, ratings: Sequence[str]) -> list[Standing]:
    """Return the systems that people rated and metrics averaged, in the order of the first rating."""
    averages: Any = saved.rows("corpus_metrics", **part.wanted).dropna(subset=AVERAGE)
    averages = averages.set_index("system", drop=False)
    means = [saved.rows("systems", column=rating, **part.wanted).dropna(subset="mean") for rating in ratings]
    if not means or averages.empty:
        return []
    rows = [dict(zip(lines["system"], lines.index, strict=True)) for lines in means]
    systems = [name for name in averages.index if all(name in known for known in rows)]
    if len(systems) < 2:
        return []
    numbers = [[saved.number("systems", known[name], "mean", fixed) for name in systems] for known in rows]
    found = saved.rows("corpus_metrics", **part.wanted)
    lines = dict(zip(found["system"], found.index, strict=True))
    scores = [saved.number("corpus_metrics", lines[name], AVERAGE, precise) for name in systems]
    people = [list(zip(each, _places(each), strict=True)) for each in numbers]
    own = zip(systems, zip(*people, strict=True), scores, _places(scores), strict=True)
    made = [Standing(name, list(given), average, place) for name, given, average, place in own]
    return sorted(made, key=lambda standing: standing.people[0][1])


def _places(numbers: Sequence[Number]) -> list[int]:
    return [1 + sum(other.value > number.value for other in numbers) for number in numbers]


def _agreement(saved: SavedSystems, part: Compared, rating: str) -> Agreement | None:
    people = saved.rows("rankings", rating=rating, **part.wanted).set_index("system")[strength_column(saved)]
    metrics = saved.rows("corpus_metrics", **part.wanted).set_index("system")[AVERAGE]
    both = metrics.index.intersection(people.index)
    found = correlate(metrics[both].to_numpy(), people[both].to_numpy())
    if found.n < FEWEST_SYSTEMS or found.r != found.r:
        return None
    p = p_value(found.p)
    return Agreement(rating, fixed(found.r), p if p[0] == "<" else f"= {p}", found.n)


def _extreme(saved: SavedSystems, lines: Any, table: str, column: str) -> Extreme | None:
    """Return who has the lowest value and who the highest; None where there is no difference, or no such table."""
    if lines.empty or len(lines := lines.dropna(subset=column)) < 2 or lines[column].nunique() < 2:
        return None
    lowest, highest = lines[column].idxmin(), lines[column].idxmax()
    least = lines.loc[lines[column] == lines[column].min(), "system"].tolist()
    numbers = [saved.number(table, row, column, fixed) for row in (lowest, highest)]
    return Extreme(_named(least), numbers[0], str(lines.loc[highest, "system"]), numbers[1])


def _named(names: Sequence[str]) -> list[str]:
    """Return names for a sentence, not too many."""
    if len(names) <= MOST_NAMED:
        return list(names)
    return [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
