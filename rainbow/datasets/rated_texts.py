"""Rated texts of other kinds, with an open licence: translations, and answers in dialogues.

========= ============================================== ========== ==================================================
name      published at (GitHub)                          licence    rated
========= ============================================== ========== ==================================================
wmt17     AIPHES/ACL20-Reference-Free-MT-Evaluation      Apache-2.0 adequacy of translations into English
begin     google/BEGIN-dataset (wow)                     CC BY 4.0  whether the knowledge supports the answer
q_squared orhonovich/q-squared                           MIT        whether the answer agrees with the knowledge
conture   alexa/conture                                  CC BY 4.0  how well people like the answer, 0 to 2
mlqe_de   sheffieldnlp/mlqe-pe                           CC0        adequacy of translations into German, 0 to 100
mlqe_zh   sheffieldnlp/mlqe-pe                           CC0        adequacy of translations into Chinese, 0 to 100
========= ============================================== ========== ==================================================
"""

from __future__ import annotations

import html
import json
import re
import tarfile
from collections.abc import Iterator
from io import StringIO
from pathlib import PurePosixPath

from rainbow.base.downloads import DATA, RemoteFile, locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus

DOMAIN = "translations and dialogues"
# Repository, commit and folder of each dataset, and its files with their SHA-256.
_PUBLISHED = {
    "wmt17": (
        "AIPHES/ACL20-Reference-Free-MT-Evaluation/2026e18c8874e5659ea6c03f82ec3e600d0feac1/WMT17/testset",
        {
            "testset_cs-en.tsv": "53ea41e831e3d47ca3da3b9e6793dbb28758ff8702f9eca003650779b0178389",
            "testset_de-en.tsv": "37d1684e5f5d2ef95f7db5469ced8f802adf249ed76fc8ce153d1ec8f1d3dad2",
            "testset_fi-en.tsv": "931d21ea8a5225f55df2f770888beeef0a394cb8f2be799bd9b39e1808018a83",
            "testset_lv-en.tsv": "e8a8e35004897aa75d85002be48314407f3b6ed1a04a5fd42bce3cd1e892cbac",
            "testset_ru-en.tsv": "9950cd5ea1e43e6afc7c846cdd4b91e3bc502bed2edb88673ab37572e62a6629",
            "testset_tr-en.tsv": "1c7f359932ec142bd9048433642c3ea0e78172a5831ef8e784e7e412bba200fd",
            "testset_zh-en.tsv": "0e81fa149c1607002ea55bb6d091afa3c359ca67ce0bbdef75e23ede6eea979a",
        },
    ),
    "begin": (
        "google/BEGIN-dataset/6e65f0d5a1ed1b9574643a7640ff1678d4e979b5/wow",
        {
            "begin_dev_wow.tsv": "2ebfc95a1ff267e12dcce3250da4d158e1811c62e9e1a0d56f110efc9ace0178",
            "begin_test_wow.tsv": "d5c106a42042c3abd481563f1157e07c95c107dbcdf67f23564d874e8a4d6e7e",
        },
    ),
    "q_squared": (
        "orhonovich/q-squared/cab6027dc9a50cf73d80caf0858da05c2323c433/third_party/data",
        {"cross_annotation.csv": "b9c92dcf44b93fc8c19fa4a289c6a2780d703b090cf1d341175728778c330446"},
    ),
    "conture": (
        "alexa/conture/fab26235f33db54d0b2b5dcb1793d04fd12f512e/data",
        {"data.json": "694e47de0abcffab6a4032171f2d493a5bf7d7b5d45876e1685c2819622853b8"},
    ),
    **{
        f"mlqe_{language}": (
            "sheffieldnlp/mlqe-pe/2a670a1140416cf80507b5a829659383c878feb8/data",
            {f"{part}/test/en-{language}-test.tar.gz": digest for part, digest in digests.items()},
        )
        for language, digests in {
            "de": {
                "direct-assessments": "8fb22a42281fe334c247627e8bce76e3f842f55ba5b214efad26a890e6cfeef9",
                "post-editing": "78d136444c9e50c189c35dc898c4b9580ccd057121bc3349cb3df5f56a943457",
            },
            "zh": {
                "direct-assessments": "7cf1e16d762faf29e40b31d6aef91e249e72c8a0bb6053b9b125d3c699259503",
                "post-editing": "31dad3bdaa3fd051e310202c188386d4dae53d78244fe750f3a48f3ab513d296",
            },
        }.items()
    },
}
FILES = {
    name: tuple(
        RemoteFile(DATA, f"{name}/{file}", f"https://raw.githubusercontent.com/{folder}/{file}", digest, name)
        for file, digest in files.items()
    )
    for name, (folder, files) in _PUBLISHED.items()
}


