"""Ctrl-C in every command: it ends quickly, as shells expect it, and leaves nothing half done."""

import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rainbow.cli.command_groups import TASKS

pytestmark = pytest.mark.once

SECONDS = 15  # to end in, on a machine however busy
STARTED = "from rainbow.__main__ import main; print('started', flush=True); main()"
MANY = str(10**7)  # draws, which take minutes

# Every command; most have work for minutes.
COMMANDS = {
    "run": ["demo.csv", "--yes", "--resamples", MANY], "metrics": ["demo"], "analyse": ["demo", "--resamples", MANY],
    "systems": ["demo", "--resamples", MANY], "report": ["demo"], "score": ["--mr", "inform(name=x)"], "fit": ["demo"],
    "serve": ["--port", "0"], "audit": ["quality-fast", "demo", "--search"], "benchmark": ["demo.csv"],
    "compare": ["demo", "demo", "--metrics", "METEOR"],
    "gate": ["demo", "--metric", "METEOR", "--no-worse-than", "metrics/demo.parquet"],
    "judge": ["demo.csv", "--yes"], "study": ["demo", "--people", "200", "--out", "study"],
    "plan": ["demo", "--rating", "quality", "--resamples", MANY],
    "estimate": ["demo", "--rating", "quality", "--score", "BLEU4", "--resamples", MANY],
    "list": ["METEOR"], "fetch": ["smollm2"], "doctor": [], "verify": ["demo"],
    "published": ["liu2021", "--conditions", "paper"],
}  # fmt: skip
QUICK = {"run", "metrics", "score", "serve", "fetch"}  # the others end as one of these does
LONG = {"run", "analyse", "systems", "score", "fit", "serve", "audit", "plan", "estimate", "published"}


@pytest.fixture(scope="module")
def computed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder where metrics were computed."""
    folder = tmp_path_factory.mktemp("computed")
    metrics = [sys.executable, "-m", "rainbow", "metrics", "demo", "--metrics", "BLEU4,METEOR"]
    subprocess.run(metrics, cwd=folder, check=True, capture_output=True)
    return folder


@contextmanager
def silent_judge(folder: Path) -> Iterator[None]:
    """Keep a server that never answers, and a judge.toml that asks it."""
    (folder / "judge.txt").write_text("How good is it, from {low} to {high}? {output}")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        (folder / "judge.toml").write_text(f'model = "m"\nurl = "{url}"\n[judge]\ntemplate = "judge.txt"\n')
        yield


def test_every_command_is_interrupted() -> None:
    commands = {name for commands in TASKS.values() for name in commands}
    assert {*COMMANDS} == commands, "add the command to COMMANDS, with arguments that keep it busy"


@pytest.mark.parametrize(
    "command", [name if name in QUICK else pytest.param(name, marks=pytest.mark.slow) for name in COMMANDS]
)
def test_an_interrupted_command_ends_at_once_and_leaves_no_half_file(command, computed, tmp_path) -> None:
    (tmp_path / "metrics").mkdir()
    for path in (computed / "metrics").iterdir():
        (tmp_path / "metrics" / path.name).write_bytes(path.read_bytes())
    (tmp_path / "demo.csv").write_text("output,ref,system\n" + "an inn.,the inn.,a\na cafe.,the cafe.,b\n" * 300)
    arguments = [sys.executable, "-c", STARTED, command, *COMMANDS[command]]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.PIPE, "text": True}
    with silent_judge(tmp_path), subprocess.Popen(arguments, cwd=tmp_path, **options) as process:
        assert process.stdout.readline() == "started\n"
        time.sleep(random.Random(command).uniform(0, 1.5 if command in LONG else 0.1))
        process.send_signal(signal.SIGINT)
        try:
            _, err = process.communicate(timeout=SECONDS)
        finally:
            process.kill()  # else one that does not end is waited for without end
    assert process.returncode == 130 and "Traceback" not in err
    for path in tmp_path.rglob("*.parquet"):
        pq.read_table(path)
    assert not [*tmp_path.rglob("*.part")]


def test_an_interrupt_that_falls_where_nothing_can_be_raised_is_not_lost(tmp_path: Path) -> None:
    lost = (
        "import sys, time\n"
        "import rainbow.cli.checks.doctor as doctor\n"
        "from rainbow.__main__ import main\n"
        "class Lost:\n"
        "    def __del__(self): raise KeyboardInterrupt\n"
        "def versions():\n"
        "    Lost()\n"
        "    while True: time.sleep(0.1)\n"
        "doctor._versions = versions\n"
        "sys.argv = ['rainbow', 'doctor']\n"
        "main()\n"
    )
    ended = subprocess.run([sys.executable, "-c", lost], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS)
    assert (ended.returncode, ended.stderr) == (130, "rainbow: interrupted\n")


def test_an_interrupt_that_a_library_calls_another_error_is_not_lost(tmp_path: Path) -> None:
    begins = (
        "import sys\n"
        "import rainbow.cli.checks.doctor as doctor\n"
        "from rainbow.__main__ import main\n"
        "def versions():\n"
        "    try: raise KeyboardInterrupt\n"
        "    except KeyboardInterrupt as error: raise ImportError('initialization failed') from error\n"
        "def late():\n"
        "    try: versions()\n"
        "    except ImportError: raise ValueError('cannot be read')\n"
        "doctor._versions = late\n"
        "sys.argv = ['rainbow', 'doctor']\n"
        "main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", begins], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS
    )
    assert (ended.returncode, ended.stderr) == (130, "")


def test_an_interrupt_that_a_compiled_module_calls_an_import_error_is_not_lost(tmp_path: Path) -> None:
    begins = (
        "import sys\n"
        "from rainbow.__main__ import main\n"
        "class Interrupted:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'rainbow._native':\n"
        "            raise ImportError('initialization failed') from KeyboardInterrupt()\n"
        "sys.meta_path.insert(0, Interrupted())\n"
        "sys.argv = ['rainbow', 'list']\n"
        "main()\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", begins], cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS
    )
    assert (ended.returncode, ended.stdout) == (130, "")
