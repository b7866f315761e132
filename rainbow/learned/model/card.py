"""Model cards: what to know about a model before trusting it."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import math
from collections.abc import Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from rainbow._version import __version__
from rainbow.base.files import write_atomically
from rainbow.base.formatting import format_interval
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.learned.learner.regressor import PRESETS
from rainbow.learned.model.model import Model
from rainbow.learned.protocols.groups import PROTOCOLS, STRICT
from rainbow.learned.training.learn import Recipe

PACKAGES = ("numpy", "scipy", "scikit-learn", "pandas", "pycocoevalcap")

PROTOCOL_HEADER = (
    *("protocol", "n (inputs)", "Spearman", "95 % interval", "Pearson", "MAE (constant)", "RMSE (constant)"),
    "best single metric",
)
CLASSES_HEADER = ("cut", "accuracy", "95 % interval", "macro F1", "95 % interval", "quadratic kappa", "95 % interval")
_CLASS_FIGURES = ("accuracy", "macro_f1", "quadratic_kappa")
RELIABILITY_HEADER = ("probability of the most likely point", "n", "mean", "share that were correct")
AUDIT_HEADER = ("kind", "n", "falls", "95 % interval", "mean change")

LIMITS = (
    (
        "The model knows only the kinds of text and input it was trained on. For another domain, expect the "
        "leave-one-dataset-out correlation or less."
    ),
    (
        "The model has learned the ratings that people gave to these systems. It does not check facts: a "
        "wrong value that its features miss costs nothing."
    ),
    (
        "A generator trained to maximise its score will find texts that score well but that people do not "
        "like: audit the texts it generates."
    ),
    "If you compare systems with it, keep in mind that it may have learned to recognise them.",
)


def make_card(
    model: Model,
    corpus: Corpus,
    recipe: Recipe,
    tables: Mapping[str, pd.DataFrame],
    *,
    statistics: str,
    coverage: pd.DataFrame,
    notes: Sequence[str] = (),
) -> dict[str, Any]:
    """Return the card of a model as plain data."""
    frame, audited, measured = corpus.frame, tables["learned_audit"], tables["learned_protocols"]
    whole = (measured["dataset"] == "all") & (measured["system"] == "all")
    pooled = measured[whole & (measured["rating"] == model.rating)]
    return {
        "model": model.name,
        "rating": model.rating,
        "scale": [model.low, model.high],
        "preset": recipe.preset,
        "learner": PRESETS[recipe.preset],
        "corrupted_copies": recipe.corrupted,
        "top": recipe.top,
        "seed": recipe.seed,
        "statistics": statistics,
        "data": {
            "datasets": sorted(set(frame["dataset"])),
            "systems": sorted(set(frame["system"])),
            "outputs": len(frame),
            "items": int(frame.groupby(["dataset", "item"]).ngroups),
            "background": len(corpus.background) if corpus.background is not None else 0,
            "sha256": data_digest(corpus, model.rating),
        },
        "features": model.features.column_signatures(),
        "texts": list(model.features.texts),
        "protocols": _plain_records(pooled.drop(columns=["model", "preset", "rating", "dataset", "system"])),
        "interval": _plain_records(coverage),
        "classes": _class_records(tables, model.rating),
        "audit": _plain_records(audited[audited["rating"] == model.rating].drop(columns="rating")),
        "limits": list(LIMITS),
        "notes": list(notes),
        "versions": {"rainbow": __version__} | {name: importlib.metadata.version(name) for name in PACKAGES},
    }


def _class_records(tables: Mapping[str, pd.DataFrame], rating: str) -> dict[str, Any]:
    """Return the accuracy of the rating's classes under the protocol that fitted them."""
    both = (tables[f"learned_{name}"] for name in ("classes", "reliability"))
    cuts, bins = (_plain_records(own[(own["rating"] == rating) & (own["protocol"] == STRICT)]) for own in both)
    if not cuts or not cuts[0]["n"]:
        return {}
    figures = [f"{name}{end}" for name in _CLASS_FIGURES for end in ("", "_low", "_high")]
    return {
        **{name: cuts[0][name] for name in ("classes", "n", "items", "majority_accuracy", "calibration_error")},
        "cuts": [{name: line[name] for name in ("cut", *figures)} for line in cuts],
        "reliability": [{name: line[name] for name in ("from", "to", "n", "probability", "share")} for line in bins],
    }


def data_digest(corpus: Corpus, rating: str) -> str:
    """Return the SHA-256 of a rating's training data: texts, references, inputs and ratings."""
    columns = ["dataset", "system", "item", "mr", "output", "references", rating]
    rows = [
        [*map(str, row[:5]), list(row[5]), repr(float(row[6]))] for row in corpus.frame[columns].itertuples(index=False)
    ]
    return hashlib.sha256(json.dumps(rows, ensure_ascii=True).encode()).hexdigest()


def _plain_records(table: pd.DataFrame) -> list[dict[str, Any]]:
    """Return the rows as plain data: numbers to six digits, None if not finite."""
    return [{str(name): _plain_value(value) for name, value in row.items()} for row in table.to_dict("records")]


def _plain_value(value: Any) -> Any:
    if hasattr(value, "item"):
        value = value.item()
    if not isinstance(value, float):
        return value
    return float(f"{value:.6g}") if math.isfinite(value) else None


