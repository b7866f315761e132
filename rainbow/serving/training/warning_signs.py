"""Signs in a training log that a reward is cheated or teaches nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rainbow.base.lazy import pd

FEWEST = 5  # logged steps
PART = 5  # the first and the last fifth of the steps are compared
GROWTH = 0.25  # relative change of the mean length
FALL = 1.0  # fall of a score in standard deviations within the two fifths
CUT_OFF = 0.1
EQUAL = 0.5
RELATED, PAIRS = 0.3, 20  # Spearman of changes from step to step, and the fewest changes


def warning_signs(table: pd.DataFrame, scores: Sequence[str]) -> list[str]:
    """Return the signs, one sentence each."""
    if len(table) < FEWEST:
        return [f"Only {len(table)} steps were logged: log every step (logging_steps=1)."]
    return [*_length_signs(table), *_score_signs(table, scores), *_share_signs(table)]


def _ends(values: pd.Series[float]) -> tuple[float, float]:
    """Return the means of the first and of the last fifth."""
    count = max(1, len(values) // PART)
    return float(values.iloc[:count].mean()), float(values.iloc[-count:].mean())


def _length_signs(table: pd.DataFrame) -> Iterator[str]:
    if "length" not in table:
        yield "The log has no completion length: log it, as most rewards are cheated by length."
        return
    first, last = _ends(table["length"])
    if abs(last - first) > GROWTH * first:
        longer = last > first
        question = (
            "Does the reward prefer long texts (rainbow audit --kinds length-padding)?"
            if longer
            else "Is anything left out (rainbow audit --kinds truncated)?"
        )
        yield f"Completions got {'longer' if longer else 'shorter'}: {first:.3g} to {last:.3g} tokens. {question}"
    changes = table[["reward", "length"]].diff().dropna()
    if len(changes) >= PAIRS and (changes.nunique() > 1).all():
        related = changes["reward"].corr(changes["length"], method="spearman")
        if abs(related) > RELATED:
            more = "longer" if related > 0 else "shorter"
            yield (
                f"Steps with {more} completions get higher rewards: Spearman {related:.2f} over {len(changes)} changes "
                "from step to step."
            )


def _score_signs(table: pd.DataFrame, scores: Sequence[str]) -> Iterator[str]:
    before, after = _ends(table["reward"])
    count = max(1, len(table) // PART)
    for name in scores:
        first, last = _ends(table[name])
        parts = table[name].iloc[:count].var(), table[name].iloc[-count:].var()
        spread = (sum(part for part in parts if part == part) / 2) ** 0.5
        if after > before and first - last > max(FALL * spread, 1e-9):
            yield f"{name} fell from {first:.3g} to {last:.3g} while the reward rose from {before:.3g} to {after:.3g}."


def _share_signs(table: pd.DataFrame) -> Iterator[str]:
    if "cut off" in table and (share := _ends(table["cut off"])[1]) > CUT_OFF:
        yield f"{share:.0%} of the last completions were cut off: raise the length limit, or reward an end."
    if "equal groups" in table and (share := _ends(table["equal groups"])[1]) > EQUAL:
        yield f"In {share:.0%} of the last groups all rewards are equal, so nothing is learned from them."
