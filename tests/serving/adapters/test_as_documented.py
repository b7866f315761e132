"""Adapters are called as the documentation of each package has it; none of the packages needs to be there."""

import copy
import importlib.util
import inspect
import math
import pickle
import subprocess
import sys
from types import ModuleType, SimpleNamespace

import pandas as pd
import pytest

from rainbow.serving import MetricScorer, Reward, RowScorer, compute
from rainbow.serving.adapters import pandas_accessor
from rainbow.serving.adapters.inspect_scorer import as_inspect_scorer
from rainbow.serving.adapters.lighteval_metric import as_lighteval_metric
from rainbow.serving.adapters.lm_eval_results import as_process_results
from rainbow.serving.adapters.mlflow_metric import as_genai_scorer, as_mlflow_metric
from rainbow.serving.adapters.openrlhf_reward import as_reward_func
from rainbow.serving.adapters.verifiers_reward import as_rubric_reward, as_task_reward
from rainbow.serving.adapters.verl_reward import as_compute_score

TEXT, REFERENCES = "the inn is cheap", ["the inn is not cheap", "a cheap inn"]
SCORE = compute(predictions=[TEXT], references=[REFERENCES], scorer=MetricScorer("ROUGE"))["score"]
MR = "inform(name='the inn',area=soma)"

needs_torch = pytest.mark.skipif(importlib.util.find_spec("torch") is None, reason="OpenRLHF is given tensors")


def reward(references: str, **options) -> Reward:
    return Reward(MetricScorer("ROUGE"), references=references, **options)


def rows(references: str) -> RowScorer:
    return RowScorer(MetricScorer("ROUGE"), references=references)


def finished(coroutine):
    """Return what a coroutine that waits for nothing returns."""
    with pytest.raises(StopIteration) as stopped:
        coroutine.send(None)
    return stopped.value.value


