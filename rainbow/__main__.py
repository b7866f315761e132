"""The command `rainbow` and `python -m rainbow`; Ctrl-C works even during imports."""

from __future__ import annotations

import _thread
import sys
import threading
from signal import SIGINT
from typing import Any


def main() -> None:
    """Run the command with this process's arguments."""
    sys.unraisablehook = _interrupt_again
    try:
        from rainbow.cli import main as command

        command()
    except BaseException as error:
        from rainbow.base.progress import is_interrupt

        if not is_interrupt(error):
            raise
        sys.exit(128 + SIGINT)  # as shells do


def _interrupt_again(unraisable: Any) -> None:
    """Repeat an interrupt that was raised where nothing can be raised."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        threading.Timer(0.01, _thread.interrupt_main).start()  # not here, where nothing can be raised
    else:
        sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
