"""What a server may answer that no server should, by name: none of it may end a run, or keep it from going on."""

import gzip
import json
import time
from collections.abc import Callable
from contextlib import suppress
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.judging.local_server import Answer, Reply, usual

KEY = 'sk-0"1/2\\3456789'
NESTED = "[" * 5000 + "]" * 5000


def _with(**parts: Any) -> Callable[[Answer], Reply]:
    return lambda answer: answer | parts


def _saying(**parts: Any) -> Callable[[Answer], Reply]:
    """Change the message."""
    return lambda answer: answer | {"choices": [answer["choices"][0] | {"message": {"role": "assistant", **parts}}]}


def _likely(*top: Any) -> Callable[[Answer], Reply]:
    """Change the entries of the first token; what is asked for no probabilities says nothing."""
    return lambda answer: _with_logprobs({"content": [{"top_logprobs": [*top]}]})(answer)


def _with_logprobs(logprobs: Any) -> Callable[[Answer], Reply]:
    return lambda answer: answer | {"choices": [answer["choices"][0] | {"logprobs": logprobs, "message": {}}]}


def _as_text(change: Callable[[str], str]) -> Callable[[Answer], Reply]:
    return lambda answer: change(json.dumps(answer)).encode()


def _by_hand(act: Callable[[BaseHTTPRequestHandler], object]) -> Callable[[Answer], Reply]:
    def quietly(handler: BaseHTTPRequestHandler) -> None:
        with suppress(OSError):  # whoever asked does not listen any more
            act(handler)

    return lambda _: quietly


def sent(handler: BaseHTTPRequestHandler, status: int, body: bytes, **headers: str) -> None:
    handler.send_response(status)
    for name, value in (headers | {"Connection": "close"}).items():  # else the next question may meet a closed one
        handler.send_header(name.replace("_", "-"), value)
    handler.end_headers()
    handler.wfile.write(body)
    handler.wfile.flush()


def endless(handler: BaseHTTPRequestHandler) -> None:
    sent(handler, 200, b'{"choices": [')
    for _ in range(10**4):
        handler.wfile.write(b" " * 10**5)


def dripping(handler: BaseHTTPRequestHandler) -> None:
    sent(handler, 200, b"{", Content_Length="10000")
    for _ in range(600):
        handler.wfile.write(b" ")
        handler.wfile.flush()
        time.sleep(0.1)


def dripping_headers(handler: BaseHTTPRequestHandler) -> None:
    for character in "HTTP/1.1 200 OK\r\n" + "X-More: 1\r\n" * 100:
        handler.wfile.write(character.encode())
        handler.wfile.flush()
        time.sleep(0.1)


