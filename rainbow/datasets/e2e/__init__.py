"""The E2E NLG Challenge: 21 systems' outputs for 630 meaning representations, and what people thought of them.

The files are not part of this package: ``rainbow fetch e2e`` brings them from https://github.com/tuetschek/e2e-dataset
(the test set, CC BY-SA 4.0) and https://github.com/tuetschek/e2e-eval.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rainbow.corpus import Corpus
from rainbow.datasets import download
from rainbow.datasets.e2e import sources
from rainbow.datasets.e2e.quality import read_quality
from rainbow.datasets.output_files import read_outputs
from rainbow.datasets.reference_files import read_references

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FILES", "OPTIONS", "judgements", "load"]

FILES = {sources.NAME: sources.FILES}
OPTIONS = ("as_published",)


def load(name: str = sources.NAME, *, as_published: bool = False) -> Corpus:
    """Load the 13,230 outputs: a row for each of 21 systems and each of 630 meaning representations.

    Systems have the names of the published tables, and stand in the order of that of word-overlap metrics; the
    item of an output is its meaning representation, its references are all that people wrote for it.

    Parameters
    ----------
    as_published
        Keep the outputs as the files have them. Two systems (TNT1, TNT2) put single quotes round every text, and one
        (DANGNT) a blank after it; some published numbers were computed on these. By default they are taken off.

    Raises
    ------
    FileNotFoundError
        If a file is not on this machine; the message names the command that fetches it.
    ValueError
        If a file is not the published one.

    References
    ----------
    Dušek, O., Novikova, J. and Rieser, V. (2020). Evaluating the state-of-the-art of end-to-end natural language
    generation: the E2E NLG challenge. Computer Speech & Language 59.

    Examples
    --------
    >>> len(load().frame["system"].unique())  # doctest: +SKIP
    21
    """
    import pandas as pd

    references = read_references(download.locate(sources.REFERENCES)).sets
    rows: list[dict[str, Any]] = []
    for system, file in sources.OUTPUTS.items():
        lines = read_outputs(download.locate(file), as_published=as_published).lines
        rows.extend({"system": system, "mr": line.mr, "output": line.output} for line in lines)
    for number, row in enumerate(rows, 1):
        row |= {"id": f"{name}-{number:05d}", "dataset": name, "item": row["mr"], "references": references[row["mr"]]}
    return Corpus(pd.DataFrame(rows))


def judgements(name: str = sources.NAME) -> pd.DataFrame:
    """Return the human judgements of quality, a row for every output in every judgement.

    A judgement is what one person thought of five systems' outputs for one meaning representation, as magnitudes (any
    number from 1 up; equal numbers are ties). See :func:`rainbow.datasets.judgements` for the columns.

    Raises
    ------
    FileNotFoundError, ValueError
        As :func:`load`.
    """
    return read_quality(download.locate(sources.QUALITY))
