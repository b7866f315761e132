import csv
import json
import random
import string
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rainbow.text.tokens.ptb import ptb_tokens

CASES = [
    # words and blanks
    ("", ""),
    (" \t ", ""),
    ("The Punter  is\ta PUB", "the punter is a pub"),
    ("café naïve ÉTÉ 中文 e\u0301", "café naïve été 中文 e\u0301"),
    ("two\nlines", "two lines"),
    # full stops
    ("near x.", "near x."),
    ("near the x. It is cheap", "near the x it is cheap"),
    ("near x. Prices vary", "near x. prices vary"),
    ("near X. <br>", "near x <br>"),
    ("a pub.", "a pub"),
    ("a pub.It is cheap.very cheap", "a pub.it is cheap.very cheap"),
    ("rated 5.It is", "rated 5 it is"),
    ("st. Ave. dr. Dr. rd.", "st. ave. dr. dr. rd."),
    ("mr.smith inc.a inc.ab", "mr.smith inc. a inc.ab"),
    ("the wash. Wash. state", "the wash wash. state"),
    ("no. 5 no. one no.5 pp. 7", "no. 5 no one no. 5 pp. 7"),
    ("e.g. U.S. U.S.A. Ph.D. i.e", "e.g. u.s. u.s.a. ph.d. i.e"),
    ("a pub., a bar.; a café.:", "a pub. a bar. a café."),
    ("wait... what.... no . . . x...", "wait what no x."),
    # apostrophes
    ("can't cannot don't won't gonna", "ca n't can not do n't wo n't gon na"),
    ("It's they've I'll he'd I'm we're", "it 's they 've i 'll he 'd i 'm we 're"),
    ("it’s can’t", "it 's ca n't"),
    ("the dogs' bowl 'quoted' ‘quoted’", "the dogs bowl quoted quoted"),
    ("'tis 'twas 'em 'til", "'t is 't was 'em 'til"),
    ("rock 'n' roll o'clock O'Neill l'homme y'all", "rock 'n' roll o'clock o'neill l'homme y' all"),
    ("the '80s 1990's '99", "the '80s 1990 's '99"),
    # numbers and money
    ("£20-25, £ 20 and 20£", "# 20-25 # 20 and 20 #"),
    ("$5.00 €10 US$5 50¢ 50% 20p.", "$ 5.00 $ 10 us$ 5 50 cents 50 % 20p"),
    ("7:30 p.m. to 10:30-11:30", "7:30 p.m. to 10:30 -11:30"),
    ("1,000 -5 +5 .5 3.5.", "1,000 -5 +5 .5 3.5"),
    ("1/2 3/4 ½ 12/25/2013 24/7", "1/2 3/4 1/2 12/25/2013 24/7"),
    ("1 1/2 cups", "1\xa01/2 cups"),
    ("call 415 362 9981 or (555) 555-1234", "call 415\xa0362\xa09981 or -lrb-555-rrb-\xa0555-1234"),
    ("4153629981 415-362-9981", "4153629981 415-362-9981"),
    ("5-star 3 out of 5", "5-star 3 out of 5"),
    # hyphens, dashes, slashes
    ("family-friendly state-of-the-art pro- x-", "family-friendly state-of-the-art pro- x"),
    ("a—b a–b a--b a -- b -----", "a b a b a b a b -----"),
    ("foo‐bar and/or he/she/it w/o", "foo‐bar and/or he/she/it w/o"),
    # quotes, brackets, symbols
    ("\"quoted\" “quoted” «quoted» ``quoted''", "quoted quoted quoted quoted"),
    ("(yes) [no] {so}", "-lrb- yes -rrb- -lsb- no -rsb- -lcb- so -rcb-"),
    ("-LRB- -RRB-", "-lrb- -rrb-"),
    ("really?! no!! why? yes! Yahoo!x", "really ?! no !! why yes yahoo!x"),
    ("R&B r&b a&b C++ C# ** <3", "r&b r & b a & b c++ c# ** < 3"),
    (":) :-( ^_^ 5° ™ ★", ":-rrb- :--lrb- ^_^ 5 ° ™ ★"),
    ("good 😀 food\x00here\x07", "good food here"),
    # mark-up and addresses
    ("<b>bold</b> <a href='x y'> a<b", "<b> bold </b> <a\xa0href='x\xa0y'> a < b"),
    ("&amp; &lt; &quot; &eacute; &pound;", "& < &eacute; & pound"),
    ("http://a.com/b?c=d. www.foo.com, foo.co.uk", "http://a.com/b?c=d www.foo.com foo.co.uk"),
    ("me@foo.com @user #tag notes.txt", "me@foo.com @user #tag notes.txt"),
]

