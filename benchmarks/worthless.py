"""`python -m benchmarks.worthless`: good texts of other domains against worthless ones, into docs/lab/general-score.md.

The best-rated outputs of WebNLG, and of a file of summaries (SummEval: columns summary, golds, fluency, relevance).
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

import numpy as np

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset
from rainbow.audit.perturbations import perturb, perturbed_corpus
from rainbow.learned.model.model_file import read_shipped_model

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "general-score.md"
RATINGS = ("informativeness", "naturalness", "quality")
KINDS = ("shuffled-words", "truncated", "unrelated-sentence")
MADE_UP = "made-up words"
BEST = 500


def main() -> None:
    """Measure everything and write the part of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worthless", description=__doc__)
    parser.add_argument("--summaries", type=Path, help="SummEval as a CSV file; WebNLG alone without it")
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    options = parser.parse_args()
    replace_part(options.out, "worthless", "\n".join(page(options.summaries)))


def page(summaries: Path | None = None) -> Iterator[str]:
    """Return the lines of the table."""
    corpora = {("webnlg2020", "fast"): best(load_dataset("webnlg2020"), ("correctness", "fluency"))}
    if summaries is not None:
        ratings = ("fluency", "relevance")
        table = load_dataset(str(summaries), output="summary", references="golds", item="doc", ratings=ratings)
        corpora |= dict.fromkeys([("SummEval", "fast"), ("SummEval", "top5")], best(table, ratings))
    yield f"| corpus | models | {' | '.join((*KINDS, MADE_UP))} |"
    yield "| --- | --- |" + " --- |" * (len(KINDS) + 1)
    for (name, model), corpus in corpora.items():
        yield f"| {name} | `{model}` | {' | '.join(shares(corpus, model))} |"


def best(corpus: Corpus, ratings: tuple[str, ...]) -> Corpus:
    """Return the outputs with the best mean of these ratings."""
    means = corpus.frame[list(ratings)].mean(axis=1, skipna=False).fillna(-1).to_numpy()
    return corpus.take(np.sort(np.argsort(-means, kind="stable")[:BEST]))


def shares(corpus: Corpus, model: str) -> Iterator[str]:
    """Yield for each kind the shares of texts whose scores fall, by rating."""
    scored = [read_shipped_model(f"{rating}-{model}") for rating in RATINGS]
    before = [one.predict(corpus) for one in scored]
    worse = perturb(corpus, KINDS, seed=5)
    texts = {kind: perturbed_corpus(corpus, rows) for kind, rows in worse.groupby("kind", sort=False)}
    places = {kind: rows["row"].to_numpy() for kind, rows in worse.groupby("kind", sort=False)}
    rng = Random(3)
    invented = [made_up(text, rng) for text in corpus.frame["output"]]
    texts[MADE_UP] = replace(corpus, frame=corpus.frame.assign(output=invented))
    places[MADE_UP] = np.arange(len(corpus))
    for kind in (*KINDS, MADE_UP):
        falls = [np.mean(one.predict(texts[kind]) < old[places[kind]]) for one, old in zip(scored, before, strict=True)]
        yield " / ".join(f"{share:.3f}" for share in falls)


def made_up(text: str, rng: Random) -> str:
    """Return as many words of as many letters that no language has, as a sentence."""
    return " ".join(_made_up_word(word, rng) for word in re.findall(r"\w+", text)).capitalize() + "."


def _made_up_word(word: str, rng: Random) -> str:
    syllables = (rng.choice("bcdfghklmnprstvz") + rng.choice("aeiou") for _ in range((len(word) + 1) // 2))
    return "".join(syllables) + rng.choice(["", "k", "n", "t", "x"])


if __name__ == "__main__":
    main()
