"""Human scores of WMT 2024 as published: rows without a header, with tutorials and controls among them."""

from __future__ import annotations

from rainbow.base.downloads import RemoteFile, locate_file
from rainbow.base.lazy import pd
from rainbow.datasets.wmt24.source_files import Translations

LOWEST, HIGHEST = 0, 100
_COLUMNS = ["rater", "system", "line", "kind", "from", "to", "score", "document", "_", "spans", "start", "end"]
_KEPT = ["rater", "system", "line", "score", "document"]


def read_scores(published: Translations) -> pd.DataFrame:
    """Return the scores of one language, by system and line; a rater's last score of an output counts."""
    table = pd.concat([_read_file(file, published.code) for file in published.scores], ignore_index=True)
    last = table.sort_values("end", kind="stable").drop_duplicates(["rater", "system", "line"], keep="last")
    return last.sort_values(["system", "line", "end"], kind="stable", ignore_index=True)[_KEPT]


def _read_file(file: RemoteFile, code: str) -> pd.DataFrame:
    """Return the scores of translations from English, without tutorials, controls and repeated documents."""
    path = locate_file(file)
    table = pd.read_csv(path, names=_COLUMNS, dtype=str, keep_default_na=False)
    extra = table["system"].str.contains("tutorial") | table["document"].str.contains("#")
    table = table[(table["from"] == "eng") & (table["to"] == code) & (table["kind"] == "TGT") & ~extra]
    table = table.astype({"line": int, "score": float, "end": float})
    wrong = table[~table["score"].between(LOWEST, HIGHEST)]
    if len(wrong):
        place, score = wrong.index[0] + 1, wrong["score"].iloc[0]
        raise ValueError(f"{path}, row {place}: the score {score:g} is not from {LOWEST} to {HIGHEST}")
    return table
