"""One thing may be called by several names, and one text stand for a list of one."""

import inspect

import pytest

import rainbow
from rainbow.base.aliases import also_named

MR = "inform(name='the inn',area=soma)"
TEXT = "the inn is in soma."


@pytest.mark.parametrize("name", ["mrs", "mr", "input", "inputs"])
def test_what_a_text_was_made_from_has_one_meaning_and_several_names(name: str) -> None:
    assert rainbow.score(TEXT, **{name: MR}) == rainbow.score(TEXT, None, MR)
    assert rainbow.Corpus.of([TEXT], **{name: [MR]}).frame["mr"].tolist() == [MR]


def test_one_reference_is_a_list_of_one() -> None:
    listed = rainbow.score([TEXT, TEXT], references=[["an inn in soma."], ["the inn."]])
    assert rainbow.score([TEXT, TEXT], reference=["an inn in soma.", "the inn."]).tolist() == listed.tolist()


def test_two_names_of_one_argument_are_refused() -> None:
    with pytest.raises(TypeError, match="input and mrs are one argument: give it once"):
        also_named(mrs=("input",))(lambda mrs: mrs)(mrs=1, input=2)


def test_signatures_show_types_and_no_addresses() -> None:
    assert "Any" not in str(inspect.signature(rainbow.score))
    for name in set(rainbow.__all__) - {"__version__"}:
        assert "<function" not in str(inspect.signature(getattr(rainbow, name))), name


def test_an_analysis_takes_a_file(tmp_path: object) -> None:
    frame = rainbow.load_dataset("demo").frame.head(40)
    path = f"{tmp_path}/mine.csv"
    frame.assign(text=frame["output"])[["text", "quality", "system", "item"]].to_csv(path, index=False)
    with pytest.warns(UserWarning, match="--output text"):
        found = rainbow.analyse(path, metrics_of(path), resamples=20)
    assert found.inputs.ratings == ["quality"]


def metrics_of(path: str) -> object:
    return rainbow.score_corpus(rainbow.load_dataset(path, output="text"), ["len", "cpw"])
