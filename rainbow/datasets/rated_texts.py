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

from rainbow.base.downloads import RemoteFile, locate_file
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.datasets.published_files import published_files

DOMAIN = "translations and dialogues"
FILES = {
    name: tuple(published_files(name).values())
    for name in ("wmt17", "begin", "q_squared", "conture", "mlqe_de", "mlqe_zh")
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
    # Spaces were put between Chinese words.
    texts = ([_BETWEEN.sub("", line).strip() for line in edited[end].splitlines()] for end in (".mt", ".pe"))
    outputs, references = texts
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


_CHINESE = "[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]"
_BETWEEN = re.compile(rf"(?<={_CHINESE})\s+|\s+(?={_CHINESE})")


def _read_table(file: RemoteFile) -> pd.DataFrame:
    return pd.read_csv(locate_file(file), sep="\t", quoting=3, dtype=str, keep_default_na=False)
