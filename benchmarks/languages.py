"""`python -m benchmarks.languages`: agreement in other languages, next to sacrebleu, into docs/languages.md."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from sacrebleu.metrics.bleu import BLEU
from sacrebleu.metrics.chrf import CHRF
from sacrebleu.metrics.ter import TER

from benchmarks.results import replace_part
from rainbow import Corpus, load_dataset, score_corpus
from rainbow.analysis.correlations.correlation_table import correlation_table
from rainbow.stats.score_rounding import round_scores

PAGE = Path(__file__).parent.parent / "docs" / "languages.md"
DATASETS = ("mlqe_de", "mlqe_zh")
OURS = ("BLEU4", "chrF++", "TER", "ROUGE1", "ROUGE", "hLEPOR", "CIDEr", "NIST")
TOKENISERS = {"de": "13a", "zh": "zh"}  # what sacrebleu recommends


def sacrebleu_scores(corpus: Corpus) -> pd.DataFrame:
    """Return sentence scores of sacrebleu."""
    asian = corpus.language == "zh"
    tools = {
        "sacrebleu BLEU": BLEU(tokenize=TOKENISERS[str(corpus.language)], effective_order=True),
        "sacrebleu chrF++": CHRF(word_order=2),
        "sacrebleu TER": TER(normalized=asian, asian_support=asian),
    }
    pairs = list(zip(corpus.frame["output"], map(list, corpus.frame["references"]), strict=True))
    return pd.DataFrame({name: [tool.sentence_score(*pair).score for pair in pairs] for name, tool in tools.items()})


def page() -> Iterator[str]:
    """Yield the lines of the table: Spearman with adequacy and its 95 % interval."""
    columns: dict[str, dict[str, str]] = {}
    for dataset in DATASETS:
        corpus = load_dataset(dataset)
        scores = pd.concat([score_corpus(corpus, OURS), sacrebleu_scores(corpus)], axis=1)
        names = list(map(str, scores))
        turned = scores.assign(**{name: -scores[name] for name in names if "TER" in name})
        frame, rng = round_scores(corpus.frame.join(turned), names), np.random.default_rng(2017)
        table = correlation_table(frame, names, ["adequacy"], "dataset", rng=rng)
        cells = table[["metric", "r", "low", "high"]].to_numpy()
        columns[dataset] = {str(metric): f"{r:.3f} ({low:.3f} to {high:.3f})" for metric, r, low, high in cells}
    yield f"| metric | {' | '.join(f'`{name}`' for name in DATASETS)} |"
    yield "| --- " * (1 + len(DATASETS)) + "|"
    for metric in columns[DATASETS[0]]:
        yield f"| {metric} | {' | '.join(columns[name][metric] for name in DATASETS)} |"


def main() -> None:
    """Write the table into its page."""
    replace_part(PAGE, "agreement", "\n".join(page()))


if __name__ == "__main__":
    main()
