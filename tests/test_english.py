"""Phrases that a reader from the field stumbles over do not come back where they were removed."""

import re
from pathlib import Path

import click
import pytest
from typer.main import get_command

from rainbow.cli import app

ROOT = Path(__file__).parents[1]
# A phrase, and what to write in its place.
BANNED = {
    r"\bso many\b": "number of",
    r"\bbesides?\b": "next to, in addition to",
    r"\bat hand\b": "available",
    r"\bis no (?!longer)": "is not a",
    r"\bare no (?!longer)": "are not",
    r"\bis told\b|\btell apart\b|\btold apart\b": "distinguish, is detected by",
    r"\bstands? in\b": "is in",
    r"\bgives? up\b": "stop",
    r"\bof before\b|\bof now\b": "earlier, current",
    r"\bis said\b|\bwhat is said\b|\bsays? of\b": "name the thing",
    r"\bis found out\b": "is detected",
    r"\bturned round\b": "reversed",
    r"\bwith commas between\b": "comma-separated",
    r"\bword salad\b": "nonsense",
    r"\bof its own\b|\bof their own\b": "its own",
    r"\bgoes on where\b": "resumes",
}


def _help_texts() -> dict[str, str]:
    root = get_command(app)
    context = click.Context(root)
    texts = {}
    for name in root.list_commands(context):
        command = root.get_command(context, name)
        options = (getattr(option, "help", None) for option in command.params)
        texts[f"rainbow {name} --help"] = "\n".join(filter(None, [command.help, command.epilog, *options]))
    return texts


TEXTS = _help_texts() | {name: (ROOT / name).read_text(encoding="utf-8") for name in ("README.md",)}


@pytest.mark.parametrize("name", TEXTS)
def test_no_banned_phrase(name: str) -> None:
    text = " ".join(TEXTS[name].split())
    found = {found[0]: instead for phrase, instead in BANNED.items() if (found := re.search(phrase, text))}
    assert found == {}
