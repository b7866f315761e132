"""What the tables of judges with labels say, in plain sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rainbow.analysis.judges.judge_labels import CONSTANT, JUDGE, RATER, SAME_RATERS
from rainbow.base.formatting import format_interval
from rainbow.base.lazy import pd

SIGNIFICANT = 0.05


def label_sentences(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return how well each judge with labels agrees with people over all outputs, and which of two agrees better."""
    if "judge_agreement" not in tables:
        return []
    table = tables["judge_agreement"]
    whole = table[table["dataset"] == table["dataset"].iloc[-1]]  # all datasets together come last
    groups = whole.groupby(["rating", "metric"], sort=False)
    sentences = [_agreement_sentence(str(rating), str(metric), part) for (rating, metric), part in groups]
    return sentences + run_sentences({name: tables[name] for name in tables if name == "judge_differences"})


def run_sentences(tables: Mapping[str, pd.DataFrame]) -> list[str]:
    """Return which of two judges agrees with people better."""
    kinds = {"judge_differences": _difference_sentence, "metric_differences": _correlation_sentence}
    return [kinds[name](line) for name in kinds if name in tables for line in tables[name].itertuples()]


def _agreement_sentence(rating: str, metric: str, part: pd.DataFrame) -> str:
    rows: Any = part.itertuples()
    lines = {(line.kind, line.label, line.measure): line for line in rows}
    accuracy = lines[JUDGE, "", "accuracy"]
    if accuracy.value != accuracy.value:
        return f"{metric} cannot be compared with {rating}: {accuracy.reason}."
    constant = lines[CONSTANT, "", "accuracy"]
    says = (
        f"{metric} agrees with {rating} on {_percent(accuracy.value)} of {accuracy.n:,.0f} outputs; always answering "
        f"'{constant.predicts}' agrees on {_percent(constant.value)}."
    )
    return " ".join([says, *_details(lines)])


def _details(lines: dict[tuple[str, str, str], Any]) -> Iterator[str]:
    kappa, rater = lines[JUDGE, "", "kappa"], lines.get((RATER, "", "kappa"))
    yield f"Kappa {_with_interval(kappa)}."
    recalls = [line for key, line in lines.items() if key[::2] == (JUDGE, "recall") and line.value == line.value]
    if len(recalls) == 2:
        yield f"It finds {' and '.join(f'{_percent(line.value)} of {line.label!r}' for line in recalls)}."
    if rater:
        of_rater, of_judge = map(_with_interval, (rater, lines[SAME_RATERS, "", "kappa"]))
        yield f"With the other raters, a single rater has kappa {of_rater}, the judge {of_judge}."
    if kappa.high < 0:
        yield "It agrees less than by chance: are the labels reversed?"
    elif not kappa.low > 0:
        yield "It is not shown to agree beyond chance: do not use it."


def _difference_sentence(line: Any) -> str:
    """Return which of two judges agrees with people more often."""
    pair = f"{line.first} and {line.second} give {line.changed:.0f} of {line.n:.0f} outputs different labels"
    if not line.n or not line.changed:
        return f"{pair}."
    right = f"{line.second} is right on {line.better:.0f} of them, {line.first} on {line.worse:.0f}"
    p = f"p = {line.p_holm:.2g}, {line.test}"
    if not line.p_holm < SIGNIFICANT:
        return f"{pair}: {right}. No difference found ({p})."
    return f"{pair}: {right}. {line.second if line.better > line.worse else line.first} agrees more often ({p})."


def _correlation_sentence(line: Any) -> str:
    """Return which of two judges with numbers as marks correlates better with people."""
    if not line.n or line.p != line.p:
        return f"{line.metric} and {line.other} cannot be compared with {line.rating}: {line.reason}."
    better = line.metric if line.r > line.r_other else line.other
    verdict = f"{better} agrees better" if line.p < SIGNIFICANT else "No difference found"
    return (
        f"Spearman correlation with {line.rating} on {line.n:.0f} outputs: {line.metric} {line.r:.2f}, {line.other} "
        f"{line.r_other:.2f}. {verdict} (p = {line.p:.2g})."
    )


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def _with_interval(line: Any) -> str:
    ends = format_interval(line.low, line.high, "{:.2f}".format, "no interval")
    return f"{line.value:.2f} ({ends})"
