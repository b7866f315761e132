"""A small server that speaks OpenAI's chat completions, and fails as real ones do."""

import json
import math
import threading
import zlib
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Answer = dict[str, Any]
# What is sent: JSON, or bytes as they are, or whatever this does with the connection.
Reply = Answer | bytes | Callable[[BaseHTTPRequestHandler], object]


def chance_of(text: str) -> dict[str, float]:
    """Return probabilities of the marks 1 to 6, and of something else, that only the text decides."""
    mark = 1 + zlib.crc32(text.encode()) % 6
    return {str(mark): 0.6, f" {1 + mark % 6}": 0.3, "The": 0.1}


def completion(body: dict[str, Any], chances: dict[str, float]) -> Answer:
    """Return a chat completion with the probabilities of its first token, if they are asked for."""
    text = max(chances, key=chances.__getitem__)
    choice: Answer = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    if body.get("logprobs"):
        top = [{"token": token, "logprob": math.log(chance)} for token, chance in chances.items()]
        choice["logprobs"] = {"content": [top[0] | {"top_logprobs": top}]}
    used = len(body["messages"][0]["content"]) // 5
    return {"choices": [choice], "usage": {"prompt_tokens": used, "completion_tokens": 1, "total_tokens": used + 1}}


def usual(body: dict[str, Any]) -> Answer:
    """Answer as a server does that gives all that it is asked for."""
    return completion(body, chance_of(body["messages"][0]["content"]))


class LocalServer:
    """What it was asked, and what it does.

    `answer` makes an answer of a request; `faults` gives for the number of a request the status that is sent instead;
    `before` is called with that number.
    """

    def __init__(
        self,
        answer: Callable[[dict[str, Any]], Reply] = usual,
        faults: Callable[[int], int | None] = lambda _: None,
        before: Callable[[int], object] = lambda _: None,
    ) -> None:
        self.answer, self.faults, self.before = answer, faults, before
        self.asked = Counter[str]()  # requests that were answered, as they came
        self.requests = 0  # those too that got a fault
        self.open = 0  # those that are being answered
        self.keys = set[str | None]()
        self._lock = threading.Lock()

    def reply(self, body: dict[str, Any], key: str | None) -> tuple[int, Reply]:
        with self._lock:
            self.requests += 1
            self.open += 1
            number = self.requests
            self.keys.add(key)
        try:
            return self._reply(body, number)
        finally:
            with self._lock:
                self.open -= 1

    def _reply(self, body: dict[str, Any], number: int) -> tuple[int, Reply]:
        self.before(number)
        if status := self.faults(number):
            return status, {"error": {"message": f"fault {status}"}}
        with self._lock:
            self.asked[json.dumps(body, sort_keys=True)] += 1
        return 200, self.answer(body)


@contextmanager
def serving(local: LocalServer) -> Iterator[str]:
    """Give the address of the server while it runs."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet an answer: two would wait for each other, 40 ms each time

        def log_message(self, *_: object) -> None:
            """Say nothing."""

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, answer = local.reply(body, self.headers.get("Authorization"))
            if callable(answer):
                self.close_connection = True
                answer(self)
                return
            data = answer if isinstance(answer, bytes) else json.dumps(answer).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Retry-After-Ms", "10")
            self.end_headers()
            self.wfile.write(data)

    class Quiet(ThreadingHTTPServer):
        daemon_threads, request_queue_size = True, 64

        def handle_error(self, *_: object) -> None:
            """A client that was killed is nothing to be told."""

    server = Quiet(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1"
    finally:
        server.shutdown()
        server.server_close()
