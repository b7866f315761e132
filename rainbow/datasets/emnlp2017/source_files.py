"""Public files of the 2017 study, and where they are published."""

from __future__ import annotations

from dataclasses import replace

from rainbow.base.downloads import DATA, RemoteFile

ALL = "emnlp2017"

_EMNLP = "https://raw.githubusercontent.com/jeknov/EMNLP_17_submission/ed7b6678135001519006365cb36855ccc17aa54e"
_JLOLS = "https://raw.githubusercontent.com/glampouras/JLOLS_NLG/2ed34ca3c33f94dabce1d24a6ddae55bb2c0fb10"
_RNNLG_REPOSITORY = "https://raw.githubusercontent.com/shawnwun/RNNLG/61ac6fd1304c9dcf29ea894452e685652718f6f8"

# Outputs, ratings and scores, all three datasets in one table.
TABLE = RemoteFile(
    DATA,
    "emnlp2017/emnlp_data_medians.csv",
    f"{_EMNLP}/emnlp_data_medians.csv",
    "d655cce3e3ade250df4611a15f5bda1b1ccd7afb776b1931d6f2a3fe1b8092b2",
    ALL,
)

# Human references for each meaning representation.
REFERENCES = {
    "sfhotel": RemoteFile(
        DATA,
        "emnlp2017/sfxhotel.json",
        f"{_JLOLS}/sfx_data/sfxhotel/train%2Bvalid%2Btest.json",
        "12e0b1fa093cd928c352596c9343bb7599fbf49eb06f2bc5c4e12f3dc610619e",
        "sfhotel",
    ),
    "sfrest": RemoteFile(
        DATA,
        "emnlp2017/sfxrestaurant.json",
        f"{_JLOLS}/sfx_data/sfxrestaurant/train%2Bvalid%2Btest.json",
        "baa436073a89b1116721e2a102c8b3272b6a3b022e19fe9620fa50ac66086578",
        "sfrest",
    ),
    "bagel": RemoteFile(
        DATA,
        "emnlp2017/ACL10-inform-training.txt",
        f"{_JLOLS}/bagel_data/ACL10-inform-training.txt",
        "201c7127be49cd817dd0af9027942886024262112fed0ad8e942751a982683eb",
        "bagel",
    ),
}
DATASETS = tuple(REFERENCES)


def _rnnlg_file(domain: str, split: str, sha256: str) -> RemoteFile:
    url = f"{_RNNLG_REPOSITORY}/data/original/{domain}/{split}.json"
    return RemoteFile(DATA, f"emnlp2017/rnnlg_{domain}_{split}.json", url, sha256, "rnnlg")


# All texts of RNNLG by dataset and split.
RNNLG = {
    ("sfhotel", "train"): _rnnlg_file(
        "hotel", "train", "f933b294fcd32d401602abb39d22bc6a360946672132c2b2079e95ccc2e46f9d"
    ),
    ("sfhotel", "valid"): _rnnlg_file(
        "hotel", "valid", "d8ce28f0e4e7e108f349153a7d8f7f72010ce97f2c4de633fe9b5b38cab86108"
    ),
    ("sfhotel", "test"): _rnnlg_file(
        "hotel", "test", "4d0b6dc1da1efd4aabec39a45815aac5f0251c636a6a4a7a51cc2f70cec819b3"
    ),
    ("sfrest", "train"): _rnnlg_file(
        "restaurant", "train", "c59ea956404dc4512a430a06c48412a9bde72c30bd92a78e649312c9075f2fca"
    ),
    ("sfrest", "valid"): _rnnlg_file(
        "restaurant", "valid", "4061af548f50fc1a5ed63c5763b021e08a1b167919fcbceccbba40e4a696801d"
    ),
    ("sfrest", "test"): _rnnlg_file(
        "restaurant", "test", "e52a84edf121d46a0cbfec66a211f24ccc3e2dd4043317639200904a206c3f9b"
    ),
}

# The inputs that RNNLG was tested on: their multiplicity is part of the published CIDEr.
RNNLG_TEST = {dataset: replace(RNNLG[dataset, "test"], bundle=dataset) for dataset in ("sfhotel", "sfrest")}


def dataset_files(name: str) -> tuple[RemoteFile, ...]:
    """Return the files that a dataset needs, labelled with its name for fetching."""
    datasets = DATASETS if name == ALL else (name,)
    files = [TABLE, *(table[dataset] for dataset in datasets for table in (REFERENCES, RNNLG_TEST) if dataset in table)]
    return tuple(replace(file, bundle=name) for file in files)
