"""The same work on many pieces, shared among the machines of a Ray cluster; results come in the order of the pieces."""

from __future__ import annotations

import logging
import os
import pickle
import socket
import sys
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib.util import find_spec
from typing import Any

from rainbow._version import __version__
from rainbow.base.native import kernels
from rainbow.base.workers import AHEAD, InOrder, attempt, unwrapped

LOOK = 5.0  # seconds between two looks at whether the cluster is still there
HEAD_GONE = 20.0  # seconds without an answer from the head; Ray itself ends this process, without a word, after 60
NO_MACHINE = 120.0  # seconds without any machine that could work: a new one may be on its way
RETRIES = 20  # ends of machines, or of its process, that a piece of work survives: for ever would be for ever

GO_ON = "the same command goes on where it was, and so does --engine local"


@contextmanager
def ray_cluster(address: str | None = None, cpus: int = 1) -> Iterator[InOrder]:
    """Give what shares work among the machines of a Ray cluster: an engine, like :func:`~.workers.processes`."""
    if find_spec("ray") is None:
        raise RuntimeError("Ray is not installed: pip install 'rainbow-nlg[ray]'")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    tasks = _Tasks(_checked(address or os.environ.get("RAY_ADDRESS")), cpus)
    try:
        yield tasks.in_order
    finally:
        tasks.end()


def _checked(address: str | None) -> str | None:
    if address and "://" in address:
        raise RuntimeError(
            f"--address {address}: give HOST:PORT of the head, and start this on a machine of its cluster"
        )
    if address and ":" in address and not _answers(address):
        raise RuntimeError(
            f"no Ray cluster answers at {address}: start one, `ray start --head`, or name its head's port"
        )
    return address


def _connect(address: str | None) -> None:
    import ray

    try:
        ray.init(address=address or "local", include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        told = str(error).strip().splitlines()[0]
        raise RuntimeError(f"the Ray cluster at {address or 'this machine'} cannot be joined: {told}") from None


def _answers(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=LOOK).close()
    except (OSError, ValueError):
        return False
    return True


class _Tasks:
    """Pieces that a cluster works on, and whether it is still there."""

    def __init__(self, address: str | None, cpus: int) -> None:
        self._address, self._cpus, self._room = address, cpus, 1
        self._head, self._ours = "", False
        self._looked = self._answered = self._able = 0.0

    def _begin(self) -> None:
        """Join the cluster, when there is work: reading may come before, for hours."""
        import ray

        if not ray.is_initialized():
            _connect(self._address)
            self._ours = True
        self._head = ray.get_runtime_context().gcs_address
        self._answered = self._able = time.monotonic()
        self._looked = self._able - LOOK

    def end(self) -> None:
        """Leave the cluster, where this joined it."""
        if self._ours:
            import ray

            ray.shutdown()

    def in_order(self, work: Callable[[Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        """Return what the work makes of every piece, in the order of the pieces."""
        import ray

        self._begin()
        do = ray.remote(num_cpus=self._cpus, max_retries=RETRIES)(_do)
        sent = ray.put(pickle.dumps((_made_by(), work)))
        ahead = deque[Any]()
        try:
            for piece in pieces:
                ahead.append(do.remote(sent, piece))
                self._look()
                if len(ahead) >= self._room:
                    yield self._result(ahead.popleft())
            while ahead:
                yield self._result(ahead.popleft())
        finally:
            with suppress(Exception):  # the cluster may be gone
                for task in ahead:
                    ray.cancel(task, force=True)

    def _result(self, task: Any) -> Any:
        import ray
        from ray.exceptions import GetTimeoutError, RayError, RayTaskError

        while True:
            self._look()
            try:
                return unwrapped(ray.get(task, timeout=LOOK))
            except GetTimeoutError:
                continue
            except RayTaskError as error:
                raise RuntimeError(f"a machine of the cluster cannot do the work: {error.cause}") from error
            except RayError as error:
                told = str(error).strip().splitlines()[0]
                raise RuntimeError(f"the Ray cluster gave a piece of work up: {told} ({GO_ON})") from error

    def _look(self) -> None:
        """Now and then, count the processors of the cluster, and raise an error where nobody will work any more."""
        import ray

        now = time.monotonic()
        if now - self._looked < LOOK:
            return
        self._looked = now
        if not _answers(self._head):
            if now - self._answered > HEAD_GONE:
                raise RuntimeError(f"the head of the Ray cluster, {self._head}, answers no more: {GO_ON}")
            return
        self._answered = now
        nodes: Callable[[], list[dict[str, Any]]] = ray.nodes
        processors = sum(node["Resources"].get("CPU", 0.0) for node in nodes() if node["Alive"])
        self._room = max(1, AHEAD * int(processors // self._cpus))
        if processors >= self._cpus:
            self._able = now
        elif now - self._able > NO_MACHINE:
            raise RuntimeError(
                f"the Ray cluster at {self._head} has had no machine to work for {NO_MACHINE:.0f} s: {GO_ON}"
            )


def _do(sent: bytes, piece: Any) -> Any:
    """Work on a piece: what runs on the machines of the cluster."""
    wanted, work = _loaded(sent)
    if (found := _made_by()) != wanted:
        told = ", ".join(f"{name} {found[name]}, not {wanted[name]}" for name in wanted if found[name] != wanted[name])
        raise RuntimeError(f"{socket.gethostname()} has {told}: numbers are the same only where these are")
    return attempt(work, piece)


@lru_cache(maxsize=1)
def _loaded(sent: bytes) -> Any:
    return pickle.loads(sent)


def _made_by() -> dict[str, str]:
    """Return what must be the same on all machines, or scores might differ in their last digits."""
    import numpy as np

    compiled = "there" if kernels() is not None else "missing"
    python = ".".join(map(str, sys.version_info[:2]))
    return {"rainbow": __version__, "numpy": np.__version__, "Python": python, "compiled kernels": compiled}
