"""Write the data set `demo`: one JSON object per output.

Run from the root of the repository::

    python -m scripts.demo [--seed 2017] [--out rainbow/datasets/data/demo.jsonl]
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

from .chance import Chance
from .grammar import realise, text
from .judges import rate
from .meanings import Meaning, draw_items
from .systems import outputs

SEED = 2017
TARGET = Path(__file__).resolve().parents[2] / "rainbow" / "datasets" / "data" / "demo.jsonl"
NUMBERS_OF_REFERENCES = (2, 3, 3, 4, 4, 5, 6)
CANDIDATES = 8  # drawn for each further reference, to keep the one least like those found


def references(meaning: Meaning, item: str, seed: int) -> list[str]:
    """Return two to six different texts that say all of `meaning`."""
    chance = Chance(seed, item, "references")
    wanted = chance.pick(NUMBERS_OF_REFERENCES)
    found = [text(realise(meaning, chance))]
    while len(found) < wanted:
        new = {text(realise(meaning, chance)) for _ in range(CANDIDATES)} - set(found)
        if new:
            found.append(min(sorted(new), key=lambda sentence: max(_likeness(sentence, other) for other in found)))
        elif len(found) >= NUMBERS_OF_REFERENCES[0]:
            break
    return found


def _likeness(sentence: str, other: str) -> float:
    words, others = set(sentence.split()), set(other.split())
    return len(words & others) / len(words | others)


def rows(seed: int) -> Iterator[dict[str, object]]:
    """Return the rows of the data set, the systems of an item one after the other."""
    for item, meaning in draw_items(seed).items():
        human = references(meaning, item, seed)
        for system, output in outputs(meaning, item, seed).items():
            yield {
                "item": item,
                "mr": str(meaning),
                "mr_type": meaning.act,
                "system": system,
                "output": output.text,
                "references": human,
                **rate(output, item, system, seed),
                "errors": output.errors,
            }


def main() -> None:
    """Parse the command line and write the file."""
    parser = argparse.ArgumentParser(prog="python -m scripts.demo", description="Write the data set demo.")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--out", type=Path, default=TARGET)
    options = parser.parse_args()
    lines = [json.dumps(row, ensure_ascii=False) + "\n" for row in rows(options.seed)]
    options.out.write_text("".join(lines), encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
