"""What judge.toml may say, and how answers are read."""

import math
import re
from pathlib import Path

import pytest

from rainbow import Corpus
from rainbow.judging.answer_parser import NO_LOGPROBS, parse_mark, used_tokens
from rainbow.judging.judge import Criterion, Judge, ReadAs, read_judge
from rainbow.judging.questions import collect_ratings, estimate_tokens, make_questions, request_key
from rainbow.judging.requests_sender import characters_per_token
from rainbow.judging.template import READY, Template

START = 'model = "small"\nurl = "http://localhost:8000/v1"\n'


MARK = '[mark]\ntemplate = "quality"\n'
NO_COUNTS = (-5, 1e400, math.nan, 10**30, True, None)
NO_NAMES = ("a=b", "a:higher", " a", "a\\nb", "", "a\\u001b[31m")
NO_SCALES = ("scale = [1, 2, 3]", 'scale = ["1", "6"]', "scale = 6", "scale = [true, 6]")
NO_ADDRESSES = ("http://[::1", "http://host:99999/v1", "http://host:a/v1", "http://ho st/v1", "http://host/v1#a")


def template(name: str = "quality") -> Template:
    return Template.find(name, Path())


def said(text: str | None, **choice: object) -> dict[str, object]:
    return {"choices": [{"message": {"content": text}, **choice}]}


def with_chances(**chances: float) -> dict[str, object]:
    top = [{"token": token, "logprob": math.log(chance)} for token, chance in chances.items()]
    return said("4", logprobs={"content": [{"top_logprobs": top}]})


@pytest.mark.parametrize(("toml", "message"), [
    (START, "no columns: add a table"),
    ('[mark]\ntemplate = "quality"', "it names no model"),
    (START + "temperature = 0", "unknown key 'temperature': use model, url, key"),
    (START + 'at_once = "many"', "at_once = 'many' is invalid (int)"),
    (START + 'key = "sk-1234"\n[mark]\ntemplate = "quality"', "never the key itself"),
    ('model = "small"\nurl = "http://me:secret@host/v1"\n[mark]\ntemplate = "quality"', "without user or key"),
    (START + '[mark]\ntemplate = "best"', "[mark]: unknown template 'best': use a file, or one of after-g"),
    (START + '[mark]\ntemplate = "quality"\nscale = [6, 1]', "scale goes from 6 to 1"),
    (START + '[mark]\ntemplate = "quality"\nscale = [0, 100]', "at most 20 integer ratings"),
    (START + '[mark]\ntemplate = "quality"\nread = "mind"', "choose from logprobs, text, json"),
    (START + '[mark]\ntemplate = "preference"\nrating = "quality"', "cannot predict quality"),
    (START + '[mark]\ntemplate = "quality"\nsample = 3', "unknown key 'sample'"),
    ("model = ", "judge.toml: Invalid value"),
    *((START + f'["{name}"]\ntemplate = "quality"', "invalid column name") for name in NO_NAMES),
    (START + MARK + '[mark_missing]\ntemplate = "quality"', "is the reason column of another table"),
    *((START + MARK + said, "is invalid: give the lowest") for said in NO_SCALES),
    (START + MARK + 'read = "text"\nscale = [1, inf]', "scale goes from 1 to inf"),
    (START + MARK + 'read = "text"\nscale = [nan, 5]', "scale goes from nan to 5"),
    (START + MARK + "least_mass = nan", "least_mass is nan: use 0 to 1"),
    (START + MARK + "least_mass = 2", "least_mass is 2: use 0 to 1"),
    (START + MARK + "temperature = nan", "temperature is nan: use 0 to 100"),
    (START + MARK + "length = 0", "length is 0: use 1 to 1e+06"),
    pytest.param(START + MARK + "samples = 1" + "0" * 400, "judge.toml: [mark]: int too large", id="long"),
    (START + "seconds = nan\n" + MARK, "seconds is nan"),
    (START + "at_once = 1000000\n" + MARK, "at_once is 1e+06: use 1 to 1000"),
    (START + "requests_per_minute = inf\n" + MARK, "requests_per_minute is inf"),
    (START + "seed = 9223372036854775807\n" + MARK, "seed is 9.22337e+18"),
    (START + MARK + "[request]\nwhen = 2020-01-01", "[request] contains a value that JSON cannot represent"),
    (START + MARK + "[request]\ntop_p = nan", "[request] contains a value that JSON cannot represent"),
    (START + MARK + '[request]\nmessages = ""', "[request] must not set messages"),
    (START + MARK + "[request]\nstream = true", "[request] must not set stream"),
    (START + MARK + '[request]\nmax_tokens = "many"', "max_tokens = 'many' is not a number of tokens"),
    (START + MARK + 'samples = 2\n[request]\nseed = ""', "[request] sets seed, but each sample has its own seed"),
    pytest.param(START + "x = " + "[" * 5000 + "]" * 5000, "judge.toml: ", id="nested"),
    ('model = " "\n' + MARK, "it names no model"),
    *((f'model = "small"\nurl = "{url}"\n' + MARK, "url is not a server URL") for url in NO_ADDRESSES),
])  # fmt: skip
def test_what_cannot_be_asked_is_named(tmp_path: Path, toml: str, message: str) -> None:
    (tmp_path / "judge.toml").write_text(toml)
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        read_judge(tmp_path / "judge.toml")
    assert "1234" not in str(error.value) and "secret" not in str(error.value)


