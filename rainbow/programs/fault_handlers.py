"""The handlers of memory faults, which other libraries take away from Java."""

from __future__ import annotations

import ctypes
import signal
import sys

NAMES = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
ROOM = 512  # bytes, more than any system's `struct sigaction` has; its first field is the handler's address


class FaultHandlers:
    """What this process does at a memory fault, as it was when this was made."""

    def __init__(self) -> None:
        self._kept: dict[int, ctypes.Array[ctypes.c_char]] = {}
        if sys.platform != "win32":
            self._system = ctypes.CDLL(None)
            self._kept = {number: self._now(number) for number in map(int, (getattr(signal, name) for name in NAMES))}

    def put_back(self) -> None:
        """Make the kept handlers those of the process again, where they are no longer."""
        address = ctypes.sizeof(ctypes.c_void_p)
        for number, kept in self._kept.items():
            if self._now(number)[:address] != kept[:address]:
                self._system.sigaction(number, kept, None)

    def _now(self, number: int) -> ctypes.Array[ctypes.c_char]:
        found = ctypes.create_string_buffer(ROOM)
        self._system.sigaction(number, None, found)
        return found