def test_none_of_the_packages_is_imported_before_it_is_used():
    others = ["verl", "openrlhf", "verifiers", "evaluate", "lighteval", "lm_eval", "inspect_ai", "mlflow", "torch"]
    code = f"""
import importlib, pkgutil, sys
import rainbow.serving.adapters as adapters
for module in pkgutil.iter_modules(adapters.__path__):
    importlib.import_module("rainbow.serving.adapters." + module.name)
print(sorted(set({others}) & set(sys.modules)))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_verl_calls_by_keyword():
    compute_score = as_compute_score(reward("ground_truth"))
    assert list(inspect.signature(compute_score).parameters)[:4] == [
        "data_source", "solution_str", "ground_truth", "extra_info"
    ]  # fmt: skip
    row = {"data_source": "e2e", "solution_str": TEXT, "ground_truth": REFERENCES, "extra_info": {"index": 1}}
    assert compute_score(**row) == compute_score("e2e", TEXT, REFERENCES) == SCORE
    assert compute_score(**row, reward_router_address=None) == SCORE  # what the settings add


def test_verl_hands_over_the_meaning_representation_beside_the_ground_truth():
    compute_score = as_compute_score(Reward(mrs="mr", rescale=True))
    good, bad = (compute_score("e2e", text, "", {"mr": MR}) for text in ["the inn is in soma .", "soma soma"])
    assert 0 <= bad < good <= 1


@pytest.mark.parametrize("rescale", [False, True])
def test_what_has_no_reward_gets_the_worst_where_a_trainer_needs_a_number(rescale):
    compute_score = as_compute_score(Reward(MetricScorer("TER", low=-2), references="ground_truth", rescale=rescale))
    worst = 0.0 if rescale else -2.0
    assert [compute_score("e2e", TEXT, missing) for missing in (None, [], "")] == [worst] * 3
    assert compute_score("e2e", "", REFERENCES) == worst


def test_a_trainer_may_send_its_reward_function_to_other_processes():
    for function in (as_compute_score(reward("ground_truth")), as_rubric_reward(reward("answer"))):
        assert inspect.signature(pickle.loads(pickle.dumps(function))) == inspect.signature(function)


def test_a_column_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(ValueError, match="unknown column 'target': the columns are data_source, ground_truth, index"):
        as_compute_score(reward("target"))("e2e", TEXT, REFERENCES, {"index": 1})


@needs_torch
@pytest.mark.xdist_group("trl")  # one worker imports torch, not all
@pytest.mark.parametrize("end", ["", "</s>", "<|im_end|>\n", "<|im_end|><|endoftext|>"])
def test_openrlhf_calls_with_queries_that_hold_prompt_and_special_tokens(end):
    reward_func = as_reward_func(reward("label", name="likeness"))
    found = reward_func(queries=[f"<s>Say it. {TEXT}{end}"], prompts=["<s>Say it. "], labels=[REFERENCES], step=1)
    assert found["rewards"].tolist() == pytest.approx([SCORE]) and found["scores"] is found["rewards"]
    assert found["extra_logs"] == {"likeness": found["rewards"]}


@needs_torch
@pytest.mark.xdist_group("trl")  # one worker imports torch, not all
def test_openrlhf_is_told_of_a_query_that_is_not_prompt_and_response():
    with pytest.raises(ValueError, match="does not start with its prompt"):
        as_reward_func(reward("label"))(["it. the inn"], ["Say it. "], ["the inn"])


def test_a_rubric_hands_over_all_that_it_knows_of_a_row():
    func = as_rubric_reward(reward("references"))
    assert func.__name__ == "ROUGE"
    answer = [{"role": "user", "content": "Again."}, {"role": "assistant", "content": TEXT}]
    known = {"prompt": [{"role": "user", "content": "Say it."}], "answer": "", "state": {}, "task": "e2e"}
    assert func(completion=answer, info={"references": REFERENCES}, **known) == SCORE
    assert func(completion=TEXT, info={"references": REFERENCES}, **known) == SCORE


def test_messages_of_a_rubric_need_not_be_mappings():
    class Message:
        def __iter__(self):
            yield from [("role", "assistant"), ("content", TEXT)]

    assert as_rubric_reward(reward("answer"))(completion=[Message()], answer=REFERENCES) == SCORE


def test_a_task_of_verifiers_asks_by_the_names_of_parameters():
    quality = as_task_reward(reward("answer"))
    assert list(inspect.signature(quality).parameters) == ["task", "trace"] and inspect.iscoroutinefunction(quality)
    call = quality(task={"prompt": "Say it.", "answer": REFERENCES}, trace=SimpleNamespace(last_reply=TEXT))
    assert finished(call) == SCORE


def test_lm_evaluation_harness_gets_a_value_for_each_metric():
    both = as_process_results(rows("target"), RowScorer(MetricScorer("SE"), references="short"))
    found = copy.deepcopy(both)({"target": REFERENCES, "short": TEXT, "input": MR}, [TEXT])  # as a task's settings are
    assert found == {"ROUGE": SCORE, "SE": 1.0}


def test_a_document_without_references_has_no_value():
    (value,) = as_process_results(rows("target"))({"target": None}, [TEXT]).values()
    assert math.isnan(value)


@pytest.fixture
def stand_in(monkeypatch):
    """Return a function that puts what a package is documented to have in its place."""

    made: dict[str, ModuleType] = {}

    def put(module: str, **contents) -> None:
        parts = module.split(".")
        for name in (".".join(parts[:end]) for end in range(1, len(parts) + 1)):
            monkeypatch.setitem(sys.modules, name, made.setdefault(name, ModuleType(name)))
        vars(sys.modules[module]).update(contents)

    return put


def test_inspect_registers_a_scorer_that_is_given_state_and_target(stand_in):
    decorators = {"scorer": lambda metrics, name: lambda factory: factory, "mean": list, "stderr": list}
    stand_in("inspect_ai.scorer", Score=SimpleNamespace, **decorators)
    state = SimpleNamespace(metadata={"level": 1}, input_text="Say it.", output=SimpleNamespace(completion=TEXT))
    score = finished(as_inspect_scorer(rows("target"))(state, tuple(REFERENCES)))
    assert vars(score) == {"value": SCORE, "answer": TEXT}


def test_lighteval_computes_a_sample_of_a_document_and_a_response(stand_in):
    stand_in("lighteval.metrics.metrics_sample", SampleLevelComputation=object)
    stand_in("lighteval.tasks.requests", SamplingMethod=SimpleNamespace(GENERATIVE="GENERATIVE"))
    stand_in("lighteval.metrics.utils.metric_utils", SampleLevelMetric=SimpleNamespace)
    metric = as_lighteval_metric(rows("golds"))
    doc = SimpleNamespace(query="Say it.", specific=None, get_golds=lambda: REFERENCES)
    assert metric.sample_level_fn.compute(doc=doc, model_response=SimpleNamespace(final_text=[TEXT, ""])) == SCORE / 2
    assert (metric.metric_name, metric.corpus_level_fn([SCORE, math.nan])) == ("ROUGE", SCORE)


def test_mlflow_finds_the_columns_in_the_signature(stand_in):
    stand_in("mlflow.metrics", MetricValue=SimpleNamespace, make_metric=SimpleNamespace)
    metric = as_mlflow_metric(rows("targets"))
    assert (metric.name, metric.greater_is_better) == ("ROUGE", True)
    assert list(inspect.signature(metric.eval_fn).parameters) == ["predictions", "targets"]
    columns = {"predictions": pd.Series([TEXT, TEXT]), "targets": pd.Series([REFERENCES, None])}
    for value in (metric.eval_fn(**columns), metric.eval_fn(*columns.values())):
        assert (value.aggregate_results, len(value.scores)) == ({"mean": SCORE}, 2)


def test_mlflow_gives_a_scorer_inputs_outputs_and_expectations(stand_in):
    stand_in("mlflow.genai.scorers", scorer=lambda func, name: func)
    score = as_genai_scorer(rows("refs"))
    assert list(inspect.signature(score).parameters) == ["inputs", "outputs", "expectations"]
    assert score(inputs={"mr": MR}, outputs=TEXT, expectations={"refs": REFERENCES}) == SCORE


def test_a_data_frame_keeps_its_index():
    frame = pd.DataFrame({"said": [TEXT, TEXT], "target": [REFERENCES, None], "level": [1, 2]}, index=["b", "a"])
    scores = frame.rainbow.score(MetricScorer("ROUGE"), output="said", references="target")
    pd.testing.assert_series_equal(scores, pd.Series([SCORE, math.nan], index=["b", "a"], name="ROUGE"))
    assert isinstance(frame.rainbow, pandas_accessor.RainbowAccessor)


def test_a_data_frame_is_scored_by_the_learned_metric_where_no_other_is_named():
    good, bad = pd.DataFrame({"output": ["the inn is in soma .", "soma soma"], "mr": [MR, MR]}).rainbow.score(mrs="mr")
    assert 1 <= bad < good <= 6


@pytest.mark.parametrize("options", [{"output": "said"}, {"references": "said"}])
def test_a_data_frame_without_the_column_says_what_it_has(options):
    frame = pd.DataFrame({"output": [TEXT], "target": [REFERENCES]})
    with pytest.raises(ValueError, match="unknown column 'said': the columns are output, target"):
        frame.rainbow.score(MetricScorer("ROUGE"), **{"references": "target", **options})
