"""The score of any text: it reads what there is, and any input of any kind gives a number or a reason."""

import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import rainbow
from rainbow.learned.model.model_file import read_shipped_model, shipped_model_names
from rainbow.learned.score import MAX_QUERIES, choose_speed
from rainbow.metrics import Batch
from rainbow.metrics.general.general_score import SPEEDS, GeneralFast, LeftOut, general_columns, missing_full_resources
from rainbow.metrics.general.regressions import RATINGS, Regression, expected_ratings
from scripts.general_regressions import PARTS, Part, RatedScores, learn_regressions, speed_columns

MR = "inform(name='the inn',area=soma,price_range=cheap)"
TRIPLES = "Alan Bean | birth place | Wheeler && Alan Bean | occupation | test pilot"
ARTICLE = "The council met on Monday to vote on the new bridge. " * 12 + "It was rejected by nine votes to two."


@pytest.fixture(params=["fast", "full"])
def speed(request: pytest.FixtureRequest) -> str:
    if request.param == "full" and (missing := missing_full_resources()):
        pytest.skip(missing)
    return request.param


def test_whatever_comes_with_a_text_is_read(speed: str) -> None:
    good, bad = "The inn is a cheap hotel in soma.", "soma inn the in cheap in is"
    for given in ({}, {"inputs": MR}, {"references": ["The inn is cheap, in soma."]}):
        assert rainbow.score(good, model=speed, **given) > rainbow.score(bad, model=speed, **given), given
    both = {"inputs": TRIPLES, "references": ["Alan Bean was a test pilot, born in Wheeler."]}
    right, wrong = "Alan Bean was born in Wheeler and was a test pilot.", "Alan Bean was born."
    assert rainbow.score(right, model=speed, **both) > rainbow.score(wrong, model=speed, **both)


def test_rows_are_scored_alike_alone_and_beside_rows_that_have_more_or_less(speed: str) -> None:
    outputs = ["Alan Bean was born in Wheeler.", "The bridge was rejected.", "the inn is cheap", "", "?!", "so"]
    inputs = [TRIPLES, ARTICLE, MR, MR, None, None]
    references = [[], ["The council said no to the bridge."], [], [], [], ["so it is"]]
    together = rainbow.score(outputs, references, inputs, model=speed)
    alone = [rainbow.score(*row, model=speed) for row in zip(outputs, references, inputs, strict=True)]
    np.testing.assert_array_equal(together, alone)
    assert ((together >= 1) & (together <= 6)).all() and together[3] == together[4] == 1


def test_an_input_that_is_a_text_is_read_by_full() -> None:
    if missing := missing_full_resources():
        pytest.skip(missing)
    true, false = "The bridge was rejected.", "The weather was sunny in France."
    assert rainbow.score(true, input=ARTICLE, model="full") > rainbow.score(false, input=ARTICLE, model="full")


@pytest.mark.parametrize(("text", "read"), [
    ("Ann: Are you coming tonight?\nBob: Where to?", False),
    ("Der Rat lehnte die neue Brücke ab.", False),
    (ARTICLE, True),
    ("bridge: rejected | votes: nine to two", True),
])  # fmt: skip
def test_beside_references_an_input_is_read_that_says_what_they_say(text: str, read: bool) -> None:
    if missing := missing_full_resources():
        pytest.skip(missing)
    output, references = "The bridge was turned down.", ["The council rejected the bridge by nine votes to two."]
    alone = rainbow.score(output, references, model="full")
    assert (rainbow.score(output, references, text, model="full") != alone) == read
    assert rainbow.score(output, input=text, model="full") != rainbow.score(output, model="full")


def test_what_no_reference_says_of_a_table_is_not_missed() -> None:
    table = "home: Leeds | away: York | score: 2:1 | attendance: 31204 | referee: A. Moss | weather: rain"
    texts = ["Leeds beat York 2:1.", "Leeds beat York 2:1 before 31204 people, A. Moss in charge, in the rain."]
    said, whole = [["Leeds won 2:1 against York."]] * 2, [[texts[1]]] * 2
    short, long = rainbow.score(texts, said, [table] * 2, model="fast", rating="informativeness")
    assert short > long - 0.1
    short, long = rainbow.score(texts, whole, [table] * 2, model="fast", rating="informativeness")
    assert short < long - 0.1


