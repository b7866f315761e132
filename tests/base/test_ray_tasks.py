"""Work on a Ray cluster gives what processes of this machine give, whatever becomes of machines."""

import os
import socket
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace

import pytest

from rainbow.base import ray_tasks
from rainbow.base.ray_tasks import ray_cluster
from tests.metrics.awkward_metrics import Fussy
from tests.scoring.stream.tables import interrupted, score, table, written

ROOT = Path(__file__).parents[2]
pytestmark = [pytest.mark.xdist_group("ray"), pytest.mark.once]
needs_ray = pytest.mark.skipif(find_spec("ray") is None, reason="ray is not installed")


@needs_ray
@pytest.mark.parametrize(("address", "told"), [
    ("127.0.0.1:1", "no Ray cluster at 127.0.0.1:1"), ("ray://head:10001", "give HOST:PORT of the head")
])  # fmt: skip
def test_a_wrong_address_is_told_at_once(address: str, told: str) -> None:
    with pytest.raises(RuntimeError, match=told), ray_cluster(address):
        pass


@pytest.fixture(scope="module")
def cluster() -> Iterator[SimpleNamespace]:
    """Return a cluster of a head without processors and one machine with one."""
    pytest.importorskip("ray", reason="ray is not installed")
    before = dict(os.environ)
    os.environ.update(RAY_USAGE_STATS_ENABLED="0", PYTHONPATH=os.pathsep.join([str(ROOT), *sys.path]))
    from ray.cluster_utils import Cluster

    soon = {"health_check_initial_delay_ms": 0, "health_check_period_ms": 200, "health_check_failure_threshold": 2}
    head = {"num_cpus": 0, "include_dashboard": False, "_system_config": soon}  # that a machine is gone is seen soon
    machines = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield SimpleNamespace(machines=machines, address=machines.address, node=machines.add_node(num_cpus=1))
    finally:
        machines.shutdown()
        os.environ.clear()
        os.environ.update(before)


@pytest.mark.slow
def test_the_file_is_that_of_this_machine_and_runs_go_on_across_engines(cluster, mine, expected, tmp_path) -> None:
    ray = {"engine": ray_cluster(cluster.address)}
    interrupted(mine, tmp_path / "a.parquet", after=18)
    assert score(mine, tmp_path / "a.parquet", engine=ray_cluster(cluster.address)).resumed == 18
    interrupted(mine, tmp_path / "b.parquet", after=18, **ray)
    assert score(mine, tmp_path / "b.parquet").resumed >= 18
    assert (tmp_path / "a.parquet").read_bytes() == (tmp_path / "b.parquet").read_bytes() == expected


def test_a_row_that_a_metric_fails_for_is_named_as_without_ray(cluster: SimpleNamespace, tmp_path: Path) -> None:
    frame = table()
    frame.loc[27, "output"] = "fail"
    path = written(tmp_path, ".parquet", frame)  # its rows are read by the machines
    with pytest.raises(ValueError, match="row 28, fussy: a text too many"):
        score(path, tmp_path / "out.parquet", metrics=[Fussy()], engine=ray_cluster(cluster.address))


def test_work_that_ends_its_process_again_and_again_is_given_up(cluster, monkeypatch) -> None:
    monkeypatch.setattr(ray_tasks, "RETRIES", 1)
    with (
        pytest.raises(RuntimeError, match=r"abandoned a piece of work: .*run the same command to resume"),
        ray_cluster(cluster.address) as share,
    ):
        list(share(os._exit, [1]))


def test_a_machine_with_other_releases_is_refused(cluster: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ray_tasks, "__version__", "0.0.1")
    with (
        pytest.raises(RuntimeError, match=rf"{socket.gethostname()} has rainbow .*, not 0\.0\.1: scores are equal"),
        ray_cluster(cluster.address) as share,
    ):
        list(share(len, ["a"]))


def test_a_head_that_answers_no_more_ends_the_work(cluster: SimpleNamespace, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, seconds in (("CHECK_SECONDS", 0.2), ("HEAD_GONE", 0.5)):
        monkeypatch.setattr(ray_tasks, name, seconds)
    answers = ray_tasks._is_reachable
    with (
        pytest.raises(
            RuntimeError, match=r"the head of the Ray cluster, .*, does not respond: run the same command to resume"
        ),
        ray_cluster(cluster.address) as share,
    ):
        done = share(len, iter("ab" * 500_000))
        assert next(done) == 1
        monkeypatch.setattr(ray_tasks, "_is_reachable", lambda address: answers("127.0.0.1:1"))
        list(done)


def test_a_cluster_without_machines_ends_the_work(  # the last: it has none then
    cluster, monkeypatch
) -> None:
    for name, seconds in (("CHECK_SECONDS", 0.5), ("NO_MACHINE", 2.0)):
        monkeypatch.setattr(ray_tasks, name, seconds)
    cluster.machines.remove_node(cluster.node, allow_graceful=False)
    with (
        pytest.raises(RuntimeError, match=r"has had no machine for 2 s: run the same command to resume"),
        ray_cluster(cluster.address) as share,
    ):
        list(share(len, ["a"]))
