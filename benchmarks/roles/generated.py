"""Invented tables of every layout, with the role of each column."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import Any

from benchmarks.roles.cells import (
    NAMES,
    identifier,
    mark_maker,
    noise_cells,
    noise_name,
    pick_name,
    rater_names,
    score_maker,
    system_names,
)
from benchmarks.roles.tables import Table
from benchmarks.roles.texts import INPUTS, LANGUAGES, UNSPACED, Writer

__all__ = ["NAMES", "invented", "noise_cells", "noise_name", "refused"]

MOST_ROWS = 160
RATER_FORMS = [
    "{s}_{i}",
    "{s}{i}",
    "ann{i}_{s}",
    "annotator_{i}",
    "rater{i}",
    "{s}_annotator{i}",
    "Annotator {i}",
    "A{i}",
    "expert_{i}.{s}",
    "{s} ({n})",
    "judge{i}_{s}",
    "{n}",
    "{s}_{l}",
    "score_annotator_{i}",
    "R{i}",
    "human{i}",
    "annotations.{i}.{s}",
    "{s}.{i}",
    "responses.{s}.{i}.value",
    "scores.{s}.{i}",
]
SYSTEM_FORMS = [
    "{}",
    "{}_output",
    "output_{}",
    "{} output",
    "Output {}",
    "text_{}",
    "{}_summary",
    "summary_{}",
    "{} (text)",
    "response_{}",
    "prediction_{}",
    "{}.text",
    "Text {}",
]
MARK_FORMS = ["{s}_{c}", "{c}_{s}", "{c} ({s})", "{s} {c}", "{c}.{s}", "Answer.{c}_{s}"]
SIDES = (("A", "B"), ("a", "b"), ("1", "2"), ("left", "right"), ("1", "2"))
MTURK = [
    "HITId",
    "HITTypeId",
    "Title",
    "Description",
    "Keywords",
    "Reward",
    "CreationTime",
    "MaxAssignments",
    "RequesterAnnotation",
    "Expiration",
    "AssignmentId",
    "AssignmentStatus",
    "AcceptTime",
    "SubmitTime",
    "ApprovalTime",
    "WorkTimeInSeconds",
    "LifetimeApprovalRate",
]
LAYOUTS = ("output", "judgement", "systems", "comparison", "choice", "marks", "ranks", "texts")
SHARES = (30, 26, 10, 12, 4, 6, 3, 9)


def invented(seed: int) -> Table:
    """Return an invented table."""
    rng = random.Random(seed)
    layout = rng.choices(LAYOUTS, SHARES)[0]
    draft = _Draft(rng, plain=layout != "texts")
    {
        "systems": draft.systems_in_columns,
        "comparison": draft.comparison,
        "choice": draft.choice,
        "ranks": draft.ranks,
    }.get(layout, lambda: draft.rows_of_outputs(layout))()
    if layout in ("judgement", "comparison", "choice", "marks") and rng.random() < 0.25:
        draft.as_batch()
    return draft.table(f"invented {seed}")


def refused(seed: int) -> Table:
    """Return an invented table that holds no generated texts."""
    rng = random.Random(-1 - seed)
    draft = _Draft(rng, plain=True)
    draft.without_outputs()
    return draft.table(f"without outputs {seed}", "no generated texts")


class _Draft:
    """A table while it is invented."""

    def __init__(self, rng: random.Random, *, plain: bool) -> None:
        self.rng, self.columns, self.roles = rng, dict[str, list[Any]](), dict[str, str]()
        self.raters_of: dict[str, list[str]] = {}
        language = rng.choice(["en"] * 6 + list(LANGUAGES))
        styles = ["plain"] * 5 + ([] if language in UNSPACED else ["lower", *([] if plain else ["words"])])
        self.writer = Writer(rng, language, rng.choice(styles))
        self.items = [self.writer.concept() for _ in range(rng.choice([3, 4, 5, 6, 8, 12, 20]))]
        kind = rng.choice(INPUTS)
        self.inputs = [self.writer.input_of(concept, kind) for concept in self.items]
        self.references = [[self.writer.sentence(concept) for _ in range(2)] for concept in self.items]
        self.has_input, self.references_of = rng.random() < 0.7, rng.choice([0, 0, 1, 1, 1, 2])
        self.systems: list[str] = []

    def draw_systems(self, fewest: int) -> None:
        """Draw systems, their outputs, and how good these are."""
        rng = self.rng
        self.systems = system_names(rng, max(rng.choice([1, 1, 2, 2, 3, 4, 5]), fewest))
        skill = [rng.random() for _ in self.systems]
        self.outputs = [[self.writer.sentence(item, 0.6 * (1 - one)) for one in skill] for item in self.items]
        self.quality = [[min(1, max(0, one * 0.6 + rng.random() * 0.4)) for one in skill] for _ in self.items]

    def add(self, role: str, cells: Sequence[Any], name: str | None = None, accepted: str = "") -> str:
        """Add a column."""
        name = name if name is not None else pick_name(self.rng, role, self.columns)
        while name in self.columns:
            name += "_"
        self.columns[name], self.roles[name] = list(cells), accepted or role
        return name

    def rows_of_outputs(self, layout: str) -> None:
        """Invent a row per output, per judgement, or per mark; or texts without ratings."""
        rng = self.rng
        self.draw_systems(1)
        raters = rater_names(rng, rng.choice([2, 3, 3, 4])) if layout in ("judgement", "marks") else [""]
        pairs = [(item, system) for item in range(len(self.items)) for system in range(len(self.systems))]
        if rng.random() < 0.4:
            pairs.sort(key=lambda pair: pair[1])
        if len(self.systems) > 1 and rng.random() < 0.25:  # every item by one system
            pairs = [(item, rng.randrange(len(self.systems))) for item in range(len(self.items))]
        simple = [name for name in NAMES["rating"] if name.isalpha() and name.islower()]
        criteria = rng.sample(simple, rng.choice([2, 3, 4])) if layout == "marks" else [""]
        few = rng.random() < 0.5
        rows = [
            (item, system, rater, criterion)
            for item, system in pairs
            for rater in (raters if few else rng.sample(raters, min(2, len(raters))))
            for criterion in criteria
        ][:MOST_ROWS]
        if layout == "judgement" and rng.random() < 0.4:
            rows.sort(key=lambda row: row[2])
        self._add_names([row[0] for row in rows], [row[1] for row in rows])
        self._add_texts([row[0] for row in rows], [row[1] for row in rows])
        if raters != [""] and rng.random() < 0.93:
            self.add("rater", [row[2] for row in rows])
        qualities = [self.quality[row[0]][row[1]] for row in rows]
        if layout == "marks":
            mark = mark_maker(rng)
            self.add("criterion", [row[3] for row in rows])
            self.add("mark", map(mark, qualities))
        elif layout in ("output", "judgement"):
            self._add_ratings(qualities, columns_of_raters=layout == "output" and rng.random() < 0.3)
        if layout != "marks" and rng.random() < 0.4:
            for _ in range(rng.choice([1, 2, 3, 5])):
                self.add("score", map(score_maker(rng), qualities))

    def _add_names(self, items: Sequence[int], systems: Sequence[int]) -> None:
        rng, size = self.rng, len(items)
        if rng.random() < 0.6:
            ids = rng.choice([
                [*range(len(self.items))],
                [f"doc_{item}" for item in range(len(self.items))],
                [str(item + 1) for item in range(len(self.items))],
                [identifier(rng)[:10] for _ in self.items],
            ])  # fmt: skip
            self.add(
                "item", [ids[item] for item in items], accepted="item" if len({*items}) < size else "id|item|unused"
            )
        if rng.random() < 0.25:
            rows = rng.choice([[*range(size)], [f"R_{row:04d}" for row in range(size)]])
            self.add("id", rows, accepted="id|unused|item")
        if rng.random() < (0.85 if len(self.systems) > 1 else 0.3):
            accepted = "system" if len({*systems}) > 1 else "system|unused"
            self.add("system", [self.systems[system] for system in systems], accepted=accepted)

    def _add_texts(self, items: Sequence[int], systems: Sequence[int]) -> None:
        rng = self.rng
        if self.has_input:
            self.add("input", [self.inputs[item] for item in items])
        if rng.random() < 0.1:
            asked = [self.writer.input_of(concept, "question") for concept in self.items]
            accepted = "unused|input|reference" if self.has_input else "input|unused"
            self.add("input", [asked[item] for item in items], accepted=accepted)
        self.add("output", [self.outputs[item][system] for item, system in zip(items, systems, strict=True)])
        self._add_references(items)

    def _add_references(self, items: Sequence[int]) -> None:
        rng, number = self.rng, self.references_of
        if number and rng.random() < 0.25:
            self.add("reference", [self.references[item][:number] for item in items])
        elif number == 2:
            stem = pick_name(rng, "reference", self.columns) + rng.choice(["_", ""])
            for place in range(2):
                self.add("reference", [self.references[item][place] for item in items], f"{stem}{place + 1}")
        elif number:
            self.add("reference", [self.references[item][0] for item in items])

    def _add_ratings(self, qualities: Sequence[float], *, columns_of_raters: bool) -> None:
        rng, mark = self.rng, mark_maker(self.rng)
        if columns_of_raters:
            form, raters = rng.choice(RATER_FORMS), rng.choice([2, 3, 3, 5])
            stem = rng.choice(["fluency", "quality", "adequacy", "coherence", "rating", "score", "Qualität", "note"])
            people = rng.sample(["Anna", "Ben", "Zoé", "Kim", "Luca", "Mia"], raters)
            self.raters_of[stem] = [
                self.add("rating", map(mark, qualities), form.format(s=stem, i=place + 1, n=who, l="abcdef"[place]))
                for place, who in enumerate(people)
            ]
            return
        for _ in range(rng.choice([1, 1, 2, 3, 4])):
            mark = mark_maker(rng) if rng.random() < 0.4 else mark
            name = self.add("rating", [mark(quality) if rng.random() > 0.03 else "" for quality in qualities])
        numbers = [float(cell) for cell in self.columns[name] if str(cell).replace(".", "").replace("-", "").isdigit()]
        if rng.random() < 0.12 and len(numbers) == len(qualities):
            mean = sum(numbers) / len(numbers)
            spread = (sum((number - mean) ** 2 for number in numbers) / len(numbers)) ** 0.5 or 1
            other = rng.choice(["z", "z_score", "zscore", f"{name}_z", f"{name}_norm", f"normalized_{name}"])
            self.add("rating", [(number - mean) / spread for number in numbers], other, "unused|rating")

    def systems_in_columns(self) -> None:
        """Invent a column of outputs per system, perhaps with marks of each."""
        rng, size = self.rng, len(self.items)
        self.draw_systems(2)
        everyone = range(size)
        if rng.random() < 0.6:
            self.add("item", rng.choice([[*everyone], [f"d{row}" for row in everyone]]), accepted="item|id|unused")
        if self.has_input:
            self.add("input", self.inputs)
        form = rng.choice(SYSTEM_FORMS)
        numbered = rng.random() < 0.3 or (form == "{}" and max(map(len, self.systems)) < 2)
        form = "output{}" if numbered and form == "{}" else form
        labels = [str(place + 1) if numbered else name for place, name in enumerate(self.systems)]
        criteria = rng.sample(
            ["fluency", "quality", "adequacy", "score", "rating", "coherence", "rank"], rng.choice([0, 1, 1, 2])
        )
        marks, mark = rng.choice(MARK_FORMS), mark_maker(rng)

        def add_mark(system: int, criterion: str) -> None:
            order = [sorted(row, reverse=True).index(row[system]) + 1 for row in self.quality]
            cells = order if criterion == "rank" else [mark(row[system]) for row in self.quality]
            self.add("rating", cells, marks.format(s=labels[system], c=criterion))

        together = rng.random() < 0.5
        for system, label in enumerate(labels):
            self.add("output", [row[system] for row in self.outputs], form.format(label))
            for criterion in criteria if together else ():
                add_mark(system, criterion)
        for criterion in () if together else criteria:
            for system in range(len(labels)):
                add_mark(system, criterion)
        self._add_references([*everyone])

    def comparison(self) -> None:
        """Invent two outputs or systems per row, and which is preferred."""
        rng = self.rng
        self.draw_systems(2)
        raters = rater_names(rng, rng.choice([2, 3])) if rng.random() < 0.5 else [""]
        rows = [
            (item, first, second, rater)
            for item in range(len(self.items))
            for _ in range(rng.choice([1, 1, 2]))
            for first, second in [rng.sample(range(len(self.systems)), 2)]
            for rater in raters
        ][:MOST_ROWS]
        won = [
            2
            if rng.random() < 0.06
            else int(self.quality[item][first] + rng.gauss(0, 0.3) < self.quality[item][second])
            for item, first, second, _ in rows
        ]
        if rng.random() < 0.6:
            self.add("item", [f"q{row[0]}" for row in rows], accepted="item|unused")
        if self.has_input:
            self.add("input", [self.inputs[row[0]] for row in rows])
        if rng.random() < 0.25:
            names = rng.choice([("chosen", "rejected"), ("preferred", "rejected"), ("preferred", "dispreferred")])
            for side, name in enumerate(names):
                places = [row[1 + (min(end, 1) ^ side)] for row, end in zip(rows, won, strict=True)]
                self.add("output", [self.outputs[row[0]][place] for row, place in zip(rows, places, strict=True)], name)
        else:
            self._add_sides(rows, won)
        if raters != [""]:
            self.add("rater", [row[3] for row in rows])
        if rng.random() < 0.1:
            self.add("reference", [self.references[row[0]][0] for row in rows])

    def _add_sides(self, rows: Sequence[tuple[int, int, int, str]], won: Sequence[int]) -> None:
        rng, sides = self.rng, self.rng.choice(SIDES)
        mode = rng.choice(["both", "outputs", "systems"])
        text = rng.choice(["output", "response", "answer", "summary", "text", "translation", "completion", "Antwort"])
        system = rng.choice(["system", "model", "model_name", "sys", "System", "Modell", "sistema"])
        form = rng.choice(["{x}_{s}", "{x}{s}", "{x} {s}", "{s}_{x}", "Input.{x}{s}"])
        systems, outputs = ([form.format(x=what, s=side) for side in sides] for what in (system, text))
        parts = [(role, side) for side in (0, 1) for role in ("system", "output")]
        if rng.random() < 0.5:
            parts.sort(key=lambda part: part[0])
        for role, side in parts:
            if role == "system" and mode != "outputs":
                self.add("system", [self.systems[row[1 + side]] for row in rows], systems[side])
            if role == "output" and mode != "systems":
                self.add("output", [self.outputs[row[0]][row[1 + side]] for row in rows], outputs[side])
        told = rng.choice(["side", "name", "number", "sentence", "Answer", *(["system"] if mode != "outputs" else [])])

        def winner(row: tuple[int, int, int, str], end: int) -> Any:
            if end == 2:
                return 0 if told == "number" else "tie"
            names = systems if mode == "systems" else outputs
            return {
                "side": sides[end],
                "name": names[end],
                "number": end + 1,
                "system": self.systems[row[1 + end]],
                "sentence": f"{text} {sides[end]} is better",
                "Answer": f"Answer {sides[end]}",
            }[told]

        self.add("winner", [winner(row, end) for row, end in zip(rows, won, strict=True)])

    def choice(self) -> None:
        """Invent several outputs per row, and which is the best, and the worst."""
        rng, size = self.rng, len(self.items)
        self.draw_systems(3)
        number = len(self.systems)
        if rng.random() < 0.6:
            self.add("item", range(size), accepted="item|id|unused")
        if self.has_input:
            self.add("input", self.inputs)
        form = rng.choice(["text{}", "output_{}", "summary {}", "Input.text_{}", "response{}"])
        labels = rng.choice(["ABCDEFGH", "12345678"])[:number]
        names = [
            self.add("output", [row[place] for row in self.outputs], form.format(label))
            for place, label in enumerate(labels)
        ]
        best = [rng.randrange(number) for _ in range(size)]
        shown = rng.choice([labels, names])
        self.add("best", [shown[place] for place in best], accepted="best|winner")
        if rng.random() < 0.8:
            self.add("worst", [shown[(place + rng.randint(1, number - 1)) % number] for place in best])

    def ranks(self) -> None:
        """Invent numbered systems and their ranks."""
        rng, size = self.rng, 2 * len(self.items)
        self.draw_systems(3)
        number = min(len(self.systems), rng.choice([2, 3, 5]))
        if rng.random() < 0.6:
            self.add("item", [row // 2 for row in range(size)], accepted="item|unused")
        orders = [rng.sample(self.systems, number) for _ in range(size)]
        system, rank = (
            rng.choice(["system{}Id", "system{}", "sys_{}"]),
            rng.choice(["system{}rank", "rank{}", "rank_{}"]),
        )
        for place in range(number):
            self.add("system", [order[place] for order in orders], system.format(place + 1))
            self.add("rank", [rng.randint(1, number) for _ in orders], rank.format(place + 1))
        self.add("rater", [rng.choice(["j1", "j2", "j3"]) for _ in range(size)])

    def without_outputs(self) -> None:
        """Invent references, scores, marks, classes or answers, and no generated texts."""
        rng, size = self.rng, self.rng.choice([8, 12, 20, 30])
        concepts = [self.writer.concept() for _ in range(size)]
        kind = rng.choice(["references", "pairs", "scores", "classes", "survey", "prompts", "marks", "systems"])
        if rng.random() < 0.6:
            self.add("item", [f"d{row}" for row in range(size)], accepted="id|item|unused")
        if kind in ("pairs", "prompts"):
            self.add("input", [self.writer.input_of(concept, "other") for concept in concepts])
        for _ in range(rng.choice([1, 1, 2, 4]) if kind in ("references", "pairs") else 0):
            self.add("reference", [self.writer.sentence(concept, 0.2) for concept in concepts])
        if kind in ("scores", "systems", "marks"):
            names = system_names(rng, 5)
            cells = [f"{names[row % len(names)]}{row if kind == 'systems' else ''}" for row in range(size)]
            self.add("system", cells)
        maker, role = (mark_maker, "rating") if kind == "marks" else (score_maker, "score")
        for _ in range(rng.choice([1, 2, 4, 6]) if kind in ("scores", "systems", "marks") else 0):
            self.add(role, map(maker(rng), (rng.random() for _ in range(size))))
        if kind == "classes":
            name = rng.choice(["text", "sentence", "Text", "review", "tweet", "premise"])
            self.add("input", [self.writer.sentence(concept) for concept in concepts], name, "input|unused")
            classes = [rng.choice(["positive", "negative", "neutral"]) for _ in range(size)]
            self.add("unused", classes, rng.choice(["label", "sentiment", "class", "gold_label"]), "unused|rating")
        if kind == "survey":
            asked = ["What is your age?", "How often do you read news?", "Do you have comments?", "Your profession"]
            for question in rng.sample(asked, 3):
                answers = [
                    rng.choice(["25", "daily", "no", "phone", "teacher", "it was fine, but long"]) for _ in range(size)
                ]
                self.add("unused", answers, question, "unused|rating")

    def as_batch(self) -> None:
        """Rename the columns as a crowdsourcing platform does, and add those of the platform."""
        rng, size = self.rng, len(next(iter(self.columns.values())))
        prefixes = dict.fromkeys(("output", "input", "reference", "system", "item"), "Input.")
        prefixes |= dict.fromkeys(("rating", "winner", "best", "worst"), "Answer.")
        named = {
            name: "WorkerId"
            if role == "rater"
            else name
            if "." in name
            else prefixes.get(role.partition("|")[0], "") + name
            for name, role in self.roles.items()
        }
        share = rng.choice([0.3, 1])
        head = {name: self._of_platform(name, size) for name in MTURK if rng.random() < share}
        roles = dict.fromkeys(head, "unused") | {"HITId": "item|unused", "AssignmentId": "id|unused"}
        self.columns = head | {named[name]: cells for name, cells in self.columns.items()}
        self.roles = {name: roles[name] for name in head} | {named[name]: role for name, role in self.roles.items()}
        self.raters_of = {}

    def _of_platform(self, name: str, size: int) -> list[Any]:
        rng = self.rng
        if "Time" in name and "Work" not in name:
            return noise_cells(rng, "CreationTime", size)
        made = {
            "HITId": [f"3{row // 2:05d}Q" for row in range(size)],
            "AssignmentId": [f"3A{row:06d}" for row in range(size)],
            "WorkTimeInSeconds": [str(rng.randint(9, 900)) for _ in range(size)],
            "LifetimeApprovalRate": [rng.choice(["100% (3/3)", "0% (0/0)"]) for _ in range(size)],
            "Description": ["Read texts and rate them"] * size,
        }
        return made.get(name, [rng.choice(["Rate texts", "$0.10", "3600", "BatchId:4711;"])] * size)

    def table(self, name: str, refuse: str = "") -> Table:
        """Return the table, with unused columns, in some order, some names made meaningless."""
        rng, size = self.rng, len(next(iter(self.columns.values()), []))
        for _ in range(rng.choice([0, 0, 1, 1, 2, 3, 5])):
            noise = noise_name(rng, self.columns)
            cells = noise_cells(rng, noise, size)
            texts = next((self.columns[column] for column, role in self.roles.items() if role == "output"), None)
            if cells or texts:
                self.add("unused", cells or [len(str(text).split()) for text in texts or ()], noise)
        order = list(self.columns)
        if rng.random() < 0.35:
            rng.shuffle(order)
        elif rng.random() < 0.5:
            order.sort(key=lambda column: self.roles[column] != "unused")
        as_text = rng.random() < 0.6
        columns = {column: [_cell(cell, as_text) for cell in self.columns[column]] for column in order}
        renamed = dict(self._meaningless(order)) if rng.random() < 0.12 else {}
        return Table(
            name,
            "invented",
            {renamed.get(column, column): cells for column, cells in columns.items()},
            {renamed.get(column, column): self.roles[column] for column in order},
            self.raters_of,
            refuse,
        )

    def _meaningless(self, order: Sequence[str]) -> Iterator[tuple[str, str]]:
        """Return meaningless names for columns that no other belongs to."""
        stem, roles = self.rng.choice(["x", "v", "col", "c", "var", "feld", "champ", "f"]), [*self.roles.values()]
        for place, column in enumerate(order):
            role = self.roles[column].partition("|")[0]
            single = role in ("output", "input", "reference") and roles.count(role) == 1 and self.rng.random() < 0.3
            if role in ("unused", "item", "id") or single:
                yield column, f"{stem}{place}"


def _cell(cell: Any, as_text: bool) -> Any:
    if not as_text or isinstance(cell, (list, dict)):
        return cell
    return "" if cell is None else str(cell)
