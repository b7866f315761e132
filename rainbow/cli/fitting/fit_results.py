"""Results of `rainbow fit` as console tables and JSON."""

from __future__ import annotations

import json
import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from rainbow.base.formatting import format_interval, format_number, plain
from rainbow.base.lazy import pd
from rainbow.cli.console import RANGE, print_records

if TYPE_CHECKING:
    from rainbow.learned.fitting import Request

# Results over all outputs, one row per protocol and rating.
Pooled = list[dict[Hashable, Any]]

SURE = 0.05  # below this p, one of two is better

# Parts of a test row that may also occur in training.
_MET = {"items": "inputs met", "texts": "texts met", "near_texts": "nearly equal"}
_LOOK_UP = (
    "seen: share of test rows whose input or (nearly equal) text is also in training; lookup: Spearman "
    "correlation of the mean training rating of that text, else of that input"
)
_POINTS = (
    "points: predictions rounded to the scale, most probable or distributed as in training; kappa: "
    "quadratic weights; ECE: expected calibration error"
)

# The learner, or a score it is compared with.
_LEARNER = "learned by the random forest over quantised scores of Novikova et al. (2017)"
_FOREST = "2017 forest: random forest over quantised scores (Novikova et al.), on the same scores and folds"


def print_results(request: Request, pooled: Pooled, tables: dict[str, pd.DataFrame], paths: list[Path]) -> None:
    """Print the pooled results, memorisation checks and model paths."""
    from rainbow.learned.protocols.groups import STRICT

    forest = request.recipe.preset == "paper"
    print_records(
        _comparisons(_strictest_first(pooled)),
        *("protocol", "rating", ("Spearman", "{spearman:number}"), RANGE),
        *(() if forest else (("forest of 2017", "{forest_spearman:number}"), ("p", "{forest}"))),
        *(*_BEST, ("ceiling", "{ceiling:number}"), "n"),
        merged="protocol",
    )
    typer.echo(_LEARNER if forest else _FOREST)
    _print_overlap(
        tables["learned_overlap"], tables["learned_lookup"], [row["protocol"] for row in _strictest_first(pooled)]
    )
    _print_classes(tables["learned_classes"], pooled)
    if "learned_external" in tables:
        _print_external(tables["learned_external"])
    if "learned_elimination" in tables:
        kept = tables["learned_elimination"]
        for rating, part in kept[kept["rank"] <= (request.recipe.top or 0)].groupby("rating", sort=False):
            typer.echo(f"{rating}: {', '.join(part['feature'])}")
    if STRICT not in request.protocols:
        typer.echo(f"{STRICT} is always evaluated: intervals, importances and audit are based on it")
    for note in request.notes:
        typer.echo(note)
    if "paper" in request.protocols:
        typer.echo(
            "caution: the protocol `paper` includes training rows in the test; its numbers do not hold for new texts"
        )
    print_paths(paths)


def _strictest_first(pooled: Pooled) -> Pooled:
    """Return the rows of each rating with strict protocols first, then by lowest correlation."""
    from rainbow.reports.overview.held_out import STRICT

    ratings = list(dict.fromkeys(row["rating"] for row in pooled))

    def order(row: dict[Hashable, Any]) -> tuple[int, bool, float]:
        value = float(row["spearman"])
        return ratings.index(row["rating"]), row["protocol"] not in STRICT, math.inf if math.isnan(value) else value

    return sorted(pooled, key=order)


def _comparisons(rows: Iterable[dict[Hashable, Any]]) -> Iterator[dict[Hashable, Any]]:
    """Yield rows with the best single metric, and p-values of the learned score against it and the forest, as text."""
    for row in rows:
        best = f"{row['best_metric'] or ''} {format_number(row['best_metric_spearman'])}".strip()
        yield row | {"best": best, "metric": _format_p(row), "forest": _format_p(row, "forest")}


_BEST = ("best single metric", "{best}"), ("p", "{metric}")


def _print_overlap(overlap: pd.DataFrame, looked_up: pd.DataFrame, order: Sequence[str]) -> None:
    """Print how many test rows also occur in training, and the result of looking them up."""
    ratings = list(dict.fromkeys(looked_up["rating"]))
    spearman = looked_up.set_index(["protocol", "rating"])["spearman"]
    looked = [(f"look-up, {rating}", f"{{look_up_{place}:number}}") for place, rating in enumerate(ratings)]
    rows = [
        row | {f"look_up_{place}": spearman[row["protocol"], rating] for place, rating in enumerate(ratings)}
        for row in sorted(overlap.to_dict("records"), key=lambda row: order.index(row["protocol"]))
    ]
    met = [(head, f"{{{name}:.0%}}") for name, head in _MET.items()]
    print_records(rows, "protocol", *met, *looked, merged="protocol")
    typer.echo(_LOOK_UP)


