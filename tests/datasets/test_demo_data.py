"""The embedded synthetic data set: what it promises, and that the generator still writes it."""

import json
import os
import re
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rainbow.datasets import dataset_names, domain, load_dataset, source
from rainbow.meaning import Slot, parse_meaning
from rainbow.stats.agreement.intraclass import intraclass

ROOT = Path(__file__).parents[2]
DATA = ROOT / "rainbow" / "datasets" / "data" / "demo.jsonl"
RATINGS = ("informativeness", "naturalness", "quality")
SYSTEMS = {"template", "neural", "ngram"}
ACTS = {"inform", "inform_only_match", "inform_no_match", "confirm", "select", "request", "reqmore", "goodbye"}
ERROR_KINDS = {"dropped", "wrong", "invented", "repeated", "order", "truncated", "agreement", "article", "raw"}
MENTIONS = {
    "has_internet": ("internet", "Wi-Fi"),
    "dogs_allowed": ("dog",),
    "accepts_credit_cards": ("credit card",),
    "kids_allowed": ("kid", "child", "adults-only"),
}

Row = dict[str, Any]


@pytest.fixture(scope="module")
def rows() -> list[Row]:
    return [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]


def quoted_slots(row: Row) -> list[Slot]:
    """The slots in quotes; 'yes or no' is a question about a slot, not a value to be said."""
    return [slot for slot in parse_meaning(row["mr"]).slots if slot.quoted and slot.value != "yes or no"]


def says(text: str, slot: Slot) -> bool:
    return all(re.search(rf"\b{re.escape(option)}\b", text) for option in slot.value.split(" or "))


