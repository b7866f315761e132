"""Parallel work in processes of this machine; results come in the order of the pieces."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial
from itertools import chain, islice
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any, NamedTuple, TypeVar

Piece = TypeVar("Piece")
Result = TypeVar("Result")

AHEAD = 4  # pieces for each worker that may be finished before one that comes earlier
PATIENCE = 5.0  # seconds until the exit status of a worker that has ended is known

# Takes work and its pieces, and returns what the work makes of each, in their order, as :func:`in_order` does.
InOrder = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
# A context that distributes work.
Engine = AbstractContextManager[InOrder]

ADVICE = (
    "workers are new processes that import the main module of the program: put the code of your script "
    'below `if __name__ == "__main__":`, define your metrics in an importable module, or score with '
    "workers=1"
)


def in_order(work: Callable[[Piece], Result], pieces: Iterable[Piece], workers: int = 1) -> Iterator[Result]:
    """Return what `work` makes of every piece, in the order of the pieces."""
    if workers < 1:
        raise ValueError(f"workers is {workers}: use 1 or more")
    if workers == 1:
        yield from map(work, pieces)
        return
    process = multiprocessing.current_process()
    if getattr(process, "_inheriting", False):  # this very process is a worker that still imports the main module
        raise RuntimeError(ADVICE)
    if process.daemon:
        raise RuntimeError("this process is a worker that cannot start others: score with workers=1")
    left = iter(pieces)
    first = list(islice(left, 1))
    if not first:
        return
    try:
        pickled = pickle.dumps(work)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise RuntimeError(f"{error}: {ADVICE}") from error
    pool = _Pool(pickled, workers)
    try:
        yield from pool.results(chain(first, left))
    finally:
        pool.end()


def process_engine(workers: int = 1) -> Engine:
    """Return an engine that runs work in this number of local processes."""
    return nullcontext(partial(in_order, workers=workers))


class _Failure(NamedTuple):
    """An exception sent to the parent process."""

    error: Exception
    trace: str


class _Worker:
    """A worker process and its connection."""

    def __init__(self, work: bytes) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_run_worker, args=(theirs, work), daemon=True)
        self.process.start()
        theirs.close()
        self.ready = False  # whether the worker has reported that it is ready

    def send(self, piece: Any) -> None:
        try:
            self.connection.send(piece)
        except OSError:
            raise self._exit_error() from None

    def receive(self) -> Any:
        try:
            return self.connection.recv()
        except (EOFError, OSError):
            raise self._exit_error() from None

    def end(self) -> None:
        self.process.terminate()
        self.process.join()
        self.connection.close()

    def _exit_error(self) -> RuntimeError:
        """Return the error that reports why the process ended."""
        if not self.ready:
            return RuntimeError(f"a worker could not start, see its message above: {ADVICE}")
        self.process.join(PATIENCE)
        return RuntimeError(
            f"a worker was killed (exit status {self.process.exitcode}), perhaps for lack of memory: use fewer "
            "workers or smaller chunks"
        )


class _Pool:
    """Workers, the pieces they process, and results waiting for their turn."""

    def __init__(self, work: bytes, workers: int) -> None:
        self._workers: list[_Worker] = []
        self._idle: list[_Worker] = []
        self._busy: dict[_Worker, int] = {}  # the number of the piece that each works on
        self._done: dict[int, Any] = {}  # results by the number of the piece
        try:
            with _children_ignore_interrupts():
                self._workers.extend(_Worker(work) for _ in range(workers))
        except BaseException:
            self.end()
            raise

    def results(self, pieces: Iterator[Any]) -> Iterator[Any]:
        """Return the results in the order of the pieces."""
        numbered = enumerate(pieces)
        piece = next(numbered, None)
        given = 0
        while piece is not None or self._busy or self._done:
            if given in self._done:
                yield unwrap_result(self._done.pop(given))
                given += 1
            elif piece is not None and self._idle and piece[0] < given + AHEAD * len(self._workers):
                worker = self._idle.pop()
                worker.send(piece[1])
                self._busy[worker] = piece[0]
                piece = next(numbered, None)
            else:
                self._wait_for_worker()

    def end(self) -> None:
        """Stop all workers immediately."""
        for worker in self._workers:
            worker.end()

    def _wait_for_worker(self) -> None:
        """Wait until a worker is ready or sends a result."""
        listening = {worker.connection: worker for worker in self._workers if worker in self._busy or not worker.ready}
        for connection in wait(list(listening)):
            worker = listening[connection]  # type: ignore[index]  # nothing but connections is waited for
            message = worker.receive()
            if worker.ready:
                self._done[self._busy.pop(worker)] = message
            else:
                unwrap_result(message)
                worker.ready = True
            self._idle.append(worker)


@contextmanager
def _children_ignore_interrupts() -> Iterator[None]:
    """Block SIGINT while children start, because they inherit the mask and this process stops them."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    resource_tracker.ensure_running()  # at its start it unblocks the signal
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def unwrap_result(result: Any) -> Any:
    """Return the result of :func:`attempt`, or raise the exception that it caught."""
    if isinstance(result, _Failure):
        result.error.add_note(f"In a worker:\n{result.trace}")
        raise result.error
    return result


def _run_worker(connection: Connection, work: bytes) -> None:
    """Process incoming pieces until the connection closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_exit_with_parent, daemon=True).start()
    ready = attempt(pickle.loads, work)
    try:
        connection.send(ready if isinstance(ready, _Failure) else None)
        while not isinstance(ready, _Failure):
            connection.send(attempt(ready, connection.recv()))
    except (EOFError, OSError):
        return


def attempt(function: Callable[[Any], Any], argument: Any) -> Any:
    """Return the result of a function, or the exception that it raised, for :func:`unwrap_result`."""
    try:
        return function(argument)
    except Exception as error:
        trace = traceback.format_exc()
        if function is pickle.loads:
            return _Failure(RuntimeError(f"{error}: {ADVICE}"), trace)
        return _Failure(_picklable_error(error), trace)


def _picklable_error(error: Exception) -> Exception:
    """Return the error, or an equivalent one that can be pickled."""
    try:
        return error if type(pickle.loads(pickle.dumps(error))) is type(error) else RuntimeError(str(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")


def _exit_with_parent() -> None:
    """Exit as soon as the parent process is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)
