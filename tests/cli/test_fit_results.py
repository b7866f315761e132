"""What `rainbow fit` prints: each figure once, the strictest protocol first, and a model only where it is better."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pytest

from rainbow.cli.fitting.fit_results import print_recommendations, print_results

PROTOCOLS = ("by-item-and-text", "by-template", "leave-one-system-out", "leave-one-dataset-out")


def measured(protocol: str, spearman: float = 0.5, **changed: Any) -> dict[str, Any]:
    row = {"protocol": protocol, "rating": "quality", "dataset": "all", "system": "all", "spearman": spearman}
    row |= {"low": spearman - 0.1, "high": spearman + 0.1, "ceiling": 0.8, "n": 100}
    row |= {"best_metric": "METEOR", "best_metric_spearman": 0.4, "best_metric_t": 3.0, "best_metric_p": 0.01}
    return row | {"forest_spearman": 0.45, "forest_t": 1.0, "forest_p": 0.3} | changed


def printed(capsys: pytest.CaptureFixture[str], rows: list[dict[str, Any]]) -> list[str]:
    """Return the lines that are printed of these rows."""
    names = [row["protocol"] for row in rows]
    classes = [
        {"protocol": name, "rating": "quality", "cut": cut, "n": 100, "accuracy": 0.5, "accuracy_low": 0.4}
        | {"accuracy_high": 0.6, "majority_accuracy": 0.4, "macro_f1": 0.3, "quadratic_kappa": 0.4}
        | {"calibration_error": 0.05}
        for name in names
        for cut in ("most probable", "training shares")
    ]
    tables = {
        "learned_overlap": pd.DataFrame({"protocol": names, "items": 0.0, "texts": 0.0, "near_texts": 0.02}),
        "learned_lookup": pd.DataFrame({"protocol": names, "rating": "quality", "spearman": float("nan")}),
        "learned_classes": pd.DataFrame(classes),
        "learned_external": pd.DataFrame(
            [
                {"score": "comet", "rating": "quality", "dataset": dataset, "protocol": name, "system": "all", "n": 100}
                | {"score_spearman": 0.3, "spearman": 0.5, "score_t": 2.0, "score_p": 0.04}
                for dataset in ("mine", "all")
                for name in names
            ]
        ),
    }
    request: Any = SimpleNamespace(recipe=SimpleNamespace(preset="default", top=None), protocols=names, notes=[])
    path = Path("models/mine-quality-all.rainbow")
    print_results(request, rows, tables, [path])
    print_recommendations(rows, ["mine.csv"], [path])
    return capsys.readouterr().out.splitlines()


def test_a_figure_that_several_protocols_or_datasets_share_stands_once(capsys: pytest.CaptureFixture[str]) -> None:
    lines = printed(capsys, [measured(name) for name in PROTOCOLS])
    assert len(lines) == len({" ".join(line.split()) for line in lines}) <= 25
    figures = [line for line in lines if "0.500" in line and "0.400 to 0.600" in line and "points by" not in line]
    assert len([line for line in figures if "METEOR 0.400" in line]) == 1
    assert all(name in figures[0] for name in PROTOCOLS)
    assert len([line for line in lines if line.strip().startswith("comet")]) == 1


def test_the_strictest_protocol_comes_first_and_points_are_those_under_it(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [measured("kfold", 0.2), measured("by-item-and-text", 0.5), measured("leave-one-system-out", 0.3)]
    lines = printed(capsys, rows)
    assert [line.split()[0] for line in lines[1:4]] == ["leave-one-system-out", "by-item-and-text", "kfold"]
    points = [line.split()[0] for line in lines if "most probable" in line and "quality" in line]
    assert points == ["leave-one-system-out"]


@pytest.mark.parametrize(("changed", "advice"), [
    ({"best_metric_p": 0.5}, "quality: keep METEOR (0.400): the learned model is not better, Spearman 0.300"),
    ({"best_metric_t": -3.0}, "quality: keep METEOR (0.400): the learned model is worse, Spearman 0.300"),
    ({"best_metric_p": float("nan")}, "quality: keep METEOR (0.400): the learned model is not better"),
    ({"best_metric": "", "low": -0.1}, "quality: no model to use: Spearman 0.300"),
])  # fmt: skip
def test_a_model_is_recommended_only_if_it_beats_the_best_metric_under_the_strictest_protocol(
    capsys, changed, advice
) -> None:
    easy = measured("by-item-and-text", 0.6)
    kept = printed(capsys, [easy, measured("leave-one-system-out", 0.3, **changed)])
    assert kept[-2].startswith(advice) and "leave-one-system-out" in kept[-2]
    assert kept[-1] == "next: rainbow report mine.csv"
    used = printed(capsys, [easy, measured("leave-one-system-out", 0.5)])
    assert used[-2].startswith("quality: use the learned model: Spearman 0.500 (0.400 to 0.600)")
    assert used[-2].endswith("better than METEOR (0.400)")
    assert "rainbow score --model models/mine-quality-all.rainbow --rating quality" in used[-1]
