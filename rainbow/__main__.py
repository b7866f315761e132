"""The command `rainbow`, and `python -m rainbow`: Ctrl-C ends it at any time, while it is still imported too."""

from __future__ import annotations

import _thread
import sys
import threading
from signal import SIGINT
from typing import Any

__all__ = ["main"]


def main() -> None:
    """Run the command of this process's arguments."""
    sys.unraisablehook = _again
    try:
        from rainbow.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(128 + SIGINT)  # as shells say it


def _again(lost: Any) -> None:
    """Interrupt once more where Ctrl-C fell into a place that can raise nothing, as callbacks of imports."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        threading.Timer(0.01, _thread.interrupt_main).start()  # not here, where nothing can be raised
    else:
        sys.__unraisablehook__(lost)


if __name__ == "__main__":
    main()
