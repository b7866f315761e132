"""Small tables as `rainbow fit` and `rainbow audit --search` leave them: numbers that no model gave, for the layout."""

from pathlib import Path

import numpy as np
import pandas as pd

from rainbow.audit.search.random_search import search_shares

PROTOCOLS = ("by-item-and-text", "by-template", "leave-one-system-out")
FEATURES = ("slots_realised", "lm_mean", "TER", "delexicalised", "surface")
FAULTS = ("dropped-slot", "repeated-word", "shuffled-words")


def write_learned_tables(folder: Path, frame: pd.DataFrame, ratings: list[str]) -> None:
    """Write the files into ``analysis/DATASET/``."""
    rng = np.random.default_rng(7)
    tables = {
        "protocols": _protocols(rng, frame, ratings), "folds": _folds(rng, frame),
        "predictions": _predictions(rng, frame, ratings), "reliability": _reliability(ratings),
        "importances": _importances(rng, ratings), "elimination": _elimination(ratings), "audit": _audit(rng, ratings),
    }  # fmt: skip
    for name, table in tables.items():
        table.to_csv(folder / f"learned_{name}.csv", index=False)


def write_search_tables(folder: Path, mr: str, hostile: str) -> None:
    """Write what was found for a metric and a model; the model puts nothing above a good text."""
    found = {
        "strategy": "plain", "dataset": "demo", "item": "1", "mr": mr, "text": hostile, "worst": 0.2, "median": 0.3
    }  # fmt: skip
    found |= {"best": 0.5, "above_best": 0.0, "compared_with": "references", "evaluations": 3840}
    table = pd.DataFrame([
        {"metric": "TER", "score": 0.25, "above_worst": 1.0, "above_median": 0.0} | found,
        {"metric": "quality-mine", "score": 0.1, "above_worst": 0.0, "above_median": 0.0} | found,
    ])  # fmt: skip
    table.to_csv(folder / "audit_found.csv", index=False)
    search_shares(table).to_csv(folder / "audit_search.csv", index=False)


def _protocols(rng: np.random.Generator, frame: pd.DataFrame, ratings: list[str]) -> pd.DataFrame:
    dataset, items = frame["dataset"].iloc[0], frame["item"].nunique()
    rows = []
    for protocol in PROTOCOLS:
        for rating in ratings:
            for part in (("all", "all"), (dataset, "all"), *((dataset, system) for system in frame["system"].unique())):
                r, best = 0.75 + 0.05 * rng.random(), 0.3 + 0.05 * rng.random()
                row = {"model": "all", "preset": "default", "protocol": protocol, "rating": rating}
                row |= {"dataset": part[0], "system": part[1], "n": len(frame), "items": items}
                row |= {"spearman": r, "low": r - 0.05, "high": r + 0.05, "pearson": r + 0.01, "mae": 0.7, "rmse": 0.9}
                row |= {"constant_mae": 0.8, "constant_rmse": 1.0, "best_metric": "TER", "best_metric_spearman": -best}
                row |= {"best_metric_t": 4.2, "best_metric_p": 0.0001, "forest_spearman": best + 0.1, "forest_t": 2.1}
                row |= {"forest_p": 0.03, "ceiling": 0.6, "ceiling_low": 0.5, "ceiling_high": 0.7}
                rows.append(row | {"seed": 2017, "reason": ""})
    return pd.DataFrame(rows)


def _folds(rng: np.random.Generator, frame: pd.DataFrame) -> pd.DataFrame:
    ids = frame["id"]
    parts = [{"protocol": name, "seed": 2017, "id": ids, "fold": rng.integers(0, 5, len(ids))} for name in PROTOCOLS]
    return pd.concat(map(pd.DataFrame, parts))


def _predictions(rng: np.random.Generator, frame: pd.DataFrame, ratings: list[str]) -> pd.DataFrame:
    parts = []
    for protocol in PROTOCOLS:
        for rating in ratings:
            predicted = 4.8 + 0.25 * (frame[rating] - 4.8) + 0.3 * rng.standard_normal(len(frame))
            part = pd.DataFrame({"protocol": protocol, "seed": 2017, "rating": rating, "id": frame["id"], "fold": 0})
            parts.append(part.assign(rated=frame[rating], predicted=predicted))
    return pd.concat(parts)


def _reliability(ratings: list[str]) -> pd.DataFrame:
    bins = pd.DataFrame({"from": [0.3, 0.4], "to": [0.4, 0.5], "n": [80, 20], "probability": [0.35, 0.45]})
    parts = [
        bins.assign(protocol=protocol, rating=rating, share=[0.3, 0.5], seed=2017)
        for protocol in PROTOCOLS
        for rating in ratings
    ]
    return pd.concat(parts)


def _importances(rng: np.random.Generator, ratings: list[str]) -> pd.DataFrame:
    falls = np.sort(0.1 * rng.random((len(ratings), len(FEATURES))), axis=1)[:, ::-1]
    return pd.DataFrame(
        {"rating": rating, "feature": name, "importance": fall, "low": fall - 0.01, "high": fall + 0.01, "rank": rank}
        for rating, row in zip(ratings, falls.tolist(), strict=True)
        for rank, (name, fall) in enumerate(zip(FEATURES, row, strict=True), start=1)
    )


def _elimination(ratings: list[str]) -> pd.DataFrame:
    rows = [(rating, name, rank) for rating in ratings for rank, name in enumerate(FEATURES, start=1)]
    return pd.DataFrame(rows, columns=["rating", "feature", "rank"])


def _audit(rng: np.random.Generator, ratings: list[str]) -> pd.DataFrame:
    rows = []
    for rating in ratings:
        for kind in FAULTS:
            falls = 0.6 + 0.3 * rng.random()
            row = {"kind": kind, "n": 300, "falls": falls, "low": falls - 0.05, "high": falls + 0.04}
            row |= {"mean_change": -0.3 * rng.random(), "median_change": -0.2 * rng.random(), "unscored": 0}
            rows.append(row | {"rating": rating})
    return pd.DataFrame(rows)
