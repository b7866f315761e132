"""`python -m benchmarks.languages`: agreement in other languages, next to sacrebleu, into docs/languages.md."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset, score_corpus
from rainbow.analysis.correlations.correlation_table import correlation_table
from rainbow.analysis.correlations.levels import Level
from rainbow.stats.score_rounding import round_scores

PAGE = Path(__file__).parent.parent / "docs" / "languages.md"
RATINGS = {
    "mlqe_de": ("adequacy",),
    "mlqe_zh": ("adequacy",),
    "webnlg2020_ru": ("correctness", "fluency"),
    "wmt24_cs": ("esa",),
    "wmt24_hi": ("esa",),
    "wmt24_ja": ("esa",),
    "wmt24_zh": ("esa",),
}
OURS = ("BLEU4", "METEOR", "chrF++", "TER", "ROUGE1", "ROUGE", "hLEPOR", "CIDEr", "NIST")
TOKENISERS = {"ja": "ja-mecab", "zh": "zh"}  # what sacrebleu recommends; 13a for the other languages
SACREBLEU = ("sacrebleu BLEU", "sacrebleu chrF++", "sacrebleu TER")
LONGEST = 800  # characters; the time of sacrebleu's TER grows faster than the square of the length
LENGTH = "length in characters"
SEED = 2017


class Scored(NamedTuple):
    """A dataset with the scores of its outputs."""

    name: str
    frame: pd.DataFrame
    metrics: list[str]

    @property
    def systems(self) -> int:
        """The number of systems; one if the dataset names none."""
        return max(1, int(self.frame["system"].replace("", np.nan).nunique()))


def sacrebleu_scores(corpus: Corpus) -> pd.DataFrame:
    """Return sentence scores of sacrebleu; NaN for TER of long outputs."""
    asian = corpus.language in TOKENISERS
    tools = {
        "sacrebleu BLEU": BLEU(tokenize=TOKENISERS.get(str(corpus.language), "13a"), effective_order=True),
        "sacrebleu chrF++": CHRF(word_order=2),
        "sacrebleu TER": TER(normalized=asian, asian_support=asian),
    }
    if corpus.frame["output"].str.len().max() > LONGEST:
        del tools["sacrebleu TER"]
    pairs = list(zip(corpus.frame["output"], map(list, corpus.frame["references"]), strict=True))
    scores = {name: [tool.sentence_score(*pair).score for pair in pairs] for name, tool in tools.items()}
    return pd.DataFrame(scores).reindex(columns=list(SACREBLEU))


def score_dataset(name: str) -> Scored:
    """Score the rated outputs of a dataset; TER is turned."""
    corpus = load_dataset(name)
    scores = pd.concat([score_corpus(corpus, OURS), sacrebleu_scores(corpus)], axis=1)
    scores = scores.assign(**{LENGTH: corpus.frame["output"].str.len().astype(float)})
    metrics = list(map(str, scores))
    turned = scores.assign(**{metric: -scores[metric] for metric in metrics if "TER" in metric})
    return Scored(name, round_scores(corpus.frame.join(turned), metrics), metrics)


def agreement(scored: Scored, rating: str, level: Level) -> dict[str, str]:
    """Return Spearman with a rating and its 95 % interval by metric, in words."""
    rng = np.random.default_rng(SEED)
    table = correlation_table(scored.frame, scored.metrics, [rating], "dataset", level=level, rng=rng)
    cells = table[["metric", "r", "low", "high"]].to_numpy()
    return {
        str(metric): f"{r:.2f} ({low:.2f} to {high:.2f})" if np.isfinite(r) else "-" for metric, r, low, high in cells
    }


def table_lines(datasets: Sequence[Scored], level: Level) -> Iterator[str]:
    """Yield the lines of the table at one level: the sizes, then a line for each metric."""
    columns = [(scored, rating) for scored in datasets for rating in RATINGS[scored.name]]
    cells = [agreement(scored, rating, level) for scored, rating in columns]
    yield _line("", *(f"`{scored.name}` {rating}" for scored, rating in columns))
    yield _line(*["---"] * (1 + len(columns)))
    yield _line("outputs", *(f"{len(scored.frame):,}" for scored, _ in columns))
    yield _line("inputs", *(f"{scored.frame['item'].nunique():,}" for scored, _ in columns))
    yield _line("systems", *(str(scored.systems) for scored, _ in columns))
    for metric in datasets[0].metrics:
        yield _line(metric, *(cell[metric] for cell in cells))


def _line(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def page() -> Iterator[str]:
    """Yield the lines of both tables."""
    datasets = [score_dataset(name) for name in RATINGS]
    yield "Over all outputs:"
    yield ""
    yield from table_lines(datasets, "pooled")
    yield ""
    yield "Within an input, the mean over the inputs: which of several outputs is better?"
    yield ""
    yield from table_lines([scored for scored in datasets if scored.systems > 1], "item")


def main() -> None:
    """Write the tables into their page."""
    replace_part(PAGE, "agreement", "\n".join(page()))


if __name__ == "__main__":
    main()
