"""The site has every page; nothing is built here (`make docs`)."""

import re
from pathlib import Path

import typer

import rainbow
from docs.pages import citing, columns, commands, links, python
from rainbow.cli import app
from rainbow.metrics import all_metrics

ROOT = Path(__file__).parents[1]


def in_a_toctree() -> list[Path]:
    text = (ROOT / "docs/index.md").read_text()
    lines = [line for block in re.findall(r"```{toctree}\n(.*?)```", text, re.DOTALL) for line in block.splitlines()]
    named = [line.rpartition("<")[2].rstrip(">") for line in lines if line and not line.startswith(":")]
    return [(ROOT / "docs" / f"{name}.md").resolve() for name in named]


def test_every_page_stands_in_a_toctree_once() -> None:
    pages = {*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md"), *ROOT.glob("[!.]*/README.md")}
    found = [path for path in in_a_toctree() if path.parent.name != "reference"]
    assert sorted(pages - {*found, ROOT / "docs/index.md"}) == [], "add a line to docs/index.md"
    assert len(found) == len(set(found))
    assert [path for path in found if not path.is_file()] == []


def test_the_pages_that_are_made_have_every_command_column_and_name(tmp_path: Path) -> None:
    for page in (commands, columns, python, citing):
        page.write(tmp_path)
    told = (tmp_path / "commands.md").read_text()
    assert [name for name in typer.main.get_command(app).commands if f"\n## rainbow {name}\n" not in told] == []
    told = (tmp_path / "columns.md").read_text()
    names = [column.name for metric in all_metrics().values() for column in metric.columns]
    assert [name for name in names if f"| [`{name}`](" not in told] == []
    told = (tmp_path / "python.rst").read_text()
    names = [name for name in rainbow.__all__ if name != "__version__"]
    assert [name for name in names if f"rainbow.{name}" not in told] == []
    assert all((tmp_path / f"{page}.rst").is_file() for page in re.findall(r"^   (python/.*)$", told, re.MULTILINE))
    found = {path.stem for path in in_a_toctree() if path.parent.name == "reference"}
    assert found == {path.stem for path in tmp_path.iterdir() if path.is_file()}


def test_links_that_lead_nowhere_are_found(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text('<a href="b.html#here">b</a> <a href="b.html#there">b</a> <a href="c.html">c</a>')
    (tmp_path / "b.html").write_text(
        '<p id="here"><a href="https://example.org">x</a><img src="https://example.org/x.png">'
        '<link rel="stylesheet" href="//example.org/x.css"><a href="#here">x</a></p>'
    )
    assert links.wrong_links(tmp_path) == [
        "a.html: b.html#there", "a.html: c.html", "b.html: https://example.org/x.png", "b.html: //example.org/x.css"
    ]  # fmt: skip
