"""A server that runs until it is told to stop, and answers what it has taken before it does."""

from __future__ import annotations

import errno
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

STOP_SECONDS = 30  # what is under way when the server is told to stop gets so long
IDLE_SECONDS = 75  # longer than callers keep a connection, so that none sends into one that is being closed
WAITING_CONNECTIONS = 2048


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens there; port 0 is any that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(f"port {port} of {host} is taken: choose another --port, or stop what listens") from None
        raise OSError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None


def address_of(listener: socket.socket) -> str:
    """Return the URL of what listens there."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_local(listener: socket.socket) -> bool:
    """Return whether only this machine can reach what listens there."""
    host = str(listener.getsockname()[0])
    return host == "::1" or host.startswith("127.")


def server_of(app: ASGIApp) -> uvicorn.Server:
    """Return what serves an application, by ``run(sockets=[listener])``; ``should_exit = True`` or SIGTERM ends it."""
    try:
        import uvicorn

        from rainbow.serving.http.connections import Guarded
    except ImportError as error:
        raise RuntimeError("uvicorn is not installed: pip install 'rainbow-nlg[serve]'") from error
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=Guarded,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            backlog=WAITING_CONNECTIONS,
            server_header=False,
        )
    )
