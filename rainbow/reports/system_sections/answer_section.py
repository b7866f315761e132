"""The first section: which system is better, and whether the difference is significant."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from rainbow.base.lazy import pd
from rainbow.reports.number_format import format_count, format_fixed, format_p_equation, format_precise
from rainbow.reports.overview.disagreeing_outputs import rank_descending
from rainbow.reports.overview.page_verdicts import page_verdicts
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Section
from rainbow.reports.system_sections.rankings import strength_column
from rainbow.reports.system_sections.slot_errors import RATE
from rainbow.stats.correlation.correlation import correlate
from rainbow.systems.corpus_scores.segment_sums import AVERAGE

# More names in a sentence are not read.
MOST_NAMED = 4
# With fewer systems a correlation over systems says nothing.
FEWEST_SYSTEMS = 5


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


def dataset_answers(saved: SavedSystems) -> list[dict[str, Any]]:
    """Return the main results for every dataset."""
    return [_dataset_answer(saved, part) for part in saved.parts]


def _dataset_answer(saved: SavedSystems, part: ComparedDataset) -> dict[str, Any]:
    ratings = list(dict.fromkeys(saved.rows("rankings", **part.filters).get("rating", ())))
    rated = list(saved.rows("verdicts").get("rating", ()))
    similar = saved.rows("similarity_means", metric=AVERAGE, **part.filters)
    counts = saved.rows("corpus_metrics", **part.filters)["n"]
    return {
        "part": part,
        "inputs": format_count(int(counts.iloc[0])) if len(counts) else "",  # with an output of all systems
        "preferred": [preferred for rating in ratings if (preferred := _preferred_systems(saved, part, rating))],
        "first": _top_system(saved, part),
        "rated": rated,
        "standings": _system_standings(saved, part, rated),
        "agreement": [agreement for rating in ratings if (agreement := _order_agreement(saved, part, rating))],
        "slots": _find_extremes(saved, saved.rows("slot_errors", **part.filters), "slot_errors", RATE),
        "similar": _find_extremes(saved, similar, "similarity_means", "value") if len(similar) > 2 else None,
    }


def _preferred_systems(saved: SavedSystems, part: ComparedDataset, rating: str) -> dict[str, Any] | None:
    """Return the systems that may be the best by human judgement."""
    lines = [
        line for line in saved.lines("rankings", rating=rating, **part.filters) if line.rank_from == line.rank_from
    ]
    best = [
        (str(line.system), line.number("rank_from", format_count), line.number("rank_to", format_count))
        for line in lines
        if line.rank_from == 1
    ]
    clusters = int(max((line.cluster for line in lines), default=0))
    return {"rating": rating, "best": best, "systems": len(lines), "clusters": clusters} if lines else None


def _top_system(saved: SavedSystems, part: ComparedDataset) -> dict[str, Any] | None:
    """Return the best system by metrics with interval, and those not different from it."""
    lines = [line for line in saved.lines("corpus_metrics", **part.filters) if not math.isnan(getattr(line, AVERAGE))]
    if not lines:
        return None
    first, *others = lines
    letters = set(str(first.groups).split())
    return {
        "system": str(first.system),
        "average": first.number(AVERAGE, format_precise),
        "low": first.number(f"{AVERAGE}_low", format_precise),
        "high": first.number(f"{AVERAGE}_high", format_precise),
        "alike": [str(line.system) for line in others if letters & set(str(line.groups).split())],
    }


def _system_standings(saved: SavedSystems, part: ComparedDataset, ratings: Sequence[str]) -> list[dict[str, Any]]:
    """Return rated systems with a metric average and their ranks, in the order of the first rating."""
    averages = saved.lookup("corpus_metrics", "system", **part.filters)
    means = [saved.lookup("systems", "system", column=rating, **part.filters) for rating in ratings]
    rated = [{name for name, line in lines.items() if not math.isnan(line.mean)} for lines in means]
    scored = [name for name, line in averages.items() if not math.isnan(getattr(line, AVERAGE))]
    systems = [name for name in scored if all(name in names for names in rated)]
    if not means or len(systems) < 2:
        return []
    scores = [averages[name].number(AVERAGE, format_precise) for name in systems]
    numbers = [[lines[name].number("mean", format_fixed) for name in systems] for lines in means]
    people = [list(zip(each, rank_descending(each), strict=True)) for each in numbers]
    own = zip(systems, zip(*people, strict=True), scores, rank_descending(scores), strict=True)
    made = [
        {"system": name, "people": list(given), "average": average, "place": place}
        for name, given, average, place in own
    ]
    return sorted(made, key=lambda standing: standing["people"][0][1])


def _order_agreement(saved: SavedSystems, part: ComparedDataset, rating: str) -> dict[str, Any] | None:
    """Return how well metrics order systems compared with people."""
    people = saved.rows("rankings", rating=rating, **part.filters).set_index("system")[strength_column(saved)]
    metrics = saved.rows("corpus_metrics", **part.filters).set_index("system")[AVERAGE]
    both = metrics.index.intersection(people.index)
    result = correlate(metrics[both].to_numpy(), people[both].to_numpy())
    if result.n < FEWEST_SYSTEMS or result.r != result.r:
        return None
    return {"rating": rating, "r": format_fixed(result.r), "p": format_p_equation(result.p), "systems": result.n}


def _find_extremes(saved: SavedSystems, lines: Any, table: str, column: str) -> dict[str, Any] | None:
    """Return the systems with the lowest and highest value; None without a difference or table."""
    if lines.empty or len(lines := lines.dropna(subset=column)) < 2 or lines[column].nunique() < 2:
        return None
    result: dict[str, Any] = {}
    for end, row in (("least", lines[column].idxmin()), ("most", lines[column].idxmax())):
        result[end] = _join_names(lines.loc[lines[column] == lines[column][row], "system"].tolist())
        result[f"{end}_number"] = saved.number(table, row, column, format_fixed)
    return result


def _join_names(names: Sequence[str]) -> list[str]:
    """Return names for a sentence, abbreviated if many."""
    if len(names) <= MOST_NAMED:
        return list(names)
    return [*names[: MOST_NAMED - 1], f"{len(names) - MOST_NAMED + 1} others"]
