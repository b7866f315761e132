"""What needs an extra is read for examples only where that is installed."""

from importlib.util import find_spec

import pytest
from xdist.scheduler import LoadGroupScheduling

SERVER = ("starlette", "uvicorn", "prometheus_client")
collect_ignore_glob = [] if all(map(find_spec, SERVER)) else ["rainbow/serving/http/*.py"]


@pytest.fixture(autouse=True)
def _fast_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the default score be the one that every machine has, whatever was fetched."""
    monkeypatch.setattr("rainbow.learned.scorer.missing_model", lambda: "not in tests, but where it is asked for")


class ByFile(LoadGroupScheduling):
    """Tests of one group run in one process, and so do all others of a file: what they share is made once."""

    def _split_scope(self, nodeid: str) -> str:
        group = super()._split_scope(nodeid)
        return group.split("::")[0] if group == nodeid else str(group)


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> ByFile:
    """Return what deals tests to processes."""
    return ByFile(config, log)
