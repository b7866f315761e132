"""What needs an extra is read for examples only where that is installed."""

from importlib.util import find_spec

import pytest

SERVER = ("starlette", "uvicorn", "prometheus_client")
collect_ignore_glob = [] if all(map(find_spec, SERVER)) else ["rainbow/serving/http/*.py"]


@pytest.fixture(autouse=True)
def _fast_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the default score be the one that every machine has, whatever was fetched."""
    monkeypatch.setattr("rainbow.learned.scorer.missing_model", lambda: "not in tests, but where it is asked for")
