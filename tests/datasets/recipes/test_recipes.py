"""Exports of known tools are read by their recipe, and only these."""

from pathlib import Path

import pytest

from docs.pages import recipes as page
from rainbow import load_dataset
from rainbow.datasets.columns import NO_COLUMNS, Columns
from rainbow.datasets.read.table_frames import read_frames
from rainbow.datasets.recipes import find_recipe, known_recipes, matching_names, read_recipe
from rainbow.datasets.roles.flattening import flatten
from rainbow.datasets.shapes.nested_cells import find_choices
from rainbow.datasets.table_mapping import detect_format, read_mapping

SAMPLES = Path(__file__).parent / "samples"
FOLDER = Path(page.__file__).parents[2] / "rainbow" / "datasets" / "recipes"
ANSWERS = "--output answer --input question --system system"
ARENA = (
    "--output conversation_a --output conversation_b --input conversation_a --item question_id --rater judge "
    "--pair model_a --pair model_b --winner winner"
)
PROMPTFOO = "[local:{}] Answer in one sentence: {{{{question}}}}"
# The options that each sample is read with, by the recipe of its name; options that are given.
EXPECTED: dict[str, str] = {
    "alpaca_eval.json": (
        "--output output_1 --output output_2 --input instruction --pair generator_1 --pair generator_2 --winner "
        "preference"
    ),
    "argilla.json": (
        "--output fields.answer --input fields.question --system metadata.system --id id --rating "
        "fluency=responses.fluency.0.value,responses.fluency.1.value"
    ),
    "argilla_flat.json": f"{ANSWERS} --id id --rating fluency=fluency.responses.0,fluency.responses.1",
    "deepeval.json": (
        "--output actualOutput --reference expectedOutput --input input --score 'metricsData.Answer Relevancy:higher' "
        "--score metricsData.Hallucination:lower"
    ),
    "doccano.jsonl": "--output text --input question --system system --id id --rating label --scale 'poor<good'",
    "factgenie.jsonl": "--output output --system setup_id --item example_idx --rater metadata.annotator_id",
    "google_forms.csv": f"{ANSWERS} --rating 'How fluent is the answer?' --rater 'Email Address'",
    "helm.json": (
        "--output predicted_text --item instance_id --score stats.exact_match:higher --score stats.rouge_l:higher"
    ),
    "inspect.json": (
        "--output output.completion --reference target --input input --system output.model --item id --scale 'I<P<C' "
        "--score scores.model_graded_qa.value:higher --score scores.f1.value:higher"
    ),
    "label_studio.json": (
        "--output data.answer --input data.question --system data.system --id id --rating "
        "fluency=annotations.0.result.fluency.rating,annotations.1.result.fluency.rating"
    ),
    **dict.fromkeys(
        [f"label_studio_min.{ending}" for ending in ("csv", "tsv", "json")],
        f"{ANSWERS} --item id --rating fluency --rater annotator",
    ),
    "langsmith.csv": (
        "--output outputs.answer --reference reference.answer --input inputs.question --item example_id --score "
        "feedback.correctness:higher"
    ),
    "lighteval.jsonl": (
        "--output model_response.text --reference doc.choices --input doc.query --item doc.id --score "
        "metric.rouge1:higher --score metric.bleu:higher"
    ),
    "lighteval_flat.jsonl": (
        "--output predictions --reference gold --input full_prompt --score metrics.rouge1:higher --score "
        "metrics.bleu:higher"
    ),
    "limesurvey.csv": f"{ANSWERS} --rating fluency --rater 'Response ID'",
    "limesurvey_codes.csv": f"{ANSWERS} --rating fluency --rater id",
    "lm_eval.jsonl": (
        "--output filtered_resps --reference target --input arguments.gen_args_0.arg_0 --item doc_id --score "
        "exact_match:higher --score bleu:higher"
    ),
    "lmsys_battles.json": "--rater judge --pair model_a --pair model_b --winner winner",
    "lmsys_conversations.json": ARENA,
    "lmsys_kaggle.csv": (
        "--output response_a --output response_b --input prompt --pair model_a --pair model_b --winner winner"
    ),
    "mlflow.json": (
        "--output outputs --reference ground_truth --input inputs --score toxicity/v1/score:lower --score "
        "flesch_kincaid_grade_level/v1/score:neither --score answer_similarity/v1/score:higher"
    ),
    "mt_bench.jsonl": ARENA,
    "mturk.csv": (
        "--output Input.answer --input Input.question --system Input.system --rating fluency=Answer.fluency --rater "
        "WorkerId"
    ),
    "prodigy.jsonl": (
        "--output text --input question --system system --rating answer --rater _annotator_id --scale 'reject<accept'"
    ),
    "prolific.csv": f"{ANSWERS} --rating fluency --rater 'Participant id'",
    "promptfoo.json": (
        "--output response.output --input vars.question --system provider.id --item testIdx --score score:higher "
        "--score namedScores.helpful:higher"
    ),
    "promptfoo_csv.csv": f"--output '{PROMPTFOO.format('gull-7b')}' --input question --score Score:higher",
    "promptfoo_csv_several.csv": (
        f"--output '{PROMPTFOO.format('gull-7b')}' --output '{PROMPTFOO.format('heron-2b')}' --input question"
    ),
    "qualtrics.csv": f"{ANSWERS} --rating Q2 --rater ResponseId",
    "ragas.csv": (
        "--output response --reference reference --input user_input --score faithfulness:higher --score "
        "answer_relevancy:higher --score context_recall:higher --score 'noise_sensitivity(mode=relevant):lower'"
    ),
    "toloka.tsv": (
        "--output INPUT:answer --input INPUT:question --system INPUT:system --rating fluency=OUTPUT:fluency --rater "
        "ASSIGNMENT:worker_id"
    ),
    "wmt_mqm.tsv": "--output target --input source --system system --item seg_id --rating mqm --rater rater",
}
GIVEN = {
    "argilla.json": {"rating": "fluency=responses.fluency.0.value,responses.fluency.1.value"},
    "doccano.jsonl": {"output": "text", "rating": "label", "scale": "poor<good"},
    "factgenie.jsonl": {"item": "example_idx"},
    "langsmith.csv": {"score": "feedback.correctness:higher"},
    "lighteval.jsonl": {"reference": "doc.choices"},
    "qualtrics.csv": {"rating": "Q2"},
    "wmt_mqm.tsv": {"item": "seg_id"},
    **{f"label_studio_min.{ending}": {"item": "id"} for ending in ("csv", "tsv", "json")},
}
MINE = 'name = "mine"\ncolumns = ["unit", "mark.*"]\n[read]\noutput = "said"\nrater = "who"\nrating = ["mark.*"]\n'
ROWS = "unit,said,who,mark.style,mark.sense\n1,an inn by the river,ann,4,5\n2,the cheap inn of the town,ann,2,3\n"


