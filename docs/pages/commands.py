"""The page of every command's help, from the command line itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

WIDTH = 78  # characters, as wide as a page shows

HEAD = """# Commands

Every command, as `rainbow COMMAND --help` prints it.

"""


def write(folder: Path) -> None:
    """Write the page."""
    import typer

    from rainbow.cli import app

    group = typer.main.get_command(app)
    context = group.context_class(group, info_name="rainbow", terminal_width=WIDTH, **group.context_settings)
    below = [command.context_class(command, context, name) for name, command in group.commands.items()]
    save(folder / "commands.md", HEAD + "\n".join(map(_section, [context, *below])))


def _section(context: Any) -> str:
    return f"## {context.command_path}\n\n```text\n{context.command.get_help(context)}\n```\n"


def save(path: Path, text: str) -> None:
    """Write a page if it is new, so that only what changed is built again."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.is_file() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
