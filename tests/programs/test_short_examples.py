"""Short examples of functions in programs."""


def test_layers_of() -> None:
    from rainbow.programs.encoder import layer_count

    assert layer_count("minilm") == 6


def test_encoder_identity() -> None:
    from rainbow.programs.encoder import encoder_identity

    assert encoder_identity("minilm") == "all-MiniLM-L6-v2 53aa51172d14"


def test_faulthandlers() -> None:
    from rainbow.programs.jvm import FaultHandlers

    handlers = FaultHandlers()
    handlers.restore()  # where another library has changed them since


def test_java_string() -> None:
    from rainbow.programs.jvm import java_string

    assert java_string("an inn \ud800") == "an inn \ufffd"


def test_is_served() -> None:
    from rainbow.programs.language_models.engine import is_served

    assert is_served("http://localhost:8000/v1#Qwen/Qwen3-8B")
    assert not (is_served("models/own.gguf"))


def test_served_name() -> None:
    from rainbow.programs.language_models.engine import served_name

    assert served_name("http://localhost:8000/v1#Qwen/Qwen3-8B") == "Qwen/Qwen3-8B"


def test_missing_server() -> None:
    from rainbow.programs.language_models.engine import server_unavailable_reason

    assert server_unavailable_reason("localhost://") is not None


def test_meteor_sha256() -> None:
    from rainbow.programs.meteor_program import JAR, meteor_file, meteor_sha256

    assert len(meteor_sha256(meteor_file(JAR))) == 64


def test_missing_network() -> None:
    from rainbow.programs.network import network_unavailable_reason

    assert network_unavailable_reason() is None or "rainbow" in network_unavailable_reason()


def test_models_digest() -> None:
    from rainbow.programs.other_parsers import models_digest

    assert len(models_digest()) in (4, 12)