def load(name: str) -> Corpus:
    """Load the rated outputs of a dataset, with what they were made from."""
    readers = {"wmt17": _translations, "begin": _supported, "q_squared": _consistent, "conture": _dialogues}
    frame, rating = readers.get(name, _post_edited)(FILES[name])
    ids = [f"{name}-{row:04d}" for row in range(1, len(frame) + 1)]
    return Corpus(frame.assign(dataset=name, id=ids), (rating,), language={"mlqe_de": "de", "mlqe_zh": "zh"}.get(name))


def _translations(files: tuple[RemoteFile, ...]) -> tuple[pd.DataFrame, str]:
    """Return translations with a reference; sources are in other languages and are not read as inputs."""
    table = pd.concat([_read_table(file) for file in files], ignore_index=True)
    outputs, references = (table[name].map(html.unescape) for name in ("translation", "reference"))
    frame = pd.DataFrame(
        {
            "output": outputs,
            "references": [(text,) for text in references],
            "item": table["LP"] + ": " + references,
            "adequacy": table["HUMAN_score"].astype(float),
        }
    )
    return frame, "adequacy"


def _supported(files: tuple[RemoteFile, ...]) -> tuple[pd.DataFrame, str]:
    """Return answers, 1 if the knowledge supports them, 0 if not; generic ones have no rating."""
    table = pd.concat([_read_table(file) for file in files], ignore_index=True)
    labels = table["begin_label"].str.lower().str.split().str[0]
    frame = pd.DataFrame(
        {
            "output": table["response"],
            "mr": table["knowledge"],
            "item": table["message"] + " | " + table["knowledge"],
            "system": table["model_name"],
            "supported": labels.map({"fully": 1.0, "not": 0.0}),
        }
    )
    return frame, "supported"


def _consistent(files: tuple[RemoteFile, ...]) -> tuple[pd.DataFrame, str]:
    """Return two systems' answers, 1 if consistent with the knowledge; the file marks the inconsistent."""
    table = pd.read_csv(locate_file(files[0]), dtype=str, keep_default_na=False)
    parts = [
        pd.DataFrame(
            {
                "output": table[f"{system}_response"],
                "mr": table["knowledge"],
                "references": [(text,) for text in table["gold"]],
                "item": table["message"] + " | " + table["knowledge"],
                "system": system,
                "consistent": 1 - table[f"{system}_label"].astype(float),
            }
        )
        for system in ("dodeca", "memnet")
    ]
    return pd.concat(parts, ignore_index=True), "consistent"


def _dialogues(files: tuple[RemoteFile, ...]) -> tuple[pd.DataFrame, str]:
    """Return answers of chatbots with all turns before them as the input."""
    rows = []
    for dialogue in json.loads(locate_file(files[0]).read_text("utf-8")):
        before: list[str] = []
        for place, turn in enumerate(dialogue["turns"]):
            before.append(turn["user"])
            output = turn["chatbot"].removeprefix("Chatbot:").strip()
            rows.append((output, "\n".join(before), f"{dialogue['dialog_id']}-{place}", turn["overall impression"]))
            before.append(turn["chatbot"])
    frame = pd.DataFrame(rows, columns=["output", "mr", "item", "impression"])
    return frame.astype({"impression": float}), "impression"


def _post_edited(files: tuple[RemoteFile, ...]) -> tuple[pd.DataFrame, str]:
    """Return translations; the reference is the same text as a person corrected it."""
    assessed, edited = ({path.suffix: text for path, text in _packed_texts(file)} for file in files)
    table = pd.read_csv(StringIO(assessed[".tsv"]), sep="\t", quoting=3)
    outputs, references = ([_join_characters(line) for line in edited[end].splitlines()] for end in (".mt", ".pe"))
    frame = pd.DataFrame(
        {
            "output": outputs,
            "references": [(text,) for text in references],
            "item": table["index"].astype(str),
            "adequacy": table["mean"].astype(float),
        }
    )
    return frame, "adequacy"


def _packed_texts(file: RemoteFile) -> Iterator[tuple[PurePosixPath, str]]:
    """Yield the names and texts of the files in an archive that lie at its top."""
    with tarfile.open(locate_file(file)) as archive:
        for member in archive:
            path = PurePosixPath(member.name)
            if member.isfile() and len(path.parts) == 2 and (packed := archive.extractfile(member)):
                yield path, packed.read().decode("utf-8")


def _join_characters(line: str) -> str:
    """Return a line without the spaces that were put between Chinese words."""
    return _BETWEEN.sub("", line).strip()


_CHINESE = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
_BETWEEN = re.compile(rf"(?<={_CHINESE})\s+|\s+(?={_CHINESE})")


def _read_table(file: RemoteFile) -> pd.DataFrame:
    return pd.read_csv(locate_file(file), sep="\t", quoting=3, dtype=str, keep_default_na=False)
