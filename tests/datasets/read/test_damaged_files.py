"""Damaged copies of files of each format are read or refused with a ValueError that names the file."""

import random
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rainbow import load_dataset
from rainbow.datasets.read.delimiter import detect_delimiter
from rainbow.datasets.read.encoding import detect_encoding, name_file_in_errors
from rainbow.datasets.read.formats import BINARY, DELIMITED, file_extension
from rainbow.datasets.read.table_frames import read_frames

ROWS = 12
TEXTS = [f"The inn {number} near the café, a cheap one; it is open." for number in range(ROWS)]
FRAME = pd.DataFrame({
    "id": [f"r{place}" for place in range(ROWS)],
    "system": ["a", "b"] * (ROWS // 2),
    "output": TEXTS,
    "reference": [text.replace("inn", 'red "inn"') for text in TEXTS],
    "quality": [str(1 + place % 5) for place in range(ROWS)],
})  # fmt: skip
MADE: dict[str, Callable[[Path], object]] = {
    "a.csv": lambda path: FRAME.to_csv(path, index=False),
    "b.csv": lambda path: FRAME.to_csv(path, index=False, sep=";", encoding="cp1252"),
    "c.csv": lambda path: FRAME.to_csv(path, index=False, encoding="utf-16"),
    "d.csv": lambda path: path.write_text("# by B.\n\n,,,R1,R1\n" + FRAME.to_csv(index=False)),
    "a.tsv": lambda path: FRAME.to_csv(path, index=False, sep="\t", quoting=3, quotechar="'"),
    "a.txt": lambda path: FRAME.to_csv(path, index=False, sep="\t"),
    "a.jsonl": lambda path: FRAME.to_json(path, orient="records", lines=True, force_ascii=False),
    "b.jsonl": lambda path: FRAME.to_json(path, orient="records", indent=1),
    "a.json": lambda path: FRAME.to_json(path, orient="records"),
    "b.json": lambda path: FRAME.to_json(path, orient="split", index=False),
    "a.parquet": lambda path: FRAME.to_parquet(path, row_group_size=5),
    "a.xlsx": lambda path: FRAME.to_excel(path, index=False),
}
DELIMITERS = (b",", b";", b"\t", b"|", b" ", b"")


def damaged(content: bytes, rng: random.Random) -> bytes:
    """Return the content with one to three faults."""
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(content) + 1)
        match rng.randrange(10):
            case 0:
                content = content[:place]
            case 1:
                content = content[place:]
            case 2:
                for at in rng.sample(range(len(content)), min(len(content), rng.randint(1, 8))):
                    content = content[:at] + bytes([rng.randrange(256)]) + content[at + 1 :]
            case 3:
                content = content.replace(rng.choice(DELIMITERS[:4]), rng.choice(DELIMITERS), rng.choice((-1, 1, 5)))
            case 4:
                content = b"".join(line * rng.choice((1, 1, 2, 0)) for line in content.splitlines(keepends=True))
            case 5:
                content = content[:place] + b"\0" * rng.randint(1, 4) + content[place:]
            case 6:
                content = (
                    rng.choice((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\xff\xfe\0\0", b"\n", b"# x\n")) + content
                )
            case 7:
                ends = (b"\n", b"\r\n", b"\r", b"\n\n", b"")
                content = b"".join(line + rng.choice(ends) for line in content.splitlines())
            case 8:
                text = content.decode("utf-8", "replace")
                content = text.encode(rng.choice(("utf-16-le", "utf-32", "cp1252", "cp500", "gb18030")), "replace")
            case 9:
                content = content[:place] + rng.choice((b'"', b"{", b"[", b"}", b"\\", b'""')) + content[place:]
    return content


def outcomes(folder: Path, copies: int, seed: int) -> Iterator[tuple[str, Exception | None]]:
    """Yield the name of each damaged copy, and the error of reading it."""
    rng = random.Random(seed)
    for name, make in MADE.items():
        make(folder / name)
    contents = {name: (folder / name).read_bytes() for name in MADE}
    for number in range(copies):
        name = rng.choice(list(MADE))
        path = folder / f"{number}{name}"
        path.write_bytes(damaged(contents[name], rng))
        for read in (load_dataset, in_parts):
            error = None
            try:
                read(path)
            except Exception as found:  # what it is is the question
                error = found
            yield f"{path.name} {read.__name__}", error
        if error is None or isinstance(error, ValueError):
            path.unlink()


def in_parts(path: Path) -> None:
    with name_file_in_errors(path):
        encoding = None if (kind := file_extension(path)) in BINARY else detect_encoding(path)
        delimiter = detect_delimiter(path, encoding) if kind in DELIMITED else None
        whole, parts = (
            next(read_frames(path, None, encoding, delimiter)),
            list(read_frames(path, 5, encoding, delimiter)),
        )
        assert ([list(part) for part in parts], sum(map(len, parts))) == ([list(whole)] * len(parts), len(whole))


@pytest.mark.timeout(120)
def test_a_damaged_file_is_read_or_refused_with_its_name(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = list(outcomes(tmp_path, 300, 7))
    wrong = [(name, error) for name, error in found if error and not isinstance(error, ValueError | FileNotFoundError)]
    assert not wrong and [(name, error) for name, error in found if error and name.split()[0] not in str(error)] == []
    assert sum(error is None for _, error in found) > 100


def test_a_parquet_file_with_wrong_bytes_or_a_wrong_index_is_refused(tmp_path: Path) -> None:
    table = pa.Table.from_pandas(FRAME).replace_schema_metadata({b"pandas": b'{"index_columns": [{"kind": "range"}]}'})
    pq.write_table(table, tmp_path / "index.parquet")
    pq.write_table(table.replace_schema_metadata(), tmp_path / "bytes.parquet", compression="none")
    content = (tmp_path / "bytes.parquet").read_bytes()
    (tmp_path / "bytes.parquet").write_bytes(content.replace(b"The inn 4", b"The \xff\xfen 4"))
    for name in ("index.parquet", "bytes.parquet"):
        with pytest.raises(ValueError, match=rf"{name}: the Parquet file cannot be read"):
            load_dataset(tmp_path / name)


def test_a_parquet_file_with_fewer_rows_than_its_footer_says_is_refused(tmp_path, monkeypatch) -> None:
    FRAME.to_parquet(tmp_path / "mine.parquet")
    monkeypatch.setattr(pq.ParquetFile, "iter_batches", lambda *given, **options: iter(()))
    with pytest.raises(ValueError, match=rf"mine.parquet: the Parquet file is damaged: {ROWS} rows are missing"):
        load_dataset(tmp_path / "mine.parquet")