def recipe_of(sample: str) -> Path:
    """Return the recipe of a sample, called as the sample is."""
    stem = sample.partition(".")[0]
    return FOLDER / f"{ {'mt_bench': 'lmsys_conversations'}.get(stem, stem) }.toml"


def names_of(path: Path) -> list[str]:
    """Return the columns of a sample as recipes see them."""
    known = detect_format(path, NO_COLUMNS)
    table = flatten(next(iter(read_frames(path, 100, known.encoding, known.delimiter))))
    choices = find_choices(table)
    single = {column for each in choices.values() for column in each.values()}
    return [*(name for name in map(str, table) if name not in single), *choices]


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a table, next to a recipe of one's own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(MINE)
    (tmp_path / "table.csv").write_text(ROWS)
    return tmp_path / "table.csv"


def test_every_recipe_has_a_sample_and_a_source() -> None:
    assert {path.name for path in SAMPLES.iterdir()} == {*EXPECTED}
    advice = "add a sample to tests/datasets/recipes/samples and its line to EXPECTED"
    assert {*FOLDER.glob("*.toml")} == {*map(recipe_of, EXPECTED)}, advice
    assert [recipe.name for recipe in known_recipes() if not recipe.source.startswith("https://")] == []


@pytest.mark.parametrize("sample", EXPECTED)
def test_a_sample_is_read_by_its_recipe(sample: str) -> None:
    own = read_recipe(recipe_of(sample))
    mapping = read_mapping(SAMPLES / sample, Columns.create(**GIVEN.get(sample, {})))
    assert str(mapping.columns) == EXPECTED[sample] and own.name in {taken.why for taken in mapping.taken}
    assert [doubt for doubt in mapping.doubts if doubt.stops] == []


@pytest.mark.parametrize("sample", EXPECTED)
@pytest.mark.filterwarnings("ignore::UserWarning")
def test_a_sample_is_loaded(sample: str) -> None:
    corpus = load_dataset(SAMPLES / sample, **GIVEN.get(sample, {}))
    assert len(corpus) >= 4 and (all(corpus.frame["output"]) or sample == "lmsys_battles.json")
    for rating in corpus.ratings:
        assert corpus.frame[rating].notna().all()


