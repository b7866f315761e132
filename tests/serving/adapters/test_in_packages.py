"""The packages themselves call the adapters, where they are installed."""

import asyncio
import math
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from rainbow.serving import MetricScorer, Reward, RowScorer, compute
from rainbow.serving.adapters.evaluate_metric import as_evaluate_metric
from rainbow.serving.adapters.inspect_scorer import as_inspect_scorer
from rainbow.serving.adapters.lighteval_metric import as_lighteval_metric
from rainbow.serving.adapters.lm_eval_results import as_process_results
from rainbow.serving.adapters.mlflow_metric import as_genai_scorer, as_mlflow_metric
from rainbow.serving.adapters.verifiers_reward import as_rubric_reward

pytestmark = pytest.mark.xdist_group("trl")  # one worker imports torch and datasets, not all

TEXTS = ["the inn is cheap", "a bar"]
REFERENCES = [["the inn is not cheap", "a cheap inn"], ["a bar is here", "the bar"]]
SCORES = compute(predictions=TEXTS, references=REFERENCES, scorer=MetricScorer("ROUGE"))["scores"]
MR = "inform(name='the inn',area=soma)"
REWARDS = """
from rainbow.serving import MetricScorer, Reward
from rainbow.serving.adapters.{module} import {function}

{name} = {function}(Reward(MetricScorer("ROUGE"), references="{references}"))
"""


def rows(references: str) -> RowScorer:
    return RowScorer(MetricScorer("ROUGE"), references=references)


def test_evaluate_computes_at_once_and_in_batches():
    pytest.importorskip("evaluate")
    metric = as_evaluate_metric(MetricScorer("ROUGE"))
    at_once = metric.compute(predictions=TEXTS, references=REFERENCES)
    for text, references in zip(TEXTS, REFERENCES, strict=True):
        metric.add(prediction=text, reference=references)
    assert (
        metric.compute() == at_once == compute(predictions=TEXTS, references=REFERENCES, scorer=MetricScorer("ROUGE"))
    )


def test_evaluate_takes_one_string_as_reference_and_meaning_representations():
    evaluate = pytest.importorskip("evaluate")
    single = as_evaluate_metric(MetricScorer("ROUGE")).compute(predictions=TEXTS, references=TEXTS)
    assert single["scores"] == [1.0, 1.0]
    assert 1 <= as_evaluate_metric(RowScorer(mrs="mrs").scorer).compute(predictions=TEXTS[:1], mrs=[MR])["score"] <= 6
    both = evaluate.combine({name: as_evaluate_metric(MetricScorer(name)) for name in ("ROUGE", "SE")})
    assert both.compute(predictions=TEXTS, references=REFERENCES)["ROUGE_scores"] == SCORES


def test_inspect_runs_a_task_and_leaves_out_what_has_no_score(tmp_path):
    inspect_ai = pytest.importorskip("inspect_ai")
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput
    from inspect_ai.solver import solver

    @solver
    def say():
        async def solve(state, generate):
            state.output = ModelOutput.from_content("no model", state.input_text)
            return state

        return solve

    references = [*REFERENCES, []]
    samples = [
        Sample(text, metadata={"refs": known}) for text, known in zip([*TEXTS, "an inn"], references, strict=True)
    ]
    task = inspect_ai.Task(samples, solver=say(), scorer=as_inspect_scorer(rows("refs")))
    (log,) = inspect_ai.eval(task, model="mockllm/model", display="none", log_dir=str(tmp_path))
    (found,) = log.results.scores
    assert (found.name, found.metrics["mean"].value) == ("ROUGE", pytest.approx(np.mean(SCORES)))
    assert found.unscored_samples == 1


@pytest.fixture
def _mlflow_here(tmp_path, monkeypatch):
    """Let MLflow keep its runs in a folder of the test."""
    mlflow = pytest.importorskip("mlflow")
    monkeypatch.setenv("MLFLOW_ALLOW_FILE_STORE", "true")
    monkeypatch.chdir(tmp_path)
    mlflow.set_tracking_uri(tmp_path.as_uri())
    mlflow.set_experiment("adapters")


@pytest.mark.usefixtures("_mlflow_here")
@pytest.mark.parametrize(("targets", "references"), [("refs", "targets"), ("level", "refs")])
def test_mlflow_evaluates_a_table(targets, references):
    import mlflow

    data = pd.DataFrame({"said": [*TEXTS, "an inn"], "refs": [*REFERENCES, []], "level": [1, 2, 3]})
    metrics = [as_mlflow_metric(rows(references))]
    with mlflow.start_run():
        found = mlflow.models.evaluate(data=data, predictions="said", targets=targets, extra_metrics=metrics)
    assert found.metrics["ROUGE/mean"] == pytest.approx(np.mean(SCORES))


@pytest.mark.usefixtures("_mlflow_here")
def test_mlflow_evaluates_texts_for_inputs():
    pytest.importorskip("mlflow.genai")
    found = [
        as_genai_scorer(rows("refs")).run(inputs={"mr": MR}, outputs=text, expectations={"refs": references})
        for text, references in zip(TEXTS, REFERENCES, strict=True)
    ]
    assert found == SCORES


