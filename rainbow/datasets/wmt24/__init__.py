"""WMT 2024: translations from English by strong systems, with human scores from 0 to 100 (error span annotation).

The files are not part of this package: ``rainbow fetch wmt24_ja`` brings them from
https://github.com/wmt-conference/wmt24-news-systems. No licence is stated. Sources are in English and are not read as
inputs. Japanese and Chinese have all 634 rated segments, Czech and Hindi the 297 of wave 2.
"""

from __future__ import annotations

from rainbow.base.downloads import RemoteFile, locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import add_mean_ratings
from rainbow.datasets.output_files import read_lines
from rainbow.datasets.wmt24.human_scores import read_scores
from rainbow.datasets.wmt24.source_files import PUBLISHED

DOMAIN = "translations"
FILES = {name: published.files for name, published in PUBLISHED.items()}
RATING = "esa"
REFERENCE = "refA"  # what a person wrote, rated together with the outputs


def load(name: str) -> Corpus:
    """Load the rated outputs with their reference."""
    published, rated = PUBLISHED[name], judgements(name)
    references = _numbered_lines(published.reference)
    outputs = {system: _numbered_lines(file) for system, file in published.outputs.items()}
    frame = rated[rated["system"] != REFERENCE].drop_duplicates(["item", "system"])
    rows = [
        (f"{name}-{system}-{line}", outputs[system][line], (references[line],))
        for system, line in zip(frame["system"], frame["line"], strict=True)
    ]
    texts = pd.DataFrame(rows, columns=["id", "output", "references"], index=frame.index)
    frame = frame[["item", "system", "category"]].join(texts).assign(dataset=name)
    return Corpus(add_mean_ratings(frame, rated), (RATING,), language=published.language)


def judgements(name: str) -> pd.DataFrame:
    """Return the human judgements, also of the reference: one row per output and rater."""
    table = read_scores(PUBLISHED[name])
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
