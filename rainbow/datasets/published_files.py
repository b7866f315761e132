"""Published files of the named datasets: their addresses and hashes, as ``data/files.toml`` lists them."""

from __future__ import annotations

import tomllib
from pathlib import Path

from rainbow.base.downloads import DATA, RemoteFile

_GROUPS = tomllib.loads((Path(__file__).parent / "data" / "files.toml").read_text(encoding="utf-8"))


def published_files(group: str) -> dict[str, RemoteFile]:
    """Return the files of a group, by the names that ``data/files.toml`` gives them."""
    about = _GROUPS[group]
    further = {name: about[name] for name in ("by_hand", "part_serves") if name in about}
    result = {}
    for name, entry in about["sha256"].items():
        part, sha256 = entry if isinstance(entry, list) else (name, entry)
        local, url, bundle = about["local"].format(part), about["url"].format(part), about["bundle"].format(name)
        result[name] = RemoteFile(DATA, local, url, sha256, bundle, columns=tuple(about.get("columns", ())), **further)
    return result