@pytest.mark.parametrize("rating", ["informativeness", "naturalness", "quality"])
def test_what_says_nothing_of_the_input_scores_less_in_a_domain_that_is_not_known(speed: str, rating: str) -> None:
    good = "Alan Bean, who was born in Wheeler, was a test pilot."
    shuffled, other = "test was Bean Wheeler, a in Alan, born who pilot was.", "It rains today."
    found = rainbow.score([good, shuffled, other], inputs=[TRIPLES] * 3, model=speed, rating=rating)
    assert found[1] < found[0]
    assert found[2] < found[0] or (rating, speed) == ("naturalness", "fast")  # it reads no input


@pytest.mark.parametrize("text", [
    "x" * 5000, "word " * 3000, "日本語のテキスト", "\ud800", "😀 😀", "a\0b"
], ids=["a long word", "many words", "Japanese", "half a character", "emoji", "NUL"])  # fmt: skip
def test_odd_texts_have_a_number_or_none(speed: str, text: str) -> None:
    found = rainbow.score([text, "the inn"], inputs=[text, MR], model=speed)
    assert (math.isnan(found[0]) or 1 <= found[0] <= 6) and found[1] == rainbow.score("the inn", input=MR, model=speed)


def test_the_default_is_full_where_it_was_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    assert rainbow.Scorer().name == "quality-fast"
    monkeypatch.setattr("rainbow.learned.scorer.missing_full_resources", missing_full_resources)
    assert rainbow.Scorer().name == ("quality-fast" if missing_full_resources() else "quality-full")


def test_six_models_come_with_the_package_and_start_from_general_scores() -> None:
    assert {f"{rating}-{speed}" for rating in RATINGS for speed in SPEEDS} <= set(shipped_model_names())
    model = read_shipped_model("quality-fast")
    assert {*general_columns("fast")} <= {*model.features.columns} and not model.needs
    # Measured it was from scores that had not learned from its corpus; what it scores with knows all.
    (general,) = [metric for metric in model.features.metrics or () if metric.name == "general-fast"]
    assert (general.references, general.statistics) == (True, LeftOut())


def test_a_text_that_is_not_familiar_has_the_general_score_alone() -> None:
    texts = ["Alan Bean was born in Wheeler.", "Alan Bean was born."]
    found = rainbow.score(texts, inputs=[TRIPLES] * 2, model="quality-fast")
    general = GeneralFast().fit(Batch([])).score(Batch(texts, mrs=[TRIPLES] * 2))[:, RATINGS.index("quality")]
    assert (found[0] > found[1]) == (general[0] > general[1])
    more = rainbow.score(texts, inputs=[TRIPLES] * 2, references=[["Bean is from Wheeler."]] * 2, model="quality-fast")
    assert not np.array_equal(more, found)


def test_fifty_rated_outputs_of_another_domain_start_from_the_general_score(few_trees: None) -> None:
    corpus, quick = rainbow.load_dataset("demo").take(range(50)), {"protocols": "by-item-and-text", "resamples": 50}
    learned = {start: rainbow.learn(corpus, "quality", start=start, **quick) for start in ("none", "fast")}
    columns = {start: found.fitted.models[0].features.columns for start, found in learned.items()}
    assert {*columns["fast"]} - {*columns["none"]} == {*general_columns("fast")}
    strange = ["Zorgon blips are quuxed.", "blips Zorgon blips quuxed are."]
    scored = {
        start: found.scorer()(strange, [["Zorgon quuxes blips."]] * 2, ["inform(zorgon=blips)"] * 2)
        for start, found in learned.items()
    }
    general = rainbow.Scorer("quality-fast")(strange, [["Zorgon quuxes blips."]] * 2, ["inform(zorgon=blips)"] * 2)
    assert (scored["fast"][0] > scored["fast"][1]) == (general[0] > general[1])


def test_a_rating_that_a_regression_did_not_learn_is_that_of_the_next() -> None:
    def one(column: str, *intercept: float) -> Regression:
        return Regression((column,), np.zeros((3, 1)), np.ones((3, 1)), np.zeros((3, 1)), np.array(intercept))

    scores = pd.DataFrame({"METEOR": [0.5, math.nan], "len": [9.0, 9.0]})
    found = expected_ratings(
        [one("METEOR", 1.0, math.nan, 3.0), one("len", 4.0, 5.0, 6.0)],
        2,
        lambda columns, _: scores[[*columns]].to_numpy(float),
    )
    np.testing.assert_array_equal(found, [[1, 5, 3], [4, 5, 6]])


