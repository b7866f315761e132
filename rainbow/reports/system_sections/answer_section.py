"""The first section: which system is better, and whether the difference is significant."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from rainbow.base.lazy import pd
from rainbow.reports.number_format import Number, format_count, format_fixed, format_p_value, format_precise
from rainbow.reports.overview.page_verdicts import page_verdicts
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.rankings import strength_column
from rainbow.reports.system_sections.slot_errors import RATE
from rainbow.stats.correlation.correlation import correlate
from rainbow.systems.corpus_scores.metric_average import AVERAGE

# More names in a sentence are not read.
MOST_NAMED = 4
# With fewer systems a correlation over systems says nothing.
FEWEST_SYSTEMS = 5


class PreferredSystems(NamedTuple):
    """Systems that may be the best by human judgement."""

    rating: str
    best: list[tuple[str, Number, Number]]
    systems: int
    clusters: int


class TopSystem(NamedTuple):
    """The best system by metrics with interval, and those not different from it."""

    system: str
    average: Number
    low: Number
    high: Number
    alike: list[str]


class Standing(NamedTuple):
    """A system with human rating, metric average, and its rank by each."""

    system: str
    people: list[tuple[Number, int]]
    average: Number
    place: int


class Agreement(NamedTuple):
    """How well metrics order systems compared with people."""

    rating: str
    r: str
    p: str
    systems: int


class Extremes(NamedTuple):
    """The systems with the lowest and highest value."""

    least: list[str]
    least_number: Number
    most: list[str]
    most_number: Number


class Answer(NamedTuple):
    """Main results for a dataset."""

    part: ComparedDataset
    inputs: str  # how many all systems have an output for
    preferred: list[PreferredSystems]
    first: TopSystem | None
    rated: list[str]  # the ratings of the standings
    standings: list[Standing]  # the best by people first; none without ratings
    agreement: list[Agreement]
    slots: Extremes | None
    similar: Extremes | None


def section(saved: SavedSystems) -> Section:
    """Return a few sentences per dataset: preferences, metrics and slot errors."""
    data = {
        "rulings": page_verdicts(saved),
        "answers": dataset_answers(saved),
        "notes": _group_notes(saved.tables["notes"])[:MOST_NAMED],
        "analysed": saved.analysed,
        "page": saved.page,
    }
    return Section("systems-answer", "Answer", data)


def _group_notes(notes: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the first note per cause and the number of others."""
    more = notes.groupby("fix", sort=False)["fix"].transform("size") - 1
    first: list[dict[Any, Any]] = notes.assign(more=more)[~notes["fix"].duplicated()].to_dict("records")
    return first


def dataset_answers(saved: SavedSystems) -> list[Answer]:
    """Return the main results for every dataset."""
    return [_dataset_answer(saved, part) for part in saved.parts]


def _dataset_answer(saved: SavedSystems, part: ComparedDataset) -> Answer:
    ratings = list(dict.fromkeys(saved.rows("rankings", **part.filters).get("rating", ())))
    rated = list(saved.rows("verdicts").get("rating", ()))
    similar = saved.rows("similarity_means", metric=AVERAGE, **part.filters)
    counts = saved.rows("corpus_metrics", **part.filters)["n"]
    return Answer(
        part,
        format_count(int(counts.iloc[0])) if len(counts) else "",
        [preferred for rating in ratings if (preferred := _preferred_systems(saved, part, rating))],
        _top_system(saved, part),
        rated,
        _system_standings(saved, part, rated),
        [agreement for rating in ratings if (agreement := _order_agreement(saved, part, rating))],
        _find_extremes(saved, saved.rows("slot_errors", **part.filters), "slot_errors", RATE),
        _find_extremes(saved, similar, "similarity_means", "value") if len(similar) > 2 else None,
    )


