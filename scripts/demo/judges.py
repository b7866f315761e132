"""Three simulated judges: noisy, biased, each with a taste, and monotone in the errors of the text."""

from __future__ import annotations

from typing import NamedTuple

from .chance import Chance
from .systems import Output

RATINGS = ("informativeness", "naturalness", "quality")
LOWEST, HIGHEST = 1, 6

# Points lost per error, by what the error hurts.
LOSS = {
    "informativeness": {"dropped": 1.5, "wrong": 1.8, "invented": 1.0, "raw": 0.3, "truncated": 0.3},
    "naturalness": {
        "order": 1.7, "agreement": 1.1, "article": 0.9, "repeated": 1.5, "truncated": 1.9, "raw": 1.4,
    },
}  # fmt: skip
STIFFNESS = 0.2  # naturalness lost with every sentence after the first
QUALITY_SHARES = {"informativeness": 0.65, "naturalness": 0.75}
UNSPOILT = 5.7  # what a text without errors deserves


class Judge(NamedTuple):
    """How one judge departs from what a text deserves, in points."""

    bias: float
    severity: float  # multiplies every loss
    taste: float  # standard deviation over items, the same for all systems and ratings of an item
    noise: float  # standard deviation over single ratings


JUDGES = (
    Judge(bias=0.2, severity=1.0, taste=0.5, noise=1.15),
    Judge(bias=-0.3, severity=1.2, taste=0.6, noise=1.05),
    Judge(bias=0.0, severity=0.8, taste=0.4, noise=1.35),
)


def losses(output: Output) -> dict[str, float]:
    """Give, per rating, the points that the errors cost."""
    kinds = [error.partition(":")[0] for error in output.errors]
    loss = {rating: sum(table.get(kind, 0.0) for kind in kinds) for rating, table in LOSS.items()}
    loss["naturalness"] += STIFFNESS * output.text.count(". ")
    loss["quality"] = sum(share * loss[rating] for rating, share in QUALITY_SHARES.items())
    return loss


def rate(output: Output, item: str, system: str, seed: int) -> dict[str, list[int]]:
    """Give, per rating, the integers 1 to 6 of the three judges."""
    ratings: dict[str, list[int]] = {rating: [] for rating in RATINGS}
    for number, judge in enumerate(JUDGES):
        taste = judge.taste * Chance(seed, "taste", number, item).bell()
        chance = Chance(seed, "rating", number, item, system)
        for rating, loss in losses(output).items():
            opinion = UNSPOILT + judge.bias + taste - judge.severity * loss + judge.noise * chance.bell()
            ratings[rating].append(min(HIGHEST, max(LOWEST, int(opinion + 0.5))))
    return ratings