_FOUR = {"token": "4", "logprob": -0.1}
ODD: dict[str, Callable[[Answer], Reply]] = {
    "choices are a text": _with(choices="abc"),
    "choices are an object": _with(choices={"a": 1}),
    "choices hold null": _with(choices=[None]),
    "choices are empty": _with(choices=[]),
    "the message is a text": _with(choices=[{"message": "4"}]),
    "the message is null": _with(choices=[{"message": None}]),
    "the content is a list": lambda answer: _saying(content=["4"])(_with_logprobs("4")(answer)),  # type: ignore[arg-type]
    "the content is a number": lambda answer: _saying(content=4)(_with_logprobs(4)(answer)),  # type: ignore[arg-type]
    "the mark is empty": lambda answer: _saying(content='{"mark": ""}')(_with_logprobs([])(answer)),  # type: ignore[arg-type]
    "the mark is infinite": lambda answer: _saying(content='{"mark": 1e400}')(_likely()(answer)),  # type: ignore[arg-type]
    "the mark is nested": lambda answer: _saying(content=f'{{"mark": {NESTED}}}')(_likely(None)(answer)),  # type: ignore[arg-type]
    "the mark is very long": lambda answer: _saying(content='{"mark": 1' + "0" * 5000 + "}")(_likely({})(answer)),  # type: ignore[arg-type]
    "a refusal": _saying(refusal="No."),
    "a logprob is null": _likely(_FOUR | {"logprob": None}),
    "a logprob is 5000": _likely(_FOUR | {"logprob": 5000}),
    "a logprob is positive": _likely(_FOUR | {"logprob": 1.35}),
    "a logprob is NaN": _likely(_FOUR | {"logprob": float("nan")}),
    "a logprob is infinite": _likely(_FOUR | {"logprob": float("inf")}),
    "a logprob is a text": _likely(_FOUR | {"logprob": "-0.1"}),
    "a logprob has thousands of digits": _likely(_FOUR | {"logprob": -(10**4000)}),
    "an entry has no token": _likely({"logprob": -0.1}),
    "probabilities add up to two": _likely(_FOUR, _FOUR | {"token": " 4"}, _FOUR | {"token": "5"}),
    "top_logprobs is an object": _with_logprobs({"content": [{"top_logprobs": {"4": -0.1}}]}),
    "usage is a text": _with(usage="much"),
    "usage is a list": _with(usage=[1, 2]),
    "tokens are too many for a number": _as_text(
        lambda text: text.replace('"total_tokens": ', '"total_tokens": 1e400')
    ),
    "tokens are NaN": _with(usage={"prompt_tokens": float("nan"), "total_tokens": float("nan")}),
    "tokens are negative": _with(usage={"prompt_tokens": -5, "total_tokens": -(10**9)}),
    "tokens are more than there are": _with(usage={"prompt_tokens": 10**30, "total_tokens": 10**30}),
    "nested 5,000 times": lambda _: NESTED.encode(),
    "nested inside": _as_text(lambda text: text[:-1] + f', "more": {NESTED}}}'),
    "cut off": _as_text(lambda text: text[:-20]),
    "half a character": _as_text(lambda text: text[:-1] + r', "more": "\ud800"}'),
    "a number of 5,000 digits": _as_text(lambda text: text[:-1] + ', "more": ' + "1" * 5000 + "}"),
    "nothing": lambda _: b"",
    "a list": lambda _: b"[4]",
    "a page": lambda _: b"<html>\x1b[31m4</html>",
    "bytes that are no text": lambda _: b'{"choices": "\xff\xfe"}',
    "packed": _by_hand(lambda handler: sent(handler, 200, gzip.compress(b" " * 10**6), Content_Encoding="gzip")),
    "endless": _by_hand(endless),
    "drop by drop": _by_hand(dripping),
    "the head drop by drop": _by_hand(dripping_headers),
    "shorter than it says": _by_hand(lambda handler: sent(handler, 200, b"{", Content_Length="1000")),
    "hung up": _by_hand(lambda _: None),
    "no HTTP": _by_hand(lambda handler: handler.wfile.write(b"4\r\n\r\n4")),
    "sent elsewhere (307)": _by_hand(lambda handler: sent(handler, 307, b"", Location="http://127.0.0.1:9/v1")),
    "moved (301)": _by_hand(lambda handler: sent(handler, 301, b"", Location="/elsewhere")),
    "an unknown status": _by_hand(lambda handler: sent(handler, 599, b"4" * 10**6)),
    "a status without an answer": _by_hand(lambda handler: sent(handler, 204, b"")),
    "the key and orders to a terminal": _by_hand(
        lambda handler: sent(
            handler,
            500,
            json.dumps({"error": {"message": f"\x1b]0;owned\x07\x1b[31mnot {json.dumps(KEY)}\n{KEY}\x00"}}).encode(),
        )
    ),
    "the key in an answer": lambda answer: _saying(content=f"{KEY} {json.dumps(KEY)} 4")(answer),
}


SLOW = ("drop by drop", "the head drop by drop")


def orderly(body: dict[str, Any]) -> Answer:
    """Answer as a server does that gives all that it is asked for, probabilities, a number or an object."""
    answer = usual(body)
    if not body.get("logprobs"):
        answer["choices"][0]["message"]["content"] = '{"mark": 4}' if "response_format" in body else "4"
    return answer


def oddly(body: dict[str, Any]) -> Reply:
    """Answer about output number n in the nth odd way, and as it should be about those that are more."""
    number, answer = int(body["messages"][0]["content"].rsplit(" ", 1)[1]), orderly(body)
    kind = [*ODD][number] if number < len(ODD) else None
    if not kind or (kind in SLOW and not body.get("logprobs")):  # these are waited for once, not three times
        return answer
    return ODD[kind](answer)
