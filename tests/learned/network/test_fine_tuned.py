"""A fine-tuned encoder: it learns, it is drawn by its seed alone, and a row has the same bits in any batch."""

import pickle
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.learned.learner import regressor
from rainbow.learned.learner.regressor import RainbowRegressor
from rainbow.learned.network import fine_tuning
from rainbow.learned.network.fine_tuned import FineTuned
from rainbow.learned.network.fine_tuning import Tuning, fine_tune
from rainbow.learned.training.features import Features, encoder_texts
from rainbow.learned.training.learn import Examples, Recipe, learn
from rainbow.programs.encoder import missing_encoder
from tests.learned.small_bert import LAYERS, WIDTH, small_bert

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

pytestmark = [pytest.mark.once, pytest.mark.xdist_group("network")]  # one worker imports torch, not all

NO_SCORES = np.empty((0, 0))
Texts = dict[str, list[str]]


@pytest.fixture(scope="module")
def bert(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_bert(tmp_path_factory.mktemp("bert"))


@pytest.fixture(scope="module")
def quick(bert: str) -> Tuning:
    return Tuning(encoder=bert, passes=2, rate=3e-3, device="cpu")


@pytest.fixture(scope="module")
def texts() -> Texts:
    frame = load_dataset("demo").frame.iloc[:120]
    return {"surface": frame["output"].tolist()}


@pytest.fixture(scope="module")
def ratings(texts: Texts) -> np.ndarray:
    """Return two ratings that the texts decide: a question is good, a long text is fluent."""
    said = texts["surface"]
    return np.column_stack([[1.0 + 5 * ("?" in text) for text in said], [float(len(text)) for text in said]])


@pytest.fixture(scope="module")
def learner(texts: Texts, ratings: np.ndarray, quick: Tuning) -> FineTuned:
    return fine_tune(texts, ratings, quick, 1)


def tensors(learner: FineTuned) -> dict[str, np.ndarray]:
    from safetensors.numpy import load

    return load(learner.encoder.weights.tobytes())


def anew(learner: FineTuned, texts: Texts) -> np.ndarray:
    """Predict by a copy that remembers no text."""
    return pickle.loads(pickle.dumps(learner)).predict(NO_SCORES, texts)


def test_it_learns_what_words_say(texts: Texts, ratings: np.ndarray, quick: Tuning) -> None:
    told: list[str] = []
    learner = fine_tune(texts, ratings, quick._replace(passes=15, batch=8, rate=1e-2), 1, tell=told.append)
    predicted = learner.predict(NO_SCORES, texts)
    for place, least in ((0, 0.8), (1, 0.5)):
        assert np.corrcoef(predicted[:, place], ratings[:, place])[0, 1] > least
    assert np.abs(predicted.mean(axis=0) - ratings.mean(axis=0)).max() < ratings.std(axis=0).max()
    assert [line.split(":")[0] for line in told] == [f"pass {number} of 15" for number in range(1, 16)]


def test_what_a_row_gets_is_bit_equal_in_batches_of_1_of_7_and_of_all_in_any_order(
    texts: Texts, learner: FineTuned
) -> None:
    odd = ["", " and ".join(texts["surface"][:20]), "zorp blint", texts["surface"][0], "half \ud800 pair"]
    said = [*texts["surface"][:40], *odd]
    together = learner.predict(NO_SCORES, {"surface": said})
    assert together.shape == (len(said), 2)
    assert np.isfinite(together).all()
    for batch in (1, 7):
        parts = [anew(learner, {"surface": said[start : start + batch]}) for start in range(0, len(said), batch)]
        np.testing.assert_array_equal(np.concatenate(parts), together)
    order = np.random.default_rng(1).permutation(len(said))
    np.testing.assert_array_equal(anew(learner, {"surface": [said[row] for row in order]}), together[order])
    assert learner.predict(NO_SCORES, {"surface": []}).shape == (0, 2)


def test_the_caller_s_threads_do_not_count(texts: Texts, learner: FineTuned) -> None:
    found, before = learner.predict(NO_SCORES, texts), torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        np.testing.assert_array_equal(anew(learner, texts), found)
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize("beside", [[], ["the inn is cheap", "a pub"]])
def test_it_gives_what_transformers_gives_with_these_weights(
    texts: Texts, ratings: np.ndarray, quick: Tuning, beside: Sequence[str]
) -> None:
    from transformers import AutoModel, AutoTokenizer

    read = {"surface": texts["surface"][:30]} | ({"references": beside * 15} if beside else {})
    learner = fine_tune(read, ratings[:30], quick, 1)
    network, tokenizer = (kind.from_pretrained(quick.encoder) for kind in (AutoModel, AutoTokenizer))
    state = network.state_dict() | {name: torch.from_numpy(own) for name, own in tensors(learner).items()}
    network.load_state_dict(state)
    pairs = [list(column) for column in read.values()]
    with torch.no_grad():
        tokens = tokenizer(*pairs, padding=True, return_tensors="pt")
        states, counts = network.eval()(**tokens).last_hidden_state, tokens["attention_mask"][:, :, None]
        vectors = ((states * counts).sum(1) / counts.sum(1)).numpy()
    expected = learner.mean + learner.slope * (vectors @ learner.output.weight[0] + learner.output.bias[0])
    np.testing.assert_allclose(learner.predict(NO_SCORES, read), expected, atol=1e-4)


@pytest.mark.parametrize(("layers", "trained"), [("all", {0, 1, 2}), ("last2", {1, 2}), ("head", set())])
def test_the_weights_that_are_kept_are_those_of_the_layers_that_were_trained(
    texts: Texts, ratings: np.ndarray, quick: Tuning, layers: fine_tuning.Layers, trained: set[int]
) -> None:
    learner = fine_tune(texts, ratings, quick._replace(layers=layers, passes=1), 1)
    found = tensors(learner)
    assert {name.split(".")[0] for name in found} <= {"encoder"}
    assert {int(name.split(".")[2]) for name in found} == trained
    assert {array.dtype.name for array in found.values()} <= {"float16"}
    assert np.ptp(learner.predict(NO_SCORES, texts)[:, 0]) > 0


def test_matrices_of_low_rank_leave_weights_that_need_no_further_package(
    texts: Texts, ratings: np.ndarray, quick: Tuning
) -> None:
    pytest.importorskip("peft")
    learner = fine_tune(texts, ratings, quick._replace(lora=True, layers="last2"), 1)
    changed = {f"encoder.layer.{layer}.attention.self.{part}.weight" for layer in (1, 2) for part in ("query", "value")}
    assert tensors(learner).keys() == changed
    assert np.isfinite(anew(learner, texts)).all()


def test_the_seed_decides_everything_and_the_caller_s_chance_is_left_alone(
    texts: Texts, ratings: np.ndarray, quick: Tuning, learner: FineTuned
) -> None:
    torch.manual_seed(7)
    expected = torch.rand(3)
    torch.manual_seed(7)
    again = fine_tune(texts, ratings, quick, 1)
    assert torch.equal(torch.rand(3), expected)
    np.testing.assert_array_equal(again.encoder.weights, learner.encoder.weights)
    assert (fine_tune(texts, ratings, quick, 2).encoder.weights != learner.encoder.weights).any()


def test_it_goes_on_from_what_was_trained_on_another_rating(
    texts: Texts, ratings: np.ndarray, quick: Tuning, learner: FineTuned, tmp_path: Path
) -> None:
    still = fine_tune(texts, ratings[:, 1:], quick._replace(rate=0.0), 1, start=learner)
    np.testing.assert_array_equal(still.encoder.weights, learner.encoder.weights)
    assert still.predict(NO_SCORES, texts).shape == (len(ratings), 1)
    other = quick._replace(encoder=small_bert(tmp_path / "bert", seed=2))
    with pytest.raises(ValueError, match="what was trained before is another encoder"):
        fine_tune(texts, ratings, other, 1, start=learner)


def test_what_comes_first_is_learned_from_the_same_rows_alone(monkeypatch: pytest.MonkeyPatch, quick: Tuning) -> None:
    seen: list[tuple[Texts, np.ndarray, object]] = []

    def noted(
        texts: Texts, ratings: np.ndarray, tuning: Tuning, seed: int, groups: object, start: object, tell: object
    ):
        seen.append((texts, ratings, start))
        return f"after {len(seen)}"

    monkeypatch.setattr(regressor, "fine_tune", noted)
    corpus = load_dataset("demo").take(range(40))
    frame = corpus.frame.assign(informativeness=[np.nan, *corpus.frame["informativeness"][1:]])
    corpus = type(corpus)(frame, corpus.ratings)
    features = Features(("len",), encoder_texts(corpus, "output"))
    recipe = Recipe(features, "encoder", corrupted=False, tuning=quick, first=("informativeness", "quality"))
    examples = Examples.of(corpus, ["naturalness"], recipe, features.fit(corpus))
    [learned] = learn(examples, np.arange(20), recipe)
    assert learned.columns == ["surface"]
    assert learned.estimator.learner_ == "after 3"
    for place, (name, start) in enumerate(
        [("informativeness", None), ("quality", "after 1"), ("naturalness", "after 2")]
    ):
        rows = slice(1 if name == "informativeness" else 0, 20)
        assert seen[place][0] == {"surface": frame["output"].tolist()[rows]}
        np.testing.assert_array_equal(seen[place][1].ravel(), frame[name].to_numpy(float)[rows])
        assert seen[place][2] == start


def test_rows_of_a_group_are_held_out_together(
    texts: Texts, ratings: np.ndarray, quick: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    held: list[np.ndarray] = []
    monkeypatch.setattr(fine_tuning._Step, "passes", lambda self, learned, dev, tell: held.append(dev) or (1 / 0))
    with pytest.raises(ZeroDivisionError):
        fine_tune(texts, ratings, quick, 1, groups=np.arange(120) // 6)
    assert sorted(held[0] // 6) == [group for group in sorted(set(held[0] // 6)) for _ in range(6)]
    assert len(held[0]) in (12, 18)


def test_one_of_several_ratings_can_be_taken_out_and_reads_no_text_again(texts: Texts, learner: FineTuned) -> None:
    together = learner.predict(NO_SCORES, texts)
    for place in (0, 1):
        one = learner.of_rating(place)
        assert one.encoder is learner.encoder
        np.testing.assert_allclose(one.predict(NO_SCORES, texts)[:, 0], together[:, place], rtol=0, atol=1e-12)


def test_familiarity_is_the_share_of_words_met_twice(learner: FineTuned) -> None:
    found = learner.familiarity({"surface": ["the hotel is", "the zorp", ""]}, 3)
    assert found.tolist() == [1.0, 0.5, 0.0]


def test_the_regressor_has_it_as_one_more_preset(texts: Texts, ratings: np.ndarray, quick: Tuning) -> None:
    import pandas as pd

    table = pd.DataFrame(texts)
    found = RainbowRegressor("encoder", 1, tuning=quick).fit(table, ratings).predict(table)
    np.testing.assert_array_equal(found, fine_tune(texts, ratings, quick, 1).predict(NO_SCORES, texts))
    with pytest.raises(ValueError, match="the preset 'encoder' reads texts"):
        RainbowRegressor("encoder", tuning=quick).fit(ratings, ratings[:, 0])


def test_what_cannot_be_done_is_one_sentence(
    texts: Texts, ratings: np.ndarray, quick: Tuning, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(ValueError, match="two rows or more"):
        fine_tune({"surface": ["an inn"]}, ratings[:1], quick, 1)
    with pytest.raises(
        RuntimeError, match="no folder 'no/such', and no such model in the hub's cache: hf download no/such"
    ):
        fine_tune(texts, ratings, quick._replace(encoder="no/such"), 1)
    if not torch.cuda.is_available():
        with pytest.raises(RuntimeError, match="no device 'cuda'"):
            fine_tune(texts, ratings, quick._replace(device="cuda"), 1)
    monkeypatch.setattr(fine_tuning, "find_spec", lambda name: None)
    with pytest.raises(RuntimeError, match=r"peft not installed: pip install 'rainbow-nlg\[lora\]'"):
        fine_tune(texts, ratings, quick._replace(lora=True), 1)
    monkeypatch.setenv("RAINBOW_JARS", "/none")
    with pytest.raises(RuntimeError, match="rainbow fetch minilm"):
        fine_tune(texts, ratings, Tuning(), 1)


def test_minilm_learns_where_it_is_there(texts: Texts, ratings: np.ndarray) -> None:
    if lacking := missing_encoder():
        pytest.skip(lacking)
    few = {"surface": texts["surface"][:40]}
    learner = fine_tune(few, ratings[:40], Tuning(layers="last2", passes=3, batch=8, device="cpu"), 1)
    assert {name.split(".")[2] for name in tensors(learner)} == {"4", "5"}
    predicted = learner.predict(NO_SCORES, few)
    assert np.corrcoef(predicted[:, 0], ratings[:40, 0])[0, 1] > 0.8
    np.testing.assert_array_equal(anew(learner, {"surface": few["surface"][:5]}), predicted[:5])


def test_the_small_encoder_is_what_it_says(learner: FineTuned) -> None:
    assert (learner.encoder.dimensions, len(learner.encoder.network.encoder.layer)) == (WIDTH, LAYERS)
