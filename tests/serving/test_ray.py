"""One named actor rewards for all: the numbers of the library, whoever calls."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from rainbow import load_dataset
from rainbow.serving import MetricScorer, Reward
from rainbow.serving.adapters.verl_reward import as_compute_score
from rainbow.serving.ray import reward_actor

ray = pytest.importorskip("ray", reason="ray is not installed: pip install 'rainbow-nlg[ray]'")

ROOT = Path(__file__).parents[2]
FRAME = load_dataset("demo").frame.head(64)
OUTPUTS, REFERENCES = FRAME["output"].tolist(), FRAME["references"].tolist()
EXPECTED = Reward(MetricScorer("ROUGE"), references="target")(OUTPUTS, OUTPUTS, target=REFERENCES)


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    environment = {"env_vars": {"PYTHONPATH": str(ROOT)}}
    ray.init("local", num_cpus=2, include_dashboard=False, runtime_env=environment, log_to_driver=False)
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def reward(cluster: None) -> Reward:
    return reward_actor("ROUGE", name="likeness", references="target")


def test_an_actor_gives_the_rewards_of_the_library(reward: Reward) -> None:
    assert (reward(OUTPUTS, OUTPUTS, target=REFERENCES), reward.__name__) == (EXPECTED, "ROUGE")


def test_every_caller_of_the_cluster_gets_its_own_rewards(reward: Reward) -> None:
    @ray.remote(num_cpus=0.1)
    def caller(reward: Reward, start: int) -> list[float | None]:
        return reward(OUTPUTS[start : start + 16], OUTPUTS[start : start + 16], target=REFERENCES[start : start + 16])

    found = ray.get([caller.remote(reward, start) for start in range(0, 64, 16)])
    assert [one for rewards in found for one in rewards] == EXPECTED


def test_an_adapter_takes_it_as_any_reward(reward: Reward) -> None:
    again = reward_actor("ROUGE", name="likeness", references="ground_truth")  # the same actor
    assert again.scorer.actor == reward.scorer.actor
    assert as_compute_score(again)("demo", OUTPUTS[3], REFERENCES[3]) == EXPECTED[3]


@pytest.mark.slow
def test_an_actor_of_that_name_that_serves_something_else_is_refused(reward: Reward) -> None:
    with pytest.raises(ValueError, match=r"the actor 'likeness' serves ROUGE from 0 to 1.*, not METEOR"):
        reward_actor("METEOR", name="likeness", references="target")


def test_an_actor_whose_process_dies_is_started_again(reward: Reward) -> None:
    ray.kill(reward.scorer.actor, no_restart=False)
    assert reward(OUTPUTS, OUTPUTS, target=REFERENCES) == EXPECTED


def test_an_actor_that_does_not_answer_is_told(cluster: None) -> None:
    with pytest.raises(TimeoutError, match="the actor of ROUGE did not respond within"):
        reward_actor("ROUGE", name="nowhere", references="target", seconds=0.5, resources={"no such thing": 1})
    ray.kill(ray.get_actor("nowhere", "rainbow"))
