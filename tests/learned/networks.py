"""Networks that nobody trained, for tests of what holds for any: PyTorch need not be there."""

from collections.abc import Sequence

import numpy as np

from rainbow.learned.network.dual_encoder import GATES, DualEncoder, Encoder, Layer, Linear
from rainbow.learned.network.vocabulary import FIRST, known_words


def drawn_network(
    columns: Sequence[str],
    texts: Sequence[str],
    *,
    nets: int = 2,
    units: int = 8,
    layers: int = 1,
    ratings: int = 1,
    seed: int = 1,
) -> DualEncoder:
    """Return networks with random weights that know the words of these texts."""
    rng, words = np.random.default_rng(seed), known_words([*texts, *texts])

    def draw(*shape: int) -> np.ndarray:
        return rng.normal(0, 0.5, (nets, *shape))

    def layer() -> Layer:
        return Layer(draw(units, GATES * units), draw(GATES * units), draw(units, GATES * units), draw(units))

    width = units * layers * len(columns)
    encoders = [
        Encoder(name, " ".join(words), draw(FIRST + len(words), units), [layer() for _ in range(layers)])
        for name in columns
    ]
    hidden = [Linear(draw(width, width), draw(width)) for _ in range(2)]
    output = Linear(draw(width, ratings), draw(ratings))
    return DualEncoder(encoders, hidden, output, np.full(ratings, 4.0), np.full(ratings, 0.5))
