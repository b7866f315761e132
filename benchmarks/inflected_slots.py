"""`python -m benchmarks.inflected_slots FOLDER`: how well values are found in inflected Czech.

FOLDER holds train.json and test.json of https://github.com/UFAL-DSG/cs_restaurant_dataset (CC BY-SA 4.0), whose
delexicalised texts say which values a text mentions. The slots are learned from the training part.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from rainbow.meaning import parse_meaning
from rainbow.meaning.inflected_mentions import is_mentioned, parse_text, said_slots


def _values(entry: dict[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Yield name and value of each slot, and whether the text mentions the value."""
    for slot, replaced in zip(parse_meaning(entry["da"]).slots, parse_meaning(entry["delex_da"]).slots, strict=True):
        if replaced.value.startswith("X-"):
            yield slot.name, slot.value, replaced.value in entry["delex_text"]


def main(folder: str) -> None:
    """Write the share of mentioned values that are found, and of other values that are found wrongly."""
    train, test = (json.loads(Path(folder, f"{part}.json").read_text(encoding="utf-8")) for part in ("train", "test"))
    said = said_slots([(parse_meaning(entry["da"]), [entry["text"]]) for entry in train], is_spaced=True)
    known: dict[str, set[str]] = {}
    for entry in train:
        for name, value, _ in _values(entry):
            known.setdefault(name, set()).add(value)
    rng, found, wrong = random.Random(2017), list[bool](), list[bool]()
    for entry in test:
        text, own = parse_text(entry["text"]), [*_values(entry)]
        for name, value, mentioned in own:
            if name in said and mentioned:
                other = rng.choice(sorted(known[name] - {each for same, each, _ in own if same == name}))
                found.append(is_mentioned(value, text, is_spaced=True))
                wrong.append(is_mentioned(other, text, is_spaced=True))
    sys.stdout.write(f"slots: {', '.join(said)}\n")
    sys.stdout.write(f"{len(found)} mentioned values: {sum(found) / len(found):.1%} found\n")
    sys.stdout.write(f"{len(wrong)} other values: {sum(wrong) / len(wrong):.1%} found\n")


if __name__ == "__main__":
    main(sys.argv[1])
