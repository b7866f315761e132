"""Files in an object store are read and written as local ones are; a server that speaks S3 runs beside the tests."""

import json
import pickle
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rainbow import open_dataset, score_rows
from rainbow.base.storage import Remote, path_of, readable_source
from rainbow.base.workers import process_engine
from rainbow.scoring.saved_scores import is_score_table, load_scores
from tests.scoring.stream.tables import OPTIONS, SOME, stop_after, table, written

pytestmark = [pytest.mark.xdist_group("s3"), pytest.mark.once]


def test_what_is_behind_a_question_mark_goes_with_every_path() -> None:
    path = Remote("s3://bucket/in/mine.parquet?region=eu-west-1")
    assert str(path.with_name("b.csv")) == "s3://bucket/in/b.csv?region=eu-west-1"
    assert str(path.parent / "c" / "d") == "s3://bucket/in/c/d?region=eu-west-1"
    assert pickle.loads(pickle.dumps(path)) == path == path_of(str(path))
    assert Remote("s3://bucket/in/part-?.csv").name == "part-?.csv"


def test_a_scheme_that_is_not_known_is_told() -> None:
    with pytest.raises(ValueError, match=r"https:// is not supported: use s3://, gs://, hdfs://"):
        path_of("https://example.org/in.parquet")


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    pytest.importorskip("moto", reason="moto is not installed")
    from moto.server import ThreadedMotoServer

    serving = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    serving.start()
    yield f"http://127.0.0.1:{serving.get_host_and_port()[1]}"
    serving.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Remote:
    """Return an empty bucket, found as users of S3 say where it is."""
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "any")
    monkeypatch.setenv("AWS_ENDPOINT_URL", server)
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    made = Remote(f"s3://bucket{abs(hash(request.node.name))}?allow_bucket_creation=true")
    system, path = made.reached
    system.create_dir(path)
    return Remote(str(made).partition("?")[0])


def sent(bucket: Remote, path: Path) -> Remote:
    (bucket / "in" / path.name).upload(path)
    return bucket / "in" / path.name


@pytest.mark.parametrize("suffix", [".parquet", ".csv", ".jsonl"])
def test_from_s3_to_s3_is_what_it_is_on_a_disk(bucket: Remote, tmp_path: Path, suffix: str) -> None:
    path = written(tmp_path, suffix)
    score_rows(open_dataset(path, **OPTIONS), tmp_path / "out.parquet", SOME, chunk_rows=6)
    score_rows(open_dataset(path, **OPTIONS), tmp_path / "out.csv", SOME, chunk_rows=6)
    there = open_dataset(str(sent(bucket, path)), **OPTIONS)
    for out in ("out.parquet", "out.csv"):
        score_rows(there, bucket / out, SOME, chunk_rows=6, engine=process_engine(1))
        assert (bucket / out).read_bytes() == (tmp_path / out).read_bytes()
    found = sorted(str(path) for path in bucket.glob("**/*"))
    assert found == [f"{bucket}/in/{path.name}", f"{bucket}/out.csv", f"{bucket}/out.parquet"]
    assert load_scores(str(bucket / "out.parquet")).equals(load_scores(tmp_path / "out.parquet"))


@pytest.mark.parametrize("out", ["out.parquet", "out/"])
def test_an_interrupted_run_goes_on_in_s3(bucket: Remote, tmp_path: Path, expected: bytes, out: str) -> None:
    rows = open_dataset(f"{sent(bucket, written(tmp_path, '.parquet')).parent}/*.parquet", **OPTIONS)
    with pytest.raises(KeyboardInterrupt):
        score_rows(rows, f"{bucket}/{out}", SOME, chunk_rows=6, progress=stop_after(18))
    assert not is_score_table(path_of(f"{bucket}/{out}"))
    assert score_rows(rows, f"{bucket}/{out}", SOME, chunk_rows=6).resumed == 18
    found = list(load_scores(f"{bucket}/{out}")["CIDEr"].dropna())
    assert found == list(load_scores(tmp_path / "unbroken.parquet")["CIDEr"].dropna())


def test_only_one_run_writes_a_table_in_s3(bucket: Remote, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("boto3", reason="boto3 is not installed")
    from rainbow.base import locks

    with locks.hold_lock(bucket / ".lock", bucket / "out.parquet"):
        told = r"another run is writing s3://.*out\.parquet: .* its lock expires in \d+ s"
        with pytest.raises(OSError, match=told), locks.hold_lock(bucket / ".lock", bucket / "out.parquet"):
            pass
        monkeypatch.setattr(locks, "STALE", 0.0)  # its owner was killed, long ago
        with locks.hold_lock(bucket / ".lock", bucket / "out.parquet"):
            pass
    assert bucket.glob("*") == []


def test_of_two_runs_that_find_a_lock_without_an_owner_one_gets_it(bucket, monkeypatch) -> None:
    pytest.importorskip("boto3", reason="boto3 is not installed")
    from rainbow.base import locks

    file = bucket / ".lock"
    file.write_bytes(b'{"owner": "killed", "renewed": 0}')
    client = locks._s3_client(file)
    found = client.get_object

    def and_another_is_first(**at: str) -> Any:
        answer = found(**at)
        monkeypatch.setattr(client, "get_object", found)
        client.put_object(**at, Body=json.dumps({"owner": "other", "renewed": time.time()}))
        return answer

    monkeypatch.setattr(client, "get_object", and_another_is_first)
    monkeypatch.setattr(locks, "_s3_client", lambda file: client)
    with pytest.raises(OSError, match="another run is writing"), locks.hold_lock(file, bucket / "out.parquet"):
        pass
    assert json.loads(file.read_bytes())["owner"] == "other"
    file.unlink()


def test_metrics_are_added_to_a_table_in_s3(bucket: Remote, tmp_path: Path) -> None:
    rows = open_dataset(written(tmp_path, frame=table()), **OPTIONS)
    for metric in ("len", "BLEU4"):
        score_rows(rows, bucket / "out.parquet", metric, keep=True)
    assert list(load_scores(bucket / "out.parquet").attrs["signatures"]) == ["len", "BLEU4"]


def test_a_file_that_is_not_there_is_told(bucket: Remote) -> None:
    with pytest.raises(FileNotFoundError, match=r"no such file: 's3://.*/none\.csv'"):
        open_dataset(str(bucket / "none.csv"))
    with pytest.raises(FileNotFoundError):
        readable_source(bucket / "none.parquet")
