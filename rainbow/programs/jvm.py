"""The single Java virtual machine of this process, started on first use."""

from __future__ import annotations

import ctypes
import os
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

# -Xrs leaves the signals to Python: without it Ctrl-C kills the process, or jpype's own handler crashes it on SIGTERM.
# Memory is taken as it is needed: the parser's charts of long sentences, on several threads, need most of it.
OPTIONS = ("-XX:+UseSerialGC", "-Xmx2G", "-Xrs")

Result = TypeVar("Result")
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")

_lock = threading.Lock()
_loaded: dict[tuple[Path, ...], Java] = {}  # by the jars
_handlers: FaultHandlers | None = None  # those of Java
_forked = False  # whether this process is a copy of one where Java was running


def java_unavailable_reason() -> str | None:
    """Return what is missing to run Java and how to fix it; None if nothing."""
    if find_spec("jpype") is None:
        return "jpype1 is not installed: pip install 'rainbow-nlg[java]'"
    import jpype

    try:
        jpype.getDefaultJVMPath()
    except (jpype.JVMNotFoundException, jpype.JVMNotSupportedException) as error:
        return f"Java was not found ({error}): apt-get install default-jre-headless, or set JAVA_HOME to its folder"
    return None


def java_string(text: str) -> str:
    r"""Return a text that Java accepts; lone surrogates become the replacement character."""
    return _LONE_SURROGATE.sub("\ufffd", text)


class Java:
    """Classes of some jars as Python objects, and jpype's own names (``JArray`` and so on)."""

    def __init__(self, jpype: ModuleType, jars: Sequence[Path]) -> None:
        self._jpype = jpype
        file, url = jpype.JClass("java.io.File"), jpype.JClass("java.net.URL")
        urls = jpype.JArray(url)([file(str(jar)).toURI().toURL() for jar in jars])
        without_jars = jpype.JClass("java.lang.ClassLoader").getSystemClassLoader().getParent()
        self.loader = jpype.JClass("java.net.URLClassLoader")(urls, without_jars)

    def JClass(self, name: str) -> Any:  # noqa: N802  # as jpype calls it
        """Return a Java class by its full name."""
        return self._jpype.JClass(name, loader=self.loader)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._jpype, name)


@contextmanager
def attach_java(*jars: Path) -> Iterator[Java]:
    """Attach this thread to the running JVM with these jars."""
    if _forked:
        raise RuntimeError(
            "Java was running when this process was forked, and a forked process cannot use it: start processes "
            'with multiprocessing.get_context("spawn"), or fork before Java is first used'
        )
    global _handlers
    import jpype

    with _lock:
        if not jpype.isJVMStarted():
            _start_jvm(jpype)
        if _handlers is None:
            _handlers = FaultHandlers()
        _handlers.restore()
        if jars not in _loaded:
            _loaded[jars] = Java(jpype, jars)
    try:
        yield _loaded[jars]
    finally:
        if threading.current_thread() is not threading.main_thread():
            jpype.JClass("java.lang.Thread").detach()


def map_in_threads(
    work: Callable[[str], Result],
    texts: Sequence[str],
    *,
    threads: int,
    prepare: Callable[[], AbstractContextManager[Any]],
) -> list[Result]:
    """Return the results of work that runs in Java, after loading in this thread what it needs."""
    with prepare():  # so that a missing resource is reported before threads start
        pass
    if threads <= 1 or len(texts) == 1:
        return [work(text) for text in texts]
    with ThreadPoolExecutor(min(threads, len(texts)), "java") as pool:
        return list(pool.map(work, texts))


def _start_jvm(jpype: ModuleType) -> None:
    import_module("jpype.config")  # so that a forked child need not import it
    try:
        jpype.startJVM(*OPTIONS, interrupt=True)  # True: jpype installs no handler of signals
    except (OSError, RuntimeError) as error:
        raise RuntimeError(f"Java cannot be started in this process ({error}): score in a new process") from error
    # The thread that starts Java counts as Java's main thread: were it to end attached, Python could not exit.
    jpype.JClass("java.lang.Thread").detach()


def _note_fork() -> None:
    """Record in a forked child that Java was running, because every call would hang."""
    global _forked, _lock
    jpype = sys.modules.get("jpype")
    if _lock.locked() or (jpype is not None and jpype.isJVMStarted()):
        _forked = True
        config: Any = import_module("jpype.config")
        config.onexit = False  # at exit jpype would wait for Java's threads
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_note_fork)


NAMES = ("SIGSEGV", "SIGBUS", "SIGFPE", "SIGILL")
ROOM = 512  # bytes, more than any system's `struct sigaction` has; its first field is the handler's address


class FaultHandlers:
    """The fault handlers of this process at construction time."""

    def __init__(self) -> None:
        self._kept: dict[int, ctypes.Array[ctypes.c_char]] = {}
        if sys.platform != "win32":
            self._system = ctypes.CDLL(None)
            numbers = (int(getattr(signal, name)) for name in NAMES)
            self._kept = {number: self._current_handler(number) for number in numbers}

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
