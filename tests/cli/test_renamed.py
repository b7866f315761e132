"""Names of the version before: they work, and what they are called now is said."""

import pytest

from rainbow.cli.renamed import as_called_now


@pytest.mark.parametrize(
    ("before", "now", "told"),
    [
        ("explain METEOR demo", "audit METEOR demo --words", "rainbow explain is called rainbow audit --words now"),
        ("audit METEOR --limit 5", "audit METEOR --rows 5", "--limit is called --rows now"),
        ("audit METEOR --limit=5", "audit METEOR --rows 5", "--limit is called --rows now"),
        ("serve --max-rows 5 TER", "serve --limit rows=5 TER", "--max-rows is called --limit rows= now"),
        ("serve --queue=7", "serve --limit queue=7", "--queue is called --limit queue= now"),
        ("plan demo --times 9", "plan demo --resamples 9", "--times is called --resamples now"),
    ],
)
def test_an_old_name_is_put_in_that_of_today(
    before: str, now: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert as_called_now(before.split()) == now.split()
    assert capsys.readouterr().err == f"rainbow: {told}\n"


@pytest.mark.parametrize(
    "today", ["metrics demo --csv", "serve --limit rows=5", "audit METEOR --rows 5", "judge x --limit 3"]
)
def test_what_is_called_so_today_stays(today: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert as_called_now(today.split()) == today.split()
    assert capsys.readouterr().err == ""
