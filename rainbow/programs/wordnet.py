"""WordNet 3.0 as shipped with METEOR 1.5: synonyms and close senses."""

from __future__ import annotations

import zipfile
from functools import cache
from typing import NamedTuple

from rainbow.base.caching import cache_by_size
from rainbow.programs.meteor_program import JAR, meteor_file

# Almost everything is a neighbour of a word with more senses than this.
MOST_SENSES = 10

# Endings that WordNet's lemmatiser (Morphy) replaces, in order: a form counts if WordNet has the result.
ENDINGS = (
    *(("s", ""), ("ses", "s"), ("xes", "x"), ("zes", "z"), ("ches", "ch"), ("shes", "sh"), ("men", "man")),
    *(("ies", "y"), ("es", "e"), ("es", ""), ("ed", "e"), ("ed", ""), ("ing", "e"), ("ing", "")),
    *(("er", ""), ("est", ""), ("er", "e"), ("est", "e")),
)

# In METEOR's program: senses of lemmas, senses near to senses, irregular forms of lemmas.
_FILES = ("synsets", "relations", "exceptions")


class Senses(NamedTuple):
    """Senses of a word and their neighbours."""

    own: frozenset[str]  # numbers of synonym sets
    near: frozenset[str] = frozenset()  # of those that WordNet relates directly to these

    @property
    def few(self) -> bool:
        """Whether neighbouring senses count."""
        return len(self.own) <= MOST_SENSES


def wordnet_distance(word: str, other: str) -> int | None:
    """Return the distance of two words: 0 for synonyms, 1 for neighbours, else None.

    Source: Miller, G. A. (1995). WordNet: a lexical database for English. Communications of the ACM 38 (11).
    """
    mine, theirs = word_senses(word), word_senses(other)
    if mine.own & theirs.own:
        return 0
    if mine.few and theirs.few and (mine.near & theirs.own or theirs.near & mine.own):
        return 1
    return None


@cache_by_size(1 << 20)
def word_senses(word: str) -> Senses:
    """Return the senses of a lower-case word; inflected forms use their lemmas."""
    senses, neighbours, lemmas = _load_tables()
    forms = {word, *lemmas.get(word, ())}
    forms |= {word.removesuffix(ending) + base for ending, base in ENDINGS if word.endswith(ending)}
    own = frozenset(sense for form in forms for sense in senses.get(form, "").split())
    near = (near for sense in own for near in neighbours.get(sense, "").split())
    return Senses(own, frozenset(near if len(own) <= MOST_SENSES else ()))


@cache
def _load_tables() -> tuple[dict[str, str], dict[str, str], dict[str, list[str]]]:
    """Return senses of lemmas, neighbours of senses (space-separated synset numbers), lemmas of irregular forms."""
    with zipfile.ZipFile(meteor_file(JAR)) as jar:
        lines = [jar.read(f"synonym/english.{name}").decode("utf-8").split("\n") for name in _FILES]
    # Pairs of consecutive lines; an empty one follows the last.
    senses, neighbours, forms = (zip(own[::2], own[1::2], strict=False) for own in lines)
    lemmas: dict[str, list[str]] = {}
    for lemma, irregular in forms:
        for form in irregular.split():
            lemmas.setdefault(form, []).append(lemma)
    related: dict[str, str] = {}
    for sense, near in neighbours:  # some senses of different parts of speech share a number
        related[sense] = f"{related[sense]} {near}" if sense in related else near
    return dict(senses), related, lemmas
