"""The command `rainbow`, and `python -m rainbow`: Ctrl-C ends it at any time, while it is still imported too."""

from __future__ import annotations

import _thread
import signal
import sys
import threading
from typing import Any

__all__ = ["main"]

AGAIN = 5.0  # seconds, after which what was interrupted and goes on is interrupted once more
_asked = threading.Event()


def main() -> None:
    """Run the command of this process's arguments."""
    sys.unraisablehook = _again
    signal.signal(signal.SIGINT, _interrupt)
    try:
        from rainbow.cli import main as command

        command()
    except KeyboardInterrupt:
        _end()
    except SystemExit:
        if _asked.is_set():
            _end()
        raise


def _interrupt(number: int, frame: Any) -> None:
    """Interrupt, and once more where libraries catch what they did not raise, as some do while they are imported."""
    _asked.set()
    _interrupt_in(AGAIN)
    raise KeyboardInterrupt


def _interrupt_in(seconds: float) -> None:
    timer = threading.Timer(seconds, _thread.interrupt_main)
    timer.daemon = True
    timer.start()


def _end() -> None:
    """End as shells expect it; a further Ctrl-C ends what still cleans up."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    sys.exit(128 + signal.SIGINT)


def _again(lost: Any) -> None:
    """Interrupt once more where Ctrl-C fell into a place that can raise nothing, as callbacks of imports."""
    if issubclass(lost.exc_type, KeyboardInterrupt):
        _interrupt_in(0.01)  # not here, where nothing can be raised
    else:
        sys.__unraisablehook__(lost)


if __name__ == "__main__":
    main()
