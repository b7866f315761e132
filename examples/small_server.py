"""A server that answers as OpenAI's does, with SmolLM2 behind it: `python -m examples.small_server 8017`.

It gives one token with its probabilities, all that a judge of marks is asked for. It needs `rainbow fetch smollm2`.
"""

from __future__ import annotations

import json
import sys
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

from rainbow.programs.smollm2 import loaded


class Judge:
    """SmolLM2, asked for the first token of its answer."""

    def __init__(self) -> None:
        self.tokenizer = loaded("AutoTokenizer")
        self.model = loaded("AutoModelForCausalLM", dtype="float32").eval()

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return a chat completion of one token, and the most probable tokens in its place."""
        import torch

        told = [f"<|im_start|>{message['role']}\n{message['content']}<|im_end|>\n" for message in request["messages"]]
        tokens = self.tokenizer("".join(told) + "<|im_start|>assistant\n", return_tensors="pt")["input_ids"]
        with torch.inference_mode():
            chances = self.model(tokens, logits_to_keep=1).logits[0, -1].log_softmax(-1).topk(request["top_logprobs"])
        top = [
            {"token": self.tokenizer.decode([token]), "logprob": logprob}
            for logprob, token in zip(chances.values.tolist(), chances.indices.tolist(), strict=True)
        ]
        message = {"role": "assistant", "content": top[0]["token"]}
        choice = {"index": 0, "finish_reason": "length", "message": message}
        choice["logprobs"] = {"content": [top[0] | {"top_logprobs": top}]}
        read = tokens.shape[1]
        return {"choices": [choice], "usage": {"prompt_tokens": read, "completion_tokens": 1, "total_tokens": read + 1}}


class Handler(BaseHTTPRequestHandler):
    """Reads a request, and sends what the judge answers."""

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
        """Say nothing."""


if __name__ == "__main__":
    Handler.judge = Judge()
    HTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
