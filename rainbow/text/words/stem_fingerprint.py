"""A fingerprint of the stemmer's behaviour."""

from __future__ import annotations

from functools import cache

from rainbow.base.fingerprint import fingerprint
from rainbow.text.words.mentions import stem_word

# For every suffix that Snowball English removes a word that it alone changes (behind a plural -ies those that -ly ends:
# as an ending it is cut off before), for every double consonant and every letter before -li one, words that the
# stemmer makes exceptions of, and some that newer revisions of Snowball treat in another way.
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
