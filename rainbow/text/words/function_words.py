"""English function words."""

# Spelled as rainbow.text.words.mentions.mention_words gives them: without apostrophes, "n't" as "not".
_DETERMINERS = "a all an any both each either every neither no some such that the these this those"
_ANSWERS = "no none yes"
_PRONOUNS = """
    he her hers herself him himself his i im it its itself ive me mine my myself our ours ourselves she thats their
    theirs them themselves they theyre us we what whats which who whom whose you your youre yours yourself
"""
_AUXILIARIES = """
    am are be been being can cannot could did do does doing done had has have having is may might must shall should was
    were will would
"""
_CONJUNCTIONS = "although and as because but if nor or so than then though when where whether while yet"
_PARTICLES = "also here how just not there too very why"
_PREPOSITIONS = """
    about above across after against along around at before behind below beside between by down during for from in into
    near of off on onto out over through to under up with within without
"""

FUNCTION_WORDS = frozenset(
    " ".join((_DETERMINERS, _ANSWERS, _PRONOUNS, _AUXILIARIES, _CONJUNCTIONS, _PARTICLES, _PREPOSITIONS)).split()
)
