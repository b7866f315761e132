"""What needs an extra is read for examples only where that is installed."""

import gc
import os
from collections.abc import Iterator
from importlib.util import find_spec

import pytest
from xdist.scheduler import LoadGroupScheduling

# Processes share the cores: libraries that take all of them in each wait for one another, ten times as long.
# NumPy reads this when it is imported.
os.environ.setdefault("OMP_NUM_THREADS", "1")

SERVER = ("starlette", "uvicorn", "prometheus_client")
collect_ignore_glob = [] if all(map(find_spec, SERVER)) else ["rainbow/serving/http/*.py"]


@pytest.fixture(autouse=True)
def _fast_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the default score be the one that every machine has, whatever was fetched."""
    monkeypatch.setattr(
        "rainbow.learned.scorer.missing_full_resources", lambda: "not in tests, but where it is asked for"
    )


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Iterator[None]:
    """Look for no garbage while tests are collected, and never again among ten thousand of them: it takes a second."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


class ByFile(LoadGroupScheduling):
    """Tests of one group run in one process, and so do all others of a file: what they share is made once."""

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return group.split("::")[0] if group == nodeid else str(group)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    """Return what deals tests to processes."""
    return ByFile(config, log)
