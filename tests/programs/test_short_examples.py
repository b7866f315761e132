"""Short examples of functions in programs."""

import pytest

from rainbow.programs.encoder import encoder_identity, layer_count
from rainbow.programs.jvm import FaultHandlers, java_string
from rainbow.programs.language_models.server_model import is_served, served_name, server_unavailable_reason
from rainbow.programs.meteor_files import JAR, meteor_file, meteor_sha256
from rainbow.programs.network import network_unavailable_reason
from rainbow.programs.stanza_parser import models_digest


@pytest.mark.parametrize(
    ("call", "expected"),
    [
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
    ],
)
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected


def test_faulthandlers() -> None:
    handlers = FaultHandlers()
    handlers.restore()  # where another library has changed them since
