"""The benchmark table, computed corpus by corpus and cached, with the cost of every score."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from rainbow._version import __version__
from rainbow.analysis.benchmark.agreement import COLUMNS, corpus_agreement, mean_agreement
from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.base.files import write_atomically, write_json
from rainbow.base.fingerprint import fingerprint
from rainbow.base.lazy import pd
from rainbow.base.storage import read_parquet_table
from rainbow.base.workers import in_order
from rainbow.scoring.saved_scores import About

# The file of the table, in the folder of the benchmark.
BENCHMARK = "benchmark.parquet"
_KEY = b"rainbow"


def run_benchmark(
    corpora: Sequence[RatedCorpus], folder: Path, *, resamples: int = 500, seed: int = 2017, workers: int = 1
) -> pd.DataFrame:
    """Return the agreement of every score on every corpus, and the means over corpora."""
    if not corpora:
        raise ValueError("no rated corpus available: run `rainbow fetch sfhotel`, or `rainbow metrics` with ratings")
    work = partial(_corpus_part, folder=folder / "parts", resamples=resamples, seed=seed)
    parts = list(in_order(work, corpora, min(workers, len(corpora))))
    table = pd.concat([*parts, mean_agreement(pd.concat(parts, ignore_index=True))], ignore_index=True)
    table = table.reindex(columns=list(COLUMNS)).astype({"rank": "Int64", "cluster": "Int64", "n": "int64"})
    seconds = column_seconds(table["metric"].unique(), folder / "costs.json")
    tokens = column_tokens(corpora)
    signatures = {(corpus.name, name): signature for corpus in corpora for name, signature in corpus.signatures.items()}
    keys = list(zip(table["corpus"], table["metric"], strict=True))
    table = table.assign(
        seconds=table["metric"].map(seconds).astype(float),
        tokens=pd.Series([tokens.get(key) for key in keys], dtype=float),
        signature=pd.Series([signatures.get(key) for key in keys], dtype=object),
    )
    hashes = {
        corpus.name: {"outputs": len(corpus.frame), "texts": corpus.texts_hash, "scores": corpus.scores_hash}
        for corpus in corpora
    }
    table.attrs = {"version": __version__, "resamples": resamples, "seed": seed, "corpora": hashes}
    return table


def _corpus_part(corpus: RatedCorpus, folder: Path, resamples: int, seed: int) -> pd.DataFrame:
    """Compute the part of one corpus, or read it if it is up to date."""
    hashes = corpus.texts_hash, corpus.scores_hash, dict(corpus.higher_is_better), dict(corpus.groups)
    digits = fingerprint([corpus.name, *hashes, resamples, seed, __version__])
    path = folder / f"{corpus.name}-{digits}.parquet"
    if not path.is_file():
        result = corpus_agreement(corpus, resamples=resamples, seed=seed)
        write_atomically(path, partial(result.to_parquet, index=False))
    return pd.read_parquet(path)


def save_benchmark(table: pd.DataFrame, path: Path) -> Path:
    """Write the table with its metadata; equal tables give equal bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    about: dict[str, Any] = {str(key): value for key, value in table.attrs.items()}
    plain = table.copy()
    plain.attrs = {}
    arrow = pa.Table.from_pandas(plain, preserve_index=False)
    kept = arrow.replace_schema_metadata({**(arrow.schema.metadata or {}), _KEY: json.dumps(about).encode()})
    return write_atomically(path, lambda part: pq.write_table(kept, part, compression="zstd"))


def read_benchmark(path: Path) -> pd.DataFrame:
    """Return a table written by :func:`save_benchmark`, with its ``attrs``."""
    arrow = read_parquet_table(path)
    about = (arrow.schema.metadata or {}).get(_KEY)
    if about is None:
        raise ValueError(f"{path} is not a benchmark table: create one with `rainbow benchmark`")
    table: pd.DataFrame = arrow.to_pandas()
    table.attrs = json.loads(about)
    return table


# Outputs that are timed.
_TIMED = 200
# Metrics that take seconds per row, or minutes to start, are not timed.
_SLOW = frozenset({"neural", "named", "java"})


def column_seconds(names: Iterable[str], path: Path) -> dict[str, float]:
    """Return the seconds per 1,000 outputs of built-in metric columns."""
    from rainbow.datasets import load_dataset
    from rainbow.metrics import all_metrics, find
    from rainbow.scoring.plan import seconds_per_row

    known = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    seconds: dict[str, float] = known["seconds"] if known.get("version") == __version__ else {}
    wanted, before = set(names), len(seconds)
    of_column = dict[str, float]()
    for metric in all_metrics().values():
        own = wanted & {column.name for column in metric.columns}
        if own and metric.unavailable() is None and metric.needs.isdisjoint(_SLOW):
            if metric.name not in seconds:
                demo = load_dataset("demo").take(range(_TIMED))
                seconds[metric.name] = float(f"{1000 * seconds_per_row(find(metric.name), demo):.2g}")
            of_column |= dict.fromkeys(own, seconds[metric.name])
    if len(seconds) > before or not path.is_file():
        write_json(path, {"version": __version__, "seconds": seconds})
    return of_column


def column_tokens(corpora: Sequence[RatedCorpus]) -> dict[tuple[str, str], float]:
    """Return a judge's tokens per 1,000 outputs by corpus and column, if ``rainbow judge`` saved them."""
    result = dict[tuple[str, str], float]()
    for corpus in corpora:
        columns = About.from_table(corpus.frame).columns
        for path in map(Path, columns.get("joined", ())):
            sidecar = path.with_suffix(".json")
            about = json.loads(sidecar.read_text(encoding="utf-8")) if sidecar.is_file() else {}
            for column, known in about.get("columns", {}).items():
                if column in corpus.scores and known.get("tokens"):
                    result[corpus.name, column] = 1000 * known["tokens"] / (known["answered"] or math.nan)
    return result
