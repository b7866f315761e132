"""The three simulated systems and how often each goes wrong."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from .chance import Chance
from .faults import CHUNK_FAULTS, MEANING_FAULTS, differences
from .grammar import Frames, realise, text
from .lexicon import FRAMES
from .meanings import Meaning
from .template_system import template


class Output(NamedTuple):
    """What a system says and the names of its errors."""

    text: str
    errors: list[str]


# Turns of phrase of each system, so that its texts are not those of the references.
NEURAL_FRAMES: Frames = {
    **FRAMES,
    "inform": (
        "{name} is a nice {adj} {noun} {post} {rel}",
        "{name} is a great {adj} {noun} {post} {rel}",
        "{name} is a(n) {adj} {noun} {post} and it {vp} | vp",
        "{name} is a(n) {adj} {noun} {post} {rel}",
        "{name} {vp} | vp",
    ),
    "inform count": (
        "I have {count} {adj} {nouns} {post} {rels} {any}",
        "there are {count} {adj} {nouns} {post} {rels} {any}",
    ),
    "inform_only_match": (
        "{name} is the only {adj} {noun} I have {post} {rel}",
        "the only match is {name} , a(n) {adj} {noun} {post} {rel}",
    ),
    "inform_no_match": (
        "I am sorry , I have no {adj} {nouns} {post} {rels}",
        "there are no {adj} {nouns} listed {post} {rels}",
    ),
    "confirm": (
        "okay , you are looking for a(n) {adj} {noun} {post} {rel} , right ?",
        "just to confirm , you want a(n) {adj} {noun} {post} {rel} ?",
    ),
    "confirm dont_care": ("okay , you do not care {mind} , right ?", "just to confirm , you do not mind {mind} ?"),
    "reqmore": ("is there anything else you want to know ?",),
    "goodbye": ("thank you for using this service , goodbye",),
}
NGRAM_FRAMES: Frames = {
    **FRAMES,
    "inform": (
        "there is {name} , a(n) {adj} {noun} {post} {rel}",
        "{name} is one {adj} {noun} {post} {rel}",
        "one {adj} {noun} {post} {rel} is {name}",
        "{name} {vp} | vp",
    ),
    "inform count": (
        "in total there are {count} {adj} {nouns} {post} {rels} {any}",
        "we have {count} {adj} {nouns} {post} {rels} {any}",
    ),
    "inform_only_match": (
        "there is just {name} if you want a(n) {adj} {noun} {post} {rel}",
        "{name} is the only {adj} {noun} {post} {rel}",
    ),
    "inform_no_match": (
        "there is not a(n) {adj} {noun} {post} {rel}",
        "sorry , there are no {adj} {nouns} {post} {rels}",
    ),
    "confirm": (
        "do you want a(n) {adj} {noun} {post} {rel} ?",
        "is it correct that you want a(n) {adj} {noun} {post} {rel} ?",
    ),
    "confirm dont_care": ("is it correct that you do not care {mind} ?",),
    "reqmore": ("is there any other thing you need ?",),
    "goodbye": ("goodbye and have a good day",),
}

NEURAL_RATES = {"dropped": 0.19, "wrong": 0.12, "invented": 0.06, "repeated": 0.10}
NGRAM_RATES = {"dropped": 0.08, "order": 0.17, "agreement": 0.16, "article": 0.22, "truncated": 0.11}


def faulty(meaning: Meaning, chance: Chance, frames: Frames, rates: Mapping[str, float]) -> Output:
    """Return a sentence of the grammar after each fault has had its chance to happen."""
    damaged = meaning
    for name, damage in MEANING_FAULTS.items():
        if chance.happens(rates.get(name, 0.0)):
            damaged = damage(damaged, chance) or damaged
    errors = differences(meaning, damaged)
    chunks = realise(damaged, chance, frames)
    for name, harm in CHUNK_FAULTS.items():
        result = harm(chunks, chance) if chance.happens(rates.get(name, 0.0)) else None
        if result:
            chunks, names = result
            errors += names
    return Output(text(chunks), errors)


def outputs(meaning: Meaning, item: str, seed: int) -> dict[str, Output]:
    """Give, per system name, the output for one item."""
    return {
        "template": Output(*template(meaning, Chance(seed, item, "template"))),
        "neural": faulty(meaning, Chance(seed, item, "neural"), NEURAL_FRAMES, NEURAL_RATES),
        "ngram": faulty(meaning, Chance(seed, item, "ngram"), NGRAM_FRAMES, NGRAM_RATES),
    }
