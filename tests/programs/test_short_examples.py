"""Short examples of functions in programs, METEOR's files, and distances in its WordNet."""

import hashlib
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest

from rainbow.programs import meteor_program
from rainbow.programs.encoder import encoder_identity, layer_count
from rainbow.programs.jvm import FaultHandlers, java_string
from rainbow.programs.language_models.engine import is_served, served_name, server_unavailable_reason
from rainbow.programs.meteor_program import (
    JAR,
    PARAPHRASES,
    meteor_digest,
    meteor_file,
    meteor_sha256,
    wordnet_distance,
)
from rainbow.programs.network import network_unavailable_reason
from rainbow.programs.other_parsers import models_digest


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: layer_count("minilm"), 6),
    (lambda: encoder_identity("minilm"), "all-MiniLM-L6-v2 53aa51172d14"),
    (lambda: java_string("an inn \ud800"), "an inn �"),
    (lambda: is_served("http://localhost:8000/v1#Qwen/Qwen3-8B"), True),
    (lambda: is_served("models/own.gguf"), False),
    (lambda: served_name("http://localhost:8000/v1#Qwen/Qwen3-8B"), "Qwen/Qwen3-8B"),
    (lambda: server_unavailable_reason("localhost://") is not None, True),
    (lambda: len(meteor_sha256(meteor_file(JAR))), 64),
    (lambda: network_unavailable_reason() is None or "rainbow" in network_unavailable_reason(), True),
    (lambda: len(models_digest()) in (4, 12), True),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_faulthandlers() -> None:
    handlers = FaultHandlers()
    handlers.restore()  # where another library has changed them since


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
    message = f"pycocoevalcap has no file {JAR}: pip install --force-reinstall --no-deps pycocoevalcap"
    with pytest.raises(FileNotFoundError, match=message):
        meteor_file(JAR)


@pytest.mark.parametrize(("word", "other", "distance"), [
    ("phone", "telephone", 0),
    ("kids", "children", 0),  # a plural in s, an irregular one
    ("eateries", "restaurant", 0),
    ("allowing", "permits", 0),
    ("hotel", "inn", 1),  # an inn is a hotel
    ("hotel", "dog", None),
    ("run", "take", None),  # too many senses to look at neighbours
    ("zizzi", "hotel", None),
    ("", "", None),
])  # fmt: skip
def test_synonyms_are_at_0_neighbours_at_1_others_nowhere(word: str, other: str, distance: int | None) -> None:
    assert wordnet_distance(word, other) == wordnet_distance(other, word) == distance
