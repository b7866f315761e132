"""Training of the network of roles: gradients are those of the loss."""

import numpy as np
import pytest

from benchmarks.roles import training
from benchmarks.roles.training import LAYOUT_WEIGHT, USUAL_COLUMNS, Example
from rainbow.base.arrays import FloatArray
from rainbow.datasets.roles.assignment import KINDS, ROLES
from rainbow.datasets.roles.network import LAYERS, _forward

WIDTH, STEP = 10, 1e-6


def _examples(rng: np.random.Generator) -> list[Example]:
    sizes = rng.integers(1, 7, 5)
    return [
        Example(
            rng.normal(size=(size, WIDTH)),
            np.eye(len(ROLES))[rng.integers(0, len(ROLES), size)],
            int(rng.integers(len(KINDS))),
        )
        for size in sizes
    ]


def _loss(layers: dict[str, FloatArray], examples: list[Example]) -> float:
    """Return the loss by the network that the package has, a table at a time."""
    shares = [len(each.features) / (len(each.features) / USUAL_COLUMNS) ** 0.5 for each in examples]
    total = 0.0
    for example, share in zip(examples, shares, strict=True):
        roles, layouts = _forward(layers, example.features)
        of_columns = np.log((roles[example.layout] * example.accepted).sum(axis=1)).mean()
        total -= of_columns * share / sum(shares)
        total -= np.log(layouts[example.layout]) * LAYOUT_WEIGHT / len(examples)
    return float(total)


@pytest.mark.parametrize("name", LAYERS)
def test_a_gradient_is_the_difference_of_losses(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "DROPOUT", 0.0)
    rng = np.random.default_rng(1)
    examples, layers = _examples(rng), training._start(WIDTH, rng)
    gradient = training._gradients(layers, examples, rng)[name]
    for place in map(tuple, rng.integers(0, layers[name].shape, (4, layers[name].ndim))):
        before = layers[name][place]
        losses = []
        for step in (STEP, -STEP):
            layers[name][place] = before + step
            losses.append(_loss(layers, examples))
        layers[name][place] = before
        assert gradient[place] == pytest.approx((losses[0] - losses[1]) / 2 / STEP, rel=1e-3, abs=1e-7)
