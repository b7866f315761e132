"""`python -m tests.fuzz TARGET [libFuzzer's options]`: look for an input on which a kernel fails or differs.

Needs the kernels as `make fuzz` builds them: with Clang, instrumented for coverage, under AddressSanitizer and
UndefinedBehaviorSanitizer.
"""

import os
import sys

import atheris
import numpy as np

from rainbow.base.native import kernels
from rainbow.metrics import Batch, get
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.ptb import ptb_tokens
from rainbow.text.tokens.token_ids import encode_tokens

WORDS = [
    "the", "inn", "is", "not", "cheap", "x", "x.", "near", "a", "hotel", "£20-25", "ca n't", "1 1/2", "inns", "nice"
]  # fmt: skip
WORDS += [
    "cheaply",
    "good",
    "great",
    "restaurants",
    ".",
    ",",
    "-lrb-",
    "&amp;",
    "<b>",
    "it's",
    "in the centre",
    "on the",
]


def words(data: atheris.FuzzedDataProvider, longest: int) -> str:
    """Return a text of known words, with anything between them."""
    pieces = []
    for _ in range(data.ConsumeIntInRange(0, longest)):
        known = data.ConsumeIntInRange(0, 9) > 0
        pieces.append(data.PickValueInList(WORDS) if known else data.ConsumeUnicode(5))
    return " ".join(pieces)


def both(name: str, batch: Batch) -> None:
    """Refuse a difference between a metric's kernel and its twin."""
    metric = get(name)
    compiled = metric.score(batch)
    os.environ["RAINBOW_NATIVE"] = "0"
    try:
        python = metric.score(Batch(batch.outputs, [list(texts) for texts in references_of(batch)]))
    finally:
        del os.environ["RAINBOW_NATIVE"]
    np.testing.assert_allclose(compiled, python, rtol=0, atol=1e-12)


def references_of(batch: Batch) -> list[tuple[str, ...]]:
    """Return the references of every row."""
    return [batch.references[row] for row in range(len(batch))]


def tokenizer(data: atheris.FuzzedDataProvider) -> None:
    """Tokens of the whole batch against the rules in Python."""
    rules = ptb_tokens if data.ConsumeBool() else alphanumeric_tokens
    texts = [
        words(data, 6) if data.ConsumeBool() else data.ConsumeUnicode(60) for _ in range(data.ConsumeIntInRange(0, 3))
    ]
    encoded = encode_tokens(rules, texts)
    assert [encoded.words(place) for place in range(len(texts))] == [list(rules(text)) for text in texts], texts


def ter(data: atheris.FuzzedDataProvider) -> None:
    """Edits with shifts, short texts and long ones."""
    longest = 12 if data.ConsumeIntInRange(0, 9) else 120
    references = [words(data, longest) for _ in range(data.ConsumeIntInRange(1, 3))]
    both("ter", Batch([words(data, longest)], [references]))


def meteor(data: atheris.FuzzedDataProvider) -> None:
    """Alignments by words, stems, synonyms and paraphrases."""
    references = [words(data, 10) for _ in range(data.ConsumeIntInRange(1, 2))]
    both("meteor", Batch([words(data, 10)], [references]))


def ngrams(data: atheris.FuzzedDataProvider) -> None:
    """Everything that counts n-grams without corpus statistics, and LEPOR."""
    references = [words(data, 12) for _ in range(data.ConsumeIntInRange(1, 4))]
    batch = Batch([words(data, 12)], [references])
    for name in ("bleu", "rouge-n", "rouge-l", "lepor"):
        both(name, batch)


def forest(data: atheris.FuzzedDataProvider) -> None:
    """Trees from anywhere: refused, or predicting as the twin does."""
    from rainbow.learned.learner.regression_trees import Trees

    nodes, columns = data.ConsumeIntInRange(0, 12), data.ConsumeIntInRange(1, 3)

    def integers(count: int) -> np.ndarray:
        return np.array([data.ConsumeIntInRange(-2, nodes + 2) for _ in range(count)], dtype=np.int32)

    def floats(shape: tuple[int, ...]) -> np.ndarray:
        return np.array(data.ConsumeFloatListInRange(int(np.prod(shape)), -9, 9), dtype=float).reshape(shape)

    trees = Trees(
        integers(data.ConsumeIntInRange(0, 3)),
        *(integers(nodes) for _ in range(3)),
        floats((nodes,)),
        floats((nodes, 1)),
    )
    rows = floats((data.ConsumeIntInRange(0, 20), columns))
    try:
        trees.check(columns, 1)
    except ValueError:
        return
    compiled = trees.predict(rows)
    os.environ["RAINBOW_NATIVE"] = "0"
    try:
        np.testing.assert_array_equal(compiled, trees.predict(rows))
    finally:
        del os.environ["RAINBOW_NATIVE"]


TARGETS = {target.__name__: target for target in (tokenizer, ter, meteor, ngrams, forest)}


def main() -> None:
    """Run one target."""
    if kernels() is None or len(sys.argv) < 2 or sys.argv[1] not in TARGETS:
        sys.exit(f"usage: make fuzz, or python -m tests.fuzz {{{','.join(TARGETS)}}} with the kernels that it builds")
    target = TARGETS[sys.argv[1]]
    atheris.Setup([sys.argv[0], *sys.argv[2:]], lambda data: target(atheris.FuzzedDataProvider(data)))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
