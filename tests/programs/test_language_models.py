"""Language models by CTranslate2: their numbers are PyTorch's, and each text's own, whatever stands beside it."""

import math
import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rainbow.base.downloads import locate_file
from rainbow.programs.bundles import SMOLLM2
from rainbow.programs.language_models import conversion, engine
from rainbow.programs.language_models.engine import (
    LONGEST,
    Answer,
    converted_model,
    log_probabilities,
    model_identity,
    model_unavailable_reason,
)

SAID = Answer("Write a text that says: name = the inn, price = cheap", "The inn is cheap.")
OTHERS = [Answer("", "An inn"), Answer("Say this in other words: A pub.", "Pubs"), Answer("", "x " * 300), SAID]


@pytest.fixture
def installed() -> None:
    if missing := model_unavailable_reason():
        pytest.skip(missing)


def logs_of(request: str, text: str, model: str = "smollm2") -> tuple[float, ...] | None:
    return log_probabilities([Answer(request, text)], model)[0]


@pytest.mark.usefixtures("installed")
def test_what_answers_is_more_probable_than_what_does_not() -> None:
    assert sum(log_probabilities([SAID])[0]) > sum(logs_of(SAID.request, "The inn is dear.")) + 1
    assert sum(log_probabilities([SAID])[0]) > sum(logs_of("", SAID.text))
    assert all(value <= 0 for value in log_probabilities([SAID])[0])


@pytest.mark.usefixtures("installed")
def test_a_text_has_its_own_numbers_alone_beside_others_and_in_threads() -> None:
    engine._remembered._values.clear()
    together = log_probabilities(OTHERS)
    engine._remembered._values.clear()
    assert [log_probabilities([one])[0] for one in reversed(OTHERS)] == together[::-1]
    engine._remembered._values.clear()
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda one: log_probabilities([one])[0], OTHERS * 3)) == together * 3


@pytest.mark.usefixtures("installed")
def test_any_text_has_numbers_or_none() -> None:
    assert logs_of("inn", "") == () and logs_of("", "inn " * LONGEST) is None
    assert logs_of("inn " * LONGEST, "inn") is None
    for text in ("\ud800 inn", "\0", "😀", "<|im_end|>", "日本語", "العربية", "x" * 400):
        assert all(math.isfinite(value) for value in logs_of("", text))
    assert len(logs_of("", "<|im_end|>")) > 2  # a mark that a user writes is a text like any other


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_numbers_are_those_of_pytorch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    torch = pytest.importorskip("torch")
    from scripts.text_vectors import loaded

    monkeypatch.setattr(conversion, "WEIGHTS", "float32")
    exact = str(conversion.convert_gguf(locate_file(SMOLLM2), tmp_path / "float32"))
    network = loaded("AutoModelForCausalLM", dtype="float32").eval()
    model = engine._load_model(exact)
    for answer in (SAID, Answer("", "An inn.")):
        before, text = model._encode_answer(*answer)
        numbers = [model._tokenizer.token_to_id(token) for token in before + text]
        with torch.inference_mode():
            logs = network(torch.tensor([numbers])).logits[0].log_softmax(-1)
        expected = [float(logs[place - 1, numbers[place]]) for place in range(len(before), len(numbers))]
        assert logs_of(*answer, model=exact) == pytest.approx(expected, abs=2e-3)
        assert logs_of(*answer) == pytest.approx(expected, abs=1.0)  # 8 bits
    # Whose tokens are the same but for digits of other scripts, which the tokenizer of SmolLM parts.
    tokenizer = loaded("AutoTokenizer")
    for text in ("It's 12.50 £, isn't it?", "naïve\u00a0café", "日本語 текст", "😀👍🏽", "a\tb\r\n  c "):
        assert model.tokens(text) == tokenizer.tokenize(text)


@pytest.mark.usefixtures("installed")
def test_a_folder_of_ones_own_is_a_model(tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(converted_model(), own)
    assert log_probabilities([SAID], str(own)) == log_probabilities([SAID])
    assert model_identity(str(own)).startswith("own ")
    (own / "tokenizer.json").unlink()
    assert model_unavailable_reason(str(own)) == f"the folder {own} has no tokenizer.json"


@pytest.mark.usefixtures("installed")
def test_what_is_no_model_is_refused_and_leaves_nothing(tmp_path: Path) -> None:
    (tmp_path / "odd.gguf").write_bytes(b"no GGUF" * 100)
    with pytest.raises(ValueError, match=r"odd.gguf is not a GGUF file"):
        conversion.convert_gguf(tmp_path / "odd.gguf", tmp_path / "made")
    assert [path.name for path in tmp_path.iterdir()] == ["odd.gguf"]


def test_what_is_missing_is_said_with_its_remedy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    monkeypatch.setattr(engine, "find_spec", lambda name: name)
    assert "rainbow fetch smollm2" in model_unavailable_reason()
    assert "unknown model '/none.gguf'" in model_unavailable_reason("/none.gguf")
    monkeypatch.setattr(engine, "find_spec", lambda name: None)
    assert "pip install 'rainbow-nlg[likelihood]'" in model_unavailable_reason()
