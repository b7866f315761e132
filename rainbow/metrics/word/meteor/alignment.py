"""Word alignment of METEOR 1.5: a beam search over the possible matches."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from rainbow.metrics.word.meteor.matches import EXACT, PARAPHRASE, Match

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
