"""The E2E NLG Challenge's outputs and printed tables, read from their files."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus

# The systems' names in print, by those of their files.
_CAPITALS = ("DANGNT", "FORGe1", "FORGe3", "NLE", "TGen", "TNT1", "TNT2", "TR1", "TR2", "TUDA", "ZHAW1", "ZHAW2")
_OTHERS = ("Adapt", "Chen", "Gong", "Harv", "Sheff1", "Sheff2", "Slug", "Slug-alt", "Zhang")
SYSTEMS = {name.lower(): name for name in (*_CAPITALS, *_OTHERS)}
# Two files have single quotes round every field; the printed figures were computed on the texts with them.
QUOTED = ("tnt1", "tnt2")


def read_e2e(data_dir: Path, *, as_published: bool = False) -> Corpus:
    """Give 630 outputs of each of 21 systems."""
    references = pd.read_csv(data_dir / "e2e" / "testset_w_refs.csv").groupby("mr")["ref"].agg(tuple)
    frames = []
    for file, system in SYSTEMS.items():
        quote = "'" if file in QUOTED else '"'
        table = pd.read_csv(
            data_dir / "e2e" / "system_outputs" / f"{file}.tsv", sep="\t", quotechar=quote, encoding="utf-8-sig"
        )
        outputs = table["output"].str.strip()
        if as_published and file in QUOTED:
            outputs = "'" + outputs + "'"
        frames.append(pd.DataFrame({"system": system, "mr": table["MR"], "output": outputs}))
    frame = pd.concat(frames, ignore_index=True)
    return Corpus(frame.assign(dataset="e2e", references=frame["mr"].map(references)))


def read_printed(data_dir: Path, name: str) -> pd.DataFrame:
    """Give a printed table, one row per cell or system, by the beginning of its file's name."""
    found = sorted((data_dir.parent / "published").glob(f"{name}*.csv"))
    if not found:
        pytest.skip(f"the published tables are not at {data_dir.parent / 'published'}")
    return pd.read_csv(found[0])
