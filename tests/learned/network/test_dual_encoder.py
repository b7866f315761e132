"""What a network gives for a row: bit-equal in any batch, and what its formulas say."""

import math
import pickle

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.learned.network.dual_encoder import DualEncoder
from rainbow.learned.network.vocabulary import END, FIRST, UNKNOWN
from rainbow.learned.training.features import Features, network_texts
from rainbow.metrics.contract.views import Views
from rainbow.text.words.words_and_marks import text_words
from tests.learned.networks import drawn_network

NO_SCORES = np.empty((0, 0))
Texts = dict[str, list[str]]


@pytest.fixture(scope="module")
def texts() -> Texts:
    corpus = load_dataset("demo").take(range(0, 300, 2))
    read = Features((), network_texts(corpus)).texts_of(Views.of(corpus))
    # An empty text, one that is said twice, one much longer than the others, and one of unknown words.
    odd = ["", read["delexicalised"][3], " and ".join(read["delexicalised"][:9]), "zorp blint"]
    return {"delexicalised": read["delexicalised"] + odd, "meaning": [*read["meaning"], "", *read["meaning"][:3]]}


def network(texts: Texts, **kwargs: int) -> DualEncoder:
    return drawn_network([*texts], [text for column in texts.values() for text in column[:40]], **kwargs)


def rows(texts: Texts, places: "np.ndarray | list[int]") -> Texts:
    return {name: [column[place] for place in places] for name, column in texts.items()}


@pytest.mark.parametrize("layers", [1, 2])
@pytest.mark.parametrize("nets", [1, 3])
def test_what_a_row_gets_is_bit_equal_in_batches_of_1_of_7_and_of_all_in_any_order(
    texts: Texts, layers: int, nets: int
) -> None:
    learner, size = network(texts, layers=layers, nets=nets, ratings=2), len(texts["meaning"])
    together = learner.predict(NO_SCORES, texts)
    assert together.shape == (size, 2)
    assert np.isfinite(together).all()
    for batch in (1, 7):
        parts = [
            learner.predict(NO_SCORES, rows(texts, range(start, min(start + batch, size))))
            for start in range(0, size, batch)
        ]
        np.testing.assert_array_equal(np.concatenate(parts), together)
    order = np.random.default_rng(1).permutation(size)
    np.testing.assert_array_equal(learner.predict(NO_SCORES, rows(texts, order)), together[order])


@pytest.mark.parametrize("layers", [1, 2])
def test_it_computes_what_the_formulas_of_gated_recurrent_units_say(texts: Texts, layers: int) -> None:
    learner = network(texts, layers=layers, nets=2, ratings=2)
    found = learner.predict(NO_SCORES, texts)
    for row in (0, 5, len(found) - 4, len(found) - 2, len(found) - 1):
        expected = np.mean([by_formula(learner, rows(texts, [row]), net) for net in (0, 1)], axis=0)
        np.testing.assert_allclose(found[row], learner.mean + learner.slope * expected, rtol=0, atol=1e-12)


def by_formula(learner: DualEncoder, row: Texts, net: int) -> np.ndarray:
    """Return the outputs of one network for one row, number by number."""
    states: list[float] = []
    for encoder in learner.encoders:
        known = encoder.words.split()
        numbers = [FIRST + known.index(w) if w in known else UNKNOWN for w in text_words(row[encoder.column][0])]
        read = [[*encoder.vectors[net][number]] for number in [*numbers, END]]
        for layer in encoder.layers:
            state = [0.0] * layer.candidate.shape[1]
            said = []
            for inputs in read:
                state = one_step(layer, net, inputs, state)
                said.append(state)
            read, states = said, states + state
    for weight, bias in learner.hidden:
        states = [math.tanh(math.fsum(states * weight[net][:, k]) + bias[net][k]) for k in range(len(states))]
    return np.array(states) @ learner.output.weight[net] + learner.output.bias[net]


def one_step(layer: "object", net: int, inputs: list[float], state: list[float]) -> list[float]:
    units = len(state)
    own = np.array(inputs) @ layer.inputs[net] + layer.bias[net]  # type: ignore[attr-defined]
    before = np.array(state) @ layer.states[net]  # type: ignore[attr-defined]
    following = []
    for k in range(units):
        reset = 1 / (1 + math.exp(-(own[k] + before[k])))
        update = 1 / (1 + math.exp(-(own[units + k] + before[units + k])))
        shift = layer.candidate[net][k]  # type: ignore[attr-defined]
        candidate = math.tanh(own[2 * units + k] + reset * (before[2 * units + k] + shift))
        following.append((1 - update) * candidate + update * state[k])
    return following


def test_one_of_several_ratings_can_be_taken_out(texts: Texts) -> None:
    learner = network(texts, ratings=3)
    together = learner.predict(NO_SCORES, texts)
    for place in range(3):
        alone = learner.of_rating(place).predict(NO_SCORES, texts)
        np.testing.assert_allclose(alone[:, 0], together[:, place], rtol=0, atol=1e-12)


def test_a_copy_through_pickle_predicts_the_same(texts: Texts) -> None:
    learner = network(texts)
    np.testing.assert_array_equal(
        pickle.loads(pickle.dumps(learner)).predict(NO_SCORES, texts), learner.predict(NO_SCORES, texts)
    )


def test_familiarity_is_the_geometric_mean_of_the_shares_of_known_words() -> None:
    learner = drawn_network(["delexicalised", "meaning"], ["a cheap inn .", "inform name xname"])
    outputs = ["a cheap inn .", "a dear inn .", "a dear inn .", "zorp", ""]
    inputs = ["inform", "inform", "inform moon moon moon", "inform", "inform"]
    known = learner.familiarity({"delexicalised": outputs, "meaning": inputs}, 5)
    np.testing.assert_allclose(known, [1, math.sqrt(0.75), math.sqrt(0.75 * 0.25), 0, 0], rtol=1e-12)
    alone = drawn_network(["surface"], ["a cheap inn ."])
    assert alone.familiarity({"surface": outputs[:2]}, 2).tolist() == [1.0, 0.75]


def test_no_rows_have_no_predictions(texts: Texts) -> None:
    empty: Texts = {name: [] for name in texts}
    assert network(texts, ratings=2).predict(NO_SCORES, empty).shape == (0, 2)
    assert network(texts).familiarity(empty, 0).shape == (0,)
