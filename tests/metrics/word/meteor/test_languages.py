"""METEOR in other languages is that of the program with the same modules."""

import random
from collections.abc import Iterator, Sequence

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.metrics import Batch
from rainbow.metrics.word.meteor import meteor as module
from rainbow.metrics.word.meteor.languages import LANGUAGES, java_hash, language_rules
from rainbow.metrics.word.meteor.meteor import Meteor, program_text
from rainbow.metrics.word.meteor.stems import stem_word, stems_problem
from rainbow.programs.jvm import attach_java, java_unavailable_reason
from rainbow.programs.meteor_program import JAR, Options, meteor_file, meteor_program_corpus_score
from rainbow.systems.alignment import align_systems
from rainbow.systems.corpus_scores.corpus_scores import evaluate_metrics
from tests.metrics.word.meteor.sentences import INFLECTED, SENTENCES

pytestmark = [pytest.mark.xdist_group("meteor"), pytest.mark.once]

PAIRS = 60  # for each language

with_stems = pytest.mark.skipif(stems_problem() is not None, reason=stems_problem() or "")


@pytest.fixture(scope="module")
def program(java: str) -> Iterator[None]:
    """Skip without Java."""
    if missing := java_unavailable_reason():
        pytest.skip(missing)
    yield


def worse(words: Sequence[str], others: Sequence[str], generator: random.Random) -> list[str]:
    """Return the words with some dropped, exchanged for others, inflected and swapped."""
    result = []
    for word in words:
        kind = generator.random()
        if kind < 0.15:
            continue
        result.append(generator.choice(others) if kind < 0.3 else word)
    for _ in range(generator.randint(0, 2)):
        one, two = generator.randrange(len(result) or 1), generator.randrange(len(result) or 1)
        if result:
            result[one], result[two] = result[two], result[one]
    return result or list(words[:1])


def pairs(language: str) -> Batch:
    """Return outputs, made worse, with one or two references."""
    generator = random.Random(language)
    sentences = [sentence.split() for sentence in SENTENCES[language]]
    others = [*INFLECTED[language], *(word for sentence in sentences for word in sentence)]
    outputs, references = [], []
    for place in range(PAIRS):
        inflected = [*sentences[place % len(sentences)], *generator.sample(INFLECTED[language], 3)]
        outputs.append(" ".join(worse(inflected, others, generator)))
        references.append([" ".join(worse(inflected, others, generator)) for _ in range(1 + place % 2)])
    return Batch(outputs, references)


def options(language: str) -> Options:
    known = LANGUAGES[language]
    return Options(known.program, known.modules, known.is_split)


@with_stems
@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("language", LANGUAGES)
def test_scores_equal_those_of_the_program(language: str) -> None:
    batch = pairs(language)
    ours, theirs = Meteor(language).score(batch)[:, 0], module.java_scores(batch, language)[:, 0]
    assert len(set(ours.tolist())) > PAIRS / 2 and np.abs(ours - theirs).max() <= 1e-12


@with_stems
@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_score_of_a_system_equals_that_of_the_program(language: str) -> None:
    batch = pairs(language)
    outputs = [program_text(text, language) for text in batch.outputs]
    references = [[program_text(text, language) for text in texts] for texts in batch.references]
    expected = meteor_program_corpus_score(outputs, references, options(language))
    metric = Meteor(language)
    assert metric.score_sums(metric.sums(batch).sum(axis=0)) == pytest.approx([expected], abs=1e-12)


