"""Sampling of inputs, and the sample size."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from rainbow.analysis.study_plan import Requirements, plan_for_systems
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.stats.tidy_tables import records
from rainbow.study.settings import Settings

# Split of the 5 % error rate between interim looks and the final one.
EARLY, AT_END = 0.005, 0.045

# Inputs where there is no target, and tasks of a rater, which take about half an hour.
USUAL, TASKS_EACH = 50, 100


class Shown(NamedTuple):
    """Corpus rows of one or two outputs that are shown together, and their input."""

    item: str
    rows: tuple[int, ...]


def planned_items(frame: pd.DataFrame, settings: Settings) -> int:
    """Return the number of inputs that reach the study's target, from a pilot's ratings."""
    target, systems = settings.target, frame["system"].nunique()
    if target is None or target.rating not in frame:
        raise ValueError("planning for a target needs a pilot, i.e. ratings in the file; or set --items")
    wanted = Requirements(target.power, AT_END / max(1, comb(systems, 2)), times=1)
    table = plan_for_systems(
        frame,
        target.rating,
        difference=target.difference,
        margin=target.margin,
        raters=[settings.raters],
        requirements=wanted,
        rng=settings.seed,
    )
    result = records(table)[0]
    if not result["items"] > 0:
        raise ValueError(f"the size cannot be planned: {result['reason']}")
    return int(result["items"])


def sample_inputs(corpus: Corpus, settings: Settings, *, pairs: bool, rng: np.random.Generator) -> list[Shown]:
    """Sample inputs that all systems answered, and return what to show for them."""
    rows = corpus.frame.reset_index(names="row").drop_duplicates(["dataset", "item", "system"])
    table = rows.pivot(index=["dataset", "item"], columns="system", values="row").dropna().astype(int)
    systems = table.shape[1]
    if pairs and systems < 2:
        raise ValueError("the file has only one system, so there are no pairs of outputs to compare")
    if len(table) < settings.items:
        raise ValueError(
            f"{settings.items} inputs are requested, but all of the {systems} systems answered only {len(table)}: "
            "set --items"
        )
    chosen = table.iloc[rng.permutation(len(table))[: settings.items]]
    keys = [f"{dataset}\0{item}" for dataset, item in chosen.index]
    if not pairs:
        return [Shown(key, (int(row),)) for key, own in zip(keys, chosen.to_numpy(), strict=True) for row in own]
    every = list(combinations(range(systems), 2))
    picked = draw_balanced_blocks(len(chosen), min(systems, len(every)), len(every), rng)
    places = chosen.to_numpy(dtype=int)
    return [
        Shown(key, tuple(int(own[side]) for side in every[pair]))
        for key, own, block in zip(keys, places, picked, strict=True)
        for pair in block
    ]


def draw_balanced_blocks(times: int, size: int, block_size: int, rng: np.random.Generator) -> list[tuple[int, ...]]:
    """Draw blocks of different positions so that each position is used equally often (within 1)."""
    taken = np.zeros(block_size, dtype=int)
    blocks = []
    for _ in range(times):
        block = np.lexsort((rng.random(block_size), taken))[:size]
        taken[block] += 1
        blocks.append(tuple(int(place) for place in block))
    return blocks


def choose_sizes(frame: pd.DataFrame, settings: Settings, items: int | None, people: int | None) -> Settings:
    """Return the settings with numbers of inputs and raters filled in."""
    systems = frame["system"].nunique()
    if items is None:
        there = frame.groupby(["dataset", "item"])["system"].nunique()
        items = planned_items(frame, settings) if settings.target else min(USUAL, max(1, int((there == systems).sum())))
    if people is None:
        tasks = items * settings.raters * systems * len({question.is_pairs for question in settings.questions})
        people = max(settings.raters, round(tasks / TASKS_EACH))
    return replace(settings, items=items, people=people)
