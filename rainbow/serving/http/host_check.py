"""Protection against requests from web pages: host, origin and content type."""

from __future__ import annotations

import ipaddress
import json
import re
import socket
from collections.abc import Collection
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_JSON = re.compile(rb"application/(?:[a-z0-9.+-]+\+)?json\s*(?:;.*)?", re.IGNORECASE | re.DOTALL)


class HostCheck:
    """Middleware that accepts only JSON requests addressed to this machine, not from web pages."""

    def __init__(self, app: ASGIApp, names: Collection[str] = ()) -> None:
        self.app = app
        self.named = frozenset(name.lower().rstrip(".") for name in names)
        own = socket.gethostname().lower()
        self.known = self.named | {"localhost", own, own.partition(".")[0]}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and (refusal := self._rejection(scope)):
            status, problem = refusal
            body = json.dumps({"error": problem}).encode()
            headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        else:
            await self.app(scope, receive, send)

    def _rejection(self, scope: Scope) -> tuple[int, str] | None:
        """Return the status and message of a rejection."""
        sent = {name: value for name, value in scope["headers"] if name in (b"host", b"origin", b"content-type")}
        host, origin = (sent.get(name, b"").decode("latin-1") for name in (b"host", b"origin"))
        name = _host_name(f"//{host}")
        if not (name in self.known or _is_ip_address(name)):
            return 421, f"unknown host name {name!r:.99}: allow it with --allow-host NAME on the server"
        if origin and _host_name(origin) not in self.named:
            return 403, (
                f"requests from the web page {origin!r:.99} are not allowed: allow it with --allow-host NAME on the "
                "server"
            )
        if scope["method"] == "POST" and not _JSON.fullmatch(sent.get(b"content-type", b"")):
            return 415, "the content type is not JSON: send Content-Type: application/json"
        return None


def _host_name(url: str) -> str:
    """Return the host of a URL; empty if it has none."""
    try:
        return (urlsplit(url).hostname or "").rstrip(".")
    except ValueError:
        return ""


def _is_ip_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
