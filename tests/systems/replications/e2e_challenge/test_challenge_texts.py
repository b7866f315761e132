"""How the challenge's texts were prepared for its textual measures."""

from pathlib import Path

import pytest

from rainbow.datasets import load_dataset
from rainbow.meaning import parse_meaning
from rainbow.systems.replications.e2e_challenge.challenge_texts import (
    delexicalised_tokens,
    published_tokens,
    repair_text,
)
from rainbow.text.tokens.cased_tokens import cased_tokens
from tests.systems.e2e_files import read_e2e


@pytest.mark.parametrize(("text", "before"), [
    ("a family - friendly pub . £ 20 - 25", "A family-friendly pub . £ 20 - 25"),
    ("A non - family-friendly inn", "A non-family-friendly inn"),
    ("A well - family - friendly take - away", "A well - family-friendly take-away"),
    ("A high - end, mid - range place", "A high - end, mid-range place"),
    ("not kid - friendly. a pub - not a bar", "Not kid - friendly. A pub - not a bar"),
    ("an inn. it is £20. it is x! it is . it", "An inn. It is £20. it is x! it is . It"),
])  # fmt: skip
def test_hyphens_and_capitals_were_mended(text: str, before: str) -> None:
    assert repair_text(text) == before


@pytest.mark.parametrize(("text", "delexicalised"), [
    ("The Mill and the mill", "X-name and X-name"),
    ("the Mill will be", "X-name X-name be"),
    ("the Mill and the Mills", "X-name X-name"),
    ("a skilled miller", "a skilled X-name"),
    ("in mills at miles", "X-name at miles"),
    ("by Crown Plaza Hotel", "by X-near"),
    ("by Crowne the Pluza restaurant Hotels", "by X-near"),
    ("by Cronwe Plaza Hotel", "by X-near"),
    ("by the Crowne Plaza", "by the Crowne Plaza"),
    ("by Crowne big Plaza Hotel", "by Crowne big Plaza Hotel"),
])  # fmt: skip
def test_names_are_found_with_other_capitals_and_letters(text: str, delexicalised: str) -> None:
    meaning = parse_meaning("name[The Mill], near[Crowne Plaza Hotel]")
    assert " ".join(delexicalised_tokens(text.split(), meaning)) == delexicalised


def test_our_tokens_are_those_of_morphodita() -> None:
    pytest.importorskip("ufal.morphodita", reason="pip install 'rainbow-nlg[lexical]'")
    texts = load_dataset("demo").frame["output"]
    different = [text for text in texts if cased_tokens(text) != published_tokens(text)]
    print(f"{len(different)} of {len(texts)} outputs of demo differ")
    assert different == []


def test_our_tokens_are_those_of_morphodita_on_nearly_all_texts_of_the_challenge(data_dir: Path) -> None:
    pytest.importorskip("ufal.morphodita", reason="pip install 'rainbow-nlg[lexical]'")
    frame = read_e2e(data_dir).frame
    references = [text for texts in frame.drop_duplicates("item")["references"] for text in texts]
    texts = [*frame.loc[frame["system"] != "Adapt", "output"], *references]
    different = [text for text in texts if cased_tokens(text) != published_tokens(text)]
    print(f"{len(different)} of {len(texts)} texts differ")
    assert len(different) < 0.003 * len(texts)
