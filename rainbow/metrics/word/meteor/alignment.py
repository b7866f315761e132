"""Matching words and phrases in METEOR 1.5, and their alignment by a beam search."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

from rainbow.base.caching import cache_by_size
from rainbow.metrics.word.meteor.languages import LanguageRules, java_hash
from rainbow.metrics.word.meteor.tables import Tables
from rainbow.programs.meteor_program import ENDINGS
from rainbow.text.words.snowball import stem_as_meteor

Word = TypeVar("Word", str, int)

EXACT, STEM, SYNONYM, PARAPHRASE = range(4)

# Limit of the aligner, in seconds and megabytes: 500 repetitions of a word against as many.
MAX_MATCHES = 250_000
MAX_CELLS = 100_000_000  # words of one text times words of the other


class TooLongError(ValueError):
    """The texts have more matches than the aligner accepts."""


class Match(NamedTuple):
    """Possible alignment of reference words from `start` with output words from `other`."""

    start: int
    length: int
    other: int
    other_length: int
    stage: int


def find_matches(output: Sequence[str], reference: Sequence[str], tables: Tables | LanguageRules) -> list[list[Match]]:
    """Return the matches starting at each reference word, in the order the aligner tries them."""
    if len(output) * len(reference) > MAX_CELLS:
        raise TooLongError
    results: list[list[Match]] = [[] for _ in reference]
    for count, match in enumerate(_iterate_matches(output, reference, tables), 1):
        if count > MAX_MATCHES:
            raise TooLongError
        results[match.start].append(match)
    return results


def _iterate_matches(
    output: Sequence[str], reference: Sequence[str], tables: Tables | LanguageRules
) -> Iterator[Match]:
    if isinstance(tables, LanguageRules):
        yield from _matches_in_language(output, reference, tables)
        return
    places = _group_places(output)
    yield from _exact_matches(places, reference)
    yield from _stem_matches(output, reference, *([*map(stem_as_meteor, words)] for words in (output, reference)))
    yield from _synonym_matches(places, reference, tables)
    yield from _paraphrases(output, reference, tables)


def _matches_in_language(output: Sequence[str], reference: Sequence[str], rules: LanguageRules) -> Iterator[Match]:
    mine, theirs = [*map(java_hash, output)], [*map(java_hash, reference)]
    yield from _exact_matches(_group_places(mine), theirs)
    if rules.has_stems:
        stems = [java_hash(rules.stem(word)) for word in output], [java_hash(rules.stem(word)) for word in reference]
        yield from _stem_matches(mine, theirs, *stems)


def _group_places(words: Sequence[Word]) -> dict[Word, list[int]]:
    """Return where each word is."""
    places: dict[Word, list[int]] = {}
    for place, word in enumerate(words):
        places.setdefault(word, []).append(place)
    return places


def _exact_matches(places: Mapping[Word, Sequence[int]], reference: Sequence[Word]) -> Iterator[Match]:
    for start, word in enumerate(reference):
        for other in places.get(word, ()):
            yield Match(start, 1, other, 1, EXACT)


def _stem_matches(
    output: Sequence[Word], reference: Sequence[Word], output_stems: Sequence[Word], reference_stems: Sequence[Word]
) -> Iterator[Match]:
    places = _group_places(output_stems)
    for start, (word, stem) in enumerate(zip(reference, reference_stems, strict=True)):
        for other in places.get(stem, ()):
            if output[other] != word:
                yield Match(start, 1, other, 1, STEM)


def _synonym_matches(places: Mapping[str, Sequence[int]], reference: Sequence[str], tables: Tables) -> Iterator[Match]:
    known: dict[str, list[int]] = {}
    for start, word in enumerate(reference):
        if word not in known:
            like = [places[other] for other in places if other != word and _are_synonyms(word, other, tables)]
            known[word] = sorted(place for some in like for place in some)
        for other in known[word]:
            yield Match(start, 1, other, 1, SYNONYM)


def _are_synonyms(word: str, other: str, tables: Tables) -> bool:
    return not _senses(word, tables).isdisjoint(_senses(other, tables))


@cache_by_size(1 << 20)
def _senses(word: str, tables: Tables) -> frozenset[int]:
    """Return the synonym sets of a word and of its base form, the first that has any."""
    own = tables.find(word)
    numbers = [] if own is None else [own, *tables.row("lemmas", "lemma_starts", own)]
    if len(numbers) < 2 and len(word) > 2 and not word.endswith("ss"):
        bases = (tables.find(word.removesuffix(ending) + base) for ending, base in ENDINGS if word.endswith(ending))
        numbers += [base for base in bases if base is not None and tables.row("senses", "sense_starts", base)][:1]
    return frozenset(sense for number in numbers for sense in tables.row("senses", "sense_starts", number))


def _paraphrases(output: Sequence[str], reference: Sequence[str], tables: Tables) -> Iterator[Match]:
    mine, theirs = _table_phrases(output, tables), _table_phrases(reference, tables)
    at, there = _group_by_node(mine), _group_by_node(theirs)
    for start, length, node in theirs:
        for other_node in tables.row("pairs", "node_pairs", node):
            for other, other_length in at.get(other_node, ()):
                yield Match(start, length, other, other_length, PARAPHRASE)
    for other, other_length, node in mine:
        for other_node in tables.row("pairs", "node_pairs", node):
            for start, length in there.get(other_node, ()):
                yield Match(start, length, other, other_length, PARAPHRASE)


def _group_by_node(phrases: Sequence[tuple[int, int, int]]) -> dict[int, list[tuple[int, int]]]:
    places: dict[int, list[tuple[int, int]]] = {}
    for start, length, node in phrases:
        places.setdefault(node, []).append((start, length))
    return places


def _table_phrases(words: Sequence[str], tables: Tables) -> list[tuple[int, int, int]]:
    """Return start, length and node of every word sequence that begins a phrase of the table."""
    numbers = [tables.find(word) for word in words]
    results = []
    for start in range(len(words)):
        node = 0
        for length, number in enumerate(numbers[start:], 1):
            child = None if number is None else tables.child(node, number)
            if child is None:
                break
            node = child
            results.append((start, length, node))
    return results


BEAM = 40


class _Path(NamedTuple):
    """A partial alignment; sorts by highest weight, then fewest chunks, then smallest distance."""

    lightness: int  # the weight, negative
    chunks: int
    distance: int
    expected: int  # the output word that would continue the chunk; -1 for none
    used: int  # words of the output, as bits
    until: int  # words of the reference before this one are done
    last: Match | None
    before: _Path | None


def align_matches(matches: Sequence[Sequence[Match]], beam: int = BEAM) -> list[Match]:
    """Return the matches of the best alignment, in reference order."""
    forced = _unique_matches(matches)
    paths = [_Path(0, 0, 0, -1, 0, 0, None, None)]
    for place, some in enumerate(matches):
        longer: list[_Path] = []
        for path in paths:
            if path.until > place:
                longer.append(path)
            elif place in forced:
                longer.append(_add_match(path, forced[place], path.distance))
            else:
                longer += _extend_path(path, place, some)
        # Equals stay in the order they were found in, as the program leaves them.
        paths = sorted(longer, key=lambda path: path[:3])[:beam]
    best: _Path | None = min(
        paths, key=lambda path: (path.lightness, path.chunks + (path.expected >= 0), path.distance)
    )
    results = []
    while best is not None:
        if best.last is not None and (best.before is None or best.last is not best.before.last):
            results.append(best.last)
        best = best.before
    return results[::-1]


def _extend_path(path: _Path, place: int, matches: Sequence[Match]) -> list[_Path]:
    """Return the path extended by each free match, and by none."""
    longer = []
    distance = path.distance
    for match in matches:
        if not path.used & _word_bits(match):
            longer.append(_add_match(path, match, distance))
            distance += abs(match.start - match.other)
    chunks = path.chunks + (path.expected >= 0)
    longer.append(_Path(path.lightness, chunks, distance, -1, path.used, place + 1, path.last, path.before))
    return longer


def _add_match(path: _Path, match: Match, distance: int) -> _Path:
    chunks = path.chunks + (path.expected >= 0 and path.expected != match.other)
    end = match.other + match.other_length
    used, until = path.used | _word_bits(match), match.start + match.length
    return _Path(path.lightness - _match_weight(match), chunks, distance, end, used, until, match, path)


def _word_bits(match: Match) -> int:
    return ((1 << match.other_length) - 1) << match.other


def _match_weight(match: Match) -> int:
    if match.stage == EXACT:
        return 2
    return match.length // 2 + match.other_length // 2 if match.stage == PARAPHRASE else 0


def _unique_matches(matches: Sequence[Sequence[Match]]) -> dict[int, Match]:
    """Return the matches that conflict with no other, sorted by start; every alignment includes them."""
    mine: Counter[int] = Counter()
    theirs: Counter[int] = Counter()
    for some in matches:
        for match in some:
            theirs.update(range(match.start, match.start + match.length))
            mine.update(range(match.other, match.other + match.other_length))
    return {
        match.start: match
        for some in matches
        for match in some
        if all(theirs[match.start + k] == 1 for k in range(match.length))
        and all(mine[match.other + k] == 1 for k in range(match.other_length))
    }
