"""Short examples of functions in cli."""


def test_saved_path() -> None:
    from rainbow.cli.columns import saved_path

    assert saved_path("demo").name == "demo.parquet"
    assert saved_path("in/*.parquet").name == "in.parquet"
    assert saved_path("s3://bucket/in/mine.csv").name == "mine.parquet"


def test_chosen_rating() -> None:
    from rainbow.cli.columns import chosen_rating

    assert chosen_rating(None, ["quality"], "mine.csv") == "quality"


def test_header_of() -> None:
    from rainbow.cli.scorers.header import header_of

    assert header_of(["id,text", "1,the inn is cheap.", '2,"cheap, and in soma."']) == ["id", "text"]
    assert header_of(["Cheap, and in soma.", "It is cheap, but far."]) == []
    assert header_of(["output", "the inn is cheap."]) == ["output"]
