"""Access to the compiled kernels, if they were built and are not disabled."""

from __future__ import annotations

import logging
import os
from functools import cache
from types import ModuleType

from rainbow.base.lazy import platformdirs
from rainbow.base.progress import is_interrupt

try:
    import rainbow._native as compiled
    from rainbow._native import wanted
except ImportError as error:  # it was not built
    if is_interrupt(error):  # pybind11 makes an ImportError of whatever is raised during the import
        raise
    compiled = None  # type: ignore[assignment]  # whoever calls it asks first

    def wanted() -> bool:
        """Return whether the environment allows the compiled kernels."""
        return os.environ.get("RAINBOW_NATIVE") != "0"


__all__ = ["NOT_BUILT", "compiled", "kernels"]

NOT_BUILT = (
    "not built, Python runs (slowly): apt-get install g++, then "
    "pip install --force-reinstall --no-deps --no-cache-dir rainbow-nlg (or `make` again in a checkout)"
)


def kernels() -> ModuleType | None:
    """Return the module of compiled kernels; None if it was not built or RAINBOW_NATIVE=0 is set."""
    if not wanted():
        return None
    if compiled is None:
        _warn_not_built()
    return compiled


@cache
def _warn_not_built() -> None:
    """Warn once per machine that the kernels were not built."""
    from rainbow._version import __version__

    marker = platformdirs.user_cache_path("rainbow-nlg") / f"kernels-{__version__}-not-built"
    try:
        marker.parent.mkdir(parents=True, exist_ok=True)
        marker.touch(exist_ok=False)
    except FileExistsError:
        return
    except OSError:  # without a cache the warning is repeated
        pass
    logging.getLogger(__name__).warning("the compiled kernels are %s", NOT_BUILT)
