"""`rainbow serve`: a score over HTTP, for trainers and programs on other machines or in other languages."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Annotated

import typer

DEFAULT = "fast"  # without a network: it answers in a millisecond
# A line with \b alone keeps the line breaks of what follows.
HELP = """Serve a score over HTTP: for trainers whose rewards are called from many nodes, and for other languages.

Requests of many callers are scored together by one process, with the numbers of rainbow.score. It needs the extra
serve (pip install 'rainbow-nlg[serve]'). Only this machine can ask unless --host says otherwise; then give a token.
SIGTERM or Ctrl-C ends it: what has been taken is answered first.

\b
What can be asked:
  POST /score          {"outputs": [...], "mrs": [...], "references": [...]}
                       gives {"scores": [...], "reasons": [...]}
  POST /get_reward     {"query": [...], "prompts": [...], "labels": [...]}
                       gives {"rewards": [...]}: OpenRLHF's --remote_rm_url
  POST /compute_score  {"data_source": ..., "solution_str": ...,
                       "ground_truth": ..., "extra_info": {...}} gives
                       {"score": ...}: what verl gives a reward function
  GET /health          whether it takes more, the model, the version
  GET /metrics         requests, rows, seconds and what waits, for Prometheus

A request that is too large gets 413, one that is malformed 400 or 422 with the field and the row, one that finds the
queue full 503 with Retry-After. Requests must say that they are JSON; those of web pages, and those sent to a name that
this machine does not go by, are refused (--allow-host). docs/serve.md has examples for each trainer.

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
        str | None,
        typer.Argument(help="A model's name or file, or a metric's column.", show_default="quality-fast"),
    ] = None,
    rating: Annotated[
        str, typer.Option(help="informativeness, naturalness or quality, where the model's name does not say.")
    ] = "quality",
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 is all of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes one that is free.")] = 8765,
    token_env: Annotated[
        str | None, typer.Option(help="The environment variable with the token that callers must send.", metavar="NAME")
    ] = None,
    reference: Annotated[
        str | None,
        typer.Option(
            "--reference",
            "--references",
            help="A trainer's field that holds the references: label, prompt, a key of extra_info.",
        ),
    ] = None,
    field: Annotated[
        str | None,
        typer.Option("--input", "--mrs", help="A trainer's field that holds what texts are made from, likewise."),
    ] = None,
    rescale: Annotated[bool, typer.Option("--rescale", help="Map rewards to [0, 1].")] = False,
    low: Annotated[
        float | None,
        typer.Option(help="The worst value of a metric that has none, as -1 for TER.", show_default=False, hidden=True),
    ] = None,
    limit: Annotated[
        list[str] | None,
        typer.Option(
            help="rows=1024, bytes, work (characters of all texts) of a request, characters=2000 of a text, "
            "queue=256 requests under way (may be repeated).",
            metavar="NAME=NUMBER",
        ),
    ] = None,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A name by which callers know this machine, besides its own, localhost and addresses; web pages of "
            "that name may ask too (may be repeated).",
            metavar="NAME",
        ),
    ] = None,
) -> None:
    """Serve a score over HTTP."""
    from rainbow.serving.http.server import address_of, is_local, listen, server_of

    token = _token(token_env)
    try:
        from rainbow.serving.http.app import make_app
        from rainbow.serving.http.limits import Limits
    except ModuleNotFoundError as error:
        raise RuntimeError(f"{error.name} is not installed: pip install 'rainbow-nlg[serve]'") from error
    from rainbow.serving.named_scorer import named_scorer

    listener = listen(host, port)
    scorer = named_scorer(model or DEFAULT, rating=rating, low=low)
    if not scorer.needs and reference is None:
        field = field or "label"  # what trainers send as the label is the input, which is read where there is one
    limits = Limits()._replace(**_limits(limit or ()))
    hosts = [host, *(allow_host or ())]
    app = make_app(scorer, references=reference, mrs=field, rescale=rescale, limits=limits, token=token, hosts=hosts)
    if token is None and not is_local(listener):
        typer.echo(f"rainbow: whoever reaches {host} may ask: --token-env NAME lets only some in", err=True)
    typer.echo(f"rainbow: {scorer.name} on {address_of(listener)}, Ctrl-C ends it", err=True)
    sys.stderr.flush()
    server_of(app).run(sockets=[listener])


def _limits(said: Sequence[str]) -> dict[str, int]:
    """Return how much is taken at once, as far as it was said."""
    from rainbow.serving.http.limits import Limits

    given = [part.partition("=")[::2] for part in said]
    if wrong := next((name for name, number in given if name not in Limits._fields or not number.isdigit()), None):
        known = ", ".join(f"{name}={value}" for name, value in Limits()._asdict().items())
        raise typer.BadParameter(f"{wrong!r} is none of {known}", param_hint="--limit")
    return {name: int(number) for name, number in given}


def _token(name: str | None) -> str | None:
    """Return the token; a variable that is empty would let everybody in."""
    if name is None:
        return None
    if not (token := os.environ.get(name, "").strip()):
        raise ValueError(f"the environment variable {name} is empty: it has to hold the token that callers send")
    return token
