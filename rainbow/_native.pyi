"""Compiled kernels; rainbow.base.native hands them out.

A kernel of a metric takes the outputs, distinct sets of references, the places of the outputs to score, and for each of
them the place of its set, then parameters of its own; threads do not change what it gives.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import overload

import numpy as np
from numpy.typing import NDArray

from rainbow.base.arrays import FloatArray, IntArray

def wanted() -> bool:
    """Return whether the environment does not switch the kernels off: RAINBOW_NATIVE is not 0."""

class Vocabulary:
    """Words and their numbers."""

    def __init__(self, base: Vocabulary | None = None) -> None: ...
    def __len__(self) -> int: ...

class Texts:
    """Texts as numbers of words; a tokenizer makes them."""

    def __len__(self) -> int: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    def length(self, text: int) -> int:
        """Return the number of words of one text."""
    def lengths(self) -> IntArray:
        """Return the number of words of every text, shape (texts,)."""
    def words(self, text: int) -> list[str]:
        """Return the words of one text."""

class Sets:
    """Sets of references."""

    def __init__(self, texts: Texts, sizes: Sequence[int]) -> None: ...
    def __len__(self) -> int: ...
    @property
    def vocabulary(self) -> Vocabulary: ...
    def words(self) -> list[list[list[str]]]:
        """Return the words of the texts of every set, interned."""

class Tokenizer:
    """A tokenizer that remembers what it was told of each segment."""

    def __init__(self, tokens: Callable[[str], Sequence[str]], boundary: str) -> None: ...
    def encode(self, texts: Sequence[str], vocabulary: Vocabulary) -> Texts: ...

class DocumentFrequencies:
    """In how many documents n-grams stand."""

    @overload
    def __init__(self, documents: int, counts: dict[tuple[str, ...], int]) -> None: ...
    @overload
    def __init__(self, references: Sets, sets: IntArray) -> None: ...
    @property
    def documents(self) -> int: ...
    def counts(self) -> dict[tuple[str, ...], int]: ...
    def json(self) -> bytes:
        """Return the counts as JSON, or nothing where the order of n-grams is not that of their words."""

class WeightedSets:
    """Sets of references with document frequencies."""

    def __init__(self, references: Sets, frequencies: DocumentFrequencies) -> None: ...

class InformationWeights:
    """The information that n-grams carry."""

    @overload
    def __init__(self, total: int, order: int, counts: dict[tuple[str, ...], int]) -> None: ...
    @overload
    def __init__(self, references: Sets, sets: IntArray, order: int, as_published: bool) -> None: ...
    @property
    def total(self) -> int: ...
    def counts(self) -> dict[tuple[str, ...], int]: ...
    def json(self) -> bytes:
        """Return the counts as JSON."""

class LanguageModel:
    """Counts of a Kneser-Ney model; documents are known by their places, -1 is none."""

    def __init__(
        self,
        order: int,
        documents: Sequence[Sequence[Sequence[str]]],
        further: dict[tuple[str, ...], int],
        start: str,
        end: str,
    ) -> None: ...
    def counts(self) -> dict[tuple[str, ...], int]:
        """Return how often the longest n-grams occur, and sentences that are shorter."""
    def is_all(self, document: int) -> bool:
        """Return whether nothing but this document has a sentence."""
    def logs(
        self, texts: Texts, rows: IntArray, without: IntArray, threads: int
    ) -> tuple[FloatArray, FloatArray, FloatArray, IntArray]:
        """Return what is known of the words and the end of these texts, each without a document.

        The logarithms of their probabilities after what is before, before what follows and alone, and the lengths of
        the longest known n-grams that end there; one text after another.
        """

class Phrases:
    """Phrases to look for."""

    def __init__(self, phrases: Iterable[str]) -> None: ...

class Wordings:
    """Stems and phrases that say the same."""

    def __init__(self, stems: Iterable[str], phrases: Phrases) -> None: ...

class Delexicaliser:
    """Values of a meaning representation and their placeholders, in the order in which they are preferred."""

    def __init__(self, values: list[tuple[bytes, bytes]]) -> None: ...
    def replaced(self, text: str) -> str | None:
        """Return the text with its values replaced by placeholders; None if it has letters beyond Latin-1."""

class Asked:
    """A meaning representation, prepared."""

class Act(Asked):
    """A dialogue act, prepared."""

class SlotReader:
    """What Python says of words, kept between calls."""

    def __init__(
        self,
        tell: Callable[[str], tuple[str, str, str, str, str, int]],
        denials: list[tuple[str, str, str, str]],
        placeholder: str,
    ) -> None: ...
    def act(
        self,
        values: list[tuple[str, int, int, list[tuple[str, int, Wordings | None]], Wordings | None]],
        phrases: Phrases,
        slots: list[tuple[int, tuple[int, list[str], bool], list[int]]],
        spoken_of: list[list[str]],
        licensed: Iterable[str],
        denies: bool,
    ) -> Act: ...
    def counts(self, texts: Texts, asked: Sequence[Act], candidates: Phrases) -> tuple[dict[str, int], dict[str, int]]:
        """Return how often texts say each value that they were asked for, and these phrases without being asked."""
    def shares(self, texts: Texts, asked: Sequence[Asked], known: Phrases, threads: int) -> FloatArray:
        """Return the shares of slots realised, missing and repeated, and the number of things invented."""

class Sought:
    """A value, by all that it is found by: phrases, date, digits, other names, words with forms and stem."""

    def __init__(
        self, parts: tuple[Phrases, Sequence[str], str, Iterable[str], list[tuple[str, list[str], str]]]
    ) -> None: ...

class WordedDomain:
    """Attributes and their wordings."""

    def __init__(
        self, names: dict[str, int], kinds_of_names: int, attributes: list[list[str]], stems: Iterable[str], denial: str
    ) -> None: ...
    def asked(self, names: dict[str, int], slots: list[tuple[int, set[str], int, int, bool]]) -> Asked: ...

class WordSimilarity:
    """How similar words are; asked once for each word: its stem, whether its senses are few, these, and those near."""

    def __init__(self, tell: Callable[[str], tuple[str, bool, Iterable[str], Iterable[str]]], near: float) -> None: ...
    def scores(self, texts: Texts, meanings: Texts) -> FloatArray:
        """Return how similar each text is to the meaning representation at its place, shape (texts, 1)."""

def facts(
    sought: list[Sought],
    slots: list[tuple[int, int, tuple[int, list[str], bool]]],
    once: Phrases,
    times: dict[str, int],
    numbers: Iterable[str],
    licensed: Iterable[str],
) -> Asked:
    """Return facts, prepared."""

class MeteorTables:
    """METEOR's tables, mapped into memory and checked."""

    def __init__(self, arrays: list[NDArray[np.uint32]]) -> None: ...

