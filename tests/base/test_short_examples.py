"""Short examples of functions in base."""

from pathlib import Path

import pandas as pd
import pytest

import rainbow
from rainbow.base.aliases import argument_for
from rainbow.base.files import escape_formulas
from rainbow.base.fingerprint import file_sha256
from rainbow.base.formatting import safe_line


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: argument_for("mrs"), "inputs"),
    (lambda: argument_for("references"), "references"),
    (lambda: escape_formulas(pd.DataFrame({"output": ["=1+1", "- no", "-1.5", "an inn"]}))["output"].tolist(),
     ["'=1+1", "'- no", "-1.5", "an inn"]),
    (lambda: len(file_sha256(Path(rainbow.__file__))), 64),
    (lambda: safe_line("\x1b]0;owned\x07busy:\x1b[31m try\u202e\nlater\x00"), "busy: try later"),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