@with_stems
@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("language", [code for code, known in LANGUAGES.items() if known.has_stems])
def test_stems_are_those_of_the_program(language: str) -> None:
    generator = random.Random(language)
    words = sorted({word.lower().strip(".,?!") for text in SENTENCES[language] for word in text.split()})
    words += INFLECTED[language]
    ends = [
        "niss", "nisse", "guë", "ğan", "ução", "uciones", "tten", "iden", "ё", "ő", "ű", "õ", "ï", "é00", "😀", "", "å",
    ]  # fmt: skip
    made = [generator.choice(words) + generator.choice(ends) + generator.choice(words)[-3:] for _ in range(1000)]
    made += [generator.choice(words) + generator.choice(ends) for _ in range(1000)]
    with attach_java(meteor_file(JAR)) as jpype:
        program = jpype.JClass("edu.cmu.meteor.util.Constants").newStemmer(LANGUAGES[language].name)
        theirs = [str(program.stem(word)) for word in words + made]
    assert [stem_word(word, language) for word in words + made] == theirs


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("language", [code for code, known in LANGUAGES.items() if known.is_split])
def test_texts_are_parted_as_the_program_parts_them(language: str) -> None:
    rules, generator = language_rules(language), random.Random(language)
    letters = [*"aabstM59.,'-- \"’“„«–…!éßñё中&$_", "\u00a0", *(f"{word}." for word in sorted(rules.prefixes)[:40])]
    with attach_java(meteor_file(JAR)) as jpype:
        normalizer = jpype.JClass("edu.cmu.meteor.util.Normalizer")
        number = jpype.JClass("edu.cmu.meteor.util.Constants").getLanguageID(LANGUAGES[language].name)
        for _ in range(3000):
            text = "".join(generator.choices(letters, k=generator.randint(1, 14)))
            theirs = str(normalizer.normalizeLine(text, number, True)).lower()
            assert rules.split(text) == [word for word in theirs.split(" ") if word], repr(text)


def test_words_with_one_hash_are_equal_as_in_the_program() -> None:
    assert java_hash("za") == java_hash("tě")
    czech = Meteor("cs").score(Batch(["za dva dny", "od dva dny"], [["tě dva dny"]] * 2))
    assert czech[0, 0] > czech[1, 0]


@with_stems
@pytest.mark.parametrize(("language", "output", "reference"), [("de", "Häuser", "Haus"), ("fi", "talot", "talon")])
def test_stems_count_by_the_weight_of_the_language(language: str, output: str, reference: str) -> None:
    equal, stem, other = (
        Meteor(language).score(Batch([f"{word} ab cd"], [[f"{reference} ab cd"]]))[0, 0]
        for word in (reference, output, "zzz")
    )
    assert equal > stem > other


def test_other_stems_leave_the_score_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "stems_problem", lambda: "stems of snowballstemmer 3.0 differ from those of METEOR")
    batch = Batch(["das Haus"], [["das Haus"]])
    values = Meteor("de").score(batch)
    assert np.isnan(values).all() and "snowballstemmer" in Meteor("de").reasons(batch, values)[0, 0]
    assert not np.isnan(Meteor("cs").score(batch)).any()


def test_the_signature_names_the_options_of_the_language() -> None:
    assert "options:-l en -norm|" in Meteor().signature
    assert "options:-l de -norm -m 'exact stem'|stems:snowballstemmer 2.2|" in Meteor("de").signature
    assert "tokens:intl|program:" in Meteor("sv").signature
    assert "options:-l se -lower -m 'exact stem'|" in Meteor("sv").signature
    assert "options:-l cz -norm -m 'exact'|version" in Meteor("cs").signature


@with_stems
def test_systems_are_scored_in_their_language() -> None:
    batch = pairs("de")
    references, systems = [list(texts) for texts in batch.references], ["one", "two"] * (PAIRS // 2)
    items = [str(place // 2) for place in range(PAIRS)]
    corpus = Corpus.from_texts(list(batch.outputs), references, language="de", system=systems, item=items)
    scores = evaluate_metrics(align_systems(corpus), ["METEOR"], resamples=20).scores.set_index("system")["METEOR"]
    own = Batch(batch.outputs[::2], references[::2])
    assert scores["one"] == pytest.approx(Meteor("de").score_sums(Meteor("de").sums(own).sum(axis=0))[0], abs=1e-12)