@pytest.mark.parametrize("hash_seed", ["0", "12345"])
def test_the_generator_writes_the_shipped_file_byte_for_byte(tmp_path: Path, hash_seed: str) -> None:
    written = tmp_path / "demo.jsonl"
    command = [sys.executable, "-m", "scripts.demo", "--out", str(written)]
    subprocess.run(command, cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": hash_seed}, check=True)
    assert written.read_bytes() == DATA.read_bytes()


def test_another_seed_writes_another_file(tmp_path: Path) -> None:
    written = tmp_path / "demo.jsonl"
    subprocess.run([sys.executable, "-m", "scripts.demo", "--seed", "1", "--out", str(written)], cwd=ROOT, check=True)
    assert written.read_bytes() != DATA.read_bytes()


def test_the_file_is_small_and_has_at_least_900_rows(rows: list[Row]) -> None:
    assert len(rows) >= 900 and DATA.stat().st_size < 1_500_000


def test_every_row_has_exactly_the_documented_fields(rows: list[Row]) -> None:
    fields = {"item", "mr", "mr_type", "system", "output", "references", *RATINGS, "errors"}
    assert all(set(row) == fields for row in rows) and all(row["output"].strip() for row in rows)


def test_item_and_system_identify_a_row(rows: list[Row]) -> None:
    assert Counter((row["item"], row["system"]) for row in rows).most_common(1)[0][1] == 1


def test_every_item_has_the_three_systems_and_one_meaning_of_its_own(rows: list[Row]) -> None:
    items = defaultdict(list)
    for row in rows:
        items[row["item"]].append(row)
    assert len(items) >= 300 and all({row["system"] for row in group} == SYSTEMS for group in items.values())
    shared = [{json.dumps([row["mr"], row["references"]]) for row in group} for group in items.values()]
    assert all(len(content) == 1 for content in shared)
    assert len({group[0]["mr"] for group in items.values()}) == len(items)


def test_all_eight_acts_and_both_domains_occur(rows: list[Row]) -> None:
    assert {row["mr_type"] for row in rows} == ACTS
    assert {row["item"].partition("-")[0] for row in rows} == {"hotel", "restaurant"}
    assert all(parse_meaning(row["mr"]).act == row["mr_type"] for row in rows)


def test_every_item_has_two_to_six_different_references(rows: list[Row]) -> None:
    assert all(2 <= len(set(row["references"])) == len(row["references"]) <= 6 for row in rows)


def test_every_reference_says_every_quoted_value(rows: list[Row]) -> None:
    silent = [
        (slot, reference)
        for row in rows
        for slot in quoted_slots(row)
        for reference in row["references"]
        if not says(reference, slot)
    ]
    assert silent == []


def test_every_reference_speaks_of_every_yes_or_no_slot(rows: list[Row]) -> None:
    silent = [
        (slot, reference)
        for row in rows
        for slot in parse_meaning(row["mr"]).slots
        for reference in row["references"]
        if slot.name in MENTIONS
        and row["mr_type"] != "request"
        and not any(w in reference for w in MENTIONS[slot.name])
    ]
    assert silent == []


def test_an_output_says_a_quoted_value_unless_its_errors_say_otherwise(rows: list[Row]) -> None:
    contradictions = [
        (slot, row["output"], row["errors"])
        for row in rows
        for slot in quoted_slots(row)
        if says(row["output"], slot) == bool({f"dropped:{slot.name}", f"wrong:{slot.name}"} & set(row["errors"]))
    ]
    assert contradictions == []


def test_errors_are_of_known_kinds_and_in_a_realistic_share_of_each_system(rows: list[Row]) -> None:
    assert {error.partition(":")[0] for row in rows for error in row["errors"]} == ERROR_KINDS
    for system in SYSTEMS:
        assert 0.3 <= np.mean([bool(row["errors"]) for row in rows if row["system"] == system]) <= 0.5


def test_few_outputs_are_copies_of_a_reference(rows: list[Row]) -> None:
    assert np.mean([row["output"] in row["references"] for row in rows]) < 0.1


@pytest.mark.parametrize("rating", RATINGS)
def test_ratings_are_three_integers_from_1_to_6_with_mostly_high_values(rows: list[Row], rating: str) -> None:
    assert all(len(row[rating]) == 3 and all(type(value) is int for value in row[rating]) for row in rows)
    values = np.array([row[rating] for row in rows])
    assert set(np.unique(values)) == {1, 2, 3, 4, 5, 6} and np.mean(values >= 5) > 0.5


@pytest.mark.parametrize("rating", RATINGS)
def test_three_judges_agree_moderately(rows: list[Row], rating: str) -> None:
    marks = np.array([row[rating] for row in rows], dtype=float)
    assert all(0.4 <= intraclass(marks, form).estimate <= 0.6 for form in ("1,k", "2,k"))


@pytest.mark.parametrize(("kind", "hurt", "spared"), [
    ("dropped", "informativeness", "naturalness"), ("order", "naturalness", "informativeness")
])  # fmt: skip
def test_judges_react_to_the_errors_that_concern_them(rows: list[Row], kind: str, hurt: str, spared: str) -> None:
    clean = [row for row in rows if not row["errors"]]
    faulty = [row for row in rows if row["errors"] and {e.partition(":")[0] for e in row["errors"]} == {kind}]

    def loss(rating: str) -> float:
        return float(np.mean([row[rating] for row in clean]) - np.mean([row[rating] for row in faulty]))

    assert loss(hurt) > 0.5 and loss("quality") > 0.5 and abs(loss(spared)) < 0.3


def test_texts_without_errors_are_typeset_like_english(rows: list[Row]) -> None:
    texts = {text for row in rows for text in [*row["references"], *([] if row["errors"] else [row["output"]])]}
    assert all(text[0].isupper() and text[-1] in ".?" for text in texts)
    assert not [text for text in texts if "  " in text or " ," in text or " ." in text or "{" in text]


EVERY = pytest.mark.parametrize("name", dataset_names())


@EVERY
def test_its_module_says_what_it_needs_and_what_it_is_about(name: str) -> None:
    files = source(name).FILES[name]
    assert isinstance(files, tuple) and domain(name)
    assert all(re.fullmatch("[0-9a-f]{64}", file.sha256) and re.search("/[0-9a-f]{40}", file.url) for file in files)


@EVERY
def test_it_can_be_found_and_its_licence_is_named(name: str) -> None:
    assert f"``{name}``" in str(load_dataset.__doc__)
    assert f"`{name}`" in (ROOT / "docs/licences.md").read_text(), "add a line to docs/licences.md"


@pytest.mark.parametrize("name", [name for name in dataset_names() if not source(name).FILES[name]])
def test_one_that_is_part_of_the_package_loads(name: str) -> None:
    corpus = load_dataset(name)
    assert len(corpus) and name in set(corpus.frame["dataset"])