def test_a_key_comes_from_the_environment_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    criteria = (Criterion("mark", template()),)
    monkeypatch.setenv("OPENAI_API_KEY", "sk-1")
    assert Judge("small", criteria, "http://localhost/v1").secret is None  # it is not the local server's
    assert Judge("small", criteria).secret == "sk-1"
    with pytest.raises(ValueError, match=r"MY_KEY, which holds the key of https://api\.openai\.com/v1, is not set"):
        _ = Judge("small", criteria, key="MY_KEY").secret


def test_a_template_of_your_own_lies_beside_the_file(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("Rate {output}.")
    (tmp_path / "judge.toml").write_text(START + '[mark]\ntemplate = "mine.txt"\nscale = [1, 5]\nsamples = 3\n')
    (criterion,) = read_judge(tmp_path / "judge.toml").criteria
    assert (criterion.template.text, criterion.parameters["temperature"]) == ("Rate {output}.", 1)
    assert f"template:mine.txt {criterion.template.hash}|scale:1 to 5|read:logprobs|samples:3" in criterion.signature
    (tmp_path / "mine.txt").write_text("Rate {output}!")
    assert read_judge(tmp_path / "judge.toml").criteria[0].template.hash != criterion.template.hash


def test_ready_templates_ask_for_one_output_or_for_two() -> None:
    assert [name for name in READY if template(name).pairs] == ["preference"]
    assert all({"low", "high"} <= template(name).gaps for name in READY if not template(name).pairs)


def test_ready_templates_are_described() -> None:
    page = (Path(__file__).parents[2] / "docs/judges.md").read_text()
    table = page.split("| template | asks | after |")[1].split("\n\n")[0]
    named = [name for line in table.splitlines() for name in re.findall(r"`([\w-]+)`", f"{line}|".split("|")[1])]
    assert sorted(named) == [*READY], "each has its place in docs/judges.md"


def test_a_mark_is_the_mean_of_all_marks_by_their_probability() -> None:
    criterion = Criterion("mark", template())
    found = parse_mark(with_chances(**{"4": 0.3, " 5": 0.3, "7": 0.2, "The": 0.1}), criterion).value
    assert found == pytest.approx(4.5)
    little = parse_mark(with_chances(**{"4": 0.3, "The": 0.7}), criterion)
    assert math.isnan(little.value) and little.reason == "ratings have less than 0.5 of the probability"
    none = parse_mark(with_chances(The=0.9), Criterion("mark", template(), least_mass=0))
    assert none.reason == "no rating is among the most probable tokens"
    assert parse_mark(said("4"), criterion).reason == NO_LOGPROBS
    result = parse_mark(with_chances(A=0.6, B=0.2), Criterion("mark", template("preference"))).value
    assert result == pytest.approx(0.75)


@pytest.mark.parametrize(("read", "text", "found"), [
    ("text", "4", 4),
    ("text", " 4.5/6 ", 4.5),
    ("text", "It says 2 of 3 facts.\nMark: 5 out of 6", 5),
    ("text", "Quality: 6", 6),
    ("text", "4 or 5", "the answer contains several ratings"),
    ("text", "It is good.", "the answer contains no rating"),
    ("text", "9", "the rating is not on the scale"),
    ("text", "-4", "the rating is not on the scale"),
    ("text", "", "the answer is empty"),
    ("text", None, "the answer is empty"),
    ("json", '{"mark": 4}', 4),
    ("json", 'Here it is: {"mark": "5"}.', 5),
    ("json", "4", "the answer contains no JSON object"),
    ("json", '{"grade": 4}', "the answer contains no rating"),
    ("json", '{"mark": true}', "the answer contains no rating"),
    ("json", '{"mark": 40}', "the rating is not on the scale"),
    ("json", '{"mark": ""}', "the answer contains no rating"),
    ("json", '{"mark": " "}', "the answer contains no rating"),
    ("json", '{"mark": NaN}', "the rating is not on the scale"),
    ("json", '{"mark": 1e400}', "the rating is not on the scale"),
    ("json", '{"mark": 1e-06}', "the rating is not on the scale"),  # and not 6
    pytest.param("json", '{"mark": 1' + "0" * 5000 + "}", "the answer contains no JSON object", id="long"),
    pytest.param("json", '{"mark": ' + "[" * 5000 + "]" * 5000 + "}", "the answer contains no JSON object", id="deep"),
])  # fmt: skip
def test_a_mark_is_read_from_a_text_or_an_object_and_never_guessed(read: str, text: str | None, found: object) -> None:
    mark = parse_mark(said(text), Criterion("mark", template(), read=read))
    assert (mark.reason or mark.value) == found


@pytest.mark.parametrize("top", [
    [{"token": "4", "logprob": None}],
    [{"token": "4", "logprob": 5000}],
    [{"token": "4", "logprob": 1.35}],
    [{"token": "4", "logprob": math.nan}],
    [{"token": "4", "logprob": math.inf}],
    [{"token": "4", "logprob": True}],
    [{"token": "4", "logprob": "-0.1"}],
    [{"token": "4"}],
    [{"logprob": -0.1}],
    [{"token": 4, "logprob": -0.1}],
    [{"token": "4", "logprob": -0.1}, {"token": "5", "logprob": math.nan}],
    [{"token": "4", "logprob": -0.1}, {"token": "5", "logprob": -0.1}],
    [None],
    "abc",
    {"4": -0.1},
])  # fmt: skip
def test_probabilities_that_are_none_give_no_mark(top: object) -> None:
    mark = parse_mark(said("4", logprobs={"content": [{"top_logprobs": top}]}), Criterion("mark", template()))
    assert math.isnan(mark.value) and mark.reason == "the probabilities (logprobs) are malformed"


def test_a_probability_of_nothing_counts_for_nothing() -> None:
    top = [{"token": "4", "logprob": -0.1}, {"token": "5", "logprob": -math.inf}, {"token": "6", "logprob": -(10**400)}]
    found = parse_mark(said("4", logprobs={"content": [{"top_logprobs": top}]}), Criterion("mark", template())).value
    assert found == 4


@pytest.mark.parametrize("answer", [
    *(None, 4, "4", [], {}, {"choices": "abc"}, {"choices": [None]}, {"choices": {"a": 1}}, {"choices": ["4"]}),
    *({"choices": [{"message": message}]} for message in (None, "4", ["4"], 4)),
    *({"choices": [{"message": {"content": text}}]} for text in (4, ["4"], {"mark": 4}, True)),
])  # fmt: skip
@pytest.mark.parametrize("read", ["text", "json", "logprobs"])
def test_what_is_no_answer_gives_no_mark(answer: object, read: ReadAs) -> None:
    mark = parse_mark(answer, Criterion("mark", template(), read=read))
    assert math.isnan(mark.value) and mark.reason


@pytest.mark.parametrize("usage", ["much", [1], {"total_tokens": "9"}, *({"total_tokens": n} for n in NO_COUNTS)])
def test_tokens_that_no_server_can_have_counted_are_not_counted(usage: object) -> None:
    assert used_tokens({"usage": usage}) is None


def test_a_mean_of_samples_is_of_those_that_give_a_mark() -> None:
    judge = Judge("small", (Criterion("mark", template(), samples=2),))
    corpus = Corpus.from_texts(["an inn"], mrs=["inform(type=inn)"])
    (question,) = asked = make_questions(corpus, judge)
    broken = said("4", logprobs={"content": [{"top_logprobs": [{"token": "4", "logprob": math.nan}]}]})
    texts = zip(question.requests, (broken, with_chances(**{"5": 0.9})), strict=True)
    answers = {request_key(judge.url, request): answer for request, answer in texts}
    assert collect_ratings(corpus, judge, asked, answers, {}).table["mark"].tolist() == [5]


def test_a_refusal_is_no_mark() -> None:
    criterion = Criterion("mark", template(), read="text")
    assert parse_mark(said("4", finish_reason="content_filter"), criterion).reason == "the server refused to answer"
    found = parse_mark({"choices": [{"message": {"refusal": "No."}}]}, criterion).reason
    assert found == "the server refused to answer"


def test_what_a_template_needs_must_be_there() -> None:
    judge = Judge("small", (Criterion("mark", template()), Criterion("like", template("after-gemba"), (0, 5))))
    corpus = Corpus.from_texts(["an inn", "a pub"], [["the inn"], []], mrs=["inform(type=inn)", ""])
    asked = make_questions(corpus, judge)
    found = [each.skip_reason for each in asked]
    assert found == [*(None, "no input (meaning representation)"), *(None, "no reference")]
    table, about, _ = collect_ratings(
        corpus,
        judge,
        asked,
        {},
        {request_key(judge.url, asked[0].requests[0]): "it was too long"}
        | {request_key(judge.url, asked[2].requests[0]): "it was too long"},
    )
    assert table["mark_missing"].tolist() == ["it was too long", "no input (meaning representation)"]
    assert about["like"]["missing"] == {"it was too long": 1, "no reference": 1}


def test_further_parameters_replace_those_that_are_sent() -> None:
    further = {"max_tokens": "", "max_completion_tokens": 8}
    judge = Judge("small", (Criterion("mark", template(), read="text", samples=2),), request=further)
    one, other = make_questions(Corpus.from_texts(["an inn"], mrs=["inform(type=inn)"]), judge)[0].requests
    assert "max_tokens" not in one and one["max_completion_tokens"] == 8
    assert (one["seed"], other["seed"]) == (2017, 2018) and request_key(judge.url, one) != request_key(judge.url, other)


def test_two_outputs_are_compared_in_both_orders_and_turns_are_counted() -> None:
    judge = Judge("small", (Criterion("better", template("preference"), read="text"),))
    corpus = Corpus.from_texts(["best", "good", "bad", "alone"], mrs=["inform(type=inn)"] * 3 + ["inform(type=pub)"])
    asked = make_questions(corpus, judge)
    # Best wins always; between good and bad, what is shown first does.
    wins = {(0, 1): "A", (1, 0): "B", (0, 2): "A", (2, 0): "B", (1, 2): "A", (2, 1): "A"}
    answers = {request_key(judge.url, each.requests[0]): said(wins[each.rows]) for each in asked}
    table, about, _ = collect_ratings(corpus, judge, asked, answers, {})
    assert table["better"].tolist()[:3] == [1, 0.25, 0.25]
    assert table["better_missing"].tolist()[3] == "no other output for the item"
    found = {row["measure"]: (row["value"], row["n"]) for row in about["better"]["position"]}
    assert found["changed"] == found["changed_to_first"] == (pytest.approx(1 / 3), 3)
    assert found["first_wins"] == (pytest.approx(4 / 6), 6)
    assert about["better"]["model"] == "small"


def test_samples_are_averaged_and_those_without_a_mark_left_out() -> None:
    judge = Judge("small", (Criterion("mark", template(), read="text", samples=3),))
    corpus = Corpus.from_texts(["an inn"], mrs=["inform(type=inn)"])
    (question,) = asked = make_questions(corpus, judge)
    texts = zip(question.requests, ("2", "5", "well"), strict=True)
    answers = {request_key(judge.url, request): said(text) for request, text in texts}
    assert collect_ratings(corpus, judge, asked, answers, {}).table["mark"].tolist() == [3.5]


@pytest.mark.parametrize(("call", "expected"), [
    (lambda: characters_per_token({"1f": {"messages": [{"content": "Is it good?"}]}}, {}), 4.0),
    (lambda: estimate_tokens([{"messages": [{"content": "Is it good?"}], "max_tokens": 1}]), [20]),
])  # fmt: skip
def test_an_example_gives_what_it_says(call, expected) -> None:
    assert call() == expected
