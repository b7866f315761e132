"""RNNLG: human texts for dialogue acts about hotels and restaurants (Wen et al. 2015).

10,565 texts in three splits, without outputs of systems and without ratings. ``rainbow fetch rnnlg`` brings the files
from https://github.com/shawnwun/RNNLG (Apache 2.0).
"""

from __future__ import annotations

from rainbow.base.downloads import locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.emnlp2017.references import detokenise, read_rnnlg
from rainbow.datasets.emnlp2017.source_files import RNNLG

DOMAIN = "hotels and restaurants"
FILES = {"rnnlg": tuple(RNNLG.values())}


def load(name: str) -> Corpus:
    """Load the texts as outputs, with `dataset` ``sfhotel`` or ``sfrest``."""
    rows = [
        {"dataset": dataset, "split": split, "mr": str(utterance.meaning), "output": detokenise(utterance.text)}
        for (dataset, split), file in RNNLG.items()
        for utterance in read_rnnlg(locate_file(file))
    ]
    return Corpus(pd.DataFrame(rows).assign(system="people"))
