"""What needs an extra is read for examples only where that is installed."""

from importlib.util import find_spec

SERVER = ("starlette", "uvicorn", "prometheus_client")
collect_ignore_glob = [] if all(map(find_spec, SERVER)) else ["rainbow/serving/http/*.py"]
