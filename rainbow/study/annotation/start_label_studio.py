"""`python -m rainbow.study.annotation.start_label_studio FOLDER`: Label Studio with the projects of a study.

Starts the program `label-studio` on this machine, with its data in the folder of the study, makes a project for each
rater, and brings every half a minute what was answered into ``label-studio/returned``, where `rainbow study` reads it.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from rainbow.base.files import write_bytes

EVERY, PATIENCE = 30, 600  # seconds
USER = "organiser@localhost.localdomain"
# No telemetry, no update check.
QUIET = {"LATEST_VERSION_CHECK": "0", "COLLECT_ANALYTICS": "0", "SENTRY_DSN": "", "FRONTEND_SENTRY_DSN": ""}


def start_label_studio() -> None:
    """Start Label Studio, create the projects, and fetch answers until interrupted."""
    parser = argparse.ArgumentParser(prog="python -m rainbow.study.annotation.start_label_studio")
    parser.add_argument("folder", type=Path, help="of the study")
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--program", default="label-studio", help="of Label Studio")
    options = parser.parse_args()
    folder = options.folder / "label-studio"
    secret = _password(folder)
    command = [
        options.program,
        "start",
        "--no-browser",
        "--port",
        str(options.port),
        "--data-dir",
        str(folder / "data"),
    ]
    account = ["--username", USER, "--password", secret, "--user-token", secret, "--enable-legacy-api-token"]
    server = _Server(f"http://localhost:{options.port}", secret)
    with subprocess.Popen([*command, *account], env=os.environ | QUIET, stdout=subprocess.DEVNULL) as program:
        try:
            projects = server.create_projects(folder)
            sys.stdout.write(f"{server.address}  user {USER}, password {secret}\n")
            sys.stdout.flush()
            while program.poll() is None:
                time.sleep(EVERY)
                server.fetch_answers(projects, folder / "returned")
        except KeyboardInterrupt:
            server.fetch_answers(projects, folder / "returned")
        finally:
            program.terminate()


def _password(folder: Path) -> str:
    """Return the organiser's password, generated on first use."""
    file = folder / "password"
    if not file.is_file():
        write_bytes(file, secrets.token_hex(20).encode())
        file.chmod(0o600)
    return file.read_text(encoding="utf-8")


class _Server:
    def __init__(self, address: str, token: str) -> None:
        self.address, self.token = address, token

    def ask(self, path: str, body: Any = None) -> Any:
        head = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        with urlopen(Request(f"{self.address}{path}", data, head), timeout=60) as answer:
            return json.load(answer)

    def create_projects(self, folder: Path) -> dict[str, int]:
        """Return the projects by name, creating missing ones."""
        there = {entry["title"]: entry["id"] for entry in self._wait_for_projects()}
        for file in sorted(folder.glob("*-*.json")):
            if file.stem not in there:
                config = (folder / f"{file.stem.rpartition('-')[2]}.xml").read_text(encoding="utf-8")
                about = {"title": file.stem, "label_config": config, "sampling": "Sequential sampling"}
                made = self.ask("/api/projects", about)
                self.ask(f"/api/projects/{made['id']}/import", json.loads(file.read_text(encoding="utf-8")))
                there[file.stem] = made["id"]
        return there

    def fetch_answers(self, projects: dict[str, int], folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for name, number in projects.items():
            if result := self.ask(f"/api/projects/{number}/export?exportType=JSON"):
                write_bytes(folder / f"{name}.json", json.dumps(result, ensure_ascii=False).encode())

    def _wait_for_projects(self) -> Any:
        """Return the projects as soon as the server responds."""
        end = time.monotonic() + PATIENCE
        while True:
            try:
                return self.ask("/api/projects?page_size=1000")["results"]
            except (URLError, ConnectionError):
                if time.monotonic() > end:
                    raise
                time.sleep(1)


if __name__ == "__main__":
    start_label_studio()
