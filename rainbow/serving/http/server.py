"""A server that finishes accepted requests before it stops."""

from __future__ import annotations

import errno
import socket
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import uvicorn
    from starlette.types import ASGIApp

STOP_SECONDS = 30  # seconds for running requests when the server stops
IDLE_SECONDS = 75  # longer than callers keep a connection, so that none sends into one that is being closed
WAITING_CONNECTIONS = 2048


def open_socket(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 selects a free port."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family, backlog=WAITING_CONNECTIONS)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise OSError(
                f"port {port} of {host} is in use: choose another --port, or stop the other program"
            ) from None
        raise OSError(f"cannot listen on {host}, port {port}: {error.strerror or error}") from None


def socket_url(listener: socket.socket) -> str:
    """Return the URL of a listening socket."""
    host, port = listener.getsockname()[:2]
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def is_local(listener: socket.socket) -> bool:
    """Return whether only this machine can reach the socket."""
    host = str(listener.getsockname()[0])
    return host == "::1" or host.startswith("127.")


def make_server(app: ASGIApp) -> uvicorn.Server:
    """Return a server for an application; stop it with ``should_exit = True`` or SIGTERM."""
    try:
        import uvicorn

        from rainbow.serving.http.connections import GuardedProtocol
    except ImportError as error:
        raise RuntimeError("uvicorn is not installed: pip install 'rainbow-nlg[serve]'") from error
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=GuardedProtocol,
            log_level="warning",
            access_log=False,
            timeout_keep_alive=IDLE_SECONDS,
            timeout_graceful_shutdown=STOP_SECONDS,
            backlog=WAITING_CONNECTIONS,
            server_header=False,
        )
    )
