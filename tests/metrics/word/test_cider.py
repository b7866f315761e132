"""CIDEr-D is what the MS-COCO tools print as CIDEr; CIDEr is the cosine it was defined as."""

import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import cosine

from rainbow.metrics import Batch
from rainbow.metrics.word.cider import Cider
from tests.metrics.conftest import both
from tests.metrics.real_rows import dialogue_rows, largest_difference, restaurant_rows

REFERENCES = [["the inn is cheap and near the sea"], ["the bar is cheap", "a cheap bar"], ["no inn is near"]]


def fitted(**parameters: bool) -> Cider:
    return Cider(**parameters).fit(Batch([""] * 3, REFERENCES))


def scored(output: str, *references: str) -> list[float]:
    return fitted().score(Batch([output], [references]))[0].tolist()


@pytest.mark.once
@pytest.mark.parametrize(("rows", "count"), [(dialogue_rows, 1000), (restaurant_rows, 200)])
def test_cider_d_equals_what_pycocoevalcap_calls_cider(data_dir: Path, rows, count: int) -> None:
    batch, (tool, _) = rows(data_dir, count), Cider.tools
    theirs = tool.scores(batch)
    for ours in both(lambda: Cider().fit(batch).score(batch)[:, 1:]):
        assert largest_difference("CIDErD", ours, theirs) <= 1e-9


def vector(text: str, order: int) -> dict[str, float]:
    """Weigh n-grams as defined, by looking through the three documents."""
    tokens = text.split()
    grams = [" ".join(tokens[start : start + order]) for start in range(len(tokens) - order + 1)]
    having = {gram: sum(any(f" {gram} " in f" {text} " for text in texts) for texts in REFERENCES) for gram in grams}
    return {gram: grams.count(gram) * math.log(len(REFERENCES) / max(1, having[gram])) for gram in grams}


def test_cider_is_the_mean_cosine_over_orders_and_references() -> None:
    output, references = "a cheap cheap bar is near the sea", ["the bar is cheap", "a cheap bar is near"]
    cosines = []
    for reference in references:
        for order in (1, 2, 3, 4):
            ours, theirs = vector(output, order), vector(reference, order)
            grams = sorted(ours | theirs)
            cosines.append(1 - cosine([ours.get(g, 0) for g in grams], [theirs.get(g, 0) for g in grams]))
    assert scored(output, *references)[0] == pytest.approx(10 * np.mean(cosines), abs=1e-12)


def test_cider_d_falls_with_the_difference_in_length_and_clips_repetitions() -> None:
    cider, cider_d = scored("the inn is cheap and near the sea " * 2, REFERENCES[0][0])
    assert cider > 9
    # twice each n-gram (but for those across the middle): half the clipped weight, and 8 tokens too many
    assert cider_d < cider * math.exp(-(8**2) / 72)


def test_as_published_the_column_cider_holds_the_clipped_form() -> None:
    batch = Batch(["the inn is cheap cheap"], [REFERENCES[0]])
    right, published = fitted().score(batch)[0], fitted(as_published=True).score(batch)[0]
    assert right[0] > right[1] == published[0] == published[1]


def test_an_identical_reference_is_best_and_three_tokens_cannot_reach_ten() -> None:
    assert scored("no inn is near", "no inn is near") == pytest.approx([10, 10])
    assert scored("a cheap bar", "a cheap bar") == pytest.approx([7.5, 7.5])


def test_each_collection_has_its_own_statistics() -> None:
    outputs, collections = ["the inn is cheap"] * 4, ["hotels", "hotels", "bars", "bars"]
    references = [["the inn is near"], ["a bar"], ["the inn is near"], ["the inn is not cheap"]]
    values = (
        Cider()
        .fit(Batch(outputs, references, collections=collections))
        .score(Batch(outputs, references, collections=collections))
    )
    bars = Batch(outputs[2:], references[2:])
    np.testing.assert_array_equal(values[2:], Cider().fit(bars).score(bars))
    assert values[0, 0] > values[2, 0]  # among the hotels "the inn is" is rare, among the bars all have it


def test_given_documents_are_counted_instead_of_the_rows() -> None:
    documents = {"hotels": [["the inn"], ["a bar"], ["the bar"]]}
    frequencies = Cider().fit(Batch(["the inn"], [["the inn"]], collections=["hotels"], documents=documents)).statistics
    assert frequencies is not None and frequencies["hotels"].documents == 3
    assert frequencies["hotels"].counts == {("the",): 2, ("bar",): 2}


def test_rows_of_one_item_are_one_document() -> None:
    batch = Batch(["a", "b", "c"], [["the inn"], ["the inn"], ["a bar"]], items=["1", "1", "2"])
    frequencies = Cider().fit(batch).statistics
    assert frequencies is not None and frequencies[""].documents == 2


def test_a_row_of_an_unknown_collection_is_refused_by_name() -> None:
    with pytest.raises(ValueError, match="collection 'pubs'"):
        fitted().score(Batch(["the inn"], [["the inn"]], collections=["pubs"]))


def test_one_document_gives_no_number_but_a_reason() -> None:
    batch = Batch(["the inn"], [["the inn"]])
    metric = Cider().fit(batch)
    values = metric.score(batch)
    assert np.isnan(values).all() and "one document," in metric.reasons(batch, values)[0, 0]
