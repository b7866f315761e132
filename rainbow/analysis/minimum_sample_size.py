"""The smallest number of rated outputs for which agreement with people is reported."""

from __future__ import annotations

# Fewer rated outputs give correlations near 1 or -1 by chance alone: of 60 columns and three outputs, some agree fully.
MINIMUM_RATED = 20
