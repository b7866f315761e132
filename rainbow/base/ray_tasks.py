"""Parallel work on a Ray cluster; results come in the order of the pieces."""

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
from rainbow.base.lazy import ray
from rainbow.base.native import kernels
from rainbow.base.workers import AHEAD, InOrder, attempt, unwrap_result

CHECK_SECONDS = 5.0  # seconds between two looks at whether the cluster is still there
HEAD_GONE = 20.0  # seconds without an answer from the head; Ray itself ends this process, without a word, after 60
NO_MACHINE = 120.0  # seconds without any machine that could work: a new one may be on its way
RETRIES = 20  # ends of machines, or of its process, that a piece of work survives: for ever would be for ever

RESUME_HINT = "run the same command to resume, also with --engine local"


@contextmanager
def ray_cluster(address: str | None = None, cpus: int = 1) -> Iterator[InOrder]:
    """Return an engine that distributes work over a Ray cluster, like :func:`~.workers.process_engine`."""
    if find_spec("ray") is None:
        raise RuntimeError("Ray is not installed: pip install 'rainbow-nlg[ray]'")
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    address = address or os.environ.get("RAY_ADDRESS") or ""
    if "://" in address:
        raise RuntimeError(f"--address {address}: give HOST:PORT of the head, and run this on a machine of its cluster")
    if ":" in address and not _is_reachable(address):
        start = "start one with `ray start --head`, or give the port of its head"
        raise RuntimeError(f"no Ray cluster at {address}: {start}")
    tasks = _Tasks(address or None, cpus)
    try:
        yield tasks.in_order
    finally:
        tasks.end()


def _connect(address: str | None) -> None:
    try:
        ray.init(address=address or "local", include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except (ConnectionError, RuntimeError, ValueError) as error:
        message = str(error).strip().splitlines()[0]
        raise RuntimeError(f"cannot join the Ray cluster at {address or 'this machine'}: {message}") from None


def _is_reachable(address: str) -> bool:
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host, int(port)), timeout=CHECK_SECONDS).close()
    except (OSError, ValueError):
        return False
    return True


class _Tasks:
    """Tasks on a cluster, with checks that the cluster is still alive."""

    def __init__(self, address: str | None, cpus: int) -> None:
        self._address, self._cpus, self._room = address, cpus, 1
        self._head, self._ours = "", False
        self._looked = self._answered = self._able = 0.0

    def _begin(self) -> None:
        """Connect to the cluster when the first work arrives."""
        if not ray.is_initialized():
            _connect(self._address)
            self._ours = True
        self._head = ray.get_runtime_context().gcs_address
        self._answered = self._able = time.monotonic()
        self._looked = self._able - CHECK_SECONDS

    def end(self) -> None:
        """Disconnect from the cluster if this object connected."""
        if self._ours:
            ray.shutdown()

    def in_order(self, work: Callable[[Any], Any], pieces: Iterable[Any]) -> Iterator[Any]:
        """Return the result of every piece, in the order of the pieces."""
        self._begin()
        do = ray.remote(num_cpus=self._cpus, max_retries=RETRIES)(_run_piece)
        sent = ray.put(pickle.dumps((_environment(), work)))
        ahead = deque[Any]()
        try:
            for piece in pieces:
                ahead.append(do.remote(sent, piece))
                self._check_cluster()
                if len(ahead) >= self._room:
                    yield self._result(ahead.popleft())
            while ahead:
                yield self._result(ahead.popleft())
        finally:
            with suppress(Exception):  # the cluster may be gone
                for task in ahead:
                    ray.cancel(task, force=True)

    def _result(self, task: Any) -> Any:
        from ray.exceptions import GetTimeoutError, RayError, RayTaskError

        while True:
            self._check_cluster()
            try:
                return unwrap_result(ray.get(task, timeout=CHECK_SECONDS))
            except GetTimeoutError:
                continue
            except RayTaskError as error:
                raise RuntimeError(f"a machine of the cluster cannot process the work: {error.cause}") from error
            except RayError as error:
                message = str(error).strip().splitlines()[0]
                raise RuntimeError(f"the Ray cluster abandoned a piece of work: {message} ({RESUME_HINT})") from error

    def _check_cluster(self) -> None:
        """Count the cluster's processors from time to time, and raise an error if none is left."""
        now = time.monotonic()
        if now - self._looked < CHECK_SECONDS:
            return
        self._looked = now
        if not _is_reachable(self._head):
            if now - self._answered > HEAD_GONE:
                raise RuntimeError(f"the head of the Ray cluster, {self._head}, does not respond: {RESUME_HINT}")
            return
        self._answered = now
        nodes: Callable[[], list[dict[str, Any]]] = ray.nodes
        processors = sum(node["Resources"].get("CPU", 0.0) for node in nodes() if node["Alive"])
        self._room = max(1, AHEAD * int(processors // self._cpus))
        if processors >= self._cpus:
            self._able = now
        elif now - self._able > NO_MACHINE:
            raise RuntimeError(
                f"the Ray cluster at {self._head} has had no machine for {NO_MACHINE:.0f} s: {RESUME_HINT}"
            )


def _run_piece(sent: bytes, piece: Any) -> Any:
    """Process one piece on a machine of the cluster."""
    wanted, work = _load_work(sent)
    if (result := _environment()) != wanted:
        differences = ", ".join(
            f"{name} {result[name]}, not {wanted[name]}" for name in wanted if result[name] != wanted[name]
        )
        raise RuntimeError(f"{socket.gethostname()} has {differences}: scores are equal only with equal versions")
    return attempt(work, piece)


@lru_cache(maxsize=1)
def _load_work(sent: bytes) -> Any:
    return pickle.loads(sent)


def _environment() -> dict[str, str]:
    """Return what must be equal on all machines for scores to agree in every digit."""
    import numpy as np

    compiled = "there" if kernels() is not None else "missing"
    python = ".".join(map(str, sys.version_info[:2]))
    return {"rainbow": __version__, "numpy": np.__version__, "Python": python, "compiled kernels": compiled}
