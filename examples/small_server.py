"""A server with OpenAI's chat API and SmolLM2 behind it: `python -m examples.small_server 8017`.

It returns one token with its probabilities, which is enough for a judge. It needs `rainbow fetch smollm2`.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import numpy as np

from rainbow.programs.language_models.engine import converted_model


class Judge:
    """SmolLM2, asked for the first token of its answer."""

    def __init__(self) -> None:
        import ctranslate2
        from tokenizers import Tokenizer

        folder = str(converted_model())
        self.generator = ctranslate2.Generator(folder)
        self.tokenizer: Any = Tokenizer.from_file(f"{folder}/tokenizer.json")

    def tokens(self, text: str) -> list[str]:
        """Return the tokens of a text without the marks of a chat."""
        found: list[str] = self.tokenizer.encode(text, add_special_tokens=False).tokens
        return found

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a chat completion of one token with the most probable alternatives."""
        tokens: list[str] = []
        for message in request["messages"]:
            tokens += [
                "<|im_start|>",
                *self.tokens(f"{message['role']}\n{message['content']}"),
                "<|im_end|>",
                *self.tokens("\n"),
            ]
        tokens += ["<|im_start|>", *self.tokens("assistant\n")]
        logs = np.array(self.generator.forward_batch([tokens], return_log_probs=True))[0, -1]
        top = [
            {"token": self.tokenizer.decode([int(token)]), "logprob": float(logs[token])}
            for token in np.argsort(-logs)[: request["top_logprobs"]]
        ]
        message = {"role": "assistant", "content": top[0]["token"]}
        choice = {"index": 0, "finish_reason": "length", "message": message}
        choice["logprobs"] = {"content": [top[0] | {"top_logprobs": top}]}
        read = len(tokens)
        return {"choices": [choice], "usage": {"prompt_tokens": read, "completion_tokens": 1, "total_tokens": read + 1}}


class Handler(BaseHTTPRequestHandler):
    """Reads a request and sends the answer."""

    judge: Judge

    def do_POST(self) -> None:  # the name that http.server calls
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        data = json.dumps(self.judge.answer(request)).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *_: object) -> None:
        """Print no log."""


if __name__ == "__main__":
    Handler.judge = Judge()
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
