"""`python -m benchmarks.shipped`: the agreement of the shipped models by protocol, from their cards, into its page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.results import replace_part
from rainbow.learned.model.model_file import read_shipped_model
from rainbow.metrics.general.general_score import SPEEDS
from rainbow.metrics.general.regressions import RATINGS

PAGE = Path(__file__).parent.parent / "docs" / "lab" / "learned-metrics.md"
HELD_OUT = {
    "by-item-and-text": "inputs and texts",
    "by-template": "kinds of input",
    "leave-one-system-out": "a system",
    "leave-one-dataset-out": "a dataset",
}


def page() -> Iterator[str]:
    """Yield the lines of the table."""
    models = " | ".join(f"`{speed}`" for speed in SPEEDS)
    yield f"| held out | {models} | best single metric | forest of 2017 | ceiling |"
    yield "| --- " * 6 + "|"
    for rating in RATINGS:
        cards = [_protocols(f"{rating}-{speed}") for speed in SPEEDS]
        for protocol, label in HELD_OUT.items():
            own = [card[protocol] for card in cards]
            best = dict.fromkeys(f"{_short(one['best_metric_spearman'])} `{one['best_metric']}`" for one in own)
            cells = [f"{_short(one['spearman'])} ({_short(one['low'])} to {_short(one['high'])})" for one in own]
            further = [", ".join(best), *(_short(own[0][name]) for name in ("forest_spearman", "ceiling"))]
            yield f"| {' | '.join((f'{rating}: {label}', *cells, *further))} |"


def _protocols(name: str) -> dict[str, dict[str, Any]]:
    return {line["protocol"]: line for line in read_shipped_model(name).card["protocols"]}


def _short(value: float) -> str:
    return f"{value:.3f}".replace("0.", ".", 1)


if __name__ == "__main__":
    replace_part(PAGE, "protocols", "\n".join(page()))
