"""Open texts to learn from, as groups of texts that say the same.

Each repository is a folder of :data:`OPEN`, named after it:

============== ===================================================== ===================== ===========================
folder         repository (GitHub)                                   licence               read
============== ===================================================== ===================== ===========================
wiki-split     google-research-datasets/wiki-split                   CC BY-SA 4.0          tune, validation, test
e2e-cleaning   tuetschek/e2e-cleaning                                CC BY-SA 4.0          development texts, cleaned
sgd            google-research-datasets/dstc8-schema-guided-dialogue CC BY-SA 4.0          training dialogues
dart           Yale-LILY/dart                                        MIT                   tables of Wikipedia
e-snli         OanaMariaCamburu/e-SNLI: SNLI, without explanations   CC BY-SA 4.0          development, test
blimp          alexwarstadt/blimp                                    CC BY                 400 pairs of each paradigm
============== ===================================================== ===================== ===========================

Nothing of WebNLG, of the hotels and restaurants of 2017, and of the rated inputs of E2E is read: these are what the
score is tested on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pandas as pd

from rainbow.meaning import MeaningRepresentation, Slot, parse_meaning

OPEN = "open"
_TABLES = ("WikiSQL", "WikiTableQuestions")  # the parts of DART that come from Wikipedia's tables
_TITLE = ("[TABLECONTEXT]", "[title]")
_SPACES = ((" ' s ", "'s "), (" n't", "n't"), ("`` ", '"'), (" ''", '"'), ("( ", "("), (" )", ")"))


class Group(NamedTuple):
    """Texts that say the same, and the structured input that they express, if there is one."""

    source: str
    texts: tuple[str, ...]
    meaning: MeaningRepresentation | None = None


class Judged(NamedTuple):
    """A premise and a hypothesis, and whether the first entails the second."""

    premise: str
    hypothesis: str
    label: str  # entailment, neutral or contradiction


def groups(folder: Path) -> Iterator[Group]:
    """Yield the groups of all sources, without texts that have no word."""
    sources = (_split_sentences, "wiki-split"), (_restaurants, "e2e-cleaning"), (_turns, "sgd"), (_tables, "dart")
    for read, name in sources:
        for group in read(folder / OPEN / name):
            texts = tuple(text for text in group.texts if any(map(str.isalnum, text)))
            if texts:
                yield group._replace(texts=texts)


def judged(folder: Path) -> Iterator[Judged]:
    """Yield the pairs of SNLI on which the raters agree."""
    for part in ("dev", "test"):
        files = (folder / OPEN / "e-snli" / "dataset" / "eSNLI" / f"{kind}.{part}" for kind in ("s1", "s2", "labels"))
        lines = (map(_untokenise, file.read_text("utf-8").splitlines()) for file in files)
        yield from (Judged(*line) for line in zip(*lines, strict=True))


def acceptable(folder: Path) -> Iterator[tuple[str, str]]:
    """Yield sentences that are acceptable English, each with one that is not."""
    for file in sorted((folder / OPEN / "blimp" / "data").glob("*.jsonl")):
        for line in file.open(encoding="utf-8"):
            entry = json.loads(line)
            yield entry["sentence_good"], entry["sentence_bad"]


def _split_sentences(folder: Path) -> Iterator[Group]:
    for part in ("tune", "validation", "test"):
        for line in (folder / f"{part}.tsv").read_text("utf-8").splitlines():
            whole, split = line.split("\t")
            yield Group("wikipedia", (_untokenise(whole), _untokenise(split.replace("<::::>", ""))))


def _untokenise(text: str) -> str:
    """Return a tokenised text without the spaces around its punctuation."""
    for spaced, plain in _SPACES:
        text = text.replace(spaced, plain)
    return " ".join(re.sub(r" ([.,;:?!%])", r"\1", text).split())


def _restaurants(folder: Path) -> Iterator[Group]:
    table = pd.read_csv(folder / "cleaned-data" / "devel-fixed.no-ol.csv")
    for meaning, texts in table.groupby("mr", sort=False)["ref"]:
        yield Group("e2e", tuple(texts), parse_meaning(str(meaning)))


def _turns(folder: Path) -> Iterator[Group]:
    seen = set()
    for file in sorted((folder / "train").glob("*.json")):
        for dialogue in json.loads(file.read_text("utf-8")):
            for turn in dialogue["turns"]:
                meaning = _actions(turn)
                if turn["speaker"] == "SYSTEM" and meaning and turn["utterance"] not in seen:
                    seen.add(turn["utterance"])
                    yield Group("dialogue", (turn["utterance"],), meaning)


def _actions(turn: dict[str, Any]) -> MeaningRepresentation | None:
    """Return what a turn says with values; None if it is nothing of the kind, or more than one act."""
    actions = [action for frame in turn["frames"] for action in frame["actions"]]
    slots = tuple(
        Slot(action["slot"], ", ".join(action["values"])) for action in actions if action["slot"] and action["values"]
    )
    acts = {action["act"] for action in actions}
    return MeaningRepresentation(min(acts).lower(), slots) if slots and len(acts) == 1 else None


def _tables(folder: Path) -> Iterator[Group]:
    data = folder / "data" / "v1.1.1"
    for entry in json.loads((data / "dart-v1.1.1-full-dev.json").read_text("utf-8")):
        texts = [text["text"] for text in entry["annotations"] if text["source"].startswith(_TABLES)]
        if texts:
            yield Group("tables", tuple(texts), _triples(entry["tripleset"]))
    for element in ElementTree.parse(data / "dart-v1.1.1-full-test.xml").iter("entry"):
        texts = [text.text or "" for text in element.iter("lex") if text.get("comment", "").startswith(_TABLES)]
        if texts:
            triples = [(triple.text or "").split(" | ") for triple in element.iter("mtriple")]
            yield Group("tables", tuple(texts), _triples([triple for triple in triples if len(triple) == 3]))


def _triples(triples: list[list[str]]) -> MeaningRepresentation:
    titles = [value for subject, name, value in triples if subject == _TITLE[0] and name.lower() == _TITLE[1]]
    slots = [
        Slot(name, value, subject=titles[0] if titles and subject == _TITLE[0] else subject)
        for subject, name, value in triples
        if (subject, name.lower()) != _TITLE
    ]
    slots += [Slot("title", title, subject="table") for title in titles]
    return MeaningRepresentation("", tuple(slots), "triples")
