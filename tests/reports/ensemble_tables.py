"""Small tables as `rainbow fit` leaves them: numbers that no model gave, for the layout of the section alone."""

from pathlib import Path

import numpy as np
import pandas as pd

PROTOCOLS = ("kfold", "by-item", "by-text", "by-item-and-text", "by-template", "leave-one-system-out")
FEATURES = ("slots_realised", "lm_mean", "METEOR", "delexicalised", "surface")
FAULTS = ("a slot left out", "a slot said twice", "words in another order", "a word doubled")


def write_ensemble_tables(folder: Path, frame: pd.DataFrame, ratings: list[str]) -> None:
    """Write the six files into ``analysis/DATASET/``."""
    rng = np.random.default_rng(7)
    dataset = frame["dataset"].iloc[0]
    _protocols(rng, frame, ratings, dataset).to_csv(folder / "ensemble_protocols.csv", index=False)
    folds = {name: rng.integers(0, 5, len(frame)) for name in PROTOCOLS}
    pd.concat(
        pd.DataFrame({"protocol": name, "seed": 1, "id": frame["id"], "fold": fold}) for name, fold in folds.items()
    ).to_csv(folder / "ensemble_folds.csv", index=False)
    pd.concat(
        pd.DataFrame(
            {
                "protocol": name,
                "rating": rating,
                "id": frame["id"],
                "fold": folds[name],
                "rated": frame[rating],
                "predicted": 4.8 + 0.25 * (frame[rating] - 4.8) + 0.3 * rng.standard_normal(len(frame)),
            }
        )
        for name in PROTOCOLS
        for rating in ratings
    ).to_csv(folder / "ensemble_predictions.csv", index=False)
    _importances(rng, ratings).to_csv(folder / "ensemble_importances.csv", index=False)
    pd.DataFrame(
        [(rating, name, rank) for rating in ratings for rank, name in enumerate(FEATURES, start=1)],
        columns=["rating", "feature", "rank"],
    ).to_csv(folder / "ensemble_elimination.csv", index=False)
    _audit(rng).to_csv(folder / "ensemble_audit.csv", index=False)


def _protocols(rng: np.random.Generator, frame: pd.DataFrame, ratings: list[str], dataset: str) -> pd.DataFrame:
    rows = []
    for protocol in PROTOCOLS:
        for rating in ratings:
            for system in ("all", *frame["system"].unique()):
                r, best = 0.5 + 0.05 * rng.random(), 0.3 + 0.05 * rng.random()
                rows.append(
                    {
                        **{"model": "RAINBOW", "preset": "default", "protocol": protocol, "rating": rating},
                        **{"dataset": dataset, "system": system, "n": len(frame), "items": frame["item"].nunique()},
                        **{"spearman": r, "low": r - 0.05, "high": r + 0.05, "pearson": r + 0.01, "mae": 0.7, "rmse": 0.9},
                        **{"constant_mae": 0.8, "constant_rmse": 1.0, "best_metric": "METEOR", "best_metric_spearman": best},
                        **{"williams_t": 4.2, "williams_p": 0.0001, "ceiling": 0.6, "ceiling_low": 0.52, "ceiling_high": 0.65},
                        "seed": 2017,
                    }
                )
    return pd.DataFrame(rows)


def _importances(rng: np.random.Generator, ratings: list[str]) -> pd.DataFrame:
    rows = []
    for rating in ratings:
        for rank, (name, fall) in enumerate(zip(FEATURES, -np.sort(-0.1 * rng.random(len(FEATURES))), strict=True), start=1):
            row = {"rating": rating, "feature": name, "importance": fall, "low": fall - 0.01, "high": fall + 0.01}
            rows.append({**row, "rank": rank})
    return pd.DataFrame(rows)


def _audit(rng: np.random.Generator) -> pd.DataFrame:
    rows = []
    for kind in FAULTS:
        falls = 0.6 + 0.3 * rng.random()
        row = {"kind": kind, "n": 300, "falls": falls, "low": falls - 0.05, "high": falls + 0.04}
        rows.append({**row, "mean_change": -0.3 * rng.random(), "median_change": -0.2 * rng.random()})
    return pd.DataFrame(rows)
