"""Locks that keep two runs from writing one table, on local disks and in object stores."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any
from uuid import uuid4

from filelock import FileLock, Timeout

from rainbow.base.storage import Place, Remote

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_LOG = logging.getLogger(__name__)

BEAT, STALE = 20.0, 90.0  # seconds: how often a lock is renewed, and the age of one whose owner is gone


@contextmanager
def hold_lock(file: Place, place: Place) -> Iterator[None]:
    """Hold a lock so that no other run writes the same file."""
    if isinstance(file, Path):
        try:
            lock = FileLock(file).acquire(blocking=False)
        except Timeout:
            raise _lock_error(place) from None
        with lock:
            yield
    elif (client := _s3_client(file)) is None:
        yield
    else:
        with _hold_lease(client, file, place):
            yield


def _lock_error(place: Place, until: str = "") -> OSError:
    return OSError(f"another run is writing {place}: wait for it or stop it{until}")


def _s3_client(file: Remote) -> Any:
    bucket, _, options = file.object_uri()
    if not bucket.startswith("s3://"):
        return None
    try:
        import boto3
    except ImportError:
        return None
    endpoint = (
        f"{options.get('scheme', 'https')}://{options['endpoint_override']}" if "endpoint_override" in options else None
    )
    return boto3.client("s3", endpoint_url=endpoint, region_name=options.get("region"))


@contextmanager
def _hold_lease(client: Any, file: Remote, place: Place) -> Iterator[None]:
    from botocore.exceptions import BotoCoreError, ClientError

    bucket, key, _ = file.object_uri()
    at, owner, done = {"Bucket": bucket.removeprefix("s3://"), "Key": key}, uuid4().hex, Event()

    def body() -> bytes:
        return json.dumps({"owner": owner, "renewed": time.time()}).encode()

    def renew() -> None:
        while not done.wait(BEAT):
            try:
                client.put_object(**at, Body=body())
            except (BotoCoreError, ClientError) as error:  # another beat may come before the lock is stale
                _LOG.warning("the lock %s was not renewed: %s", file, error)

    _take_lease(client, at, body, file, place)
    renewing = Thread(target=renew, daemon=True)
    renewing.start()
    try:
        yield
    finally:
        done.set()
        renewing.join()
        client.delete_object(**at)


def _take_lease(client: Any, location: dict[str, str], body: Any, file: Remote, place: Place) -> None:
    """Create the lock object, or replace an expired one, unless another run is first."""
    from botocore.exceptions import ClientError

    alone = {"IfNoneMatch": "*"}
    condition = alone
    for _ in range(3):
        try:
            client.put_object(**location, Body=body(), **condition)
            return
        except ClientError as error:
            if error.response["ResponseMetadata"]["HTTPStatusCode"] not in (409, 412):
                raise OSError(f"{file}: {error}") from None
        try:
            lease = client.get_object(**location)
        except client.exceptions.NoSuchKey:  # it was given back meanwhile
            condition = alone
            continue
        age = time.time() - json.loads(lease["Body"].read())["renewed"]
        if age < STALE:
            raise _lock_error(place, f" (if it was killed, its lock expires in {STALE - age:.0f} s)")
        condition = {"IfMatch": lease["ETag"]}
    raise _lock_error(place)


class Claims:
    """Work that this process has claimed so that no other process on this machine repeats it."""

    def __init__(self, file: Path) -> None:
        self._file = file.open("a")

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def take(self, name: str, *, wait: bool = False) -> bool:
        """Claim a piece of work; return False if another process has it, optionally after waiting."""
        if fcntl is None:
            return True
        try:
            fcntl.lockf(self._file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB), 1, _place(name))
        except (BlockingIOError, PermissionError):  # which of the two depends on the system
            return False
        return True

    def give_back(self, name: str) -> None:
        """Release one claim."""
        if fcntl is not None:
            fcntl.lockf(self._file, fcntl.LOCK_UN, 1, _place(name))

    def close(self) -> None:
        """Release all claims."""
        self._file.close()


def _place(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")  # files have 63 bits of places
