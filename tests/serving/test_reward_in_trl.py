"""TRL's own code calls rewards: its helpers, its reward step, and real training of a tiny model made on the spot."""

import asyncio
import functools
import importlib.util
import logging
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import mannwhitneyu

from rainbow.serving.metric_scorer import MetricScorer
from rainbow.serving.reward import Reward

pytestmark = [
    pytest.mark.skipif(importlib.util.find_spec("trl") is None,
        reason="TRL is missing: pip install 'rainbow-nlg[trl]'"),
    pytest.mark.xdist_group("trl"),  # one worker imports torch, not all
]  # fmt: skip

VOCABULARY = ["<pad>", "<eos>", "<unk>", "the", "inn", "is", "cheap", "a", "bar", "here", "user:", "assistant:"]
TEMPLATE = (
    "{% for message in messages %}{{ message['role'] }}: {{ message['content'] }} {% endfor %}"
    "{% if add_generation_prompt %}assistant: {% endif %}"
)
ROWS = [
    {"prompt": "the inn", "target": ["the inn is cheap", "a cheap inn"], "level": 1},
    {"prompt": "a bar", "target": ["a bar is here"], "level": 2},
]


class Recorder:
    """A reward function that remembers what it was called with and what the reward inside gave."""

    def __init__(self, reward):
        self.reward, self.calls = reward, []
        self.__name__ = reward.__name__

    def __call__(self, **arguments):
        rewards = self.reward(**arguments)
        self.calls.append((arguments, rewards))
        return rewards


def similarity(**options):
    return Reward(MetricScorer("SE"), references="target", **options)


def as_chat(rows):
    return [{**row, "prompt": [{"role": "user", "content": row["prompt"]}]} for row in rows]


@pytest.fixture(scope="module", autouse=True)
def _offline():
    """Set what the libraries read when they are imported."""
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("HF_HUB_OFFLINE", "1")
        environment.setenv("TRL_EXPERIMENTAL_SILENCE", "1")
        yield


@pytest.fixture(scope="module")
def tokenizer(_offline):
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    words = Tokenizer(models.WordLevel({word: i for i, word in enumerate(VOCABULARY)}, unk_token="<unk>"))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
    return PreTrainedTokenizerFast(tokenizer_object=words, padding_side="left", chat_template=TEMPLATE, **special)


@pytest.fixture
def make_trainer(tokenizer, tmp_path):
    """Return a function that makes a trainer of a language model with one layer and random weights."""
    import torch
    import trl
    from datasets import Dataset
    from transformers import LlamaConfig, LlamaForCausalLM

    def make(algorithm, rewards, rows=ROWS, **options):
        torch.manual_seed(0)
        shape = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
        model = LlamaForCausalLM(LlamaConfig(vocab_size=len(VOCABULARY), pad_token_id=0, eos_token_id=1, **shape))
        defaults = dict(
            per_device_train_batch_size=8, num_generations=4, max_completion_length=6, max_steps=2, beta=0.0
        )
        arguments = getattr(trl, f"{algorithm}Config")(
            output_dir=str(tmp_path),
            use_cpu=True,
            bf16=False,
            report_to="none",
            save_strategy="no",
            logging_steps=1,
            disable_tqdm=True,
            **(defaults | options),
        )
        return getattr(trl, f"{algorithm}Trainer")(
            model=model,
            reward_funcs=rewards,
            args=arguments,
            train_dataset=Dataset.from_list(rows),
            processing_class=tokenizer,
        )

    return make


def test_trl_finds_its_name_and_that_it_is_no_coroutine():
    from trl.trainer.utils import get_callable_name, is_async_callable

    reward = similarity(name="closeness")
    for form in (reward, functools.partial(reward)):
        assert get_callable_name(form) == "closeness" and not is_async_callable(form)


