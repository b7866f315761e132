"""Write the table of `rainbow.text.ngrams.ngram_vectors`: how SmolLM2's vectors of texts follow from their n-grams.

The texts are what people wrote for the inputs of Novikova et al. (2017), rated or not, and corrupted copies of that. No
rated output is among them, and no rating is looked at. Takes twenty minutes on two cores. Run from the root of the
repository, with SmolLM2 and the data fetched (`rainbow fetch smollm2 emnlp2017`; extra `neural`)::

    python -m scripts.make_ngram_vectors
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.cli.console import track
from rainbow.corpus import Corpus
from rainbow.datasets import load_dataset
from rainbow.learned.training.training_rows import corrupt_outputs
from rainbow.text.ngrams.ngram_vectors import DIMENSIONS, TABLE, vector_ngrams, vector_tokens
from scripts.text_vectors import text_vectors

if TYPE_CHECKING:
    from scipy.sparse import csr_array

DATASET = "emnlp2017"
COPIES = 2  # of every text
# An n-gram is known if texts for so many inputs have it: what one input's references say tells nothing of it.
INPUTS = 3
RIDGE = 0.03
AT_ONCE = 100  # texts that are read between two steps of the progress bar
LARGEST = np.iinfo(np.int8).max  # of the whole numbers that the table is rounded to


def main() -> None:
    """Read the texts with SmolLM2, learn the table, and write it."""
    inputs = texts_to_read(load_dataset(DATASET))
    texts = list(inputs)
    chunks = [texts[start : start + AT_ONCE] for start in range(0, len(texts), AT_ONCE)]
    vectors = np.concatenate([text_vectors(chunk) for chunk in track(chunks, lambda chunk: "SmolLM2 reads")])
    known = common_ngrams(texts, list(inputs.values()))
    rows = learned_rows(counts(texts, known), entries(vectors))
    with TABLE.open("wb") as file:
        np.savez_compressed(file, ngrams=np.frombuffer("\n".join(known).encode(), dtype=np.uint8), rows=rows)
    print(f"{TABLE.name}: {len(known)} n-grams of {len(texts)} texts, {TABLE.stat().st_size / 1e6:.2f} MB")


def texts_to_read(corpus: Corpus) -> dict[str, set[Any]]:
    """Return the texts that people wrote, and corrupted copies of them, each with the inputs it was written for."""
    rated, written = set(corpus.frame["output"]), texts_by_people(corpus)
    inputs: defaultdict[str, set[Any]] = defaultdict(set)
    for part in (written, *(corrupt_outputs(written, seed).corpus for seed in range(COPIES))):
        for text, *own in part.frame[["output", "dataset", "item"]].itertuples(index=False):
            if text not in rated:
                inputs[text].add(tuple(own))
    return dict(inputs)


def texts_by_people(corpus: Corpus) -> Corpus:
    """Return the references for all inputs, rated or not, as outputs: a row per text."""
    import pandas as pd

    kept = ["dataset", "system", "item", "mr", "mr_type", "references"]
    frames = [part.frame[kept] for part in (corpus, corpus.background) if part is not None]
    rows = pd.concat(frames).drop_duplicates(["dataset", "item"])
    rows = rows.assign(output=rows["references"]).explode("output").dropna(subset="output")
    return Corpus(rows.assign(id=[str(number) for number in range(len(rows))]).reset_index(drop=True))


def common_ngrams(texts: Sequence[str], inputs: Sequence[set[Any]]) -> list[str]:
    """Return the n-grams that the texts for enough inputs have, in order."""
    of: defaultdict[str, set[Any]] = defaultdict(set)
    for text, own in zip(texts, inputs, strict=True):
        for ngram in set(vector_ngrams(vector_tokens(text))):
            of[ngram] |= own
    return sorted(ngram for ngram, found in of.items() if len(found) >= INPUTS)


def counts(texts: Sequence[str], known: Sequence[str]) -> csr_array:
    """Return how often each text has each known n-gram, over the number of its tokens, shape (texts, n-grams)."""
    from scipy.sparse import csr_array

    places = {ngram: place for place, ngram in enumerate(known)}
    found: list[tuple[int, int, float]] = []
    for row, words in enumerate(map(vector_tokens, texts)):
        counted = Counter(filter(None.__ne__, map(places.get, vector_ngrams(words))))
        found += [(row, place, count / len(words)) for place, count in counted.items()]
    rows, columns, values = zip(*found, strict=True)
    return csr_array((values, (rows, columns)), shape=(len(texts), len(known)))


def entries(vectors: FloatArray) -> FloatArray:
    """Return the first principal components of the standardised vectors, mixed so that every entry varies alike.

    Distances stay what they were, and standardising the entries does not blow up the smallest components.
    """
    from scipy.linalg import eigh, hadamard

    standardised = (vectors - vectors.mean(axis=0)) / vectors.std(axis=0)
    _, directions = eigh(standardised.T @ standardised)
    found: FloatArray = standardised @ directions[:, : -DIMENSIONS - 1 : -1] @ hadamard(DIMENSIONS)
    return found


def learned_rows(mean_counts: csr_array, targets: FloatArray) -> Any:
    """Return the row of every n-gram by ridge regression, rounded to whole numbers."""
    from sklearn.linear_model import Ridge

    ridge = Ridge(RIDGE, solver="sparse_cg", tol=1e-5).fit(mean_counts, targets)
    return np.rint(ridge.coef_.T / np.abs(ridge.coef_).max() * LARGEST).astype(np.int8)


if __name__ == "__main__":
    main()
