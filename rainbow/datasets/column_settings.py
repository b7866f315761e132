"""Saving of column options in ``rainbow.toml`` next to the file."""

from __future__ import annotations

import os
from pathlib import Path

from rainbow.base.files import write_atomically
from rainbow.datasets.columns import CONFIG_FILE, Columns, file_fields, option_name


def save_columns(path: Path, columns: Columns) -> Path:
    """Save the column options of a file under its name, leaving other entries unchanged."""
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    file = path.with_name(CONFIG_FILE)
    try:
        held = tomlkit.parse(file.read_text(encoding="utf-8")) if file.is_file() else tomlkit.document()
    except TOMLKitError as error:
        raise ValueError(f"{file}: {error}") from None
    table = tomlkit.table()
    if "error_weights" in (before := held.get(path.name, {})):  # the general ones stay where they are
        table.add("error_weights", before["error_weights"])
    for name, value in columns.without("error_weights").set_options().items():
        if name in file_fields(path) or name == "background":
            value = _relative_paths(value, path)
        table.add(option_name(name), value[0] if isinstance(value, list) and len(value) == 1 else value)
    held[path.name] = table
    return write_atomically(file, lambda part: part.write_text(tomlkit.dumps(held), encoding="utf-8"))


def _relative_paths(value: str | list[str], path: Path) -> str | list[str]:
    """Return paths relative to the folder of the file."""
    if isinstance(value, list):
        return [os.path.relpath(part, path.parent) for part in value]
    return os.path.relpath(value, path.parent)