def test_regressions_are_learned_of_what_some_corpus_has() -> None:
    rng = np.random.default_rng(1)
    columns = [name for name in speed_columns("fast") if not name.startswith("slots_")]
    scores = pd.DataFrame(rng.normal(size=(80, len(columns))), columns=columns)
    rated = {"quality": [RatedScores(scores, scores["METEOR"] - scores["TER"] + 0.1 * rng.normal(size=80), scale=True)]}
    found = learn_regressions(rated, "fast")
    assert [len(one.columns) for one in found] == [10, 7] and np.isnan(found[0].coefficients[0]).all()
    meteor, ter, length = (found[0].coefficients[2, found[0].columns.index(name)] for name in ("METEOR", "TER", "len"))
    assert meteor > 0 > ter and abs(length) < meteor
    worse = scores.assign(METEOR=-9.0)
    below = learn_regressions({"quality": [RatedScores(scores, rng.normal(size=80), worse)]}, "fast")[0]
    assert below.coefficients[2, below.columns.index("METEOR")] > 0 and learn_regressions({}, "fast") == []


def test_each_rating_is_a_weighted_mean_of_regressions(monkeypatch: pytest.MonkeyPatch) -> None:
    for several in (several for speed in SPEEDS for several in PARTS[speed]):
        np.testing.assert_allclose(np.sum([part[1:] for part in several], axis=0), 1, err_msg=str(several))
    short, long = Part(("METEOR", "len"), 0.25, 0.25, 0.25), Part(("METEOR", "TER", "len"), 0.75, 0.75, 0.75)
    monkeypatch.setitem(PARTS, "full", ((short, long), (Part(short.columns),), (Part(long.columns),)))
    rng = np.random.default_rng(1)
    scores = pd.DataFrame(rng.normal(size=(300, 3)), columns=["METEOR", "TER", "len"])
    rating = scores["METEOR"] - scores["TER"] + 0.1 * rng.normal(size=300)
    learned = learn_regressions({"quality": [RatedScores(scores, rating.to_numpy(), scale=True)]}, "full")
    mean, first, second = (one(scores.head(5)[[*one.columns]].to_numpy())[:, 2] for one in learned)
    np.testing.assert_allclose(mean, 0.25 * first + 0.75 * second)


def test_no_printed_agreement_falls_when_full_is_given_more() -> None:
    """More than .01 below what it has with less; for naturalness raters of RankME want short texts, fluent or not."""
    page = (Path(__file__).parents[2] / "docs" / "lab" / "general-score.md").read_text("utf-8")
    table = page.partition("<!-- begin: given -->")[2].partition("<!-- end: given -->")[0].strip().splitlines()
    rows = {tuple(cells[:2]): cells[2:] for cells in ([*map(str.strip, line.split("|")[1:-1])] for line in table[2:])}
    assert len(rows) >= 14
    del rows["rankme", "naturalness"]
    for name, cells in rows.items():
        alone, given, referred, both = (float(cell) if cell != "-" else math.nan for cell in cells)
        for less, more in ((alone, given), (alone, referred), (given, both), (referred, both)):
            assert not more < less - 0.01, (name, cells)


def outputs(rows: int, mr: str = "", references: tuple[str, ...] = ()) -> pd.DataFrame:
    return pd.DataFrame({"mr": [mr] * rows, "references": [references] * rows})


def test_full_is_asked_where_it_was_fetched_and_has_not_too_much_to_read(monkeypatch: pytest.MonkeyPatch) -> None:
    assert choose_speed(outputs(3)) == "fast"
    monkeypatch.setattr("rainbow.learned.scorer.missing_full_resources", lambda: None)
    kinds: list[tuple[int, str, tuple[str, ...]]] = [(1, "", ()), (1, "m", ()), (2, "", ("a", "b")), (3, "m", ("a",))]
    for questions, *given in kinds:
        assert choose_speed(outputs(MAX_QUERIES // questions, *given)) == "full"
        assert choose_speed(outputs(MAX_QUERIES // questions + 1, *given)) == "fast"
