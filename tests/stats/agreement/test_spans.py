"""Agreement on spans: cases computed by hand, and properties."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.stats.agreement.gamma import gamma
from rainbow.stats.agreement.marked_spans import MarkedSpans, SpanAgreement, annotation_pairs, overlaps, span_f1

LENGTH = 100
Spans = Sequence[tuple[int, int, int]]  # start, end, label


def marked(*texts: Sequence[Spans], length: int = LENGTH) -> MarkedSpans:
    """Return texts with the spans of each annotator."""
    annotations = [(text, person, spans) for text, people in enumerate(texts) for person, spans in enumerate(people)]
    held = [(owner, *span) for owner, (_, _, spans) in enumerate(annotations) for span in spans]
    columns = np.array(held, dtype=int).reshape(-1, 4).T
    return MarkedSpans(*np.array([(text, person, length) for text, person, _ in annotations], dtype=int).T, *columns)


def f1(*texts: Sequence[Spans]) -> SpanAgreement:
    return span_f1(marked(*texts), resamples=0, rng=1)


def g(*texts: Sequence[Spans]) -> float:
    return gamma(marked(*texts), resamples=0, rng=1).estimate


def test_f1_is_twice_the_common_characters_by_the_marked_ones() -> None:
    # 5 of 10 and 9 of 10 characters in common, of 20 + 29 that were marked.
    result = f1([[(0, 10, 0), (20, 30, 0)], [(5, 15, 0), (21, 30, 0), (50, 60, 0)]])
    assert (result.estimate, result.n_items, result.n_pairs) == (pytest.approx(2 * 14 / 49), 1, 1)


def test_only_characters_with_the_same_label_agree() -> None:
    assert f1([[(0, 10, 1)], [(0, 10, 2)]]).estimate == 0
    assert f1([[(0, 10, 1), (10, 20, 2)], [(0, 20, 1)]]).estimate == pytest.approx(2 * 10 / 40)


def test_a_character_marked_twice_counts_twice() -> None:
    assert f1([[(0, 10, 0), (0, 10, 0)], [(0, 10, 0)]]).estimate == pytest.approx(2 * 10 / 30)


def test_an_annotator_without_spans_agrees_with_nothing_that_others_marked() -> None:
    assert f1([[(0, 10, 0)], []], [[(0, 10, 0)], [(0, 10, 0)]]).estimate == pytest.approx(20 / 30)


def test_outputs_that_nobody_marked_change_nothing_but_the_count() -> None:
    some = [[(0, 10, 0)], [(5, 10, 0)]]
    assert (f1(some).estimate, f1(some, [[], []]).n_items) == (f1(some, [[], []]).estimate, 2)


def test_three_annotators_are_three_pairs() -> None:
    spans = marked([[(0, 10, 0)], [(0, 10, 0)], []])
    left, right = annotation_pairs(spans.texts)
    assert list(zip(left, right, strict=True)) == [(0, 1), (0, 2), (1, 2)]
    assert overlaps(spans, left, right).tolist() == [10, 0, 0]
    assert f1([[(0, 10, 0)], [(0, 10, 0)], []]).estimate == pytest.approx(20 / 40)


def test_the_chance_level_is_that_of_random_places() -> None:
    # A span of 10 at one of 91 places has 10 - d characters in common with one that is d away.
    text = [[(0, 10, 0)], [(45, 55, 0)]]
    expected = (10 * 91 + 2 * sum((10 - d) * (91 - d) for d in range(1, 10))) / 91**2 / 10
    assert span_f1(marked(*[text] * 2000), resamples=0, rng=1).chance == pytest.approx(expected, rel=0.05)


def test_the_interval_comes_from_resampled_outputs() -> None:
    texts = [[[(0, 10, 0)], [(n % 12, n % 12 + 10, 0)]] for n in range(40)]
    for measure in (span_f1, gamma):
        result = measure(marked(*texts), resamples=200, rng=1)
        assert result.low < result.estimate < result.high


@pytest.mark.parametrize("measure", [span_f1, gamma])
def test_what_is_not_defined_has_a_reason(measure: object) -> None:
    assert callable(measure)
    for texts, reason in (
        ([[[(0, 1, 0)]]], "no output has two annotators"),
        ([[[], []]], "no span has a position in its output"),
        ([[[], []], [[(0, 1, 0)]]], "no annotator of these outputs marked a span"),
    ):
        result = measure(marked(*texts))
        assert math.isnan(result.estimate) and result.reason == reason


def test_gamma_of_equal_spans_is_one() -> None:
    assert g([[(0, 10, 0), (40, 50, 1)], [(0, 10, 0), (40, 50, 1)]]) == pytest.approx(1)


def test_gamma_of_spans_at_random_places_is_about_zero() -> None:
    places = np.random.default_rng(3).integers(0, 90, (300, 2))
    assert abs(g(*[[[(a, a + 10, 0)], [(b, b + 10, 0)]] for a, b in places.tolist()])) < 0.06


def test_gamma_is_the_disorder_of_the_best_alignment_by_that_of_chance() -> None:
    from rainbow.stats.agreement.gamma import Units, _best_alignment

    first = Units(np.array([0.0, 20.0]), np.array([10.0, 30.0]), np.array([0, 1]), np.zeros(2, int))
    second = Units(np.array([5.0, 21, 50]), np.array([15.0, 30, 60]), np.array([0, 0, 2]), np.zeros(3, int))
    # Mathet et al., definitions 4 to 6: ((5 + 5) / 20)², (1 / 19)² plus 1 for the category, 1 for a lone span.
    assert _best_alignment(first, second)[2].sum() == pytest.approx(0.25 + (1 / 19) ** 2 + 1 + 1)


def test_two_spans_far_apart_cost_less_unaligned() -> None:
    from rainbow.stats.agreement.gamma import Units, _best_alignment

    one, other = (Units(np.array([s]), np.array([s + 10]), np.zeros(1, int), np.zeros(1, int)) for s in (0.0, 20.0))
    assert _best_alignment(one, other)[2].sum() == 2


SPANS = st.lists(st.tuples(st.integers(0, 89), st.integers(1, 10), st.integers(0, 2)), max_size=4)
TEXTS = st.lists(st.lists(SPANS, min_size=2, max_size=3), min_size=1, max_size=4)


@given(TEXTS)
def test_f1_is_within_zero_and_one_and_does_not_depend_on_the_order(texts) -> None:
    held = [[[(s, s + n, label) for s, n, label in spans] for spans in people] for people in texts]
    result, reverse = f1(*held), f1(*[people[::-1] for people in held])
    assert np.array_equal(result.estimate, reverse.estimate, equal_nan=True)
    assert math.isnan(result.estimate) or 0 <= result.estimate <= 1
    unlabelled = f1(*[[[(s, e, 0) for s, e, _ in spans] for spans in people] for people in held]).estimate
    assert math.isnan(result.estimate) or unlabelled >= result.estimate - 1e-12


@given(TEXTS)
def test_gamma_is_at_most_one(texts: list[list[list[tuple[int, int, int]]]]) -> None:
    estimate = g(*[[[(s, s + n, label) for s, n, label in spans] for spans in people] for people in texts])
    assert math.isnan(estimate) or estimate <= 1 + 1e-12


@given(SPANS, SPANS)
def test_the_alignment_is_the_cheapest_of_all(first, second) -> None:
    from rainbow.stats.agreement.gamma import Units, _best_alignment

    def units(spans: list[tuple[int, int, int]]) -> Units:
        columns = np.array(sorted(spans), dtype=int).reshape(-1, 3).T
        return Units(columns[0].astype(float), (columns[0] + columns[1]).astype(float), columns[2], columns[2] * 0)

    def cheapest(own: list[tuple[int, int, int]], others: list[tuple[int, int, int]]) -> float:
        if not own:
            return float(len(others))
        (start, size, label), rest = own[0], own[1:]
        costs = [1 + cheapest(rest, others)]
        for place, (begin, length, kind) in enumerate(others):
            cost = ((abs(start - begin) + abs(start + size - begin - length)) / (size + length)) ** 2 + (label != kind)
            costs.append(cost + cheapest(rest, others[:place] + others[place + 1 :]))
        return min(costs)

    assert _best_alignment(units(first), units(second))[2].sum() == pytest.approx(cheapest(first, second))
