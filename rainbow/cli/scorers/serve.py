"""`rainbow serve`: serve a score over HTTP."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

DEFAULT = "fast"  # without a network: it answers in a millisecond
# A line with \b alone keeps the line breaks of what follows.
HELP = """Serve a score over HTTP, for trainers on many nodes and for other languages.

One process scores the requests of all clients in batches; scores equal those of rainbow.score. It needs the extra
serve (pip install 'rainbow-nlg[serve]'). It listens on this machine only, unless --host is given; then set a token.
SIGTERM or Ctrl-C stops it after the accepted requests are answered.

\b
Endpoints:
  POST /score          {"outputs": [...], "mrs": [...], "references": [...]}
                       gives {"scores": [...], "reasons": [...]}
  POST /get_reward     {"query": [...], "prompts": [...], "labels": [...]}
                       gives {"rewards": [...]}: OpenRLHF's --remote_rm_url
  POST /compute_score  {"data_source": ..., "solution_str": ...,
                       "ground_truth": ..., "extra_info": {...}} gives
                       {"score": ...}: the reward function of verl
  GET /health          readiness, model, version
  GET /metrics         requests, rows, seconds and queue, for Prometheus

A request that is too large gets status 413; a malformed one 400 or 422, with field and row; if the queue is full, 503
with Retry-After. The content type must be JSON. Requests of web pages and requests to an unknown host name are
refused (--allow-host). docs/serve.md has examples for each trainer.

\b
Examples:
  rainbow serve
  rainbow serve ROUGE --port 9000
  rainbow serve naturalness-fast --input prompt --rescale
  REWARD_TOKEN=... rainbow serve --host 0.0.0.0 --token-env REWARD_TOKEN
  rainbow serve --host 0.0.0.0 --allow-host scores.example.org
  curl http://127.0.0.1:8765/score \\
    --json '{"outputs": ["an inn in soma."], "mrs": ["inform(area=soma)"]}'
"""


def add_to(app: typer.Typer) -> None:
    """Add the command."""
    app.command(help=HELP)(serve)


def serve(
    model: Annotated[
        str | None, typer.Argument(help="Model name, model file, or metric column.", show_default="quality-fast")
    ] = None,
    rating: Annotated[str, typer.Option(help="Rating: informativeness, naturalness or quality.")] = "quality",
    host: Annotated[str, typer.Option(help="Address to listen on; 0.0.0.0 for all interfaces.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="Port; 0 for any free port.")] = 8765,
    token_env: Annotated[
        str | None, typer.Option(help="Environment variable with the client access token.", metavar="NAME")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference", "--references", help="Request field with references: label, prompt, or a key of extra_info."
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Option("--input", "--mrs", help="Request field with inputs: label, prompt, or a key of extra_info."),
    ] = None,
    rescale: Annotated[bool, typer.Option("--rescale", help="Rescale rewards to [0, 1].")] = False,
    low: Annotated[
        float | None,
        typer.Option(help="Lower bound for an unbounded metric, e.g. -1 for TER.", show_default=False, hidden=True),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help="Limit on rows, bytes or work per request, characters per text, or queue length (may be repeated).",
            metavar="NAME=NUMBER",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None, typer.Option(help="Host name to accept in requests (may be repeated).", metavar="NAME")
    ] = None,
) -> None:
    """Serve a score over HTTP."""
    from rainbow.serving.http.server import is_local, make_server, open_socket, socket_url

    token = _read_token(token_env)
    try:
        from rainbow.serving.http.app import make_app
        from rainbow.serving.http.limits import Limits
    except ModuleNotFoundError as error:
        raise RuntimeError(f"{error.name} is not installed: pip install 'rainbow-nlg[serve]'") from error
    from rainbow.serving.named_scorer import load_named_scorer

    listener = open_socket(host, port)
    scorer = load_named_scorer(model or DEFAULT, rating=rating, low=low)
    if not scorer.needs and reference is None:
        field = field or "label"  # what trainers send as the label is the input, which is read where there is one
    limits = Limits()._replace(**_request_limits(limit or ()))
    hosts = [host, *(allow_host or ())]
    app = make_app(scorer, references=reference, mrs=field, rescale=rescale, limits=limits, token=token, hosts=hosts)
    if token is None and not is_local(listener):
        typer.echo(
            f"rainbow: anyone who reaches {host} can send requests; use --token-env NAME to restrict access", err=True
        )
    typer.echo(f"rainbow: serving {scorer.name} on {socket_url(listener)}, stop with Ctrl-C", err=True)
    sys.stderr.flush()
    make_server(app).run(sockets=[listener])


def _request_limits(entries: Sequence[str]) -> dict[str, int]:
    """Return the request limits that were given."""
    from rainbow.serving.http.limits import Limits

    given = [part.partition("=")[::2] for part in entries]
    if wrong := next((name for name, number in given if name not in Limits._fields or not number.isdigit()), None):
        known = ", ".join(f"{name}={value}" for name, value in Limits()._asdict().items())
        raise typer.BadParameter(f"{wrong!r} is not one of {known}", param_hint="--limit")
    return {name: int(number) for name, number in given}


def _read_token(name: str | None) -> str | None:
    """Return the token; an empty variable is an error because it would admit everybody."""
    if name is None:
        return None
    if not (token := os.environ.get(name, "").strip()):
        raise ValueError(f"the environment variable {name} is empty: set it to the token of clients")
    return token
