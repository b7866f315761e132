"""Human ratings with an open licence, as pairs for the second stage of training.

None of data-to-text or of summaries: the score is tested on these. Read from tables made of these repositories:

========= ===================================================== ========== ============================================
table     repository (GitHub)                                   licence    read
========= ===================================================== ========== ============================================
wmt17     AIPHES/ACL20-Reference-Free-MT-Evaluation             Apache-2.0 translations into English, direct assessment
mlqe_pe   sheffieldnlp/mlqe-pe                                  CC0        the same, with the output as people mend it
ted_zh_en google/wmt-mqm-human-evaluation                       Apache-2.0 talks, penalties of MQM
begin     google/BEGIN-dataset                                  CC BY 4.0  answers, supported by the knowledge or not
q_squared orhonovich/q-squared                                  MIT        answers, consistent with the knowledge or not
========= ===================================================== ========== ============================================

and from files of google/wmt-mqm-human-evaluation (Apache-2.0) and wmt-conference/wmt21-news-systems themselves:
translations of news from Chinese in 2021, penalties of MQM.
"""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import rankdata

from rainbow.base.arrays import FloatArray

SCORES = "newstest2021/zhen/mqm_newstest2021_zhen.avg_seg_scores.tsv"
DRAWN = {"mlqe_pe": 8_000, "ted_zh_en": 4_000}  # of larger corpora
UNIFORM = float(np.sqrt(12))  # makes the standard deviation of uniform ranks 1


def rated_pairs(folder: Path, opened: Path, without: Collection[str], seed: int) -> pd.DataFrame:
    """Return the rated pairs, and rated texts alone, of all corpora but some, in the columns of the first stage.

    Tables are read from `folder`, files of repositories from `opened`.
    """
    read = {
        "wmt17": _translations,
        "mlqe_pe": _post_edited,
        "ted_zh_en": _talks,
        "begin": _begin,
        "q_squared": _answers,
    }
    parts = []
    for name, rows_of in read.items():
        if name not in without:
            table = pd.read_csv(folder / f"{name}.csv", keep_default_na=False, na_values=["", "NaN"])
            table = table.sample(min(len(table), DRAWN.get(name, len(table))), random_state=seed)
            parts.append(rows_of(table).assign(source=name))
    if "wmt21" not in without:
        parts.append(_with_alone(_news(opened), "reference", "mqm").assign(source="wmt21"))
    return pd.concat(parts).dropna(subset=["second"]).fillna({"first": ""})


def _ranks(values: pd.Series[float]) -> FloatArray:
    """Return ratings as ranks with mean 0 and standard deviation 1."""
    ranks: FloatArray = (rankdata(values) / len(values) - 0.5) * UNIFORM
    return ranks


def _with_alone(table: pd.DataFrame, first: str, rating: str) -> pd.DataFrame:
    """Return outputs with a reference, rated for adequacy, and again without, for fluency."""
    ranks = _ranks(table[rating])
    pairs = pd.DataFrame({"first": table[first], "second": table["output"], "adequacy": ranks})
    return pd.concat([pairs, pd.DataFrame({"first": "", "second": table["output"], "fluency": ranks})])


def _translations(table: pd.DataFrame) -> pd.DataFrame:
    for name in ("output", "reference"):
        table = table.assign(**{name: table[name].str.replace("&apos;", "'").str.replace("&quot;", '"')})
    return _with_alone(table, "reference", "z")


def _post_edited(table: pd.DataFrame) -> pd.DataFrame:
    return _with_alone(table, "post_edition", "z")


def _talks(table: pd.DataFrame) -> pd.DataFrame:
    return _with_alone(table, "reference", "mqm")


def _news(opened: Path) -> pd.DataFrame:
    """Return translations of WMT 2021 whose texts are known; a reference of each, and its penalty."""
    scores = pd.read_csv(opened / "wmt-mqm-human-evaluation" / SCORES, sep="[ \t]", engine="python", na_values="None")
    texts = opened / "wmt21-news-systems" / "txt"
    references = (texts / "references" / "newstest2021.zh-en.ref.A.en").read_text().split("\n")
    rows = []
    for system, own in scores.dropna().groupby("system"):
        file = texts / "system-outputs" / f"newstest2021.zh-en.hyp.{system}.en"
        if file.is_file():
            outputs = file.read_text().split("\n")
            rows += [
                (outputs[line - 1], references[line - 1], score)
                for line, score in zip(own["seg_id"], own["mqm_avg_score"], strict=True)
            ]
    return pd.DataFrame(rows, columns=["output", "reference", "mqm"])


def _begin(table: pd.DataFrame) -> pd.DataFrame:
    """Return answers that are supported by the knowledge or not; generic ones say nothing."""
    supported = table["begin_label"].str.lower().map(lambda label: float(label.startswith("fully")))
    generic = table["begin_label"].str.lower().str.startswith("generic")
    pairs = pd.DataFrame({"first": table["knowledge"], "second": table["output"], "entailed": supported})
    return pairs[~generic]


def _answers(table: pd.DataFrame) -> pd.DataFrame:
    """Return answers and the knowledge they should agree with; the column `consistent` marks those that do not."""
    return pd.DataFrame(
        {"first": table["knowledge"], "second": table["output"], "entailed": 1.0 - table["consistent"].astype(float)}
    )
