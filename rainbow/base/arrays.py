"""Type aliases for arrays and random generators."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.integer[Any]]  # of any width
BoolArray = NDArray[np.bool_]

# Source of randomness: a generator is used directly, an integer is its seed, None is unseeded.
Random = np.random.Generator | int | None
