"""The compiled module: tokens, its stub, and what it writes of corpus statistics are those of Python."""

import ast
import json
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rainbow
from rainbow.base.corpus_statistics import CompiledCounts
from rainbow.base.native import compiled, kernels
from rainbow.metrics import Batch, get
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.mteval import mteval_tokens
from rainbow.text.tokens.ptb import ptb_parts, ptb_tokens
from rainbow.text.tokens.sacrebleu_tokens import lower_cased_words
from rainbow.text.tokens.token_ids import encode_tokens
from tests.metrics.conftest import demo_rows

pytestmark = pytest.mark.skipif(compiled is None, reason="the compiled kernels were not built")


compiled = kernels()
TOKENIZERS = [ptb_tokens, ptb_parts, alphanumeric_tokens, lower_cased_words, mteval_tokens]
WORDS = [
    "The", "x", "x.", ".", "5", "1 1/2", "(123) 456-7890", "can't", "<b", ">", "&amp;", "£20-25", "...", "|||", "é",
    "İ", "Σ",
]  # fmt: skip
BLANKS = [" ", "  ", "\t", "\n", "\r\n", "\xa0", "\u2003", "\u2028", "\x1c", "\x85", "\xad", "\0", "\ud800"]
PIECES = st.sampled_from(WORDS + BLANKS)
TEXTS = st.lists(PIECES | st.text(max_size=4), max_size=12).map("".join)


@pytest.mark.parametrize("tokenizer", TOKENIZERS)
@given(texts=st.lists(TEXTS, max_size=3))
@settings(max_examples=300)
def test_encoded_texts_are_the_tokens_of_the_tokenizer(tokenizer, texts) -> None:
    encoded = encode_tokens(tokenizer, texts)
    assert [encoded.words(place) for place in range(len(encoded))] == [tokenizer(text) for text in texts]


def test_outputs_are_numbered_on_top_of_references_which_stay_as_they_are() -> None:
    batch = Batch(["a new inn", "an inn"], [["an inn"], ["an inn"]])
    outputs, references, rows, sets = batch.encoded(str.split, range(2))
    assert (len(references), len(references.vocabulary), len(outputs.vocabulary)) == (1, 2, 4)
    assert (rows.tolist(), sets.tolist()) == ([0, 1], [0, 0])


def test_rows_that_are_not_there_are_refused() -> None:
    outputs, references, rows, sets = Batch(["a"], [["a"]]).encoded(str.split, [0])
    for bad_rows, bad_sets in [(rows + 1, sets), (rows, sets + 1), (rows - 1, sets), (rows[:0], sets)]:
        with pytest.raises((ValueError, IndexError)):
            compiled.rouge_l(outputs, references, bad_rows, bad_sets, 1.2)


def test_sets_must_take_up_all_texts() -> None:
    texts = encode_tokens(str.split, ["a", "b"])
    for sizes in ([1], [3], [1, 2], [2**63]):
        with pytest.raises(ValueError, match="texts than"):
            compiled.Sets(texts, sizes)


def test_what_is_no_text_is_refused() -> None:
    for texts in ([1], [None], [b"a"]):
        with pytest.raises(TypeError):
            encode_tokens(str.split, texts)


def test_an_error_of_the_tokenizer_is_passed_on() -> None:
    def tokens(text: str) -> list[str]:
        raise RuntimeError(text)

    with pytest.raises(RuntimeError, match="inn"):
        encode_tokens(tokens, ["inn"])


def test_threads_share_a_tokenizer() -> None:
    texts = [f"w{i % 977} x{i}. y" for i in range(20_000)]
    expected = [texts[i].split() for i in range(0, len(texts), 100)]
    found = []

    def run() -> None:
        encoded = encode_tokens(str.split, texts)
        found.append([encoded.words(i) for i in range(0, len(texts), 100)])

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 4


STUB = ast.parse(Path(rainbow.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))
# What pybind11 writes first into a docstring: `name(outputs: rainbow._native.Texts, threads: ... = 1) -> ...`
SIGNATURE = re.compile(r"(?:^|\d\. )(\w+)\((.*)\) -> ", re.MULTILINE)
PARAMETER = re.compile(r"(?:^|, )(\w+): ")


def built(owner: Any, prefix: str = "") -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield every name of a module or class with its parameters; None for classes and properties."""
    for name, entry in vars(owner).items():
        if name.startswith("_") and name not in ("__init__", "__len__"):
            continue
        if isinstance(entry, type | property):
            yield prefix + name, None
        for signature in SIGNATURE.finditer("" if isinstance(entry, type) else entry.__doc__ or ""):
            yield prefix + name, tuple(PARAMETER.findall(signature[2]))
        if isinstance(entry, type):
            yield from built(entry, f"{name}.")


def stubbed(body: list[ast.stmt], prefix: str = "") -> Iterator[tuple[str, tuple[str, ...] | None]]:
    """Yield the same of a stub."""
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield statement.name, None
            yield from stubbed(statement.body, f"{statement.name}.")
        if isinstance(statement, ast.FunctionDef):
            is_property = any(ast.unparse(decorator) == "property" for decorator in statement.decorator_list)
            yield prefix + statement.name, None if is_property else tuple(arg.arg for arg in statement.args.args)


def test_the_stub_has_the_names_and_parameters_of_the_module() -> None:
    assert sorted(stubbed(STUB.body), key=repr) == sorted(built(compiled), key=repr)


ODD = [
    'an "inn" by \\ the \u00e9t\u00e9, 20 \u20ac', "a \U0001f600 bar\x7f near \u2028 the \ud800 pub",
    "the \x01 cat\x1f sat\x02 on \x0c it", "",
]  # fmt: skip


@pytest.mark.parametrize("name", ["cider", "nist"])
@pytest.mark.parametrize("texts", [ODD, None], ids=["odd texts", "demo"])
def test_a_kernel_writes_the_content_that_python_writes(name: str, texts: list[str] | None) -> None:
    references = [list(texts)[place:] for place in range(4)] if texts else [*demo_rows().frame["references"]]
    fitted = get(name).fit(Batch(["an inn"] * len(references), references)).statistics
    assert any(isinstance(part.counts, CompiledCounts) for part in fitted.collections.values())
    assert fitted.content() == json.dumps(fitted.to_json(), sort_keys=True).encode()
