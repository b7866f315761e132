"""Type aliases for arrays and random generators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.integer[Any]]  # of any width
BoolArray = NDArray[np.bool_]

# Where a function draws: a generator is used as it is, a number is its seed, None draws anew in each run.
Random = np.random.Generator | int | None