@pytest.mark.parametrize("sample", EXPECTED)
def test_no_other_recipe_fits_a_sample(sample: str) -> None:
    names = names_of(SAMPLES / sample)
    found = [recipe.name for recipe in known_recipes() if recipe.fits(names)]
    assert found == [read_recipe(recipe_of(sample)).name]


@pytest.mark.parametrize("sample", EXPECTED)
def test_a_near_miss_is_not_used(sample: str) -> None:
    names = names_of(SAMPLES / sample)
    own = read_recipe(recipe_of(sample))
    for column in own.columns:
        renamed = [f"renamed {place}" if matching_names(column, [name]) else name for place, name in enumerate(names)]
        assert own.missing(renamed) is not None and find_recipe(renamed) is None


def test_a_renamed_column_is_read_by_the_model(tmp_path: Path) -> None:
    (tmp_path / "mine.csv").write_text((SAMPLES / "mturk.csv").read_text().replace("WorkTimeInSeconds", "Seconds", 1))
    whys = {taken.why for taken in read_mapping(tmp_path / "mine.csv").taken}
    assert "Amazon Mechanical Turk, batch results" not in whys


def test_scores_in_letters_are_numbers() -> None:
    assert {*load_dataset(SAMPLES / "inspect.json").frame["scores.model_graded_qa.value"]} <= {1.0, 2.0, 3.0}


@pytest.mark.parametrize(("text", "says"), [
    ('columns = ["a"]\n[read]\noutput = "b"\ncolumn = 1', "'column'"),
    ('columns = ["a"]\ncolour = "red"\n[read]\noutput = "b"', "unknown key 'colour'"),
    ('[read]\noutput = "b"', "key 'columns' is missing"),
    ("columns = []\n[read]\noutput = 'b'", "key 'columns' is missing or empty"),
    ('columns = ["a"]', "key 'read' is missing"),
    ('columns = "a"\n[read]\noutput = "b"', "key 'columns' is not a list"),
    ('columns = [1]\n[read]\noutput = "b"', "key 'columns' is not a list of texts"),
    ('columns = ["a"]\n[read]\nscore = "b"', "score 'b'"),
    ("columns = [", "Invalid value"),
])  # fmt: skip
def test_a_broken_recipe_names_file_and_key(text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "broken.toml").write_text(text)
    with pytest.raises(ValueError, match=r"broken\.toml") as error:
        read_recipe(tmp_path / "broken.toml")
    assert says in str(error.value)


def test_a_recipe_of_ones_own_is_used(mine: Path) -> None:
    corpus = load_dataset(mine, recipe="mine.toml")
    assert corpus.ratings == ("mark.style", "mark.sense")
    assert corpus.frame["output"].tolist() == ["an inn by the river", "the cheap inn of the town"]


def test_options_come_before_the_recipe_and_before_rainbow_toml(mine: Path) -> None:
    found = read_mapping(mine, Columns.create(recipe="mine.toml", rating="mark.style")).columns.ratings
    assert found == ("mark.style",)
    (mine.parent / "rainbow.toml").write_text('recipe = "mine.toml"\nrating = "mark.sense"\n')
    columns = read_mapping(mine).columns
    assert (columns.ratings, columns.rater, columns.recipe) == (("mark.sense",), "who", None)


def test_a_given_recipe_must_fit(mine: Path) -> None:
    mine.write_text(ROWS.replace("unit", "number"))
    with pytest.raises(ValueError, match=r"table\.csv.*mine\.toml.*column 'unit' is missing"):
        load_dataset(mine, recipe="mine.toml")
    mine.write_text(ROWS)
    (mine.parent / "mine.toml").write_text('absent = ["who"]\n' + MINE)
    with pytest.raises(ValueError, match="column 'who' must be absent"):
        load_dataset(mine, recipe="mine.toml")
    with pytest.raises(FileNotFoundError, match=r"other\.toml"):
        load_dataset(mine, recipe="other.toml")


def test_a_pattern_for_one_column_that_matches_several_is_left_out(mine: Path) -> None:
    (mine.parent / "mine.toml").write_text(
        MINE.replace('output = "said"', 'rater = "mark.*"\noutput = "sa*"').replace('rater = "who"\n', "")
    )
    columns = read_recipe(mine.parent / "mine.toml").columns_in(["unit", "said", "mark.style", "mark.sense"])
    assert (columns.rater, columns.output, columns.ratings) == (None, ("said",), ("mark.style", "mark.sense"))


def test_the_page_of_recipes_is_current() -> None:
    assert page.PAGE.read_text(encoding="utf-8") == page.page(), "run python -m docs.pages.recipes"
