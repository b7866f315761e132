"""The network of 2017: it learns, it is drawn by its seed alone, and it is kept as it was after its best pass."""

from typing import Any

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.learned.protocols.groups import assign_folds, iter_folds, row_groups
from rainbow.learned.replications import training
from rainbow.learned.replications.dusek2017 import network as network_module
from rainbow.learned.replications.dusek2017.network import Network, PredictTexts, train_network
from rainbow.learned.replications.dusek2017.setups import _encoder_texts
from rainbow.learned.replications.training import known_words, number_words

torch = pytest.importorskip("torch")

pytestmark = pytest.mark.xdist_group("network")  # one worker imports torch, not all

QUICK = Network(units=16, steps=20, device="cpu")


class Demo:
    """Texts and ratings of the embedded dataset."""

    def __init__(self) -> None:
        corpus = load_dataset("demo")
        self.texts = _encoder_texts(corpus)
        self.ratings = corpus.frame[["quality", "naturalness"]].to_numpy(float)
        self.groups = row_groups(corpus.frame, "by-item-and-text")
        self.train, self.test = next(iter_folds(assign_folds(corpus.frame, "by-item-and-text")))

    def read(self, rows: "np.ndarray | range") -> dict[str, list[str]]:
        return {name: [column[row] for row in rows] for name, column in self.texts.items()}

    def trained(
        self, rows: Any, network: Network = QUICK, seed: int = 1, made_up: int = 0, tell: Any = str
    ) -> PredictTexts:
        """Train on some rows, the last of which are made up; every fifth of the others is held out."""
        groups = np.array([*range(len(rows) - made_up), *[-1] * made_up])
        held = np.arange(0, len(rows) - made_up, 5)
        return train_network(self.read(rows), self.ratings[rows], groups, held, network, seed, tell)


@pytest.fixture(scope="module")
def demo() -> Demo:
    return Demo()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_it_is_better_than_the_constant_on_rows_held_out(demo: Demo, seed: int) -> None:
    predict = demo.trained(demo.train, Network(units=32, steps=60, device="cpu"), seed)
    predicted, truth = predict(demo.read(demo.test))[:, 0], demo.ratings[demo.test][:, 0]
    assert np.mean((predicted - truth) ** 2) < np.mean((demo.ratings[demo.train][:, 0].mean() - truth) ** 2)
    assert np.corrcoef(predicted, truth)[0, 1] > 0.1


@pytest.mark.parametrize("layers", [1, 2])
def test_what_a_text_gets_does_not_depend_on_those_beside_it(demo: Demo, layers: int) -> None:
    predict = demo.trained(range(200), QUICK._replace(layers=layers))
    together = predict(demo.read(range(200, 260)))
    assert together.shape == (60, 2)
    for row in (0, 17, 59):
        np.testing.assert_allclose(predict(demo.read(range(200 + row, 201 + row)))[0], together[row], atol=1e-5)


def test_the_seed_decides_everything_and_the_caller_s_chance_is_left_alone(demo: Demo) -> None:
    texts = demo.read(range(150))
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    threads = torch.get_num_threads()
    first = demo.trained(range(150), seed=5)(texts)
    assert torch.equal(torch.rand(3), expected) and torch.get_num_threads() == threads
    np.testing.assert_array_equal(demo.trained(range(150), seed=5)(texts), first)
    assert (demo.trained(range(150), seed=6)(texts) != first).any()


def test_made_up_rows_are_learned_from_first_and_never_chosen_by(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int, str]] = []
    passes_of = network_module._Trainer.passes

    def noted(self: Any, rows: Any, dev: Any, count: int, tell: Any, what: str) -> None:
        seen.append((len(rows.targets), len(dev.targets), what))
        passes_of(self, rows, dev, count, tell, what)

    monkeypatch.setattr(network_module._Trainer, "passes", noted)
    told: list[str] = []
    demo.trained(range(100), QUICK._replace(steps=3), made_up=40, tell=told.append)
    assert seen == [(88, 12, "all, "), (48, 12, "")]
    firsts = ["all, epoch 1 of 2", "all, epoch 2 of 2", "epoch 1 of 3", "epoch 2 of 3", "epoch 3 of 3"]
    assert [line.split(": dev")[0] for line in told] == firsts


def test_it_is_kept_as_it_was_after_the_pass_that_agreed_best(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[np.ndarray] = []
    outputs = network_module._Trainer._outputs

    def noted(self: Any, rows: Any) -> np.ndarray:
        given.append(outputs(self, rows))
        return given[-1]

    monkeypatch.setattr(network_module._Trainer, "_outputs", noted)
    agreements = iter([0.1, 0.9, 0.2])
    monkeypatch.setattr(training, "dev_agreement", lambda *_: next(agreements))
    predict = demo.trained(range(100), QUICK._replace(steps=3))
    rated = demo.ratings[:100]
    expected = rated.mean(axis=0) + rated.std(axis=0) * given[1]
    np.testing.assert_allclose(predict(demo.read(range(0, 100, 5))), expected, atol=1e-6)


def test_words_are_those_met_twice_and_all_others_are_one() -> None:
    known = known_words(["a cheap inn", "a pub", "an inn"])
    assert known == ("a", "inn")
    assert number_words(["a zoo inn", ""], {word: place for place, word in enumerate(known)}) == [[2, 0, 3, 1], [1]]


def test_what_cannot_be_done_is_one_sentence(demo: Demo, monkeypatch: pytest.MonkeyPatch) -> None:
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="a device 'cuda'"):
            demo.trained(range(50), QUICK._replace(device="cuda"))
    monkeypatch.setattr(training, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"rainbow-nlg\[neural\]"):
        demo.trained(range(50))
