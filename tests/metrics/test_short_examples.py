"""Short examples of functions in metrics."""


def test_word_columns() -> None:
    from rainbow.metrics.contract.registry import word_columns

    assert word_columns(["TER", "chrF++", "comet"]) == ["TER"]


def test_leave_out() -> None:
    from rainbow.meaning import parse_meaning
    from rainbow.metrics.general.reference_coverage import omits_slots

    assert omits_slots(
        ("Leeds beat York.",), parse_meaning("home: Leeds | away: York | referee: A. Moss | weather: rain")
    )


def test_general_with() -> None:
    from rainbow.metrics.general.general_score import GeneralFast, replace_general_options

    assert [metric.references for metric in replace_general_options([GeneralFast()], references=False)] == [False]


def test_misspelled_stems() -> None:
    from rainbow.metrics.grammar.misspellings.spelling import misspelled_stems

    assert misspelled_stems("The Fitzbillies's cafe isn't expensiv.") == ["fitzbillies", "expensiv"]


def test_right_by_rule() -> None:
    from rainbow.metrics.grammar.misspellings.spelling import is_accepted_by_rule

    assert [is_accepted_by_rule(stem) for stem in ("x", "4th", "specialise", "restarnaut")] == [True, True, True, False]


def test_request_for() -> None:
    from rainbow.meaning import parse_if_structured
    from rainbow.metrics.probability.likelihood import model_prompt

    assert (
        model_prompt(
            "inform(name='the inn',price_range=cheap)",
            parse_if_structured("inform(name='the inn',price_range=cheap)"),
            "",
        )
        == "Write a text that says: inform: name = the inn, price range = cheap"
    )
    assert model_prompt("The inn is cheap.", None, "") == "Say this in other words: The inn is cheap."


def test_bleu_sums() -> None:
    from rainbow.metrics.word.bleu import bleu_sums, ngram_counts

    sums = bleu_sums(ngram_counts(["the", "inn", "is", "cheap"]), [ngram_counts(["the", "inn", "is", "not", "cheap"])])
    assert sums == [4, 2, 1, 0, 4, 3, 2, 1, 4, 5]


def test_chrf_characters() -> None:
    from rainbow.metrics.word.chrf.chrf import chrf_characters

    assert chrf_characters("an Inn") == ["a", "n", "I", "n", "n"]


def test_chrf_words() -> None:
    from rainbow.metrics.word.chrf.chrf import chrf_words

    assert chrf_words('The "inn" is cheap, (really)...') == ["The", '"inn', '"', "is", "cheap", ",", "(really)..", "."]


def test_levenshteindistance() -> None:
    from rainbow.metrics.word.edit_distance import Batch, LevenshteinDistance

    assert LevenshteinDistance().score(Batch(["the inn"], inputs=["inform(name=inn)"])).tolist() == [[12.0]]


def test_meteor_score() -> None:
    from rainbow.metrics.word.meteor.meteor_score import meteor_score
    from rainbow.metrics.word.meteor.tables import meteor_tables

    counted = meteor_score("the inn is cheap", ["a cheap inn", "the inn is not expensive"], meteor_tables())
    assert (round(counted.score, 4), counted.chunks, counted.output_matches) == (0.3357, 2, 2)


def test_content_words() -> None:
    from rainbow.metrics.word.meaning_similarity import content_words

    assert content_words("inform(name='The Inn',priceRange=cheap)") == [
        "inform",
        "name",
        "inn",
        "price",
        "range",
        "cheap",
    ]
