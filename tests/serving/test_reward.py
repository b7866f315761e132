"""Reward functions: what trainers hand over, what they get, and that nothing a policy writes can game or stall them."""

import inspect
import multiprocessing
import pickle
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from rainbow.metrics import Batch, get
from rainbow.scoring.score_corpus import fit_metrics, score_corpus
from rainbow.serving.metric_scorer import MetricScorer
from rainbow.serving.reward import Reward, ScorerProtocol, completion_text

PROMPTS = ["inform(name=inn)", "inform(name=bar)", "inform(name=pub)"]
TEXTS = ["the inn is cheap", "a bar", "this is the pub"]
TARGETS = ["the inn is cheap", ["the bar is here", "a bar is here"], "the pub"]


class WordCount:
    """Scores a text by its number of words, between 1 and 6; NaN for the word 'unknown'. Remembers what it saw."""

    name = "words"
    low, high = 1.0, 6.0

    def __init__(self, *needs: str) -> None:
        self.needs = frozenset(needs)
        self.seen: list[tuple[list[str], object, object]] = []

    def __call__(self, outputs: Sequence[str], references=None, mrs=None):
        self.seen.append((list(outputs), references, mrs))
        return np.array([np.nan if text == "unknown" else float(len(text.split())) for text in outputs])


def similarity(**options: object) -> Reward:
    return Reward(MetricScorer("SE"), references="target", **options)


def assistant(content: object) -> list[dict[str, object]]:
    return [{"role": "assistant", "content": content}]


def called_in_another_process(reward: Reward) -> list[float | None]:
    return reward(PROMPTS, TEXTS, target=TARGETS)


def test_a_reward_is_the_score_of_the_completion_against_the_references_of_its_row():
    expected = get("se").score(Batch(TEXTS, [["the inn is cheap"], ["the bar is here", "a bar is here"], ["the pub"]]))
    assert similarity()(prompts=PROMPTS, completions=TEXTS, target=TARGETS) == expected[:, 0].tolist()


def test_rewards_are_plain_floats_or_none():
    rewards = Reward(WordCount())(PROMPTS, ["a b", "unknown", ""])
    assert [type(reward) for reward in rewards] == [float, type(None), float]


def test_a_completion_that_the_scorer_cannot_score_has_no_reward():
    assert Reward(WordCount())(PROMPTS, ["a b", "unknown", "a b c"]) == [2.0, None, 3.0]


@pytest.mark.parametrize("references", [None, [], ["", " "], ""])
def test_a_row_without_the_references_that_the_scorer_needs_has_no_reward_whatever_the_completion(references):
    reward = Reward(WordCount("references"), references="target")
    completions = ["a b", "", "a " * 2000, "a b c"]
    assert reward(["p"] * 4, completions, target=[references] * 3 + [["r"]]) == [None, None, None, 3.0]
    assert reward.scorer.seen == [(["a b c"], [("r",)], None)]


@pytest.mark.parametrize("mr", [None, "", " "])
def test_a_row_without_the_meaning_representation_that_the_scorer_needs_has_no_reward(mr):
    assert Reward(WordCount("mrs"), mrs="meaning")(["p"] * 2, ["a b", "a b"], meaning=[mr, "inform()"]) == [None, 2.0]


@pytest.mark.parametrize("blank", ["", "  \n\t", None, []])
def test_a_blank_completion_gets_the_worst_value_without_being_scored(blank):
    reward = Reward(WordCount())
    assert reward(["p"] * 2, [assistant(blank), assistant("a b")]) == [1.0, 2.0]
    assert reward.scorer.seen == [(["a b"], None, None)]


def test_a_completion_that_is_too_long_gets_the_worst_value_without_being_scored():
    reward = Reward(WordCount(), max_characters=9)
    assert reward(["p"] * 2, ["a b c d e", "a b c d e "]) == [5.0, 1.0]
    assert reward.scorer.seen == [(["a b c d e"], None, None)]


def test_padding_a_good_completion_beyond_the_limit_never_pays():
    good, padded = similarity()(["p"] * 2, [TEXTS[0], TEXTS[0] + " and so on" * 1000], target=[TEXTS[0]] * 2)
    assert (good, padded) == (1.0, 0.0)


def test_without_a_limit_every_length_is_scored():
    assert Reward(MetricScorer("SE"), references="r", max_characters=None)(["p"], ["a " * 3000], r=["a " * 3000]) == [1]


