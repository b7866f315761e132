"""Short examples of functions in reports."""


def test_neighbours_first() -> None:
    from rainbow.reports.clustering import leaf_order, np

    assert leaf_order(np.array([[1, 0.1, 0.9], [0.1, 1, 0.2], [0.9, 0.2, 1]])) == [1, 2, 0]


def test_percentiles() -> None:
    from rainbow.reports.disagreement import percentiles

    expected = "[75.0, 12.5, 75.0, nan, 37.5]"
    assert " ".join(repr(percentiles([3, 1, 3, float("nan"), 2]).tolist()).split()) == expected


def test_script_json() -> None:
    from rainbow.reports.embedding import script_json

    assert script_json({"output": "</script><b>&"}) == '{"output":"\\u003c/script>\\u003cb>&"}'


def test_counted_marks() -> None:
    import pandas as pd

    from rainbow.reports.figures.distributions import countable_ratings

    scores = pd.DataFrame({"fluency": [n / 30 for n in range(31)], "quality": 0.5})
    assert countable_ratings(scores.tail(2), ["fluency"])["fluency"].round(3).tolist() == [0.967, 1.0]
    assert countable_ratings(scores, ["fluency", "quality"]).tail(1).round(2).values.tolist() == [[0.95, 0.55]]


def test_moved_apart() -> None:
    from rainbow.reports.figures.scatter import jitter, np

    expected = "np.True_"
    assert " ".join(repr((abs(jitter(np.array([1.0, 2, 2, 4]), 3) - [1, 2, 2, 4]) < 0.5).all()).split()) == expected


def test_means_of_parts() -> None:
    from rainbow.reports.figures.scatter import binned_means, np

    found = binned_means(np.repeat([1.0, 2.0], 10), np.tile([3.0, 5, 4, 4, 4], 4), 3)
    assert [values.round(2).tolist() for values in found] == [[1.0, 2.0], [4.0, 4.0], [0.41, 0.41]]


def test_limit_of() -> None:
    from rainbow.reports.grid import colour_limit

    assert (colour_limit([0.13, -0.41, float("nan")]), colour_limit([])) == (0.5, 0.2)


def test_fixed() -> None:
    from rainbow.reports.number_format import format_fixed

    assert (format_fixed(0.456), format_fixed(-0.004), format_fixed(-1.25, 1)) == ("0.46", "0.00", "−1.2")
    assert format_fixed(float("nan")) == "–"


def test_precise() -> None:
    from rainbow.reports.number_format import format_precise

    assert (format_precise(0.012345), format_precise(69.902)) == ("0.0123", "69.9")
    assert (format_precise(1038.0), format_precise(-0.5)) == ("1,038", "−0.500")
    assert (format_precise(1234.5), format_precise(1e-09)) == ("1,234", "0.00")


def test_saved_folder() -> None:
    from rainbow.reports.saved.saved_systems import saved_folder

    expected = "(PosixPath('.'), PosixPath('.'))"
    assert " ".join(repr((saved_folder("demo"), saved_folder("data/mine.csv"))).split()) == expected


def test_slots_said() -> None:
    import pandas as pd

    from rainbow.reports.slot_coverage import slot_coverage

    table = pd.DataFrame({"mr": ["inform(name=inn,food=thai)"], "output": ["an inn"], "references": [["an inn"]]})
    assert slot_coverage(table)["said"] == ["rm"]


def test_plain_name() -> None:
    from rainbow.reports.system_sections.column_labels import plain_name

    assert plain_name("normalised_average") == "normalised average"
    assert plain_name("unique_tokens_percent") == "unique tokens, %"
