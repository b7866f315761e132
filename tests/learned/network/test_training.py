"""Training by PyTorch: it learns, it is drawn by its seed alone, and what scores is what was trained."""

from typing import Any

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.learned.network import training
from rainbow.learned.network.training import Network, train
from rainbow.learned.protocols.folds import assign_folds, iter_folds
from rainbow.learned.protocols.groups import row_groups
from rainbow.learned.training.features import Features, network_texts
from rainbow.metrics.contract.views import Views

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.xdist_group("network")  # one worker imports torch, not all

QUICK = Network(units=16, steps=20, device="cpu")
NO_SCORES = np.empty((0, 0))


class Demo:
    """Texts and ratings of the embedded dataset."""

    def __init__(self) -> None:
        corpus = load_dataset("demo")
        self.texts = Features((), network_texts(corpus)).texts_of(Views.of(corpus))
        self.ratings = corpus.frame[["quality", "naturalness"]].to_numpy(float)
        self.groups = row_groups(corpus.frame, "by-item-and-text")
        self.train, self.test = next(iter_folds(assign_folds(corpus.frame, "by-item-and-text")))

    def read(self, rows: "np.ndarray | range") -> dict[str, list[str]]:
        return {name: [column[row] for row in rows] for name, column in self.texts.items()}


@pytest.fixture(scope="module")
def demo() -> Demo:
    return Demo()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_better_than_the_constant_on_rows_held_out(demo: Demo, seed: int) -> None:
    rated = demo.ratings[demo.train][:, :1]
    network = Network(units=32, steps=60, device="cpu")
    learner = train(demo.read(demo.train), rated, network, seed, demo.groups[demo.train])
    predicted, truth = learner.predict(NO_SCORES, demo.read(demo.test))[:, 0], demo.ratings[demo.test][:, 0]
    assert np.mean((predicted - truth) ** 2) < np.mean((rated.mean() - truth) ** 2)
    assert np.corrcoef(predicted, truth)[0, 1] > 0.1


@pytest.mark.parametrize("layers", [1, 2])
def test_without_pytorch_the_predictions_are_those_of_pytorch(
    demo: Demo, layers: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept: list[Any] = []
    served = training._served
    monkeypatch.setattr(training, "_served", lambda *given: kept.append(given) or served(*given))
    network = QUICK._replace(layers=layers, nets=2)
    learner = train(demo.read(range(200)), demo.ratings[:200], network, 1)
    [(trained, known, mean, slope)] = kept
    texts = demo.read(range(200, 300))
    by_torch = np.mean([of_pytorch(weights, known, network, texts) for weights in trained], axis=0)
    np.testing.assert_allclose(learner.predict(NO_SCORES, texts), mean + slope * by_torch, rtol=0, atol=1e-6)


def of_pytorch(weights: Any, known: Any, network: Network, texts: dict[str, list[str]]) -> np.ndarray:
    """Return what PyTorch's network with these weights gives, in single precision, row by row without padding."""
    module = training._module(network, [2 + len(words) for words in known.values()], 2)
    module.load_state_dict({name: torch.from_numpy(value) for name, value in weights.items()})
    module.eval()
    places = [{word: place for place, word in enumerate(words)} for words in known.values()]
    columns = [training.numbered(texts[name], at) for name, at in zip(known, places, strict=True)]
    with torch.inference_mode():
        found = [
            module([(torch.tensor([words]), torch.tensor([len(words) - 1])) for words in row])
            for row in zip(*columns, strict=True)
        ]
    return torch.cat(found).double().numpy()


def test_the_seed_decides_everything_and_the_caller_s_chance_is_left_alone(demo: Demo) -> None:
    texts, rated = demo.read(range(150)), demo.ratings[:150]
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    threads = torch.get_num_threads()
    first = train(texts, rated, QUICK, 5).predict(NO_SCORES, texts)
    assert torch.equal(torch.rand(3), expected)
    assert torch.get_num_threads() == threads
    np.testing.assert_array_equal(train(texts, rated, QUICK, 5).predict(NO_SCORES, texts), first)
    assert (train(texts, rated, QUICK, 6).predict(NO_SCORES, texts) != first).any()


def test_several_networks_are_averaged_and_have_the_seeds_that_follow(demo: Demo) -> None:
    texts, rated = demo.read(range(150)), demo.ratings[:150]
    alone = [train(texts, rated, QUICK, seed).predict(NO_SCORES, texts) for seed in (5, 6)]
    both = train(texts, rated, QUICK._replace(nets=2), 5).predict(NO_SCORES, texts)
    np.testing.assert_allclose(both, np.mean(alone, axis=0), rtol=0, atol=1e-9)


def test_made_up_rows_are_never_held_out_and_only_learned_from_first(
    demo: Demo, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []
    monkeypatch.setattr(training, "_train_one", lambda phases, *given: seen.append(phases) or (1 / 0))
    groups = np.where(np.arange(100) < 60, np.arange(100) // 3, -1)
    with pytest.raises(ZeroDivisionError):
        train(demo.read(range(100)), demo.ratings[:100], QUICK, 1, groups)
    [phases] = seen
    sizes = [len(part.targets) for part in phases]
    assert sizes[2] in range(9, 19)
    assert sizes == [100 - sizes[2], 60 - sizes[2], sizes[2]]
    assert sizes[2] % 3 == 0, "groups are held out whole"


def test_it_tells_how_far_it_is(demo: Demo) -> None:
    told: list[str] = []
    groups = np.where(np.arange(100) < 60, np.arange(100), -1)
    network = QUICK._replace(nets=2, steps=3)
    train(demo.read(range(100)), demo.ratings[:100], network, 1, groups, tell=told.append)
    assert [line.split(": dev")[0] for line in told[:3]] == [
        "net 1 of 2, all, pass 1 of 2",
        "net 1 of 2, all, pass 2 of 2",
        "net 1 of 2, pass 1 of 3",
    ]
    assert len(told) == 2 * (2 + 3)


def test_what_cannot_be_done_is_one_sentence(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="two rows or more"):
        train(demo.read(range(1)), demo.ratings[:1], QUICK, 1)
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="no device 'cuda'"):
            train(demo.read(range(50)), demo.ratings[:50], QUICK._replace(device="cuda"), 1)
    monkeypatch.setattr(training, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"rainbow-nlg\[neural\]"):
        train(demo.read(range(50)), demo.ratings[:50], QUICK, 1)
