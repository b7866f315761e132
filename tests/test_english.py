"""Phrases that a reader from the field stumbles over stay out of help, documents, messages and docstrings."""

import ast
import re
from functools import partial
from pathlib import Path

import click
import pytest
from typer.main import get_command

from rainbow.cli import app

ROOT = Path(__file__).parents[1]
# A phrase, and what to write in its place.
BANNED = {
    r"\bso many\b": "number of", r"\bbesides?\b": "next to, in addition to", r"\bat hand\b": "available",
    r"(?<!here )(?<!if it )\bis no (?!longer)": "is not a", r"(?<!here )\bare no (?!longer)": "are not",
    r"\bis told\b|\btell apart\b|\btold apart\b": "distinguish, is detected by", r"\bstands? in\b": "is in",
    r"\bgives? up\b": "stop", r"\bof before\b|\bof now\b": "earlier, current",
    r"\bis said\b|\bwhat is said\b|\bsays? of\b": "name the thing", r"\bis found out\b": "is detected",
    r"\bturned round\b": "reversed", r"\bwith commas between\b": "comma-separated", r"\bword salad\b": "nonsense",
    r"\bof its own\b|\bof their own\b": "its own", r"\bgoes on where\b": "resumes",
    r"\btold\b|\bis none of\b": "passed, given, is not one of", r"\bmend(?:ed|s|ing)?\b(?! \|)": "fix, repair",
    r"\banew\b(?<!--anew)": "again", r"\bwhat is (?:known|asked|lacking|wanted)\b": "name the thing",
}  # fmt: skip
# One or two words, or names of columns.
NAMES = re.compile(r"\S*(?: \S+)?|(?!.*\b(?:the|an?|of|in|to|for|and|by|with|is)\b)[a-z_0-9 ]+")
# Sentences and words that are data.
DATA = (
    "rainbow/audit/sentences.py", "rainbow/audit/phrases.py", "rainbow/text/", "rainbow/meaning/",
    "rainbow/systems/replications/e2e_challenge/",
)  # fmt: skip


ROOT_COMMAND = get_command(app)
CONTEXT = click.Context(ROOT_COMMAND)


def _help_text(name: str) -> str:
    command = ROOT_COMMAND.get_command(CONTEXT, name)
    options = (getattr(option, "help", None) for option in command.params)
    return "\n".join(filter(None, [command.help, command.epilog, *options]))


PAGES = [*ROOT.glob("*.md"), *ROOT.glob("*/README.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("examples/*.md")]


def _name(file: Path) -> str:
    return str(file.relative_to(ROOT))


def _prose(page: Path) -> str:
    """Return a page without its code."""
    return re.sub(r"```.*?```|`[^`]*`|\]\([^)]*\)", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)


def _messages(file: Path) -> str:
    """Return the first lines of docstrings, and messages, of a file."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    owners = [node for node in ast.walk(tree) if isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef)]
    texts = [(ast.get_docstring(node) or "").split("\n\n")[0] for node in owners]
    docstrings = {id(node.body[0].value) for node in owners if node.body and isinstance(node.body[0], ast.Expr)}
    strings = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    texts += [node.value for node in strings if id(node) not in docstrings and not NAMES.fullmatch(node.value)]
    return " | ".join(texts)


FILES = [file for file in sorted((ROOT / "rainbow").rglob("*.py")) if not _name(file).startswith(DATA)]
# Each text by its name, as a function that reads it.
TEXTS = {f"rainbow {name} --help": partial(_help_text, name) for name in ROOT_COMMAND.list_commands(CONTEXT)}
TEXTS |= {_name(file): partial(read, file) for read, files in ((_prose, PAGES), (_messages, FILES)) for file in files}


@pytest.mark.parametrize("name", TEXTS)
def test_no_banned_phrase(name: str) -> None:
    text = " ".join(TEXTS[name]().split())
    found = {found[0]: instead for phrase, instead in BANNED.items() if (found := re.search(phrase, text))}
    assert found == {}
