"""Short examples of functions in base."""


def test_argument_of() -> None:
    from rainbow.base.aliases import argument_for

    assert (argument_for("mrs"), argument_for("references")) == ("inputs", "references")


def test_guarded() -> None:
    import pandas as pd

    from rainbow.base.files import escape_formulas

    assert escape_formulas(pd.DataFrame({"output": ["=1+1", "- no", "-1.5", "an inn"]}))["output"].tolist() == [
        "'=1+1",
        "'- no",
        "-1.5",
        "an inn",
    ]


def test_file_sha256() -> None:
    from pathlib import Path

    import rainbow
    from rainbow.base.fingerprint import file_sha256

    assert len(file_sha256(Path(rainbow.__file__))) == 64


def test_one_line() -> None:
    from rainbow.base.formatting import safe_line

    assert safe_line("\x1b]0;owned\x07busy:\x1b[31m try\u202e\nlater\x00") == "busy: try later"
