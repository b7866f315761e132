"""Checks of the language: English word lists and spaces between words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rainbow.analysis.checks.findings import Finding, join_listing
from rainbow.base.lazy import pd
from rainbow.corpus.text_profile import profile_outputs
from rainbow.corpus.views import splits_words
from rainbow.metrics.contract.registry import all_columns, find, word_columns
from rainbow.metrics.contract.selection import language_problem
from rainbow.text.languages.detection import language_name

NEEDED = ("msp", "len", "cpw")
ENGLISH = ("METEOR", "SIM", "RE", "msp", "class_mean", "class_slor", "class_end")
FOREIGN = 0.5  # of the words; outputs of the rated English corpora have below 0.01, German ones had 0.66


def check_language(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find datasets that are mostly not English if English-only metrics are used."""
    if (language := frame.attrs.get("language")) is not None:
        missing = [name for name in metrics if frame[name].isna().all() and _is_foreign(name, language)]
        finding = f"the outputs are {language_name(language)}; these metrics do not know it, so they are missing"
        yield Finding("language", "note", join_listing(missing), finding, len(frame))
        return
    if not set(NEEDED) <= set(metrics):
        return
    made = [name for name in ENGLISH if name in metrics]
    for dataset, part in frame.groupby("dataset", sort=False):
        words = (part["len"] / part["cpw"]).sum()
        share = part["msp"].sum() / words if words else 0.0
        if share > FOREIGN:
            finding = (
                f"{100 * share:.0f} % of the words of {dataset} are not in an English word list, which this metric "
                "needs"
            )
            yield Finding("language", "error", join_listing(made), finding, len(part))


def _is_foreign(name: str, language: str) -> bool:
    return name in all_columns() and bool(language_problem(find(name).languages_of(name), language))


def check_word_spacing(frame: pd.DataFrame, metrics: Sequence[str], ratings: Sequence[str]) -> Iterator[Finding]:
    """Find datasets without spaces between words if word-based metrics are used."""
    compared = [] if splits_words(frame.attrs.get("view")) else word_columns(metrics)
    for dataset, part in frame.groupby("dataset", sort=False) if compared else ():
        for script, share in profile_outputs(part).unspaced_scripts().items():
            where = f"of the characters of {dataset} are {script}"
            finding = f"{100 * share:.0f} % {where}, written without spaces between words"
            yield Finding("words", "error", join_listing(compared), finding, len(part))
