"""Reading of a returned file of any kind."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

from rainbow.study.responses.answer import File
from rainbow.study.responses.label_studio import read_label_studio
from rainbow.study.responses.platform_table import read_platform_table
from rainbow.study.responses.potato import read_potato
from rainbow.study.responses.rater_page_file import read_page_file

if TYPE_CHECKING:
    from rainbow.study.study import Study


def read_returned(path: Path, study: Study) -> File | None:
    """Return the answers in a returned file; None if the study did not create its tasks."""
    try:
        if path.suffix.lower() in (".csv", ".tsv"):
            file = read_platform_table(path, study)
        else:
            data = json.loads(path.read_text(encoding="utf-8"))
            file = read_page_file(data) or read_potato(data, study) or read_label_studio(data, study)
        return file and file._replace(answers=iter(list(file.answers)))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