def test_a_batch_in_which_nothing_is_worth_scoring_never_reaches_the_scorer():
    reward = Reward(WordCount())
    assert (reward(["p"] * 2, ["", " "]), reward.scorer.seen) == ([1.0, 1.0], [])


def test_an_empty_batch_has_no_rewards():
    assert similarity()([], [], target=[]) == []


def test_scores_beyond_the_scale_are_moved_to_its_end():
    assert Reward(WordCount())(["p"], ["a b c d e f g h"]) == [6.0]


def test_rescaled_rewards_lie_between_0_and_1():
    completions = ["", "a", "a b c d e f", "a b c d e f g h", "unknown"]
    assert Reward(WordCount(), rescale=True)(["p"] * 5, completions) == [0.0, 0.0, 1.0, 1.0, None]


def test_a_reward_does_not_depend_on_the_rows_beside_it():
    together = similarity()(PROMPTS, TEXTS, target=TARGETS)
    assert together == [similarity()([p], [c], target=[t])[0] for p, c, t in zip(PROMPTS, TEXTS, TARGETS, strict=True)]


def test_whatever_else_a_trainer_passes_is_ignored():
    extras = dict(trainer_state=object(), log_extra=print, log_metric=print, environments=[object()], level=[1, 2, 3])
    rewards = similarity()(prompts=PROMPTS, completions=TEXTS, completion_ids=[[1], [2], [3]], target=TARGETS, **extras)
    assert rewards == similarity()(PROMPTS, TEXTS, target=TARGETS)


def test_chat_completions_get_the_rewards_of_their_texts():
    chats = [assistant(text) for text in TEXTS]
    prompts = [[{"role": "user", "content": prompt}] for prompt in PROMPTS]
    assert similarity()(prompts, chats, target=TARGETS) == similarity()(PROMPTS, TEXTS, target=TARGETS)


CALL = {"role": "assistant", "tool_calls": [{"type": "function", "function": {"name": "look_up", "arguments": {}}}]}
RESULT = {"role": "tool", "name": "look_up", "content": "GBP 40"}


@pytest.mark.parametrize(("completion", "text"), [
    ("the inn", "the inn"),
    (assistant("the inn"), "the inn"),
    (assistant([{"type": "text", "text": "the "}, {"type": "text", "text": "inn"}]), "the inn"),
    (assistant([{"type": "image"}, {"type": "text", "text": "the inn"}]), "the inn"),
    (assistant([{"type": "reasoning", "text": "hm"}, {"type": "text", "text": "the inn"}]), "the inn"),
    (assistant([{"type": "text", "text": None}]), ""),
    ([CALL, RESULT, *assistant("the inn")], "the inn"),
    ([*assistant("let me see"), CALL, RESULT], ""),
    ([CALL], ""),
    ([RESULT], ""),
    ([], ""),
    (({"role": "assistant", "content": "the inn"},), "the inn"),
])  # fmt: skip
def test_the_last_assistant_message_counts(completion, text):
    assert completion_text(completion) == text


@pytest.mark.parametrize("completion", [None, 3, ["the inn"], assistant(3), assistant(["the inn"]), b"the inn"])
def test_what_is_neither_text_nor_chat_is_refused_with_its_row(completion):
    with pytest.raises(ValueError, match=r"^row 2, completion: "):
        Reward(WordCount())(["p"] * 2, ["fine", completion])


@pytest.mark.parametrize(("call", "message"), [
    (lambda: similarity()(PROMPTS, TEXTS, reference=TARGETS, level=[1, 2, 3], trainer_state=object(), log_extra=print),
     "unknown column 'target': the columns are level, prompt, reference"),
    (lambda: similarity()(PROMPTS[:2], TEXTS, target=TARGETS), "prompts has 2 entries for 3 completions"),
    (lambda: Reward(MetricScorer("TER"), references="target"), "TER has no lowest value"),
    (lambda: Reward(WordCount(), max_characters=0), "max_characters is 0"),
    (lambda: Reward(WordCount(), model="model.rainbow"), "a scorer or a model, not both"),
    (lambda: MetricScorer("len"), "len has no better direction"),
    (lambda: MetricScorer("bleu"), "'bleu' is not a column of bleu: choose from BLEU1, BLEU2, BLEU3, BLEU4"),
    (lambda: MetricScorer("CIDEr"), "CIDEr needs corpus statistics"),
])  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(call, message):
    with pytest.raises(ValueError, match=message):
        call()


