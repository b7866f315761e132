"""Columns beside the tools that give them too: what is equal, what is explained, what is not."""

import dataclasses
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from rainbow import Corpus, load_dataset
from rainbow.cli import app
from rainbow.metrics import Batch, all_metrics, find
from rainbow.metrics.contract.base import Column, Metric
from rainbow.metrics.contract.reference_tool import Tool
from rainbow.metrics.word.ter.ter import Ter
from rainbow.scoring.verification import GROUPS, verify_metrics

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("meteor")]

TOOLS = {name: metric for name, metric in all_metrics().items() if metric.tools}


@pytest.mark.parametrize("name", TOOLS)
def test_on_the_demo_nothing_is_unexplained(name: str) -> None:
    metric = TOOLS[name]
    if reason := metric.unavailable() or next((tool.missing() for tool in metric.tools if tool.missing()), None):
        pytest.skip(reason)
    table = verify_metrics(load_dataset("demo"), [metric], rows=60)
    print(table[["column", "tool", "rows", "equal", "explained", "unexplained", "largest"]].to_string())
    compared = table[table["rows"] > 0]
    assert (len(compared) or table["reason"].notna().all()) and (compared["unexplained"] == 0).all()
    assert (compared["equal"] + compared["explained"] == compared["rows"]).all()


def test_every_column_of_words_and_grammar_has_a_line(data_dir: Path) -> None:
    table = verify_metrics(Corpus.from_texts(["the inn is cheap"], [["the inn"]]), rows=1)
    wanted = [column.name for metric in all_metrics().values() if metric.group in GROUPS for column in metric.columns]
    assert table["column"].tolist() == wanted and table.loc[table["rows"] == 0, "reason"].notna().all()


def test_a_tool_gives_columns_that_its_metric_has() -> None:
    for metric in TOOLS.values():
        names = [column.name for column in metric.columns]
        assert [column for tool in metric.tools for column in tool.columns if column not in names] == []


def test_an_empty_output_is_an_explained_difference_of_ter() -> None:
    line = verify_metrics(Corpus.from_texts(["", "the inn"], [["an inn", "the inn is cheap"]] * 2), [Ter]).iloc[0]
    assert (line["equal"], line["explained"], line["unexplained"]) == (1, 1, 0)
    assert line["largest"] == pytest.approx(1 - 2 / 3)


@dataclasses.dataclass(frozen=True)
class Shifted(Metric):
    """The number of words, and a tool that counts one more of every third."""

    name = "shifted"
    group = "word"
    columns = (Column("shifted", None, 0.0), Column("alone", None, 0.0))
    tools = (
        Tool(
            "numpy",
            ("shifted",),
            lambda batch: np.array(
                [[len(text.split()) + (row % 3 == 0)] for row, text in enumerate(batch.outputs)], float
            ),
            "it counts one more where a text has an x",
            lambda batch: np.array(["x" in text for text in batch.outputs]),
        ),
        Tool("no-such-package-0", ("shifted",), lambda batch: np.empty((0, 1))),
    )

    def compute(self, batch: Batch, rows: range) -> np.ndarray:
        return np.array([[len(batch.outputs[row].split()), 0.0] for row in rows])


def test_what_nothing_explains_is_counted_and_its_worst_row_named() -> None:
    corpus = Corpus.from_texts(["a x", "b", "c", "d e", "f", "g", "h x"], id=list("ABCDEFG"))
    first, second, third = verify_metrics(corpus, [Shifted]).itertuples()
    assert (first.rows, first.equal, first.explained, first.unexplained, first.example) == (7, 4, 2, 1, "D")
    assert (first.tool, first.version) == ("numpy", np.__version__)
    assert second.reason == "no-such-package-0 is not installed: pip install 'rainbow-nlg[bench]'"
    assert (third.column, third.reason) == ("alone", "no other implementation is known")


def test_rows_that_lack_something_are_left_out_and_so_many_are_spread() -> None:
    assert verify_metrics(Corpus.from_texts(["a", "b", "c"], [["a"], [], ["d"]]), [Ter])["rows"].tolist() == [2]
    assert verify_metrics(load_dataset("demo"), [find("levenshtein")], rows=7)["rows"].tolist() == [7]
    assert verify_metrics(Corpus.from_texts(["a"]), [Ter])["reason"].tolist() == ["no row has the required inputs"]


def test_the_command_ends_with_1_only_where_something_is_unexplained(tmp_path, monkeypatch) -> None:
    pd.DataFrame({"output": ["the inn", ""], "reference": ["an inn", "the bar is cheap"]}).to_csv(tmp_path / "mine.csv")
    monkeypatch.chdir(tmp_path)
    words = "verify", "mine.csv", "--metrics", "ter,rouge-l", "--out", "verified.csv"
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 0, done.output
    assert "2 of 2 columns compared, 0 with an unexplained difference" in done.output
    assert pd.read_csv("verified.csv")["unexplained"].tolist() == [0, 0]
    (tool,) = Ter.tools
    monkeypatch.setattr(Ter, "tools", (tool._replace(scores=lambda batch: tool.scores(batch) + 0.25),))
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 1 and "unexplained: TER differs by 0.25 on row" in done.output
    assert CliRunner().invoke(app, ["verify", "--metrics", "nothing"]).exit_code == 2
