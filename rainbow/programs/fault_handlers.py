"""Signal handlers for memory faults, which other libraries replace and Java needs."""

from __future__ import annotations

import ctypes
import signal
import sys

NAMES = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
ROOM = 512  # bytes, more than any system's `struct sigaction` has; its first field is the handler's address


class FaultHandlers:
    """The fault handlers of this process at construction time."""

    def __init__(self) -> None:
        self._kept: dict[int, ctypes.Array[ctypes.c_char]] = {}
        if sys.platform != "win32":
            self._system = ctypes.CDLL(None)
            self._kept = {
                number: self._current_handler(number) for number in map(int, (getattr(signal, name) for name in NAMES))
            }

    def restore(self) -> None:
        """Restore the saved handlers where they were replaced."""
        address = ctypes.sizeof(ctypes.c_void_p)
        for number, kept in self._kept.items():
            if self._current_handler(number)[:address] != kept[:address]:
                self._system.sigaction(number, kept, None)

    def _current_handler(self, number: int) -> ctypes.Array[ctypes.c_char]:
        buffer = ctypes.create_string_buffer(ROOM)
        self._system.sigaction(number, None, buffer)
        return buffer
