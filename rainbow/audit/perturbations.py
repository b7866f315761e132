"""Named perturbations that make a text worse."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from random import Random

from rainbow.audit.audit_rows import Perturbation, audit_rows
from rainbow.audit.slot_omission import drop_slot
from rainbow.audit.text_errors import (
    copy_mr,
    empty_text,
    generic_sentence,
    other_reference,
    pad_length,
    previous_turn,
    repeat_phrase,
    repeat_word,
    replace_value,
    shuffle_words,
    swap_values,
    truncate_text,
    unrelated_sentence,
)
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.text.languages.detection import ENGLISH

SEED = 2017

# Kinds that models are trained on, and that their cards report. Training draws from this list: a new kind, or another
# order, would change the copies that the shipped models were trained on.
TRAINING_PERTURBATIONS: dict[str, Perturbation] = {
    "dropped-slot": drop_slot,
    "wrong-value": replace_value,
    "swapped-values": swap_values,
    "repeated-word": repeat_word,
    "repeated-phrase": repeat_phrase,
    "shuffled-words": shuffle_words,
    "truncated": truncate_text,
    "empty": empty_text,
    "unrelated-sentence": unrelated_sentence,
    "other-reference": other_reference,
    "mr-copied": copy_mr,
    "length-padding": pad_length,
}
# Kinds that an audit knows: no model has seen the others.
PERTURBATIONS = TRAINING_PERTURBATIONS | {"previous-turn": previous_turn, "empty-but-fluent": generic_sentence}
# Kinds that put English text in, which any metric sees in another language.
ENGLISH_SENTENCES = frozenset({"unrelated-sentence", "length-padding", "empty-but-fluent"})


def validate_kinds(kinds: Iterable[str] | str | None = None) -> list[str]:
    """Return the validated kinds of perturbation; all of them by default."""
    chosen = [kinds] if isinstance(kinds, str) else list(PERTURBATIONS if kinds is None else kinds)
    for kind in chosen:
        if kind not in PERTURBATIONS:
            near = difflib.get_close_matches(kind, PERTURBATIONS, n=1)
            hint = f"did you mean {near[0]}?" if near else f"choose from {', '.join(PERTURBATIONS)}"
            raise ValueError(f"unknown perturbation {kind!r}: {hint}")
    return list(dict.fromkeys(chosen))


def kinds_for(corpus: Corpus, kinds: Iterable[str] | str | None = None) -> list[str]:
    """Return the validated kinds; by default all that suit the language of the corpus."""
    chosen = validate_kinds(kinds)
    return suitable_kinds(corpus, chosen) if kinds is None else chosen


def suitable_kinds(corpus: Corpus, kinds: Iterable[str]) -> list[str]:
    """Return the kinds without those that put English text into another language."""
    is_english = corpus.with_language().language in (None, ENGLISH)
    return [kind for kind in kinds if is_english or kind not in ENGLISH_SENTENCES]


def perturb(corpus: Corpus, kinds: Iterable[str] | str | None = None, *, seed: int = SEED) -> pd.DataFrame:
    """Return perturbed outputs of a corpus, one of each kind if possible; by default of all kinds for its language."""
    rows, chosen = audit_rows(corpus), kinds_for(corpus, kinds)
    results = []
    for kind in chosen:
        for position, row in enumerate(rows):
            key = "\0".join((str(seed), kind, row.dataset, row.mr, row.output))
            rng = Random(key.encode("utf-8", "surrogatepass"))  # the same draws as for the text, whatever is in it
            text = PERTURBATIONS[kind](row, rng)
            if text not in (None, row.output):
                results.append((position, kind, text))
    return pd.DataFrame(results, columns=["row", "kind", "text"], dtype=object).astype({"row": int})


def perturbed_corpus(corpus: Corpus, table: pd.DataFrame) -> Corpus:
    """Return the perturbed texts as a corpus with otherwise unchanged rows."""
    kinds, rows = table["kind"].tolist(), table["row"].tolist()
    own = corpus.frame["id"].iloc[rows]
    identities = [f"{identity} {kind}" for identity, kind in zip(own, kinds, strict=True)]
    return corpus.with_outputs(rows, table["text"].tolist(), id=identities, perturbation=kinds)