class MeteorParaphrases:
    """METEOR's paraphrases, read part by part."""

    def __init__(self) -> None: ...
    def add(self, part: bytes) -> None:
        """Read the next bytes of the file."""

    def words(self) -> list[bytes]:
        """Return the words of the phrases, in the order they came in."""

    def tree(self, numbers: IntArray) -> dict[str, NDArray[np.uint32]]:
        """Return the tables of the phrases, given a number for each word; done once."""

class Surface:
    """Counts of words, asked of a function once and remembered."""

    def __init__(self, count: Callable[[str], tuple[int, ...]]) -> None: ...
    def measures(self, texts: list[str]) -> FloatArray:
        """Return the measures of the surface, shape (texts, 8)."""

class NgramVectors:
    """Rows of whole numbers by n-grams."""

    def __init__(self, ngrams: list[str], rows: NDArray[np.int8], longest: int) -> None: ...
    def sums(self, texts: Texts) -> FloatArray:
        """Return the sum of the rows of each text's n-grams, shape (texts, dimensions)."""

class TextKernel:
    """N-grams and their weights."""

    def __init__(self, ngrams: list[str], rarity: FloatArray, words: bool, shortest: int, longest: int) -> None: ...
    def sums(self, texts: Texts, coefficients: FloatArray) -> FloatArray:
        """Return coefficients (n-grams, ratings) times the weighted counts of n-grams, shape (texts, ratings)."""
    def known(self, texts: Texts) -> FloatArray:
        """Return the share of each text's words that are n-grams, shape (texts, 1); 0 without a word."""

class Forest:
    """Regression trees, packed."""

    def __init__(
        self,
        roots: IntArray,
        left: IntArray,
        right: IntArray,
        column: IntArray,
        threshold: FloatArray,
        value: FloatArray,
    ) -> None: ...
    def predict(self, rows: FloatArray, threads: int = 1) -> FloatArray:
        """Return the mean of what the trees say of these rows (n, columns), shape (n, ratings)."""

def absent_words(texts: Texts, others: Texts) -> FloatArray:
    """Return how many words of each text the other text at its place lacks, shape (texts, 1)."""

