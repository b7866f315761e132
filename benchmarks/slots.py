"""`python -m benchmarks.slots`: how well slots are read, into docs/lab/slots.md."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset, score_corpus
from rainbow.base.arrays import FloatArray
from rainbow.meaning.realisation import realisation
from rainbow.metrics.meaning.slots import Slots
from rainbow.stats.correlation.correlation import correlation_matrix
from rainbow.text.words.mentions import mention_words

__all__ = ["Reading", "faults_found", "references_read", "with_ratings"]

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "slots.md"
WITH_REFERENCES = ("demo", "sfhotel", "sfrest", "bagel", "e2e")
TRIPLES = "webnlg2020"
RATINGS = ("correctness", "data_coverage", "relevance")
COLUMNS = tuple(column.name for column in Slots.columns)
# Errors of the demo after which a slot is not said with its value.
UNSAID = ("dropped", "wrong")


class Reading(NamedTuple):
    """A slot as it was read in a text: of which act, whether realised, and whether it should be."""

    act: str
    slot: str
    realised: bool
    right: bool


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.slots", description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    out = parser.parse_args().out
    replace_part(out, "slots", "\n".join(_page()))
    try:
        corpus = load_dataset(TRIPLES)
    except (FileNotFoundError, ValueError) as error:
        sys.stderr.write(f"the table of {TRIPLES} is left as it was: {error}\n")
        return
    replace_part(out, "triples", "\n".join(_ratings(corpus)))


def faults_found() -> list[Reading]:
    """Return every slot of the demo's outputs, with the faults that are known."""
    corpus = load_dataset("demo")
    found = []
    for meaning, row in zip(corpus.meanings, corpus.frame.to_dict("records"), strict=True):
        faulty = {error.partition(":")[2] for error in row["errors"] if error.startswith(UNSAID)}
        if meaning is not None:
            states = realisation(meaning, mention_words(row["output"])).states
            for slot, state in zip(meaning.slots, states, strict=True):
                found.append(Reading(meaning.act, slot.name, state == "realised", slot.name not in faulty))
    return found


def references_read(name: str) -> list[list[Reading]]:
    """Return every slot of a dataset's references, a list for each reference: they should say what they were asked."""
    corpus = load_dataset(name)
    pairs = dict.fromkeys(zip(corpus.meanings, corpus.frame["references"], strict=True))
    texts = dict.fromkeys((meaning, text) for meaning, references in pairs if meaning for text in references)
    return [
        [
            Reading(meaning.act, slot.name, state == "realised", True)
            for slot, state in zip(meaning.slots, realisation(meaning, mention_words(text)).states, strict=True)
        ]
        for meaning, text in texts
    ]


def with_ratings(corpus: Corpus, ratings: Sequence[str]) -> FloatArray:
    """Return Spearman's correlation of each column of slots with each rating, shape (columns, ratings)."""
    scores = score_corpus(corpus, ["slots"])
    return correlation_matrix(scores[list(COLUMNS)], corpus.frame[list(ratings)])


def _page() -> Iterator[str]:
    faults = faults_found()
    yield "## Known faults: the demo"
    yield ""
    yield "Slots that an output leaves out or says with another value, found among all slots."
    yield ""
    yield from _faults(faults, "act")
    yield ""
    yield from _faults(faults, "slot")
    yield ""
    yield "## References"
    yield ""
    yield "A reference is complete if every slot is read as realised."
    yield ""
    yield from _references({name: references_read(name) for name in WITH_REFERENCES})


def _faults(readings: Iterable[Reading], by: str) -> Iterator[str]:
    yield f"| {by} | slots | faults | precision | recall | F1 |"
    yield "| --- | --- | --- | --- | --- | --- |"
    counts: dict[str, Counter[tuple[bool, bool]]] = {}
    for reading in readings:
        for name in (getattr(reading, by), "all"):
            counts.setdefault(name, Counter())[reading.right, reading.realised] += 1
    for name in sorted(counts, key=lambda name: (name == "all", name)):
        count = counts[name]
        hits, missed, alarms = count[False, False], count[False, True], count[True, False]
        shares = (hits, hits + alarms), (hits, hits + missed), (2 * hits, 2 * hits + alarms + missed)
        cells = [f"{part / whole:.3f}" if whole else "none" for part, whole in shares]
        yield f"| {name} | {count.total()} | {hits + missed} | {' | '.join(cells)} |"


def _references(read: Mapping[str, list[list[Reading]]]) -> Iterator[str]:
    yield "| dataset | act or slot | read | complete or realised |"
    yield "| --- | --- | --- | --- |"
    for name, texts in read.items():
        whole: dict[str, list[bool]] = {}
        slots: dict[str, list[bool]] = {}
        for text in filter(None, texts):
            for key in ("all", text[0].act):
                whole.setdefault(f"references, {key}", []).append(all(reading.realised for reading in text))
            for reading in text:
                slots.setdefault(f"`{reading.slot}`", []).append(reading.realised)
        for what, said in (whole | slots).items():
            yield f"| {name} | {what} | {len(said):,} | {sum(said) / len(said):.3f} |"


def _ratings(corpus: Corpus) -> Iterator[str]:
    corpus = corpus.take(np.flatnonzero(corpus.frame[list(RATINGS)].notna().all(axis=1)).tolist())
    yield f"Spearman's correlation over the {len(corpus):,} rated outputs of 16 systems."
    yield ""
    yield f"| column | {' | '.join(RATINGS)} |"
    yield f"| --- |{' --- |' * len(RATINGS)}"
    for column, values in zip(COLUMNS, with_ratings(corpus, RATINGS), strict=True):
        yield f"| `{column}` | {' | '.join(f'{value:.3f}' for value in values)} |"


if __name__ == "__main__":
    main()
