"""Any file that came back, told by what is in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.study.returned.answer import File
from rainbow.study.returned.label_studio import label_studio_file
from rainbow.study.returned.page_file import page_file
from rainbow.study.returned.potato import potato_file
from rainbow.study.returned.table import table_file

if TYPE_CHECKING:
    from rainbow.study.study import Study


def read_file(path: Path, study: Study) -> File | None:
    """Return what is in a file that came back; None where it is nothing that a study gives out."""
    try:
        if path.suffix.lower() in (".csv", ".tsv"):
            file = table_file(path, study)
        else:
            found = json.loads(path.read_text(encoding="utf-8"))
            file = page_file(found) or potato_file(found, study) or label_studio_file(found, study)
        return file and file._replace(answers=iter(list(file.answers)))
    except (
        ValueError,
        KeyError,
        TypeError,
        AttributeError,
        RecursionError,
    ):
        return None