def card_text(card: Mapping[str, Any]) -> str:
    """Return a card as Markdown."""
    data, columns = card["data"], card["features"]
    kept = ", selected by recursive feature elimination" if card["top"] else ""
    read = f", and the texts {', '.join(card['texts'])}" if card["texts"] else ""
    parts = [
        f"# {card['model']}",
        (
            f"Predicts the {card['rating']} rating that people would give an output, from {card['scale'][0]:g} to "
            f"{card['scale'][1]:g}."
        ),
        "## Learned from",
        f"{data['outputs']} outputs for {data['items']} inputs ({', '.join(filter(None, data['datasets']))}; systems "
        f"{', '.join(filter(None, data['systems']))}), SHA-256 of texts and ratings `{data['sha256'][:16]}`. "
        f"Learner: {card['learner']}."
        + (" Training also used corrupted copies of the outputs." if card["corrupted_copies"] else ""),
        *_evaluation_sections(card),
        "## Features",
        f"{len(columns)} columns in this order{kept}{read}, each with its signature:",
        "\n".join(
            f"{place}. `{entry['column']}`: `{entry['signature']}`" for place, entry in enumerate(columns, start=1)
        ),
        "## Limits",
        *(f"* {sentence}" for sentence in [*card["limits"], *card["notes"]]),
        "## Made with",
        ", ".join(f"{name} {version}" for name, version in card["versions"].items()) + f"; seed {card['seed']}.",
    ]
    return "\n\n".join(parts) + "\n"


def _evaluation_sections(card: Mapping[str, Any]) -> list[str]:
    """Return the sections of a card on held-out rows."""
    data, measured = card["data"], [line["protocol"] for line in card["protocols"]]
    return [
        "## Accuracy",
        (
            "Spearman correlation with the ratings of held-out rows; intervals come from resampled inputs. "
            f"Corpus statistics come from the references of {card['statistics']} items"
        )
        + (f" and, for the language model, of {data['background']} further inputs" if data["background"] else "")
        + ", never from ratings.",
        _protocol_table(card["protocols"]),
        *(f"* **{name}**: {PROTOCOLS[name]}" for name in measured if name in PROTOCOLS),  # old cards have others
        "## Intervals",
        *(
            f"The 90 % interval covered {_decimal(line['coverage'])} of {line['n']} held-out ratings "
            f"({format_interval(line['low'], line['high'], _decimal)}). It was calibrated on other inputs than "
            f"those it was tested on. Its width is {_decimal(line['width'])} before clipping to the scale."
            for line in card["interval"]
        ),
        *_class_sections(card.get("classes", {})),  # a card of an older RAINBOW has none
        "## Does the score drop when the text gets worse?",
        "Held-out outputs, each corrupted in one way: the share whose score drops.",
        _markdown_table(
            AUDIT_HEADER,
            [
                (line["kind"], str(line["n"]), *_with_interval(line, "falls"), _decimal(line["mean_change"]))
                for line in card["audit"]
            ],
        ),
    ]


def save_card(card: Mapping[str, Any], path: Path) -> Path:
    """Write a card as Markdown next to its model file, and return its path."""
    text = card_text(card)
    return write_atomically(path.with_suffix(".md"), lambda part: part.write_text(text, encoding="utf-8"))


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _with_interval(line: Mapping[str, Any], name: str, prefix: str = "") -> tuple[str, str]:
    """Return a number and its interval."""
    return _decimal(line[name]), format_interval(line[f"{prefix}low"], line[f"{prefix}high"], _decimal)


def _protocol_table(lines: Sequence[Mapping[str, Any]]) -> str:
    # The tests of older models are Williams'.
    old = any("williams_p" in line for line in lines)
    p, metric, forest = ("Williams p", "williams", "forest_williams") if old else ("p", "best_metric", "forest")
    header = (*PROTOCOL_HEADER, p, "forest of 2017", p, "ceiling")
    rows = [
        (
            line["protocol"],
            f"{line['n']} ({line['items']})",
            *_with_interval(line, "spearman"),
            _decimal(line["pearson"]),
            *(f"{_decimal(line[name])} ({_decimal(line[f'constant_{name}'])})" for name in ("mae", "rmse")),
            f"{line['best_metric']} {_decimal(line['best_metric_spearman'])}",
            _p_cell(line, metric),
            _decimal(line.get("forest_spearman")),
            _p_cell(line, forest),
            _decimal(line["ceiling"]),
        )
        for line in lines
    ]
    return _markdown_table(header, rows)


def _p_cell(line: Mapping[str, Any], against: str) -> str:
    """Return the p-value of a test, marked if the model agrees less."""
    t, p = line.get(f"{against}_t"), line.get(f"{against}_p")
    return "-" if t is None or p is None else f"{p:.1e}{'' if t > 0 else ' (worse)'}"


def _class_sections(classes: Mapping[str, Any]) -> list[str]:
    """Return the sections on ratings as classes, if there are any."""
    if not classes:
        return []
    return [
        "## Classes",
        (
            f"Each of {classes['n']} held-out outputs ({classes['items']} inputs) is assigned one of "
            f"{classes['classes']} points of the scale, with halves rounded to even: either the most probable "
            "point, or each point as often as in training. The mapping from scores to points was learned on "
            "other inputs than those it was tested on. The most common point alone is right in "
            f"{_decimal(classes['majority_accuracy'])}."
        ),
        _markdown_table(
            CLASSES_HEADER,
            [
                (line["cut"], *chain(*(_with_interval(line, name, f"{name}_") for name in _CLASS_FIGURES)))
                for line in classes["cuts"]
            ],
        ),
        f"Expected calibration error of the probabilities: {_decimal(classes['calibration_error'])}.",
        _markdown_table(
            RELIABILITY_HEADER,
            [
                (
                    f"{line['from']:g} to {line['to']:g}",
                    str(line["n"]),
                    *(_decimal(line[name]) for name in ("probability", "share")),
                )
                for line in classes["reliability"]
            ],
        ),
    ]


def _decimal(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
