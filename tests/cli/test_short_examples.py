"""Short examples of functions in cli."""

import pytest

from rainbow.cli.column_options import default_scores_path, select_rating
from rainbow.cli.scorers.score import detect_header


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: default_scores_path("demo").name, "demo.parquet"),
    (lambda: default_scores_path("in/*.parquet").name, "in.parquet"),
    (lambda: default_scores_path("s3://bucket/in/mine.csv").name, "mine.parquet"),
    (lambda: select_rating(None, ["quality"], "mine.csv"), "quality"),
    (lambda: detect_header(["id,text", "1,the inn is cheap.", '2,"cheap, and in soma."']), ["id", "text"]),
    (lambda: detect_header(["Cheap, and in soma.", "It is cheap, but far."]), []),
    (lambda: detect_header(["output", "the inn is cheap."]), ["output"]),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
