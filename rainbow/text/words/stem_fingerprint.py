"""A fingerprint of the stemmer's behaviour."""

from __future__ import annotations

from functools import cache

from rainbow.base.fingerprint import fingerprint
from rainbow.text.words.mentions import stem_word

# One word per suffix that Snowball English removes and that only this suffix changes (-ly words after a plural -ies,
# which is removed first), one per double consonant and per letter before -li, the exceptions of the stemmer, and words
# that newer revisions of Snowball stem differently.
PROBE = (
    "inn's inns' inn's' witnesses died ties tries famous guess serves agreed agreedlys allowed allowedlys booking "
    "bookinglys cycling typical robbing wedding stuffed begging swimming planning shopping starring sitting hoping "
    "happy say sky enjoyed youth publiclies friendlies lovelies amazinglies freshlies weeklies warmlies certainlies "
    "orderlies neatlies organization operational faithfulness responsibility carelesslies gentlies information "
    "nationalism personality famouslies sensitivity beautifullies agency vacancy appetizer elevator actuallies "
    "incrediblies technology outlying internationallies traditionallies rationalize certificates electricity "
    "alternative historical darkness wonderful disagreement insurance evidence comfortable eligible apartment "
    "restaurant different organism chocolate opportunity delicious expensive recognize decision hospital computer "
    "romantic recall house site skis dying news inning proceed generous communication arsenal university pasted "
    "emergency international biologist evening organ"
)


@cache
def stem_fingerprint() -> str:
    """Return a fingerprint of the stems of words with every known suffix."""
    return fingerprint([stem_word(word) for word in PROBE.split()])