def _print_classes(table: pd.DataFrame, pooled: Pooled) -> None:
    """Print the accuracy of predicted scale points under the strictest protocol."""
    strictest = {row["rating"]: row["protocol"] for row in reversed(_strictest_first(pooled))}
    rows = [row for row in table.to_dict("records") if row["n"] and strictest.get(row["rating"]) == row["protocol"]]
    print_records(
        rows,
        *("protocol", "rating", ("points by", "{cut}"), ("accuracy", "{accuracy:number}")),
        *(("95 % interval", "{range[accuracy]:number}"), ("commonest", "{majority_accuracy:number}")),
        *(("macro F1", "{macro_f1:number}"), ("kappa", "{quadratic_kappa:number}")),
        ("ECE", "{calibration_error:number}"),
    )
    typer.echo(_POINTS)


def print_paths(paths: list[Path]) -> None:
    """Print the paths of models and model cards."""
    for path in paths:
        typer.echo(f"{path} (card: {path.with_suffix('.md').name})")


def print_recommendations(pooled: Pooled, datasets: Sequence[str], paths: Sequence[Path]) -> None:
    """Print whether to use the learned model or the best single metric, and the next command."""
    ratings = list(dict.fromkeys(row["rating"] for row in pooled))
    first = {rating: next(_pooled_rows(pooled, rating), None) for rating in ratings}
    for rating, row in first.items():
        if row:
            typer.echo(f"{rating}: {_advice(row)}")
    used = [
        f"rainbow score --model {path} --rating {rating} < mine.jsonl"
        for rating, path in zip(ratings, paths, strict=False)
        if (row := first[rating]) and _is_better(row)
    ]
    looked_at = [f"rainbow report {datasets[0]}"] if len(datasets) == 1 else []
    if following := [*looked_at, *used[:1]]:
        typer.echo(f"next: {', or '.join(following)}")


def _pooled_rows(pooled: Pooled, rating: str) -> Iterator[dict[Hashable, Any]]:
    """Yield the results of a rating, strictest protocol first."""
    return (row for row in _strictest_first(pooled) if row["rating"] == rating and row["n"])


def _is_better(row: dict[Hashable, Any]) -> bool:
    """Return whether the model significantly beats the best metric, or chance without one."""
    if not row["best_metric"]:
        return bool(row["low"] > 0)
    return bool(row["best_metric_p"] < SURE and row["best_metric_t"] > 0)


def _advice(row: dict[Hashable, Any]) -> str:
    single = f"{row['best_metric']} ({format_number(row['best_metric_spearman'])})"
    held_out = f"on held-out outputs, {row['protocol']}"
    figures = f"{format_number(row['spearman'])} ({format_interval(row['low'], row['high'], format_number)})"
    if _is_better(row):
        better = f", better than {single}" if row["best_metric"] else ""
        return f"use the learned model: Spearman {figures} {held_out}{better}"
    if not row["best_metric"]:
        return f"no model to use: Spearman {figures} {held_out}, and no single metric"
    compared = "worse" if row["best_metric_p"] < SURE else "not better"
    return f"keep {single}: the learned model is {compared}, Spearman {figures} {held_out}"


def print_datasets(measured: pd.DataFrame) -> None:
    """Print the results within each dataset."""
    rows = measured[(measured["dataset"] != "all") & (measured["system"] == "all") & (measured["n"] > 0)]
    print_records(
        _comparisons(rows.to_dict("records")),
        *("protocol", "rating", "dataset"),
        *(("Spearman", "{spearman:number}"), RANGE, *_BEST, "n"),
        merged="protocol",
    )


def _print_external(table: pd.DataFrame) -> None:
    """Print the agreement of external and learned scores on the same outputs."""
    table = table[table["system"] == "all"]
    if table["dataset"].nunique() == 2:  # one dataset, and the same as all
        table = table[table["dataset"] != "all"]
    rows = table.sort_values(["score", "rating", "dataset"], kind="stable").to_dict("records")
    print_records(
        [row | {"p": _format_p(row, "score")} for row in rows],
        *(("external score", "{score}"), "rating", "dataset", "protocol"),
        *(("its Spearman", "{score_spearman:number}"), ("learned", "{spearman:number}"), "p", "n"),
        merged="protocol",
    )


def _format_p(row: dict[Hashable, Any], against: str = "best_metric") -> str:
    """Return the p-value of the learned score against the score above it."""
    t, p = row[f"{against}_t"], row[f"{against}_p"]
    return "-" if t != t else f"{p:.2g}{'' if t > 0 else ' (worse)'}"


def write_results(path: Path, pooled: Pooled) -> None:
    """Write the pooled results as JSON, by protocol and rating."""
    from rainbow.base.files import write_atomically

    results: dict[str, Any] = {}
    for row in pooled:
        numbers = {key: value for key, value in row.items() if key not in ("protocol", "rating", "dataset", "system")}
        results.setdefault(row["protocol"], {})[row["rating"]] = numbers
    text = json.dumps(plain({"protocols": results}), indent=1, ensure_ascii=False)
    write_atomically(path, lambda target: target.write_text(text, encoding="utf-8"))
