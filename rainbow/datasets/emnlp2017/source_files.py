"""Public files of the 2017 study, and of RNNLG."""

from __future__ import annotations

from dataclasses import replace

from rainbow.base.downloads import RemoteFile
from rainbow.datasets.published_files import published_files

ALL = "emnlp2017"
(TABLE,) = published_files(ALL).values()
# Human references for each meaning representation, by dataset.
REFERENCES = published_files("emnlp2017_dialogues") | published_files("emnlp2017_bagel")
DATASETS = tuple(REFERENCES)
# All texts of RNNLG by dataset and split.
RNNLG = {
    (dataset, split): file
    for dataset in ("sfhotel", "sfrest")
    for split, file in published_files(f"rnnlg_{dataset}").items()
}
# The inputs that RNNLG was tested on: their multiplicity is part of the published CIDEr.
RNNLG_TEST = {dataset: replace(file, bundle=dataset) for (dataset, split), file in RNNLG.items() if split == "test"}


def dataset_files(name: str) -> tuple[RemoteFile, ...]:
    """Return the files that a dataset needs, labelled with its name for fetching."""
    datasets = DATASETS if name == ALL else (name,)
    files = [TABLE, *(table[dataset] for dataset in datasets for table in (REFERENCES, RNNLG_TEST) if dataset in table)]
    return tuple(replace(file, bundle=name) for file in files)