def test_lighteval_computes_samples_and_their_mean():
    pytest.importorskip("lighteval.metrics.utils.metric_utils")
    from lighteval.metrics import apply_metric
    from lighteval.models.model_output import ModelResponse
    from lighteval.tasks.requests import Doc

    docs = [Doc("Say it.", [*references, "no"], [0, 1], specific={"refs": references}) for references in REFERENCES]
    responses = [ModelResponse(text=[text]) for text in TEXTS]
    for references in ("golds", "refs"):
        metric = as_lighteval_metric(rows(references))
        assert [found["ROUGE"] for found in apply_metric(responses, docs, [metric])] == SCORES
        assert metric.get_corpus_aggregations()["ROUGE"]([*SCORES, math.nan]) == pytest.approx(np.mean(SCORES))
    several = metric.compute_sample(doc=docs[0], model_response=ModelResponse(text=[TEXTS[0], ""]))
    assert several["ROUGE"] == SCORES[0] / 2


def test_lm_evaluation_harness_runs_a_task(tmp_path):
    pytest.importorskip("lm_eval.api.task")
    from lm_eval.api.model import LM
    from lm_eval.api.task import ConfigurableTask
    from lm_eval.evaluator import evaluate

    class Echo(LM):
        """Says its prompt again."""

        def generate_until(self, requests, **_):
            return [request.args[0] for request in requests]

        loglikelihood = loglikelihood_rolling = generate_until

    pd.DataFrame({"said": TEXTS, "target": REFERENCES}).to_json(tmp_path / "rows.jsonl", orient="records", lines=True)
    settings = {
        "task": "echo", "dataset_path": "json",
        "dataset_kwargs": {"data_files": {"test": str(tmp_path / "rows.jsonl")}, "cache_dir": str(tmp_path)},
        "test_split": "test", "output_type": "generate_until", "doc_to_text": "{{said}}",
        "doc_to_target": "{{target[0]}}", "process_results": as_process_results(rows("target")),
        "metric_list": [{"metric": "ROUGE", "aggregation": "nanmean", "higher_is_better": True}],
    }  # fmt: skip
    found = evaluate(Echo(), {"echo": ConfigurableTask(config=settings)}, bootstrap_iters=0)
    assert found["results"]["echo"]["ROUGE,none"] == pytest.approx(np.mean(SCORES))


def test_a_rubric_of_verifiers_scores_a_rollout():
    rubric = pytest.importorskip("verifiers.rubrics.rubric", exc_type=ImportError)
    reward = Reward(MetricScorer("ROUGE"), references="references")
    answer = [{"role": "assistant", "content": TEXTS[0]}]
    state = {"prompt": "Say it.", "completion": answer, "info": {"references": REFERENCES[0]}, "task": "e2e"}
    made = rubric.Rubric(funcs=[as_rubric_reward(reward)])
    assert asyncio.run(made._call_individual_reward_func(made.funcs[0], state)) == SCORES[0]


def test_a_task_of_verifiers_scores_a_rollout(tmp_path):
    vf = pytest.importorskip("verifiers.v1", exc_type=ImportError)

    class Data(vf.TaskData):
        answer: list[str]

    file = tmp_path / "my_rewards.py"
    file.write_text(
        REWARDS.format(module="verifiers_reward", function="as_task_reward", name="quality", references="answer")
    )
    config = vf.TaskConfig(rewards={"likeness": {"fn": f"{file}:quality", "weight": 2.0}})
    task = vf.Task[Data](Data(prompt="Say it.", answer=REFERENCES[0]), config)
    found = {}
    trace = SimpleNamespace(
        last_reply=TEXTS[0], metrics={}, rewards={}, record_reward=lambda *reward: found.update({reward[0]: reward[1:]})
    )
    asyncio.run(task.score(trace))
    assert found == {"likeness": (SCORES[0], 2.0)}


def test_openrlhf_rewards_what_it_generates(tmp_path):
    agent = pytest.importorskip("openrlhf.utils.agent", exc_type=ImportError)
    import torch

    file = tmp_path / "reward_func.py"
    file.write_text(
        REWARDS.format(module="openrlhf_reward", function="as_reward_func", name="reward_func", references="label")
    )

    class Characters:
        """A tokenizer with a token for each character, and 0 for the end."""

        def __call__(self, text, **_):
            return {"input_ids": torch.tensor([[ord(letter) for letter in text]])}

        def decode(self, tokens, **_):
            return "".join(chr(token) if token else "</s>" for token in tokens)

    async def generate(tokens, *_, **__):
        said = SimpleNamespace(token_ids=[*map(ord, TEXTS[0]), 0], finish_reason="stop", logprobs=None)
        return SimpleNamespace(outputs=[said])

    executor = agent.SingleTurnAgentExecutor(str(file))
    sampling = SimpleNamespace(max_tokens=50, logprobs=None)
    engine = SimpleNamespace(generate=generate)
    output = asyncio.run(executor.execute("Say it. ", REFERENCES[0], sampling, 100, Characters(), engine))
    assert torch.tensor([output["reward"]]).tolist() == pytest.approx(SCORES[:1])


def test_verl_finds_the_reward_in_a_file(tmp_path):
    rewards = pytest.importorskip("verl.trainer.ppo.reward", exc_type=ImportError)
    from omegaconf import OmegaConf

    file = tmp_path / "my_reward.py"
    file.write_text(
        REWARDS.format(
            module="verl_reward", function="as_compute_score", name="compute_score", references="ground_truth"
        )
    )
    settings = {"custom_reward_function": {"path": str(file), "name": "compute_score", "reward_kwargs": {}}}
    compute_score = rewards.get_custom_reward_fn(OmegaConf.create({"reward": settings}))
    row = {"data_source": "e2e", "solution_str": TEXTS[0], "ground_truth": REFERENCES[0], "extra_info": {}}
    assert compute_score(**row) == SCORES[0]
