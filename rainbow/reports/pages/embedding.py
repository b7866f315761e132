"""Data inside a page: as text that no content can break out of."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from rainbow.reports.saved.saved_tables import SavedFile

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["embedded", "scores_csv", "script_json"]


def script_json(value: Any) -> str:
    r"""Return a value as JSON that may stand inside a ``<script>`` element, whatever texts are in it.

    Examples
    --------
    >>> script_json({"output": "</script><b>&"})
    '{"output":"\\u003c/script>\\u003cb>&"}'
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def embedded(files: Iterable[SavedFile]) -> str:
    """Return files as JSON, name to content: compressed (zlib, RFC 1950) and in base64.

    Tables of a hundred thousand numbers are most of a page; compressed they take a third, and browsers can expand
    them without help.
    """
    return script_json({file.name: base64.b64encode(zlib.compress(file.content, 9)).decode() for file in files})


def scores_csv(name: str, scores: pd.DataFrame) -> SavedFile:
    """Return a table of scores as the CSV file that ``rainbow metrics --csv`` writes: references are JSON lists."""
    frame = scores.assign(references=[json.dumps(texts, ensure_ascii=False) for texts in scores["references"]])
    buffer = io.StringIO()
    frame.to_csv(buffer, index=False, lineterminator="\n")
    return SavedFile(name, buffer.getvalue().encode("utf-8", "backslashreplace"))
