"""`python -m benchmarks.english_models`: what English models see in other languages, into docs/languages.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from benchmarks.languages import PAGE, RATINGS, Scored, table_lines
from benchmarks.results import replace_part
from rainbow import load_dataset, score_corpus
from rainbow.stats.score_rounding import round_scores

DATASETS = ("mlqe_de", "mlqe_zh", "webnlg2020_ru", "wmt24_cs", "wmt24_hi")
COLUMNS = ("chrF++", "BERTScoreF", "fast_informativeness", "full_informativeness", "lik_mean", "lik_ref_mean")
ROWS = 300


def score_as_english(name: str) -> Scored:
    """Score evenly spaced outputs of a dataset as if they were English."""
    corpus = load_dataset(name)
    corpus = replace(corpus.take(range(0, len(corpus), len(corpus) // ROWS)[:ROWS]), language="en")
    return Scored(name, round_scores(corpus.frame.join(score_corpus(corpus, COLUMNS)), COLUMNS), list(COLUMNS))


def page() -> Iterator[str]:
    """Yield the lines of the table."""
    yield from table_lines([score_as_english(name) for name in RATINGS if name in DATASETS], "pooled")


def main() -> None:
    """Write the table into its page."""
    replace_part(PAGE, "english models", "\n".join(page()))


if __name__ == "__main__":
    main()
