"""A client of `rainbow serve` that acts as a scorer."""

from __future__ import annotations

import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import numpy as np

from rainbow.base.arrays import FloatArray
from rainbow.corpus.rows import check_lengths, validate_references, validate_texts

AT_ONCE, CHARACTERS = 512, 1 << 18  # rows and characters per request
TRIES = 6  # attempts if the queue is full or the server is down; after 1, 2, 4 ... seconds


class RemoteScorer:
    """A scorer that sends texts to a server, for :class:`rainbow.serving.Reward` and all adapters.

    Parameters
    ----------
    url : str
        URL of `rainbow serve`.
    token_env : str, optional
        Environment variable that holds the token, if the server requires one.
    seconds : float
        Timeout of a request.

    Attributes
    ----------
    name, low, high, needs
        Properties of the server's scorer, as in :class:`rainbow.serving.ScorerProtocol`.

    Raises
    ------
    ValueError
        If the server rejects a request; the message is the server's.
    OSError
        If the server cannot be reached, or its queue stays full.
    """

    def __init__(self, url: str, *, token_env: str | None = None, seconds: float = 180.0) -> None:
        self.url, self.token_env, self.seconds = url.rstrip("/"), token_env, seconds
        about = self._post("/health", None)
        self.name = str(about["model"])
        self.low = -math.inf if about["low"] is None else float(about["low"])
        self.high = math.inf if about["high"] is None else float(about["high"])
        self.needs = frozenset[str](about["needs"])

    def __repr__(self) -> str:
        return f"RemoteScorer({self.url!r}, name={self.name!r})"

    def __call__(
        self,
        outputs: Sequence[str],
        references: Sequence[Sequence[str]] | None = None,
        mrs: Sequence[str] | None = None,
    ) -> FloatArray:
        """Return the score of every output, shape (n,); NaN if undefined."""
        given: dict[str, Any] = {"outputs": validate_texts("outputs", outputs)}
        check_lengths(len(outputs), {"references": references, "mrs": mrs})
        if references is not None:
            given["references"] = validate_references("references", references)
        if mrs is not None:
            given["mrs"] = validate_texts("mrs", mrs, optional=True)
        result = np.empty(len(outputs))
        for part in _request_parts(*given.values()):
            scores = self._post("/score", {name: values[part] for name, values in given.items()})["scores"]
            result[part] = [math.nan if score is None else score for score in scores]
        return result

    def _post(self, path: str, body: dict[str, Any] | None) -> dict[str, Any]:
        """Return the server's response, with retries if its queue is full or it is not up yet."""
        data = None if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json"}
        if self.token_env is not None:
            headers["Authorization"] = f"Bearer {os.environ[self.token_env]}"
        for tried in range(TRIES):
            try:
                with urlopen(Request(self.url + path, data, headers), timeout=self.seconds) as answer:
                    reply: dict[str, Any] = json.loads(answer.read())
                    return reply
            except HTTPError as error:
                problem = error.read().decode(errors="replace")[:1000]
                if error.code not in (502, 503, 504):
                    raise ValueError(f"{self.url}{path} rejected the request, {error.code}: {problem}") from None
            except (URLError, ConnectionError) as error:
                problem = str(getattr(error, "reason", error))
            time.sleep(0 if tried + 1 == TRIES else 2.0**tried / 4)
        raise OSError(f"{self.url}{path} did not respond after {TRIES} tries: {problem}")


def _request_parts(*columns: Sequence[Any]) -> Iterator[slice]:
    """Yield successive rows that fit into one request."""
    start, characters = 0, 0
    for place, row in enumerate(zip(*columns, strict=True)):
        size = sum(map(len, (text for texts in row for text in ([texts] if isinstance(texts, str) else texts))))
        if place > start and (place - start == AT_ONCE or characters + size > CHARACTERS):
            yield slice(start, place)
            start, characters = place, 0
        characters += size
    if columns[0]:
        yield slice(start, len(columns[0]))
