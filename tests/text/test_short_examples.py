"""Short examples of functions in text."""


def test_class_tokens() -> None:
    from rainbow.text.ngrams.class_bigrams import class_tokens

    assert class_tokens("Alan Bean was born in Wheeler, Texas.") == [
        "<Name>",
        "<Name>",
        "was",
        "<word>",
        "in",
        "<Name>",
        ",",
        "<Name>",
        ".",
    ]


def test_collectionfrequencies() -> None:
    from rainbow.text.ngrams.document_frequencies import CollectionFrequencies

    frequencies = CollectionFrequencies(4, {("the",): 2})
    assert [round(frequencies.weight((token,)), 3) for token in ("the", "inn")] == [0.693, 1.386]


def test_most_counts() -> None:
    from rainbow.text.ngrams.ngram_counts import max_counts, ngram_counts

    assert max_counts([ngram_counts(["an", "an", "inn"]), ngram_counts(["inn", "inn"])])[0][("inn",)] == 2


def test_ptb_words() -> None:
    from rainbow.text.tokens.punctuation import ptb_words

    assert ptb_words("The inn, what?!") == ["the", "inn", "what"]


def test_word_places() -> None:
    from rainbow.text.words.words_and_punctuation import word_spans

    assert word_spans("An inn.") == [(0, 2), (3, 6), (6, 7)]