def bleu(
    outputs: Texts,
    references: Sets,
    rows: IntArray,
    sets: IntArray,
    matches_floor: float,
    count_floor: float,
    threads: int = 1,
) -> FloatArray:
    """Return BLEU-1 to BLEU-4 of each row, shape (rows, 4)."""

def bleu_sums(outputs: Texts, references: Sets, rows: IntArray, sets: IntArray, threads: int = 1) -> FloatArray:
    """Return what each row adds up to BLEU: matches and n-grams by order, length, nearest length, shape (rows, 10)."""

def chrf(
    characters: Texts,
    reference_characters: Sets,
    words: Texts,
    reference_words: Sets,
    rows: IntArray,
    sets: IntArray,
    beta: float,
    threads: int = 1,
) -> FloatArray:
    """Return chrF++ of each row, shape (rows, 1)."""

def chrf_sums(
    characters: Texts,
    reference_characters: Sets,
    words: Texts,
    reference_words: Sets,
    rows: IntArray,
    sets: IntArray,
    beta: float,
    threads: int = 1,
) -> FloatArray:
    """Return the n-grams of each row, of its best reference and in common, by order, shape (rows, 24)."""

def cider(
    outputs: Texts,
    references: Sets,
    rows: IntArray,
    sets: IntArray,
    weighted: WeightedSets,
    sigma: float,
    scale: float,
    threads: int = 1,
) -> FloatArray:
    """Return CIDEr and CIDEr-D of each row, shape (rows, 2)."""

def edit_similarity(outputs: Texts, references: Sets, rows: IntArray, sets: IntArray, threads: int = 1) -> FloatArray:
    """Return the string edit similarity of each row, shape (rows, 1)."""

def english_stem(word: str) -> str:
    """Return the Snowball stem of an English word."""

def gaussian_sums(rows: FloatArray, support: NDArray[np.int16], weights: FloatArray, gamma: float) -> FloatArray:
    """Return weights times exp(-gamma times the squared distance), summed over the support (given by columns)."""

def lepor(
    outputs: Texts,
    references: Sets,
    rows: IntArray,
    sets: IntArray,
    alpha: float,
    beta: float,
    weights: tuple[float, float, float],
    threads: int = 1,
) -> FloatArray:
    """Return LEPOR and hLEPOR of each row, shape (rows, 2)."""

def meteor(
    outputs: Texts,
    references: Sets,
    rows: IntArray,
    sets: IntArray,
    tables: MeteorTables,
    words: Callable[[str], list[str]],
    threads: int = 1,
) -> FloatArray:
    """Return METEOR 1.5 of each row and what it is made of, shape (rows, 8); `words` splits texts of other letters."""

def nist(
    outputs: Texts,
    references: Sets,
    rows: IntArray,
    sets: IntArray,
    weights: InformationWeights,
    halving_ratio: float,
    as_published: bool,
    threads: int = 1,
) -> FloatArray:
    """Return NIST of each row, shape (rows, 1)."""

def nist_sums(
    outputs: Texts,
    references: Sets,
    rows: IntArray,
    sets: IntArray,
    weights: InformationWeights,
    as_published: bool,
    threads: int = 1,
) -> FloatArray:
    """Return what each row adds up to NIST: information and n-grams by order, lengths, shape (rows, 2 orders + 4)."""

def probability_summaries(
    lengths: IntArray,
    after: FloatArray,
    before: FloatArray,
    alone: FloatArray,
    known: IntArray,
    rare: float,
    unseen: int,
) -> FloatArray:
    """Return what the values of its words and its end say of each text, shape (texts, 10)."""

def repetition(outputs: Texts, references: Sets, rows: IntArray, sets: IntArray, threads: int = 1) -> FloatArray:
    """Return repeated bigrams and doubled words of each row, shape (rows, 2)."""

def rouge_l(
    outputs: Texts, references: Sets, rows: IntArray, sets: IntArray, beta: float, threads: int = 1
) -> FloatArray:
    """Return ROUGE-L of each row, shape (rows, 1)."""

def rouge_n(outputs: Texts, references: Sets, rows: IntArray, sets: IntArray, threads: int = 1) -> FloatArray:
    """Return ROUGE-1 to ROUGE-4 of each row, shape (rows, 4)."""

def ter(outputs: Texts, references: Sets, rows: IntArray, sets: IntArray, threads: int = 1) -> FloatArray:
    """Return translation edit rate of each row, shape (rows, 1)."""
