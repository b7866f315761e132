"""Features of the words in the cells of a column."""

from __future__ import annotations

import re
from collections import Counter
from zlib import crc32

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.datasets.lexicon import word_classes
from rainbow.datasets.roles.column import Column

CELLS = 60  # looked at
WORDS = 40  # of a cell
BUCKETS = 64  # of hashed words
CLASSES = (
    *("score", "reference", "output", "rater", "system", "rating", "input", "item", "winner"),
    *("fault", "criterion", "rank", "human_text", "people", "quality_noun"),
)
_WORD = re.compile(r"[^\W_]+")
_PATTERNS = tuple(
    map(re.compile, (r".*[?？]\s*$", r".*\n", r"[a-z]", r".*[\"“`]", r"\s*(?:\d+[.)]|[-*•])", r".*:", r".*[{}<>|\[\]]"))
)
WIDTH = len(CLASSES) + len(_PATTERNS) + 4 + 2 * BUCKETS


def content_features(column: Column) -> FloatArray:
    """Return features of the words in the cells, shape (width,)."""
    cells = column.sample[:: max(1, len(column.sample) // CELLS)][:CELLS]
    if not cells or column.kind in ("number", "empty"):
        return np.zeros(WIDTH)
    words = [[word.lower() for word in _WORD.findall(cell)[:WORDS]] for cell in cells]
    classes = [{name for word in {*own} for name in word_classes(word)} for own in words]
    shares = [float(np.mean([name in results for results in classes])) for name in CLASSES]
    shapes = [float(np.mean([pattern.match(cell) is not None for cell in cells])) for pattern in _PATTERNS]
    starts = Counter(tuple(own[:3]) for own in words)
    firsts = Counter(own[0] for own in words if own)
    total = [word for own in words for word in own]
    general: list[float] = [
        starts.most_common(1)[0][1] / len(words),
        max(firsts.values(), default=0) / len(words),
        len({*total}) / max(len(total), 1),
        min(sum(map(len, total)) / max(len(total), 1), 20) / 10,
    ]
    hashed = np.zeros((2, BUCKETS))
    for own in words:
        hashed[int(column.is_text), list({crc32(word.encode()) % BUCKETS for word in own})] += 1 / len(words)
    return np.concatenate([shares, shapes, general, hashed.ravel()])
