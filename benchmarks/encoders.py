"""`python -m benchmarks.encoders`: fine-tuned encoders beside the kernel, held-out rows of 2017, into docs/encoders.md.

What is predicted for held-out rows is kept in ``analysis/encoders/``, and not computed again.
"""

from __future__ import annotations

import argparse
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks.results import replace_part
from rainbow import load_dataset
from rainbow.base.arrays import FloatArray
from rainbow.base.files import write_csv
from rainbow.learned.network.fine_tuning import Tuning
from rainbow.learned.protocols.cross_validation import cross_validate
from rainbow.learned.training.features import TEXTS, Features, encoder_texts, feature_columns
from rainbow.learned.training.learn import Recipe
from rainbow.stats.correlation.correlation import correlate
from rainbow.stats.correlation.weighted_correlation import weighted_correlations
from rainbow.stats.resampling.bootstrap import bootstrap

if TYPE_CHECKING:
    from rainbow.corpus import Corpus

__all__ = ["RUNS", "lines"]

log = logging.getLogger(__name__)

PAGE = Path(__file__).parent.parent / "docs" / "encoders.md"
KEPT = Path("analysis") / "encoders"
STRICT = "by-item-and-text"
SHARE = 0.2  # of the encoder in what stands beside the kernel, as earlier trials on these rows suggested

# The rating, and those that are learned before it.
RUNS = (
    ("naturalness", ("quality",)),
    ("naturalness", ()),
    ("naturalness", ("informativeness",)),
    ("quality", ()),
    ("informativeness", ()),
)


def main() -> None:
    """Measure everything and write the table of the page."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.encoders", description=__doc__)
    parser.add_argument("--out", type=Path, default=PAGE, help="the Markdown file to write")
    parser.add_argument("--runs", type=int, default=len(RUNS), help="only the first of them")
    options = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    replace_part(options.out, "encoders", "\n".join(lines(load_dataset("emnlp2017"), RUNS[: options.runs])))


def lines(corpus: Corpus, runs: tuple[tuple[str, tuple[str, ...]], ...]) -> Iterator[str]:
    """Return the lines of the table: Spearman of encoder and kernel, and what the encoder adds to the kernel."""
    kernel = _predicted(corpus, list(corpus.ratings), Recipe(Features(feature_columns("all"), TEXTS)), "kernel")
    encoder = Recipe(
        Features((), encoder_texts(corpus, "output")), "encoder", corrupted=False, tuning=Tuning(device="cpu")
    )
    yield "| rating | learned first | encoder | kernel | both | gain |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for rating, first in runs:
        rated = corpus.frame[rating].to_numpy(float)
        name = "-".join([rating, "after", *first] if first else [rating])
        own, known = _predicted(corpus, [rating], encoder._replace(first=first), name)[rating], kernel[rating]
        both = _mixed(known, own)
        table, items = np.column_stack([own, known, both]), corpus.frame["item"].to_numpy()

        def found(counts: FloatArray, table: FloatArray = table, rated: FloatArray = rated) -> FloatArray:
            r = weighted_correlations(table, rated[:, None], counts)[:, :, 0]
            both: FloatArray = np.column_stack([r, r[:, 2] - r[:, 1]])[:, :, None]
            return both

        bounds = bootstrap(found, items, "percentile", resamples=1000, rng=2017)
        r = [correlate(column, rated).r for column in table.T]
        ends = [f"{low:.3f} to {high:.3f}" for low, high in zip(bounds.low.ravel(), bounds.high.ravel(), strict=True)]
        cells = [f"{own:.3f} ({end})" for own, end in zip(r, ends[:3], strict=True)]
        yield f"| {rating} | {', '.join(first) or '-'} | {' | '.join(cells)} | {r[2] - r[1]:+.3f} ({ends[3]}) |"


def _mixed(kernel: FloatArray, encoder: FloatArray) -> FloatArray:
    own, other = ((part - part.mean()) / part.std() for part in (kernel, encoder))
    mixed: FloatArray = (1 - SHARE) * own + SHARE * other
    return mixed


def _predicted(corpus: Corpus, ratings: list[str], recipe: Recipe, name: str) -> dict[str, FloatArray]:
    """Return for every rating what is predicted of each row, shape (n,), by what learned without its input and text."""
    import pandas as pd

    path = KEPT / f"{name}.csv"
    if not path.is_file():
        log.info(path.name)
        tell = recipe._replace(tell=log.info) if recipe.preset == "encoder" else recipe
        write_csv(path, cross_validate(corpus, ratings, tell, [STRICT]).predictions)
    predictions = pd.read_csv(path, dtype={"id": str}).set_index("id")
    return {
        rating: part.loc[corpus.frame["id"], "predicted"].to_numpy(float)
        for rating, part in predictions.groupby("rating")
    }


if __name__ == "__main__":
    main()
