"""Invented cells of columns that are not texts: systems, raters, marks, scores, and noise."""

from __future__ import annotations

import random
import string
import tomllib
import uuid
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

NAMES: dict[str, list[str]] = {
    role: [*dict.fromkeys(name.strip() for name in names.replace("\n", "|").split("|"))]
    for role, names in tomllib.loads(Path(__file__).with_name("names.toml").read_text(encoding="utf-8")).items()
}
SYSTEMS = (
    "bart|t5|pegasus|gpt3|lead3|human|bertsum|unilm",
    "A|B|C|D|E|F",
    "sys1|sys2|sys3|sys4|sys5|sys6",
    "M0|M1|M2|M8|M11|M23",
    "gpt-4|claude-2|llama-2-7b|mistral|vicuna-13b|gemini",
    "Online-A|Online-B|Facebook-AI|refA|NLLB",
    "baseline|ours|ours (full)|ablation|gold",
    "tgen|slug|zhang|harv|nle",
    "0|1|2|3|4|5",
    "NewsQ_bart_ft|Sum_t5_few|NewsQ_ref|Sum_lead",
    "google/flan-t5-xl|facebook/bart-large|meta/llama-3|openai/gpt-4o",
    "Regeln|Netz|Mensch",
    "v1|v2|v3",
    "greedy|beam5|nucleus",
)
PEOPLE = ["Anna", "Ben", "Zoé", "Kim", "Luca", "Mia", "Tom", "Jana", "Omar"]
SCALES = (
    "strongly disagree|disagree|neutral|agree|strongly agree",
    "bad|ok|good",
    "very poor|poor|fair|good|very good",
    "not at all|somewhat|very",
    "trifft nicht zu|neutral|trifft zu",
    "muy malo|malo|regular|bueno|muy bueno",
    "incorrect|partially correct|correct",
    "差|一般|好",
)
Maker = Callable[[float], Any]  # from a quality between 0 and 1 to a cell


def pick_name(rng: random.Random, role: str, used: Collection[str]) -> str:
    """Return a name of a column of a role that is not used."""
    lower = {name.lower() for name in used}
    free = [name for name in rng.sample(NAMES[role], len(NAMES[role])) if name.lower() not in lower]
    return next((name for name in free if name or role == "id"), f"c{len(used)}")


def system_names(rng: random.Random, number: int) -> list[str]:
    """Return at most `number` names of systems."""
    pool = rng.choice(SYSTEMS).split("|")
    return rng.sample(pool, min(number, len(pool)))


def rater_names(rng: random.Random, number: int) -> list[str]:
    """Return names or identifiers of raters."""
    match rng.randint(0, 6):
        case 0:
            letters = string.ascii_uppercase
            return [f"A{rng.randint(10**5, 10**6)}{''.join(rng.choices(letters, k=6))}" for _ in range(number)]
        case 1:
            return [f"w{place}" for place in range(number)]
        case 2:
            return [str(place + rng.randint(0, 1)) for place in range(1, number + 1)]
        case 3:
            return rng.sample(PEOPLE, number)
        case 4:
            return rng.sample(["AB", "MK", "TR", "JS", "LP", "QW"], min(number, 6))
        case 5:
            return [identifier(rng)[:24] for _ in range(number)]
    return [f"{name}@uni.org" for name in rng.sample(["ab", "mk", "tr", "js", "lp", "qw", "anna", "tom"], number)]


def identifier(rng: random.Random) -> str:
    """Return a random hexadecimal identifier."""
    return uuid.UUID(int=rng.getrandbits(128)).hex


def mark_maker(rng: random.Random) -> Maker:
    """Return a function that draws ratings on one scale from a quality between 0 and 1."""
    kind, as_text = rng.random(), rng.random() < 0.5
    make = _scale_maker(kind, rng)
    return (lambda q: str(make(q))) if as_text else make


def _scale_maker(kind: float, rng: random.Random) -> Maker:
    """Return a function for a few points, 0 to 100, yes or no, words, means, z-scores, or shares."""
    if kind < 0.45:
        most, least = rng.choice([3, 4, 5, 5, 5, 6, 7]), rng.choice([1, 1, 1, 0])
        return lambda q: min(most, max(least, round(least + (most - least) * q + rng.gauss(0, 0.7))))
    if kind < 0.58:
        return lambda q: int(min(100, max(0, 100 * q + rng.gauss(0, 15))))
    if kind < 0.68:
        return lambda q: int(rng.random() < q)
    if kind < 0.74:
        return lambda q: "yes" if rng.random() < q else "no"
    if kind < 0.80:
        words = rng.choice(SCALES).split("|")
        return lambda q: words[min(len(words) - 1, max(0, int(q * len(words) + rng.gauss(0, 0.5))))]
    if kind < 0.90:
        return lambda q: round(1 + 4 * q + rng.gauss(0, 0.4), 2)
    if kind < 0.95:
        return lambda q: round(rng.gauss(q - 0.5, 0.6), 6)
    return lambda q: round(min(1, max(0, q + rng.gauss(0, 0.2))) * 3) / 3


