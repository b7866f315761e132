"""METEOR's files are found where pycocoevalcap is installed."""

import hashlib
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from rainbow.programs import meteor_program
from rainbow.programs.meteor_program import JAR, PARAPHRASES, meteor_digest, meteor_file


@pytest.mark.parametrize("name", [JAR, PARAPHRASES])
def test_the_digest_is_the_beginning_of_the_files_sha256(name: str) -> None:
    assert hashlib.sha256(meteor_file(name).read_bytes()).hexdigest().startswith(meteor_digest(name))
    assert len(meteor_digest(name)) == 12


def test_a_missing_package_names_the_command_that_installs_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_program, "find_spec", lambda name: None)
    with pytest.raises(FileNotFoundError, match="pip install pycocoevalcap"):
        meteor_file(JAR)


def test_a_missing_file_names_the_command_that_mends_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    spec = ModuleSpec("pycocoevalcap", None, is_package=True)
    spec.submodule_search_locations = [str(tmp_path)]
    monkeypatch.setattr(meteor_program, "find_spec", lambda name: spec)
    with pytest.raises(
        FileNotFoundError,
        match=f"pycocoevalcap has no file {JAR}: pip install --force-reinstall --no-deps pycocoevalcap",
    ):
        meteor_file(JAR)