PIECES = """can't won't cannot gonna I'm it's they've o'clock 'tis y'all 'n' dogs' 7:30 p.m. 10am 24/7 12/25/2013 1/2
    1-1/2 3.5/5 £20-25 $5.00 €10 US$5 50% 1,000 555-1234 (555) 415-362-9981 +44 20 7946 0958 St. Ave. dr. Mr. Mrs. inc.
    Inc. etc. e.g. U.S. Ph.D. No. vs. Jan. x. X. x a. The It www.foo.com foo.co.uk http://a.b/c?d=e foo@bar.com #tag
    @user <br> </b> &amp; &lt; ... .. -- --- !! ?! :) :-( <3 ^_^ -LRB- C++ AT&T R&B Wi-Fi state-of-the-art and/or café
    中文 😀 1990s '80s 5th 20p 4* 5-star foo.txt a.b.c non-x. O'Neill d'Artagnan"""
MARKS = list(".,;:!?'\"()[]{}>-–—…/\\&%$£€#@*_+=~^|`´’‘“”°™½\t")  # no <, lest a tag reach the oracle's next caption
CAPTIONS = [
    "The Punter is a family-friendly pub near X. It has a customer rating of 5 out of 5.",
    "x is a cheap Italian restaurant in the city centre, next to the river",
    "there is no hotel that doesn't allow dogs in the st. francis area .",
    "Prices are less than £20, and it's open until 10 p.m.",
    "I am sorry but there are no venues near X that serve English food",
]


def reference_tokens(captions: list[str]) -> list[list[str]]:
    """Ask pycocoevalcap's tokenizer, each caption before a neutral one: it looks across the line end."""
    tokenizer = pytest.importorskip("pycocoevalcap.tokenizer.ptbtokenizer").PTBTokenizer()
    given = {number: [{"caption": caption}, {"caption": "end"}] for number, caption in enumerate(captions)}
    found = tokenizer.tokenize(given)
    assert all(pair[1] == "end" for pair in found.values()), "the reference tokenizer lost count of the lines"
    return [[token for token in found[number][0].split(" ") if token] for number in range(len(captions))]


def share_equal(captions: list[str]) -> float:
    pairs = zip(captions, reference_tokens(captions), map(ptb_tokens, captions), strict=True)
    wrong = [pair for pair in pairs if pair[1] != pair[2]]
    share = 1 - len(wrong) / len(captions)
    print(f"{len(captions)} captions, {share:.4%} with equal tokens; first differences: {wrong[:3]}")
    return share


def perturbed(rng: random.Random, caption: str) -> str:
    for _ in range(rng.randint(1, 6)):
        place, words = rng.randint(0, len(caption)), caption.split(" ")
        edit = rng.randrange(5)
        if edit == 0:
            caption = caption[:place] + rng.choice(MARKS) + caption[place:]
        elif edit == 1:
            caption = caption[:place] + caption[place + rng.randint(1, 3) :]
        elif edit == 2:
            words[rng.randrange(len(words))] = rng.choice(words).title()
            caption = " ".join(words)
        elif edit == 3:
            words.insert(rng.randint(0, len(words)), rng.choice(PIECES.split()))
            caption = " ".join(words)
        else:
            caption = caption[:place] + rng.choice(["  ", " .", ", ", rng.choice(PIECES.split())]) + caption[place:]
    return caption


@pytest.mark.parametrize(("text", "tokens"), CASES, ids=[text[:30] for text, _ in CASES])
def test_a_caption_gives_the_tokens_of_the_table(text: str, tokens: str) -> None:
    assert " ".join(ptb_tokens(text)) == tokens


@pytest.mark.parametrize("line_break", ["\n", "\r", "\v", "\f", "\u2028"])
def test_a_line_break_is_a_blank(line_break: str) -> None:
    assert ptb_tokens(f"near x.{line_break}The pub") == ptb_tokens("near x. The pub")