@pytest.mark.parametrize("algorithm", ["GRPO", "RLOO"])
@pytest.mark.parametrize("chat", [False, True], ids=["text", "chat"])
def test_the_reward_step_gives_a_column_of_rewards_per_function(make_trainer, algorithm, chat, caplog):
    rows = as_chat(ROWS) if chat else ROWS
    trainer = make_trainer(algorithm, [similarity(), similarity(name="rescaled", rescale=True, max_characters=8)], rows)
    texts = ["the inn is cheap", "a bar"]
    completions = [[{"role": "assistant", "content": text}] for text in texts] if chat else texts
    unanswerable = {**rows[1], "target": None}
    with caplog.at_level(logging.WARNING):
        rewards = trainer._calculate_rewards(
            [rows[0], unanswerable, rows[1]],
            [rows[0]["prompt"], rows[1]["prompt"], rows[1]["prompt"]],
            [completions[0], completions[1], completions[1]],
            [[3, 4], [7, 8], [7, 8]],
        )
    expected = similarity()(["p"] * 2, texts, target=[row["target"] for row in ROWS])
    np.testing.assert_allclose(rewards.numpy(), [[expected[0], 0.0], [np.nan] * 2, [expected[1]] * 2], rtol=1e-6)


def test_a_column_that_the_dataset_lacks_stops_the_training_with_its_name(make_trainer):
    trainer = make_trainer("GRPO", similarity(), [{"prompt": "the inn", "reference": "the inn is cheap"}] * 2)
    with pytest.raises(ValueError, match="unknown column 'target': the columns are prompt, reference"):
        trainer.train()


def test_the_asynchronous_trainer_scores_a_group_in_a_thread():
    worker = pytest.importorskip("trl.experimental.async_grpo.async_rollout_worker")
    loop = SimpleNamespace(
        reward_funcs=[similarity()], reward_func_names=["SE"], _env_reward_types=[], _provides_rollout_reward=False
    )
    group = worker.RolloutGroup(
        prompts=as_chat(ROWS[:1] * 3),
        reward_kwargs={"target": [["the inn is cheap"]] * 3, "level": [1] * 3},
        completions=[[{"role": "assistant", "content": text}] for text in ["the inn is cheap", "inn", ""]],
        completions_ids=[[3]] * 3,
        completions_sequences=[[SimpleNamespace(input_ids=[3], completion_mask=[1], old_log_probs=[0.0])]] * 3,
        tool_call_counts=[0] * 3,
        tool_failure_counts=[0] * 3,
        model_version=0,
        group_id=0,
        env_rewards=[None] * 3,
        rollout_rewards=[None] * 3,
    )
    samples = asyncio.run(worker._AsyncRolloutLoop._score_group(loop, group))
    assert [sample.metrics["rewards/SE"] for sample in samples] == [1.0, 0.4, 0.0]
    assert samples[0].advantage > samples[1].advantage > samples[2].advantage


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["GRPO", "RLOO"])
@pytest.mark.parametrize("chat", [False, True], ids=["text", "chat"])
def test_training_logs_what_several_rewards_gave(make_trainer, algorithm, chat):
    recorders = [Recorder(similarity()), Recorder(Reward(MetricScorer("ROUGE"), references="target"))]
    trainer = make_trainer(algorithm, recorders, as_chat(ROWS) if chat else ROWS)
    trainer.train()
    log = [entry for entry in trainer.state.log_history if "reward" in entry]
    assert len(log) == 2
    for recorder in recorders:
        for entry, (arguments, rewards) in zip(log, recorder.calls, strict=True):
            assert entry[f"rewards/{recorder.__name__}/mean"] == pytest.approx(np.mean(rewards), rel=1e-5)
            assert set(arguments) >= {"prompts", "completions", "completion_ids", "target", "level", "trainer_state"}
            assert all(isinstance(completion, list) == chat for completion in arguments["completions"])


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["GRPO", "RLOO"])
def test_rows_without_a_reward_leave_the_loss_finite(make_trainer, algorithm):
    rows, recorder = [ROWS[0], {**ROWS[1], "target": None}], Recorder(similarity())
    trainer = make_trainer(algorithm, recorder, rows)
    trainer.train()
    given = [reward for _, rewards in recorder.calls for reward in rewards]
    assert given.count(None) == len(given) / 2
    assert all(np.isfinite(entry["loss"]) for entry in trainer.state.log_history if "loss" in entry)


@pytest.mark.slow
@pytest.mark.parametrize("algorithm", ["GRPO", "RLOO"])
def test_a_policy_learns_from_it(make_trainer, algorithm):
    options = dict(max_steps=60, learning_rate=0.03, lr_scheduler_type="constant", per_device_train_batch_size=16)
    trainer = make_trainer(algorithm, similarity(), ROWS * 2, **options)
    trainer.train()
    means = [entry["rewards/SE/mean"] for entry in trainer.state.log_history if "reward" in entry]
    assert mannwhitneyu(means[-15:], means[:15], alternative="greater").pvalue < 0.001
