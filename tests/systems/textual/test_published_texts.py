"""How the challenge's texts were prepared for its textual measures."""

from pathlib import Path

import pytest

from rainbow.datasets import load_dataset
from rainbow.meaning import parse
from rainbow.systems.textual.published_texts import delexicalised_tokens, published_tokens, repaired
from rainbow.systems.textual.tokens import cased_tokens
from tests.systems.e2e_files import read_e2e


@pytest.mark.parametrize(
    ("system", "text", "before"),
    [
        ("Adapt", "a family - friendly pub . £ 20 - 25", "a family-friendly pub . £ 20-25"),
        ("Sheff1", "it is kid - friendly", "it is kid- friendly"),
        ("TR1", "an inn. it is £20. it is x.", "An inn. It is £20. it is x."),
        ("TR2", "cheap - not kid friendly. it", "cheap - not kid friendly. it"),
    ],
)
def test_three_systems_outputs_were_repaired(system: str, text: str, before: str) -> None:
    assert repaired(text, system) == before


@pytest.mark.parametrize(
    ("text", "delexicalised"),
    [
        ("The Mill and the Mill", "X-name and the Mill"),  # other capitals only where it is nowhere as it is written
        ("the mill and the Mill", "X-name and X-name"),
        ("the Mill and the Mills", "X-name and the Mills"),
        ("the Mills and teh Mill", "X-name and teh Mill"),  # short words must be right
        ("by Crown Plaza Hotel", "by X-near"),
        ("by Crowne Plazza Hotel", "by X-near"),
        ("by Crowne Pluza Hotel", "by X-near"),
        ("by Crowe Plaza Hotels", "by X-near"),
        ("by Cronwe Plaza Hotel", "by Cronwe Plaza Hotel"),
        ("by Crowne Plaza", "by Crowne Plaza"),
    ],
)
def test_names_are_found_with_other_capitals_or_letters_where_they_are_nowhere_as_written(
    text: str, delexicalised: str
) -> None:
    meaning = parse("name[The Mill], near[Crowne Plaza Hotel]")
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
