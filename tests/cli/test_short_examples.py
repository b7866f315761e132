"""Short examples of functions in cli."""


def test_saved_path() -> None:
    from rainbow.cli.column_options import default_scores_path

    assert default_scores_path("demo").name == "demo.parquet"
    assert default_scores_path("in/*.parquet").name == "in.parquet"
    assert default_scores_path("s3://bucket/in/mine.csv").name == "mine.parquet"


def test_chosen_rating() -> None:
    from rainbow.cli.column_options import select_rating

    assert select_rating(None, ["quality"], "mine.csv") == "quality"


def test_header_of() -> None:
    from rainbow.cli.scorers.score import detect_header

    assert detect_header(["id,text", "1,the inn is cheap.", '2,"cheap, and in soma."']) == ["id", "text"]
    assert detect_header(["Cheap, and in soma.", "It is cheap, but far."]) == []
    assert detect_header(["output", "the inn is cheap."]) == ["output"]
