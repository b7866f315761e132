"""Ways to make a text worse, by name, and what they make of a corpus."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from random import Random
from typing import TYPE_CHECKING

from rainbow.audit.dropping import dropped_slot
from rainbow.audit.other_texts import length_padding, mr_copied, other_reference, unrelated_sentence
from rainbow.audit.rows import Perturbation, Row, rows_of
from rainbow.audit.value_errors import swapped_values, wrong_value
from rainbow.audit.word_errors import empty, repeated_phrase, repeated_word, shuffled_words, truncated
from rainbow.corpus import Corpus

if TYPE_CHECKING:
    import pandas as pd

SEED = 2017

PERTURBATIONS: dict[str, Perturbation] = {
    "dropped-slot": dropped_slot,
    "wrong-value": wrong_value,
    "swapped-values": swapped_values,
    "repeated-word": repeated_word,
    "repeated-phrase": repeated_phrase,
    "shuffled-words": shuffled_words,
    "truncated": truncated,
    "empty": empty,
    "unrelated-sentence": unrelated_sentence,
    "other-reference": other_reference,
    "mr-copied": mr_copied,
    "length-padding": length_padding,
}


def known_kinds(kinds: Iterable[str] | str | None = None) -> list[str]:
    """Return these kinds of perturbation, all of them by default."""
    chosen = [kinds] if isinstance(kinds, str) else list(PERTURBATIONS if kinds is None else kinds)
    for kind in chosen:
        if kind not in PERTURBATIONS:
            near = difflib.get_close_matches(kind, PERTURBATIONS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are {', '.join(PERTURBATIONS)}"
            raise ValueError(f"there is no perturbation {kind!r}: {hint}")
    return list(dict.fromkeys(chosen))


def perturb(corpus: Corpus, kinds: Iterable[str] | str | None = None, *, seed: int = SEED) -> pd.DataFrame:
    """Return worse texts for the outputs of a corpus, one of each kind where it can be made."""
    import pandas as pd

    rows = rows_of(corpus)
    found = [
        (position, kind, text)
        for kind in known_kinds(kinds)
        for position, row in enumerate(rows)
        if (text := _perturbed(row, kind, seed)) is not None
    ]
    return pd.DataFrame(found, columns=["row", "kind", "text"], dtype=object).astype({"row": int})


def _perturbed(row: Row, kind: str, seed: int) -> str | None:
    told = "\0".join((str(seed), kind, row.dataset, row.mr, row.output))
    rng = Random(told.encode("utf-8", "surrogatepass"))  # the same draws as for the text, whatever is in it
    text = PERTURBATIONS[kind](row, rng)
    return None if text == row.output else text


def perturbed_corpus(corpus: Corpus, table: pd.DataFrame) -> Corpus:
    """Return the perturbed texts as a corpus: rows as they were, with another output."""
    kinds, rows = table["kind"].tolist(), table["row"].tolist()
    own = corpus.frame["id"].iloc[rows]
    identities = [f"{identity} {kind}" for identity, kind in zip(own, kinds, strict=True)]
    return corpus.with_outputs(rows, table["text"].tolist(), id=identities, perturbation=kinds)
