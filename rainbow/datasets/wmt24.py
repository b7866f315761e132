"""WMT 2024: translations from English by strong systems, with human scores from 0 to 100 (error span annotation).

The files are not part of this package: ``rainbow fetch wmt24_ja`` brings them from
https://github.com/wmt-conference/wmt24-news-systems. No licence is stated. Sources are in English and are not read as
inputs. Japanese and Chinese have all 634 rated segments, Czech and Hindi the 297 of wave 2. The files of scores have no
header, and tutorials and controls among the scores.
"""

from __future__ import annotations

from dataclasses import replace

from rainbow.base.downloads import RemoteFile, locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.published_files import published_files
from rainbow.datasets.text_files import read_lines

DOMAIN = "translations"
# The code of each language in the files of scores, and the files that have it.
_WAVES = {"cs": ("ces", 1), "hi": ("hin", 1), "ja": ("jpn", 2), "zh": ("zho", 2)}
CODES = {f"wmt24_{language}": code for language, (code, _) in _WAVES.items()}
SCORES = {
    f"wmt24_{language}": [
        replace(file, bundle=f"wmt24_{language}") for file in [*published_files("wmt24_scores").values()][:waves]
    ]
    for language, (_, waves) in _WAVES.items()
}
REFERENCES = {f"wmt24_{language}": file for language, file in published_files("wmt24_references").items()}
OUTPUTS = {name: published_files(name) for name in CODES}  # by system
FILES = {name: (*SCORES[name], REFERENCES[name], *OUTPUTS[name].values()) for name in CODES}
RATING = "esa"
REFERENCE = "refA"  # what a person wrote, rated together with the outputs
LOWEST, HIGHEST = 0, 100
_COLUMNS = ["rater", "system", "line", "kind", "from", "to", "score", "document", "_", "spans", "start", "end"]
_KEPT = ["rater", "system", "line", "score", "document"]


def load(name: str) -> Corpus:
    """Load the rated outputs with their reference."""
    rated, references = judgements(name), _numbered_lines(REFERENCES[name])
    outputs = {system: _numbered_lines(file) for system, file in OUTPUTS[name].items()}
    frame = rated[rated["system"] != REFERENCE].drop_duplicates(["item", "system"])
    rows = [
        (f"{name}-{system}-{line}", outputs[system][line], (references[line],))
        for system, line in zip(frame["system"], frame["line"], strict=True)
    ]
    texts = pd.DataFrame(rows, columns=["id", "output", "references"], index=frame.index)
    frame = frame[["item", "system", "category"]].join(texts).assign(dataset=name)
    return Corpus(add_mean_ratings(frame, rated), (RATING,), language=name.removeprefix("wmt24_"))


def judgements(name: str) -> pd.DataFrame:
    """Return the human judgements, also of the reference: one row per output and rater."""
    table = _read_scores(name)
    line = table["line"].astype(str)
    return pd.DataFrame(
        {
            "judgement": line + "-" + table["system"] + "-" + table["rater"],
            "rater": table["rater"],
            "item": table["document"] + "-" + line,
            "system": table["system"],
            "criterion": RATING,
            "kind": "likert",
            "value": table["score"],
            "category": table["document"].str.extract(r"-en-([a-z]+)_", expand=False),
            "line": table["line"],
        }
    )


def _numbered_lines(file: RemoteFile) -> dict[int, str]:
    """Return the lines of a file by number, counted from 0 as in the files of scores."""
    return {number - 1: text.strip() for number, text in read_lines(locate_file(file))[0]}


def _read_scores(name: str) -> pd.DataFrame:
    """Return the scores of one language, by system and line; a rater's last score of an output counts."""
    table = pd.concat([_read_file(file, CODES[name]) for file in SCORES[name]], ignore_index=True)
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
