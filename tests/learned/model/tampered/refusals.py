"""How a file is refused: with one clear sentence; and what is done to it before."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rainbow.learned.learner.regressor import PRESETS
from rainbow.learned.model.model_file import read_model
from tests.learned import saved

KINDS: tuple[saved.Kind, ...] = (*PRESETS, "started")


def refused(path: Path, message: str) -> None:
    with pytest.raises(ValueError, match=message) as caught:
        read_model(path)
    assert str(caught.value).startswith(f"{path} is not a usable model: ") and "\n" not in str(caught.value)


def schema_edited(entries: saved.Entries, edit: Callable[[Any], Any]) -> saved.Entries:
    def change(inner: saved.Entries) -> None:
        schema = json.loads(inner["schema.json"])
        edit(schema)
        inner["schema.json"] = json.dumps(schema).encode()

    return saved.learner_edited(entries, change)


def node(loader: str, module: str, name: str, content: Any = None) -> dict[str, Any]:
    return {"__loader__": loader, "__module__": module, "__class__": name, "content": content, "__id__": 0}


def learner(schema: Any) -> Any:
    """Return the fields of the kernel regression, which may stand beside a trend."""
    fields = schema["content"]["content"]
    return fields["_kernel"]["content"]["content"] if "_kernel" in fields else fields


def kernel_of(ridge: Any, place: int) -> Any:
    return ridge["_text_parts"]["content"][place]["content"][1]["content"]["content"]
