"""SIM compares the words of the meaning representation, as it is written, with those of the output."""

import csv
import math

import numpy as np
import pytest

from rainbow import load_dataset
from rainbow.base.native import kernels
from rainbow.metrics import Batch, MissingResourceError
from rainbow.metrics.word.meaning_similarity import Lexicon, MeaningSimilarity
from rainbow.programs import meteor_program
from tests.metrics.conftest import both

pytestmark = pytest.mark.once

NEIGHBOUR = math.exp(-0.25)


def sim(output: str, mr: str, lexicon: Lexicon = "wordnet") -> float:
    return float(MeaningSimilarity(lexicon=lexicon).score(Batch([output], mrs=[mr]))[0, 0])


@pytest.mark.parametrize("lexicon", ["lemmas", "wordnet"])
@pytest.mark.parametrize(("output", "mr", "of_mr", "of_output"), [
    ("inn", "inform(name=inn)", 1 / 3, 1),
    ("the inn is cheap", "inform(name=inn)", 1 / 3, 1 / 2),
    ("inns", "inform(name=inn)", 1 / 3, 1),
    ("it is an inn in the city centre", "inform(type=inn,area=citycentre)", 3 / 6, 1),
    ("the price range", "priceRange[cheap]", 2 / 3, 1),
    ("dogs are not allowed", "inform(dogs_allowed=no)", 2 / 3, 1),
    ("0 rooms", "inform(count=0)", 1 / 3, 1 / 2),
    ("?!", "inform(name=inn)", 0, 0),
    ("it is", "inform(name=inn)", 0, 0),
    ("", "inform(name=inn)", 0, 0),
])  # fmt: skip
def test_it_is_half_the_mean_best_match_of_either_side(output, mr, of_mr, of_output, lexicon) -> None:
    assert sim(output, mr, lexicon) == pytest.approx((of_mr + of_output) / 2)


@pytest.mark.parametrize(("output", "mr", "match"), [
    ("telephone", "inform(phone=X)", 1),
    ("hostelry", "inform(type=hotel)", NEIGHBOUR),
    ("dog", "inform(type=hotel)", 0),
])  # fmt: skip
def test_synonyms_count_as_equal_and_neighbours_less(output: str, mr: str, match: float) -> None:
    assert sim(output, mr) == pytest.approx((match / (3 if "type" in mr else 2) + match) / 2)
    assert sim(output, mr, "lemmas") == 0


def test_a_meaning_representation_of_function_words_leaves_it_undefined() -> None:
    batch = Batch(["the inn"], mrs=["no(x)"])
    values = MeaningSimilarity().score(batch)
    assert np.isnan(values).all()
    assert MeaningSimilarity().reasons(batch, values) == {(0, 0): "the meaning representation has only function words"}


def test_the_order_of_the_words_makes_no_difference() -> None:
    mr = "inform(name='the grand',area=soma,price_range=cheap)"
    assert sim("grand cheap hotel soma", mr) == sim("soma hotel cheap grand", mr)


def test_a_hundred_thousand_words_take_seconds() -> None:
    assert sim(" ".join(f"w{number}" for number in range(100_000)), "inform(name=inn)") == 0


def test_auto_becomes_what_is_there_and_the_signature_says_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MeaningSimilarity() == MeaningSimilarity(lexicon="wordnet")
    assert "|lexicon:wordnet|" in MeaningSimilarity().signature
    assert "senses:wordnet-3.0" in MeaningSimilarity().signature
    monkeypatch.setattr(meteor_program, "find_spec", lambda name: None)
    assert MeaningSimilarity() == MeaningSimilarity(lexicon="lemmas")
    assert "|lexicon:lemmas|" in MeaningSimilarity().signature and "wordnet" not in MeaningSimilarity().signature


def test_wordnet_asked_for_and_missing_is_an_error_that_says_how_to_mend_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(meteor_program, "find_spec", lambda name: None)
    with pytest.raises(MissingResourceError, match="pip install pycocoevalcap"):
        MeaningSimilarity(lexicon="wordnet")


def test_an_unknown_lexicon_is_refused() -> None:
    with pytest.raises(ValueError, match="choose from auto, wordnet, lemmas"):
        MeaningSimilarity(lexicon="roget")  # type: ignore[arg-type]


@pytest.mark.parametrize(("lexicon", "pearson", "spearman"), [("wordnet", 0.83, 0.81), ("lemmas", 0.79, 0.78)])
def test_it_correlates_with_the_published_column(data_dir, lexicon, pearson, spearman) -> None:
    from scipy.stats import pearsonr, spearmanr

    with (data_dir / "emnlp2017" / "emnlp_data_medians.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    batch = Batch([row["sys_ref"] for row in rows], mrs=[row["mr"] for row in rows])
    values = MeaningSimilarity(lexicon=lexicon).score(batch)[:, 0]
    published = [float(row["sim.mr.sys"]) for row in rows]
    found = pearsonr(values, published).statistic, spearmanr(values, published).statistic
    print(f"SIM with {lexicon}: Pearson {found[0]:.3f}, Spearman {found[1]:.3f} over {len(rows)} rows")
    assert found[0] > pearson and found[1] > spearman


@pytest.mark.skipif(kernels() is None, reason="the compiled kernels were not built")
@pytest.mark.parametrize("lexicon", ["lemmas", "wordnet"])
@pytest.mark.parametrize("dataset", ["demo", "sfhotel", "e2e"])
def test_the_compiled_twin_gives_the_same_bits(dataset, lexicon, request, monkeypatch) -> None:
    if dataset != "demo":
        monkeypatch.setenv("RAINBOW_DATA", str(request.getfixturevalue("data_dir")))
    frame = load_dataset(dataset).frame[:400]
    texts = [
        *frame["output"],
        *(f"{text[::2]} {text.upper()} café {mr}" for text, mr in zip(frame["output"], frame["mr"], strict=True)),
    ]
    batch = Batch(texts, mrs=[*frame["mr"], *frame["mr"][::-1]])
    found, expected = both(lambda: MeaningSimilarity(lexicon=lexicon).score(batch))
    np.testing.assert_array_equal(found, expected)
