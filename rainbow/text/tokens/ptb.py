"""Penn Treebank tokens as the MS-COCO caption evaluation makes them, without Java.

Each rule below describes one kind of token and, where it matters, the context that has to follow. At every place the
rule that reaches furthest wins, its context counted, and of equals the earlier rule. That is how the tokenizer which
is reproduced here decides; the rules were found by asking it about millions of strings, so an odd rule is a fact about
that tokenizer and not a choice.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import NamedTuple


def ptb_tokens(text: str) -> list[str]:
    """Return the tokens of pycocoevalcap's PTBTokenizer for one caption, without single punctuation marks.

    Source: Chen, X., Fang, H., Lin, T.-Y., Vedantam, R., Gupta, S., Dollár, P. and Zitnick, C. L. (2015). Microsoft
    COCO captions: data collection and evaluation server. arXiv:1504.00325.
    """
    if not text.isprintable():
        text = text.translate(_UNIFORM_BLANKS)
    segments = [text] if "<" in text else _BOUNDARY.split(text)  # a tag may span any number of blanks
    tokens: list[str] = []
    for segment in segments:
        tokens += _recall_tokens(segment) if len(segment) <= _RECALLED_LENGTH else _segment_tokens(segment)
    return tokens


def ptb_parts(text: str) -> list[str]:
    """Return the tokens of :func:`ptb_tokens` in lower case, split at inner spaces."""
    return " ".join(ptb_tokens(text)).lower().split()


# Kinds of character: _MARKS to stand between brackets, the others for one character.
_NO_LETTERS = r"_\xb2\xb3\xb9\xbc-\xbe\u2070\u2074-\u2089\u2150-\u218b\u2460-\u24ff\u2776-\u2793\U00010000-\U0010ffff"
_ALNUM = rf"[^\W{_NO_LETTERS}]"
_LETTER = rf"[^\W0-9{_NO_LETTERS}]"
_MARKS = (
    r"\u02c2-\u036f\u0483-\u0487\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0615-\u061a\u064b-\u065e\u0670"
    r"\u06d6-\u06ef\u0711\u0730-\u074c\u07a6-\u07b0\u07eb-\u07f3\u0900-\u0963\u0981-\u0a4f\u0a81-\u0acf\u0b82-\u0bcd"
    r"\u0c01-\u0c56\u0d3e-\u0d48\u0e31-\u0e3a\u0e47-\u0e4e\u0eb1-\u0ecd"
)
_SYMBOLS = (  # tokens of one character; every other character that no rule takes only separates
    r"#$%&()*+/<=>@\[\\\]^_`{|}~\x80\xa1-\xa9\xac\xae-\xb4\xb6-\xb9\xbc-\xbf\xd7\xf7\u037e\u0387\u0589\u05be\u05c0\u05c3"
    r"\u05c6\u05f3\u05f4\u0600-\u0603\u0606-\u060c\u0614\u061b\u061e\u061f\u066a\u066d\u06d4\u0700-\u070d\u07f6-\u07f8"
    r"\u0964\u0965\u0e3f\u0e4f\u1fbd\u2016\u2017\u201a\u201e-\u2023\u2030-\u2038\u203b\u203e-\u2042\u2044\u2070\u2074-\u207e"
    r"\u2080-\u208e\u20a0\u20a4\u20ac\u2100\u2101\u2103-\u2106\u2108\u2109\u2114\u2116-\u2118\u211e-\u2123\u2125\u2127\u2129"
    r"\u212e\u213a\u213b\u2140-\u2144\u214a-\u214d\u214f\u2153-\u215e\u2190-\u2bff\u3001\u3002\u3012\u30fb\uff01-\uff0f"
    r"\uff1a-\uff20\uff3b-\uff40\uff5b-\uff65\uffe0\uffe1\uffe5\uffe6"
)
_BLANK = r"[ \t\xa0\u2000-\u200a\u3000]"
_APOSTROPHE = r"(?:['\u2019\x92]|(?ai:&apos;))"
_QUOTE = r"(?:['`\u2018\u2019\u201b\x91\x92]|(?ai:&apos;))"  # what may stand for an apostrophe inside a word

# Parts of rules. Where a rule may read on in vain it is bounded or possessive, so that the time stays linear.
_WORD_START = rf"(?:{_LETTER}|[{_MARKS}])"
_WORD_REST = rf"(?:{_ALNUM}|[{_MARKS}])*+"
_WORD = rf"{_WORD_START}{_WORD_REST}(?:[.!?]{_WORD_START}{_WORD_REST})*+"
_PART = rf"(?:[dDlLoO]{_QUOTE}{_ALNUM})?{_ALNUM}+"
_HYPHENATED = r"[A-Za-z0-9][A-Za-z0-9.,]{0,80}(?:-(?:[A-Za-z](?:\.[A-Za-z])+\.|[A-Za-z0-9]+))+"
_INITIALS = r"[A-Z]+(?:(?:(?ai:&amp;)|[&+])[A-Z]+)+"
_HYPHEN = r"[-_\u058a\u2010\u2011]"
_CLITIC = rf"{_APOSTROPHE}(?ai:[msd]|re|ve|ll)"
_OPTION = r"[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}"
_IN_ADDRESS = r'[^ \t\xa0"()<>{|}]'
_IN_HOST = r"""[^ \t"`'<>|.!?(){}$,-_]"""
_PATH = r'(?:/[^ \t"()<>|]+[^ \t\xa0"()<>|{}.!?,\-])?'
_IN_FILE = rf"(?:{_ALNUM}|[{_MARKS}])++"  # a character may be both: never two ways to read a run
_IN_TAG = r"[A-Za-z][A-Za-z0-9_:.\-]*+"
_ATTRIBUTE = rf"""[ ]+{_IN_TAG}(?:[ ]*=[ ]*(?:"[^"]{{0,200}}"|'[^']{{0,200}}'))?"""
_TAG = rf"(?:<{_IN_TAG}(?:{_ATTRIBUTE}){{0,100}}[ ]*/?[ ]*>|</{_IN_TAG}[ ]*>|<[!?][A-Za-z\-][^>]{{0,400}}>)"

# A full stop stays attached to these words: to the first even directly before a letter (`inc.a`), to the second unless
# more of a word follows (`mr.smith`), to the third only before a number.
_CLOSED_ABBREVIATION = (
    r"(?:(?ai:ala|al|apr|ariz|assn|aug|bhd|bldg|blvd|bros|calif|colo|conn|corp|cos|co|ct|dak|dec|ed\.d|esq|est|etc|ext"
    r"|feb|fla|fri|ga|inc|ind|intl|jan|jr|jul|jun|kans|kan|ky|ltd|mar|md|mich|minn|mon|mont|mo|neb|nev|nov|oct|okla"
    r"|penn|ph\.d|plc|rd|rt|sept|sep|seq|sq|sr|sys|tel|tenn|thurs|thu|tues|tue|univ|va|vt|wed|wisc|wis|wyo)"
    r"|(?=[A-Z])(?ai:ark|az|del|ill|la|mass|miss|ore|pa|tex|wash)|[pP]{1,2}[tT][ey]s?)"
)
_ABBREVIATION = (
    r"(?:(?ai:adj|adm|adv|alex|assoc|asst|attys|atty|ave|brig|capt|cf|cie|cmdr|col|comdr|cpl|dept|det|drs|dr|elec|ens|ft|gen"
    r"|govs|gov|hon|insp|invt|jos|lieut|lt|maj|messrs|mlle|mme|mrs|mr|msgr|ms|mt|natl|pfc|ph|pres|profs|prof|pvt|reps|rep|rev"
    r"|sens|sen|sfc|sgt|spc|ste|st|supts|supt|treas|vs|wm)|[mM][ft]g)"
)
_NUMBER_ABBREVIATION = r"(?ai:art|ca|figs|fig|nos|no|op|pp|prop)"
_SENTENCE_START = (  # behind a single letter and its full stop: then the full stop ends the sentence
    r"(?=[A-Z])(?ai:about|according|additionally|after|an|as|at|a|but|earlier|here|her|he|however|if|in|it|last|many"
    r"|more|mr\.|ms\.|now|once|one|other|our|she|since|some|so|such|that|their|then|there|these|they|the|this|we|what"
    r"|when|while|yet|you)"
)
_FILE_ENDING = (
    r"(?ai:bat|bmp|cgi|cpp|c|dll|docx|doc|exe|gif|gz|html|htm|h|jar|java|jpeg|jpg|mov|pdf|php|pl|png|ppt|ps|py|sql|tar|txt"
    r"|wav|xml|x|zip)"
)


class _Rule(NamedTuple):
    kind: str
    token: str
    context: str = ""


_RULES = (
    # mark-up and addresses
    _Rule("tag", _TAG),
    _Rule("entity", r"&(?:#[0-9]{1,16}|(?ai:amp|apos|[gl]t|[mn]dash|md|nbsp|quot|ht|tl|[ul]r|q[clr]|[oc]dq));"),
    _Rule("entity", r"&(?ai:[aeiou](?:acute|grave|uml));"),
    _Rule("address", r'(?ai:https?)://[^ \t"()<>{|}]+[^ \t\xa0"()<>{|}.!?,\-]'),
    _Rule("address", rf"""(?ai:www)\.(?:[^ \t"()<>{{|}}.,!?\xa0]{{1,63}}\.){{1,8}}[A-Za-z]{{2,4}}{_PATH}"""),
    # the range from the comma to the underscore takes digits and capitals out of host names without www
    _Rule("address", rf"""(?:{_IN_HOST}{{1,63}}\.){{1,8}}(?ai:com|edu|net|org){_PATH}"""),
    _Rule(
        "address",
        rf'(?:<|(?ai:&lt;))?[A-Za-z0-9]{_IN_ADDRESS}{{0,200}}@(?:[^ \t\xa0"()<>{{|}}.]+\.)*[^ \t\xa0"()<>{{|}}.]+>?',
    ),
    _Rule("address", rf"@[A-Za-z_][A-Za-z0-9_]*|#(?:{_LETTER}|[{_MARKS}])++"),
    # numbers
    _Rule("date", r"[0-9]{1,2}[-/][0-9]{1,2}[-/][0-9]{2,4}"),
    _Rule("fraction", r"(?:[0-9]{1,4}[- \xa0])?[0-9]{1,4}(?:\\?/|\u2044)[0-9]{1,4}"),
    _Rule("number", r"[-+]?[0-9]*(?:[.,:\u066b\u066c]?[0-9])+"),
    _Rule("number", r"[\u207a\u207b\u208a\u208b]?(?:[\xb2\xb3\xb9\u2070\u2074-\u2079]+|[\u2080-\u2089]+)"),
    _Rule("telephone", r"\([0-9]{2,3}\)[ \xa0]?[0-9]{3,4}[- \xa0]?[0-9]{3,5}"),
    _Rule("telephone", r"\+{0,2}(?:[0-9]{2,4}[- \xa0]){1,2}[0-9]{3,4}[- \xa0]?[0-9]{3,5}"),
    _Rule("currency", r"[A-Z]+\$"),
    # contractions and apostrophes
    _Rule("two words", r"(?ai:cannot|gonna|gotta|lemme|gimme|wanna)"),
    _Rule("clitic", rf"[nN]{_QUOTE}[tT]"),
    _Rule("word", r"[A-Za-z]*[A-MO-Za-mo-z]", rf"[nN]{_QUOTE}[tT]"),
    _Rule("word", _WORD, _CLITIC),
    _Rule("clitic", _CLITIC, r"(?:[^A-Za-z]|\Z)"),
    _Rule("word", rf"{_APOSTROPHE}(?ai:cause|em|till?|n)"),
    _Rule("word", rf"{_APOSTROPHE}[nN]{_APOSTROPHE}"),
    _Rule("quote", r"'", r"[A-Za-z][^ \t\xa0]"),
    _Rule("clitic", _CLITIC),
    _Rule("year", rf"{_APOSTROPHE}[0-9][0-9]", rf"(?:{_BLANK}|\Z)"),
    _Rule("year", rf"{_APOSTROPHE}[2-9]0[sS]"),
    # full stops
    _Rule("word", r"[A-Za-z]", rf"\.{_BLANK}+(?:{_SENTENCE_START}|{_TAG})(?={_BLANK}|\Z)"),
    _Rule("abbreviation", r"[A-Za-z](?:\.[A-Za-z])+\."),
    _Rule("abbreviation", rf"{_CLOSED_ABBREVIATION}\.", rf"(?:\w[^\w{_MARKS}]|[^\w{_MARKS}].|.)?"),
    _Rule("abbreviation", rf"{_ABBREVIATION}\."),
    _Rule("abbreviation", rf"{_NUMBER_ABBREVIATION}\.", rf"{_BLANK}?[0-9]"),
    _Rule("abbreviation", rf"(?:{_WORD}|{_PART}(?:{_HYPHEN}{_PART})*|{_HYPHENATED}|{_INITIALS})\.", r"[,:;]"),
    # words
    _Rule("word", _WORD),
    _Rule("word", rf"{_LETTER}+[aeiouyAEIOUY]{_QUOTE}[aeiouA-Z]{_LETTER}*"),
    _Rule("word", rf"{_PART}(?:{_HYPHEN}{_PART})*"),
    _Rule("word", rf"[A-HJ-XZn]{_QUOTE}{_LETTER}{_LETTER}+|[oO]{_QUOTE}[oO]"),
    _Rule("word", rf"[yYjJ]{_APOSTROPHE}", _LETTER),
    _Rule("word", rf"(?:[dDjJlL]|[oO][lL]){_APOSTROPHE}"),
    _Rule(
        "word",
        rf"(?ai:cap{_APOSTROPHE}n|c{_APOSTROPHE}est|o{_QUOTE}clock|c'mon|cont'd\.|e'er|ev'ry|li'l|nat'l|nor'easter)",
    ),
    _Rule("file", rf"{_IN_FILE}(?:\.{_IN_FILE}){{0,8}}\.{_FILE_ENDING}", rf"(?:{_BLANK}|[.?!,]|\Z)"),
    _Rule("word", _HYPHENATED),
    _Rule("options", rf"{_OPTION}(?:\\?/{_OPTION}){{1,2}}"),
    _Rule("initials", _INITIALS),
    _Rule("word", r"[cC]\+\+|[cCfF]#|(?ai:(?:anti|pro)-|s&ls)"),
    _Rule("word", r"['\x92][tT]", r"(?ai:is|was)"),
    # punctuation and faces
    _Rule("quotes", r"''|``"),
    _Rule("quotes", r"[`\u2018-\u201f\u2039\u203a\xab\xbb\x91-\x94]{1,2}"),
    _Rule("dots", r"\.{3,5}"),
    _Rule("dashes", r"-{2,4}(?!-)"),
    _Rule("run", r"-{5,}|[!?]{2,}|\\\*|\*+|_+|#+|@+|<<|>>"),
    _Rule("bracket", r"-(?ai:[lr][rcs]b)-"),
    _Rule("face", r"[-^x=~<>']_[-^x=~<>']|\((?:[-^x=~<>'][_.]?[-^x=~<>']|[\^x=~<>']-[\^x=~<>'`])\)"),
    _Rule("face", r"[<>]?[:;=][-o*']?[()DPdpO\\{@|\[\]]", r"(?:[^A-Za-z0-9]|\Z)"),
    _Rule("abbreviation", r"[A-Za-z]\."),
    _Rule("symbol", rf"[{_SYMBOLS}]"),
)

# Every rule is tried ahead of the same place; the empty group behind its context shows how far it reached.
_ANY_RULE = re.compile(
    rf"(?:[ \t]{_BLANK}*)?(?=.)" + "".join(rf"(?:(?=({rule.token}){rule.context}())|)" for rule in _RULES), re.DOTALL
)
_REACHES = range(2, 2 * len(_RULES) + 1, 2)

# Emoji, what joins them, all beyond the first plane: only the rule of hosts takes it, which needs a full stop near by.
_SEPARATORS = re.compile(rf"(?:[\u200d\ufe0f\U00010000-\U0010ffff](?!{_IN_HOST}{{0,62}}+\.))*")

# Blanks that no rule looks across: not after a full stop (`x. The`), not before a digit (`1 1/2`) or a full stop.
_BOUNDARY = re.compile(rf"(?<![.\s])[ \t]{_BLANK}*+(?![0-9.])")
_RECALLED_LENGTH = 40  # characters; longer segments are rare and would only fill the memory

_UNIFORM_BLANKS = {**dict.fromkeys(map(ord, "\n\r\v\f\u2028\u2029"), " "), ord("\xad"): None}
_STRAIGHT_QUOTES = str.maketrans(
    {**dict.fromkeys("\u2018\u201b\u2039\x91", "`"), **dict.fromkeys("\u2019\u203a\x92", "'")}
    | {**dict.fromkeys("\u201c\xab\x93", "``"), **dict.fromkeys("\u201d\xbb\x94", "''")}
)
_ENTITIES = {"&amp;": "&", "&gt;": ">", "&lt;": "<", "&quot;": "''", "&apos;": "'", "&nbsp;": ""}
_ENTITIES |= dict.fromkeys(("&md;", "&mdash;", "&ndash;"), "--")
_SYMBOL_NAMES = {"(": "-lrb-", ")": "-rrb-", "[": "-lsb-", "]": "-rsb-", "{": "-lcb-", "}": "-rcb-"}
_SYMBOL_NAMES |= {"£": "#", "¢": "cents", **dict.fromkeys("€¤₠\x80", "$")}
_SYMBOL_NAMES |= {"¼": "1/4", "½": "1/2", "¾": "3/4", "⅓": "1/3", "⅔": "2/3"}
_PUNCTUATION = frozenset(["", "''", "'", "``", "`", ".", "?", "!", ",", ":", "-", "--", "...", ";"])


def _segment_tokens(segment: str) -> tuple[str, ...]:
    """Return the tokens of a segment whose rules need no context outside it."""
    rendered = " ".join(_RENDER.get(kind, str)(token.lower()) for kind, token in _rule_matches(segment))
    return tuple(token for token in rendered.split(" ") if token not in _PUNCTUATION)


_recall_tokens = lru_cache(maxsize=1 << 15)(_segment_tokens)  # texts repeat their words


def _rule_matches(text: str) -> Iterator[tuple[str, str]]:
    """Return each token with the kind of the rule that matched it."""
    position = 0
    while match := _ANY_RULE.match(text, position):
        winner = max(_REACHES, key=match.end)  # the first of those that reach furthest
        if match.end(winner) < 0:  # no rule knows this character
            separators = _SEPARATORS.match(text, match.end() + 1)
            position = separators.end() if separators else len(text)
        else:
            position = match.end(winner - 1)
            yield _RULES[winner // 2 - 1].kind, match[winner - 1]


def _replace_spaces(token: str) -> str:
    return token.replace(" ", "\xa0")


def _escape_parentheses(token: str) -> str:
    return _replace_spaces(token).replace("(", "-lrb-").replace(")", "-rrb-")


def _straighten_quotes(token: str) -> str:
    return token.replace("&apos;", "'").translate(_STRAIGHT_QUOTES)


_RENDER: dict[str, Callable[[str], str]] = {  # by kind of rule, from the token in lower case
    "tag": _replace_spaces,
    "entity": lambda token: _ENTITIES.get(token, token),
    "fraction": _replace_spaces,
    "telephone": _escape_parentheses,
    "two words": lambda token: f"{token[:3]} {token[3:]}",
    "clitic": _straighten_quotes,
    "quotes": _straighten_quotes,
    "initials": lambda token: token.replace("&amp;", "&"),
    "dots": lambda token: "...",
    "dashes": lambda token: "--",
    "face": _escape_parentheses,
    "symbol": lambda token: _SYMBOL_NAMES.get(token, token),
}