def _preferred_systems(saved: SavedSystems, part: ComparedDataset, rating: str) -> PreferredSystems | None:
    lines = saved.rows("rankings", rating=rating, **part.filters).dropna(subset="rank_from")
    if lines.empty:
        return None
    best = [
        (
            str(system),
            saved.number("rankings", row, "rank_from", format_count),
            saved.number("rankings", row, "rank_to", format_count),
        )
        for row, system in lines.loc[lines["rank_from"] == 1, "system"].items()
    ]
    return PreferredSystems(rating, best, len(lines), int(lines["cluster"].max()))


def _top_system(saved: SavedSystems, part: ComparedDataset) -> TopSystem | None:
    lines = saved.rows("corpus_metrics", **part.filters).dropna(subset=AVERAGE)
    if lines.empty:
        return None
    row, letters = lines.index[0], set(str(lines["groups"].iloc[0]).split())
    alike = [str(line.system) for line in lines.iloc[1:].itertuples() if letters & set(str(line.groups).split())]
    average, low, high = (
        saved.number("corpus_metrics", row, f"{AVERAGE}{end}", format_precise) for end in ("", "_low", "_high")
    )
    return TopSystem(str(lines["system"].iloc[0]), average, low, high, alike)


def _system_standings(saved: SavedSystems, part: ComparedDataset, ratings: Sequence[str]) -> list[Standing]:
    """Return rated systems with a metric average, in the order of the first rating."""
    averages: Any = saved.rows("corpus_metrics", **part.filters).dropna(subset=AVERAGE)
    averages = averages.set_index("system", drop=False)
    means = [saved.rows("systems", column=rating, **part.filters).dropna(subset="mean") for rating in ratings]
    if not means or averages.empty:
        return []
    rows = [dict(zip(lines["system"], lines.index, strict=True)) for lines in means]
    systems = [name for name in averages.index if all(name in known for known in rows)]
    if len(systems) < 2:
        return []
    numbers = [[saved.number("systems", known[name], "mean", format_fixed) for name in systems] for known in rows]
    result = saved.rows("corpus_metrics", **part.filters)
    lines = dict(zip(result["system"], result.index, strict=True))
    scores = [saved.number("corpus_metrics", lines[name], AVERAGE, format_precise) for name in systems]
    people = [list(zip(each, _ranks(each), strict=True)) for each in numbers]
    own = zip(systems, zip(*people, strict=True), scores, _ranks(scores), strict=True)
    made = [Standing(name, list(given), average, place) for name, given, average, place in own]
    return sorted(made, key=lambda standing: standing.people[0][1])


def _ranks(numbers: Sequence[Number]) -> list[int]:
    return [1 + sum(other.value > number.value for other in numbers) for number in numbers]


def _order_agreement(saved: SavedSystems, part: ComparedDataset, rating: str) -> Agreement | None:
    people = saved.rows("rankings", rating=rating, **part.filters).set_index("system")[strength_column(saved)]
    metrics = saved.rows("corpus_metrics", **part.filters).set_index("system")[AVERAGE]
    both = metrics.index.intersection(people.index)
    result = correlate(metrics[both].to_numpy(), people[both].to_numpy())
    if result.n < FEWEST_SYSTEMS or result.r != result.r:
        return None
    p = format_p_value(result.p)
    return Agreement(rating, format_fixed(result.r), p if p[0] == "<" else f"= {p}", result.n)


def _find_extremes(saved: SavedSystems, lines: Any, table: str, column: str) -> Extremes | None:
    """Return the lowest and highest system; None without a difference or table."""
    if lines.empty or len(lines := lines.dropna(subset=column)) < 2 or lines[column].nunique() < 2:
        return None
    lowest, highest = lines[column].idxmin(), lines[column].idxmax()
    least, most = (lines.loc[lines[column] == lines[column][row], "system"].tolist() for row in (lowest, highest))
    numbers = [saved.number(table, row, column, format_fixed) for row in (lowest, highest)]
    return Extremes(_join_names(least), numbers[0], _join_names(most), numbers[1])


def _join_names(names: Sequence[str]) -> list[str]:
    """Return names for a sentence, abbreviated if many."""
    if len(names) <= MOST_NAMED:
        return list(names)
    return [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