def test_references_may_be_arrays():
    assert similarity()(["p"], ["a b"], target=np.array([["a b"]], dtype=object)) == [1.0]


def test_the_prompt_can_be_the_meaning_representation():
    scorer = WordCount("mrs")
    Reward(scorer, mrs="prompt")(PROMPTS, TEXTS)
    assert scorer.seen == [(TEXTS, None, PROMPTS)]


@pytest.mark.parametrize(("need", "name"), [("references", "references"), ("mrs", "inputs")])
def test_a_scorer_that_needs_a_column_is_refused_without_its_name(need, name):
    with pytest.raises(ValueError, match=f"words needs {name}: name their dataset column, {name}='...'"):
        Reward(WordCount(need))


def test_a_scale_without_an_upper_end_cannot_be_rescaled():
    scorer = WordCount()
    scorer.high = float("inf")
    assert Reward(scorer)(["p"], ["a b"]) == [2.0]
    with pytest.raises(ValueError, match=r", 1\.0 to inf, cannot be mapped"):
        Reward(scorer, rescale=True)


def test_it_has_the_name_of_its_scorer_or_the_one_given():
    assert (Reward(WordCount()).__name__, Reward(WordCount(), name="length").__name__) == ("words", "length")
    assert Reward.__name__ == "Reward"


def test_it_is_not_mistaken_for_a_coroutine_function():
    reward = Reward(WordCount())
    assert not inspect.iscoroutinefunction(reward) and not inspect.iscoroutinefunction(reward.__call__)


def test_it_prints_nothing_and_gives_the_same_twice(capfd):
    reward = similarity()
    assert reward(PROMPTS, TEXTS, target=TARGETS) == reward(PROMPTS, TEXTS, target=TARGETS)
    assert capfd.readouterr() == ("", "")


def test_a_pickled_copy_gives_the_same_rewards_under_the_same_name():
    copy = pickle.loads(pickle.dumps(similarity(name="closeness")))
    assert copy(PROMPTS, TEXTS, target=TARGETS) == similarity()(PROMPTS, TEXTS, target=TARGETS)
    assert copy.__name__ == "closeness"


def test_it_works_in_a_spawned_process():
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        rewards = pool.apply(called_in_another_process, [similarity()])
    assert rewards == called_in_another_process(similarity())


def test_many_threads_may_share_one():
    reward = similarity()
    with ThreadPoolExecutor(8) as threads:
        results = list(threads.map(lambda _: called_in_another_process(reward), range(40)))
    assert results == [called_in_another_process(similarity())] * 40


def test_importing_it_loads_nothing_heavy():
    heavy = "pandas", "scipy", "sklearn", "nltk", "torch", "transformers", "trl"
    code = f"import sys, rainbow.serving.reward; print([name for name in {heavy} if name in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_metric_scorer_gives_the_column_of_the_metric():
    expected = get("bleu").score(Batch(["a b c", "a"], [["a b d"], ["a"]]))[:, 3]
    assert MetricScorer("bleu4")(["a b c", "a"], [["a b d"], ["a"]]).tolist() == expected.tolist()


def test_a_metric_of_which_less_is_better_is_turned():
    scorer: ScorerProtocol = MetricScorer("TER", low=-2.0)
    assert (scorer.low, scorer.high, scorer(["a b", "a"], [["a b"], ["a b"]]).tolist()) == (-2.0, 0.0, [0.0, -0.5])


def test_a_turned_metric_without_end_can_be_a_reward_once_it_is_bounded():
    reward = Reward(MetricScorer("TER", low=-1.0), references="r", rescale=True)
    assert reward(["p"] * 4, ["a b", "a", "", "c d e f g"], r=["a b"] * 4) == [1.0, 0.5, 0.0, 0.0]


@pytest.mark.parametrize(("column", "needs"), [("SE", {"references"}), ("SIM", {"mrs"}), ("METEOR", {"references"})])
def test_a_metric_scorer_says_what_it_needs(column, needs):
    assert MetricScorer(column).needs == needs


def test_a_fitted_metric_scores_by_its_statistics():
    from rainbow import Corpus

    corpus = Corpus.from_texts(TEXTS, [["the inn is cheap"], ["a bar is here"], ["the pub"]])
    (fitted,) = fit_metrics(corpus, ["CIDEr"])
    expected = score_corpus(corpus, [fitted])["CIDEr"].tolist()
    assert MetricScorer("CIDEr", metric=fitted)(TEXTS, corpus.frame["references"].tolist()).tolist() == expected
