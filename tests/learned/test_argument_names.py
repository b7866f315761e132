"""One thing may be called by several names, and one text stand for a list of one."""

import inspect
from collections.abc import Callable

import pytest

import rainbow
from rainbow.base.aliases import accept_aliases
from rainbow.serving import MetricScorer, RowScorer, compute

MR = "inform(name='the inn',area=soma)"
TEXT = "the inn is in soma."


@pytest.mark.parametrize("name", ["mrs", "mr", "input", "inputs"])
def test_what_a_text_was_made_from_has_one_meaning_and_several_names(name: str) -> None:
    assert rainbow.score(TEXT, **{name: MR}) == rainbow.score(TEXT, None, MR)
    assert rainbow.Corpus.from_texts([TEXT], **{name: [MR]}).frame["mr"].tolist() == [MR]


def test_one_reference_is_a_list_of_one() -> None:
    listed = rainbow.score([TEXT, TEXT], references=[["an inn in soma."], ["the inn."]])
    assert rainbow.score([TEXT, TEXT], reference=["an inn in soma.", "the inn."]).tolist() == listed.tolist()


def test_two_names_of_one_argument_are_refused() -> None:
    with pytest.raises(TypeError, match="mr and inputs are the same argument: give only one"):
        accept_aliases(inputs=("mr",))(lambda inputs: inputs)(inputs=1, mr=2)


def test_signatures_show_types_and_no_addresses() -> None:
    assert "Any" not in str(inspect.signature(rainbow.score))
    for name in set(rainbow.__all__) - {"__version__"}:
        assert "<function" not in str(inspect.signature(getattr(rainbow, name))), name


@pytest.mark.parametrize("function", [
    rainbow.score, rainbow.Scorer.__call__, rainbow.Scorer.scored, rainbow.Scorer.predict_proba, rainbow.Reward,
    rainbow.Corpus.from_texts, compute, MetricScorer.__call__, RowScorer,
])  # fmt: skip
def test_signatures_call_an_input_what_the_documentation_calls_it(function: Callable[..., object]) -> None:
    names = inspect.signature(function).parameters
    assert "inputs" in names and not {"mr", "mrs"} & names.keys()


@pytest.mark.parametrize("name", ["mrs", "mr", "input", "inputs"])
def test_every_scorer_takes_inputs_by_each_of_their_names(name: str) -> None:
    scorer, given = rainbow.Scorer("fast"), {name: [MR]}
    [expected] = scorer([TEXT], None, [MR])
    assert scorer.scored([TEXT], **given).score.tolist() == [expected]
    assert compute(predictions=[TEXT], scorer=scorer, **given)["scores"] == [expected]
    assert rainbow.Reward(scorer, **{name: "prompt"})([MR], [TEXT]) == [expected]
    assert RowScorer(scorer, **{name: "data"})([TEXT], {"data": [MR]}).tolist() == [expected]


def test_an_analysis_takes_a_file(tmp_path: object) -> None:
    frame = rainbow.load_dataset("demo").frame.head(40)
    path = f"{tmp_path}/mine.csv"
    frame.assign(text=frame["output"])[["text", "quality", "system", "item"]].to_csv(path, index=False)
    with pytest.warns(UserWarning, match="--output text"):
        found = rainbow.analyse(path, metrics_of(path), resamples=20)
    assert found.inputs.ratings == ["quality"]


def metrics_of(path: str) -> object:
    return rainbow.score_corpus(rainbow.load_dataset(path, output="text"), ["len", "cpw"])
