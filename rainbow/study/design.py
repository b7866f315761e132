"""The design of a study: sampled inputs, tasks, controls and their order for each rater."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from math import ceil, comb
from typing import NamedTuple

import numpy as np

from rainbow.analysis.study_plan import Requirements, plan_for_systems
from rainbow.audit.perturbations import perturb, perturbed_corpus, suitable_kinds
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.learned.training.training_rows import UNRELATED
from rainbow.stats.tidy_tables import records
from rainbow.study.settings import Settings

# Controls: human references, and worthless texts.
REFERENCE, WORSE = "reference", "worse"
COLUMNS = (
    *("task", "rater", "order", "asks", "control", "repeat", "dataset", "item", "input", "references"),
    *("id", "system", "output", "other_id", "other_system", "other_output"),
)
# Of controls, where they leave a rater no order in which two outputs for one input are apart.
_DRAWS = 20


class _Text(NamedTuple):
    """A shown text: row of its output in the corpus, and the kind of control."""

    row: int
    text: str
    control: str = ""


class _Task(NamedTuple):
    """Texts shown together."""

    item: str
    texts: tuple[_Text, ...]
    repeat: int = 0

    @property
    def control(self) -> str:
        return next((text.control for text in self.texts if text.control), "")


def design_tasks(corpus: Corpus, settings: Settings) -> pd.DataFrame:
    """Return the tasks of all raters."""
    rng, outputs = np.random.default_rng(settings.seed), corpus.frame["output"]
    kinds = [pairs for pairs in (False, True) if any(question.is_pairs is pairs for question in settings.questions)]
    lists: list[list[_Task]] = [[] for _ in range(settings.people)]
    for pairs in kinds:
        shown = sample_inputs(corpus, settings, pairs=pairs, rng=np.random.default_rng(settings.seed))
        worse = _bad_texts(corpus, sorted({row for one in shown for row in one.rows}), settings.seed)
        items = list(dict.fromkeys(one.item for one in shown))
        drawn = draw_balanced_blocks(len(items), settings.raters, settings.people, rng)
        blocks = dict(zip(items, drawn, strict=True))
        for person, own in enumerate(lists):
            given = [one for one in shown if person in blocks[one.item]]
            texts = [[_Text(int(row), str(outputs.iat[row])) for row in rng.permutation(one.rows)] for one in given]
            tasks = [_Task(one.item, tuple(own_texts)) for one, own_texts in zip(given, texts, strict=True)]
            draws = (list(_draw_controls(corpus, tasks, worse, settings.controls, rng)) for _ in range(_DRAWS))
            last = own[-1].item if own else None
            orders = (_order_tasks(tasks + controls, settings, rng, last) for controls in draws)
            result = next((order for order in orders if order is not None), None)
            if result is None:
                raise ValueError(
                    "a rater would see two outputs for one input in a row: use more inputs or fewer raters, or "
                    "set neighbours = true in study.toml"
                )
            own += result
    return pd.DataFrame(
        [row for place, own in enumerate(lists, 1) for row in _design_rows(corpus, own, f"r{place}")],
        columns=list(COLUMNS),
    )


def _bad_texts(corpus: Corpus, rows: Sequence[int], seed: int) -> list[_Text]:
    """Return control texts that deserve the lowest rating: off-topic, with shuffled words."""
    off_topic = (suitable_kinds(corpus, [UNRELATED]) or ["other-reference"])[0]
    table = perturb(corpus.take(rows), off_topic, seed=seed)
    shuffled = perturb(perturbed_corpus(corpus.take(rows), table), "shuffled-words", seed=seed)
    of_row = table["row"].tolist()
    return [
        _Text(rows[of_row[row]], str(text), WORSE) for row, text in zip(shuffled["row"], shuffled["text"], strict=True)
    ]


def _draw_controls(
    corpus: Corpus, tasks: Sequence[_Task], worse: Sequence[_Text], share: float, rng: np.random.Generator
) -> Iterator[_Task]:
    """Draw controls for a rater: bad texts, and references for every other one."""
    own = {text.row for task in tasks for text in task.texts}
    pairs = any(len(task.texts) > 1 for task in tasks)
    made = [text for text in worse if text.row in own]
    references: list[tuple[str, ...]] = corpus.frame["references"].tolist()
    written = [] if pairs else [_Text(row, references[row][0], REFERENCE) for row in sorted(own) if references[row]]
    of_item = {text.row: task.item for task in tasks for text in task.texts}
    for number in range(ceil(share * len(tasks))):
        pool = written if number % 2 and written else made
        if not pool:
            return
        text = pool.pop(int(rng.integers(len(pool))))
        rated_text = (_Text(text.row, str(corpus.frame["output"].iat[text.row])),) if pairs else ()
        texts = (text, *rated_text)
        yield _Task(of_item[text.row], texts[:: rng.choice([1, -1])])


def _order_tasks(
    tasks: Sequence[_Task], settings: Settings, rng: np.random.Generator, last: str | None
) -> list[_Task] | None:
    """Draw an order after `last`, with repeated tasks in the last third."""
    drawn = [tasks[place] for place in rng.permutation(len(tasks))]
    order = drawn if settings.neighbours else _separate_items(drawn, last)
    if order is None:
        return None
    first = [task for task in order[: 2 * len(order) // 3] if not task.control]
    wanted = min(ceil(settings.repeated * sum(not task.control for task in tasks)), len(first))
    for place in rng.permutation(len(first))[:wanted]:
        again = first[place]._replace(repeat=1)
        begin = max(2 * len(tasks) // 3, order.index(first[place]) + 2)
        items = [task.item for task in order]
        places = range(begin, len(order) + 1)
        free = [end for end in places if settings.neighbours or again.item not in items[max(0, end - 1) : end + 1]]
        if free:
            order.insert(int(rng.choice(free)), again)
    return order


def _separate_items(tasks: list[_Task], last: str | None) -> list[_Task] | None:
    """Return a similar order without neighbours of one input; None if there is none."""
    left, order = Counter(task.item for task in tasks), list[_Task]()
    while tasks:
        most, count = left.most_common(1)[0]
        pressing = 2 * count > len(tasks) and most != last
        place = next((n for n, t in enumerate(tasks) if (t.item == most if pressing else t.item != last)), None)
        if place is None:
            return None
        order.append(tasks.pop(place))
        last = order[-1].item
        left[last] -= 1
    return order


def _design_rows(corpus: Corpus, tasks: Sequence[_Task], rater: str) -> Iterator[dict[str, object]]:
    digits = len(str(len(tasks)))
    for order, task in enumerate(tasks, 1):
        about = corpus.frame.iloc[task.texts[0].row]
        row: dict[str, object] = {
            **{"task": f"{rater}-{order:0{digits}}", "rater": rater, "order": order, "control": task.control},
            **{"asks": "pairs" if len(task.texts) > 1 else "single", "repeat": task.repeat},
            **{"dataset": about["dataset"], "item": about["item"], "input": about["mr"]},
            "references": about["references"],
        } | dict.fromkeys(("other_id", "other_system", "other_output"), "")
        for head, text in zip(("", "other_"), task.texts, strict=False):
            own = corpus.frame.iloc[text.row]
            named = {"id": own["id"], "system": own["system"]} if not text.control else {"id": "", "system": ""}
            row |= {f"{head}{name}": value for name, value in (named | {"output": text.text}).items()}
        yield row


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
