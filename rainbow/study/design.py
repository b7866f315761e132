"""Who is asked what, in which order: a row for each task, that is, for what one rater sees at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import ceil
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rainbow.audit.perturbations import perturb, perturbed_corpus
from rainbow.corpus import Corpus
from rainbow.learned.training.corruption import UNRELATED
from rainbow.study.sample import Shown, balanced, sampled
from rainbow.study.settings import Settings

if TYPE_CHECKING:
    import pandas as pd

# Controls: what a person wrote, and what is worth nothing.
REFERENCE, WORSE = "reference", "worse"
COLUMNS = (
    *("task", "rater", "order", "asks", "control", "repeat", "dataset", "item", "input", "references"),
    *("id", "system", "output", "other_id", "other_system", "other_output"),
)
# Of controls, where they leave a rater no order in which two outputs for one input are apart.
_DRAWS = 20


class _Text(NamedTuple):
    """A text that is shown: the place of its output in the corpus, and for a control what it is."""

    row: int
    text: str
    control: str = ""


class _Task(NamedTuple):
    """What is shown at once."""

    item: str
    texts: tuple[_Text, ...]
    repeat: int = 0

    @property
    def control(self) -> str:
        return next((text.control for text in self.texts if text.control), "")


def design(corpus: Corpus, settings: Settings) -> pd.DataFrame:
    """Return the tasks of all raters."""
    import pandas as pd

    rng = np.random.default_rng(settings.seed)
    kinds = [pairs for pairs in (False, True) if any(question.is_pairs is pairs for question in settings.questions)]
    lists: list[list[_Task]] = [[] for _ in range(settings.people)]
    for pairs in kinds:
        shown = sampled(corpus, settings, pairs=pairs, rng=np.random.default_rng(settings.seed))
        worse = _worse_texts(corpus, sorted({row for one in shown for row in one.rows}), settings.seed)
        for own, given in zip(lists, _shared_out(shown, settings, rng), strict=True):
            tasks = [_Task(one.item, tuple(_texts(corpus, one, rng))) for one in given]
            draws = (list(_controls(corpus, tasks, worse, settings.controls, rng)) for _ in range(_DRAWS))
            last = own[-1].item if own else None
            orders = (_ordered(tasks + controls, settings, rng, last) for controls in draws)
            found = next((order for order in orders if order is not None), None)
            if found is None:
                raise ValueError(
                    "a rater would see two outputs for one input one after the other: give more inputs, or fewer "
                    "people, or say neighbours = true in study.toml"
                )
            own += found
    return pd.DataFrame(
        [row for place, own in enumerate(lists, 1) for row in _rows(corpus, own, f"r{place}")], columns=list(COLUMNS)
    )


def _shared_out(shown: Sequence[Shown], settings: Settings, rng: np.random.Generator) -> list[list[Shown]]:
    items = list(dict.fromkeys(one.item for one in shown))
    blocks = dict(zip(items, balanced(len(items), settings.raters, settings.people, rng), strict=True))
    return [[one for one in shown if person in blocks[one.item]] for person in range(settings.people)]


def _texts(corpus: Corpus, shown: Shown, rng: np.random.Generator) -> Iterator[_Text]:
    """Return the outputs, of a pair either may be the first."""
    for row in rng.permutation(shown.rows):
        yield _Text(int(row), str(corpus.frame["output"].iat[row]))


def _worse_texts(corpus: Corpus, rows: Sequence[int], seed: int) -> list[_Text]:
    """Return texts that are worth nothing whatever is asked: about something else, the words in no order."""
    table = perturb(corpus.take(rows), UNRELATED, seed=seed)
    shuffled = perturb(perturbed_corpus(corpus.take(rows), table), "shuffled-words", seed=seed)
    of_row = table["row"].tolist()
    return [
        _Text(rows[of_row[row]], str(text), WORSE) for row, text in zip(shuffled["row"], shuffled["text"], strict=True)
    ]


def _controls(
    corpus: Corpus, tasks: Sequence[_Task], worse: Sequence[_Text], share: float, rng: np.random.Generator
) -> Iterator[_Task]:
    """Draw controls for the inputs of a rater: worse texts, and for single outputs every other a reference."""
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
        beside = (_Text(text.row, str(corpus.frame["output"].iat[text.row])),) if pairs else ()
        texts = (text, *beside)
        yield _Task(of_item[text.row], texts[:: rng.choice([1, -1])])


def _ordered(
    tasks: Sequence[_Task], settings: Settings, rng: np.random.Generator, last: str | None
) -> list[_Task] | None:
    """Draw an order that may stand behind a task for an input, and put what is asked twice into its last third."""
    drawn = [tasks[place] for place in rng.permutation(len(tasks))]
    order = drawn if settings.neighbours else _apart(drawn, last)
    if order is None:
        return None
    first = [task for task in order[: 2 * len(order) // 3] if not task.control]
    wanted = min(ceil(settings.repeated * sum(not task.control for task in tasks)), len(first))
    for place in rng.permutation(len(first))[:wanted]:
        again = first[place]._replace(repeat=1)
        begin = max(2 * len(tasks) // 3, order.index(first[place]) + 2)
        free = [end for end in range(begin, len(order) + 1) if _fits(order, end, again, settings.neighbours)]
        if free:
            order.insert(int(rng.choice(free)), again)
    return order


def _fits(order: Sequence[_Task], place: int, task: _Task, neighbours: bool) -> bool:
    return neighbours or all(other.item != task.item for other in order[max(0, place - 1) : place + 1])


def _apart(tasks: list[_Task], last: str | None) -> list[_Task] | None:
    """Return the tasks in an order without neighbours of one input, near to the given one; None where there is none."""
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


def _rows(corpus: Corpus, tasks: Sequence[_Task], rater: str) -> Iterator[dict[str, object]]:
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