@pytest.mark.timeout(10)  # a quarter of a second; a quadratic pass would take minutes
@pytest.mark.parametrize("unit", [
    *("word ", "a,", "1.a.", "a-", "'", "a's ", "<a ", "<!a", "a@", "www.1.", "~.", "\0", "😀", "x. The ", "(5) "),
    *("\u0a0a", "\u0a0a.", "#\u0a0a"),  # a letter and a mark at once
])  # fmt: skip
def test_thousands_of_anything_are_split_in_one_pass(unit: str) -> None:
    ptb_tokens(unit * 20_000)


def test_emoji_separate_unless_a_host_stands_behind_them() -> None:
    assert (ptb_tokens("x 😀😀 y"), ptb_tokens("😀" * 100 + ".com")) == (["x", "y"], ["😀" * 63 + ".com"])
    assert ptb_tokens("a😀👍\u200d🏽.b.org/x 😀 .com") == ["a😀👍\u200d🏽.b.org", "/", "x", "com"]


def test_emoji_take_less_time_than_tokens() -> None:
    def seconds(text: str) -> float:
        start = time.process_time()
        ptb_tokens(text)
        return time.process_time() - start

    emoji, tokens = (min(seconds(text * 2_000) for _ in range(3)) for text in ("😀", "★"))
    assert emoji < tokens / 4


@given(st.text())
def test_tokens_are_in_lower_case_without_blanks_and_full_stops(text: str) -> None:
    tokens = ptb_tokens(text)
    assert [token.lower() for token in tokens] == tokens and not set(tokens) & {"", ".", ",", "!", "?", "''", "``"}
    assert not any(" " in token or "\n" in token for token in tokens)


def test_the_table_is_what_the_java_tokenizer_gives(java: str) -> None:
    assert reference_tokens([text for text, _ in CASES]) == [tokens.split(" ") if tokens else [] for _, tokens in CASES]


def test_perturbed_captions_agree_with_the_java_tokenizer(java: str) -> None:
    rng = random.Random(2017)
    assert share_equal([perturbed(rng, rng.choice(CAPTIONS)) for _ in range(5_000)]) >= 0.999


def test_strings_of_random_characters_agree_with_the_java_tokenizer(java: str) -> None:
    rng = random.Random(2017)
    characters = "".join(set(string.printable) - set("<\n\r\v\f"))
    strings = ["".join(rng.choices(characters, k=rng.randint(1, 8))) for _ in range(20_000)]
    assert share_equal([f"a {middle} a" for middle in strings]) >= 0.999


def test_stored_tokens_of_the_emnlp_data_come_out(data_dir: Path) -> None:
    rows = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text(encoding="utf-8"))
    texts = [text for row in rows for text in [row["hyp_ws"], *row["refs_delex"]]]
    stored = [tokens for row in rows for tokens in [row["hyp_ptb"], *row["refs_ptb"]]]
    assert [" ".join(ptb_tokens(text)) for text in texts] == stored


def test_every_text_of_the_emnlp_data_agrees_with_the_java_tokenizer(data_dir: Path, java: str) -> None:
    rows = json.loads((data_dir / "emnlp2017" / "scored_text.json").read_text(encoding="utf-8"))
    texts = {text for row in rows for text in [row["hyp_delex"], row["hyp_ws"], *row["refs_raw"], *row["refs_delex"]]}
    with (data_dir / "emnlp2017" / "emnlp_data_medians.csv").open(encoding="utf-8", newline="") as file:
        texts |= {row["sys_ref"] for row in csv.DictReader(file)}
    assert share_equal(sorted(texts)) == 1


def test_every_text_of_the_e2e_data_agrees_with_the_java_tokenizer(data_dir: Path, java: str) -> None:
    texts = set()
    for name in ("testset_w_refs.csv", "devset.csv"):
        with (data_dir / "e2e" / name).open(encoding="utf-8", newline="") as file:
            texts |= {row["ref"] for row in csv.DictReader(file)}
    for path in (data_dir / "e2e" / "system_outputs").glob("*.tsv"):
        texts |= {line.split("\t")[-1] for line in path.read_text(encoding="utf-8-sig").split("\n")[1:]}
    assert share_equal(sorted(texts)) == 1