def score_maker(rng: random.Random) -> Maker:
    """Return what makes computed scores, with many decimals."""
    scale, digits, negative = rng.choice([1, 1, 1, 100]), rng.choice([3, 4, 6, 9, 15]), rng.random() < 0.15
    if negative:
        return lambda q: round((-3 + q + rng.gauss(0, 0.4)) * scale, digits)
    return lambda q: round(min(1, max(0, 0.2 + 0.5 * q + rng.gauss(0, 0.15))) * scale, digits)


_CHOICES = {
    "comment note remark feedback kommentar bemerkung commentaire comentario osserv opmerk uwagi 备注 explanation "
    "rationale reason justif description": "||||good one|bit odd|wrong place mentioned|I did not understand it.|ok",
    "lang lp": "en|en-de|de",
    "domain dataset split topic category type genre corpus group list block license title": "news|dialog|sports|test",
    "gender country education native": "m|f|d",
    "status approve flag check finished control consent": "Approved|Submitted|true|false",
    "severity": "Major|Minor|Neutral",
    "clicks agent browser device os ip": "Browser/5.0|Chrome|Firefox 99|10.0.0.1",
    "age": "22|25|31|44|58",
}
_CONSTANT = 0.35  # share of columns of noise with one value


def noise_name(rng: random.Random, used: Collection[str]) -> str:
    """Return the name of an unused column."""
    return pick_name(rng, "unused", used)


def noise_cells(rng: random.Random, name: str, size: int) -> list[Any]:
    """Return cells that fit the name of an unused column; none for a length of texts."""
    lower = name.lower()

    def named(words: str) -> bool:
        return any(word in lower for word in words.split())

    if named("time date created horodateur zeitstempel marca") and "seconds" not in lower:
        return _times(rng, size)
    if named("duration seconds elapsed lead_time rt latency"):
        return [rng.choice([rng.randint(5, 900), round(rng.uniform(1, 300), 3)]) for _ in range(size)]
    if named("len token word char"):
        return []
    if named("hash"):
        return [identifier(rng)[:12] for _ in range(size)]
    if named("url link image path file"):
        return [f"https://ex.org/{row}.png" for row in range(size)]
    if named("seed temperature top_p max_tokens version batch epoch step"):
        value = rng.choice([0, 1, 42, 0.7, 100])
        return [value] * size if rng.random() < 0.6 else [value + row % 3 for row in range(size)]
    if named("round turn position order page trial"):
        most = rng.randint(2, 6)
        return [row % most for row in range(size)]
    if named("unnamed level_0 idx"):
        return [*range(size)]
    if named("pos span entit tokens_list"):
        return [[rng.randint(0, 5), rng.randint(6, 12)] for _ in range(size)]
    if named("std variance stdev cost price usd"):
        return [round(rng.uniform(0, 1.2), 4) for _ in range(size)]
    if named("n_annot num_ errors"):
        return [rng.randint(0, 4) for _ in range(size)]
    words = next((values for keys, values in _CHOICES.items() if named(keys)), "a|b|c|x1").split("|")
    return [rng.choice(words)] * size if rng.random() < _CONSTANT else [rng.choice(words) for _ in range(size)]


def _times(rng: random.Random, size: int) -> list[Any]:
    start = rng.randint(0, 86400)
    match rng.randint(0, 3):
        case 0:
            return [
                f"2023-0{1 + row % 9}-{1 + row % 28:02d} {(start + row) % 24:02d}:{row % 60:02d}:00"
                for row in range(size)
            ]
        case 1:
            return [f"Sun Nov {1 + row % 28} {row % 24:02d}:{row % 60:02d}:15 PST 2021" for row in range(size)]
        case 2:
            return [1600000000 + start + row * 7 for row in range(size)]
    return [f"{1 + row % 12}/{1 + row % 28}/2022 {1 + row % 12}:{row % 60:02d}" for row in range(size)]
