"""`rainbow run` of files as people have them: what each column is taken as, and a page for all of them."""

import csv
import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rainbow.analysis.verdicts.candidate_columns import MINIMUM_RATED
from rainbow.cli import main
from rainbow.datasets.columns import save_columns
from rainbow.datasets.folders.user_files import open_user_files
from rainbow.metrics.general.regressions import text_digest
from rainbow.pipeline import run
from rainbow.scoring.saved_scores import load_scores
from tests.datasets.strangers import SHAPES
from tests.reports.reading import Reader

pytestmark = [pytest.mark.once, pytest.mark.usefixtures("figures_unwritten")]

# Of each shape: options that say what was found, and the stages that are done.
EXPECTED: dict[str, tuple[dict[str, Any], set[str]]] = {
    "a_repeating_id": (
        {"output": ["text"], "references": ["ref_a", "ref_b"], "mr": "source", "system": "model", "item": "id"}
        | {"ratings": ["rating=ann1,ann2,ann3"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "b_wide": (
        {"output": ["neural", "ngram", "template"], "references": ["ref_a", "ref_b"], "mr": "source", "item": "number"},
        {"metrics", "learned score", "systems", "report"}),
    "c_raters": (
        {"output": ["text"], "references": ["ref_a", "ref_b"], "mr": "source", "system": "model", "item": "number"}
        | {"ratings": ["adequacy=adequacy_1,adequacy_2,adequacy_3", "fluency=fluency_1,fluency_2,fluency_3"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "d_crowd": (
        {"output": ["Input.output"], "mr": "Input.source", "system": "Input.system"}
        | {"ratings": ["quality=Answer.quality"], "rater": "WorkerId"},
        {"metrics", "learned score", "analysis", "report"}),
    "e_preferences": ({"id": "id", "pair": ["system_a", "system_b"], "winner": "winner"}, {"preferences", "report"}),
    "f_european": (
        {"output": ["text"], "references": ["ref_a", "ref_b"], "mr": "source", "system": "model", "item": "number"}
        | {"ratings": ["quality"], "encoding": "cp1252", "delimiter": ";", "decimal": ","},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "f_with_mark": ({"output": ["text"], "references": ["ref_a"], "ratings": ["ann1"], "delimiter": "\t"},
        {"metrics", "learned score", "analysis", "report"}),
    "g_nested": (
        {"output": ["generated"], "references": ["references"], "mr": "input", "system": "system",
         "ratings": ["quality"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "h_workbook": (
        {"output": ["text"], "references": ["ref_a", "ref_b"], "mr": "source", "system": "model", "item": "number"}
        | {"ratings": ["rating=ann1,ann2,ann3"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "i_folder": ({}, {"metrics", "learned score", "systems", "report"}),
    "j_words": (
        {"output": ["text"], "references": ["ref_a"], "mr": "source", "system": "model", "ratings": ["fluency"]}
        | {"scale": ["strongly disagree<disagree<neutral<agree<strongly agree"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "k_scores": (
        {"output": ["text"], "references": ["ref_a"], "mr": "source", "system": "model", "ratings": ["quality"]}
        | {"scores": ["bertscore_f1:higher", "comet:higher", "gpt4_judge:higher"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "l_harness": (
        {"output": ["filtered_resps"], "references": ["target"], "mr": "arguments.gen_args_0.arg_0"}
        | {"item": "doc_id", "scores": ["exact_match:higher", "bleu:higher"]},
        {"metrics", "learned score", "report"}),
    "l_lighteval": (
        {"output": ["model_response.text"], "references": ["doc.choices"], "mr": "doc.query", "item": "doc.id"}
        | {"scores": ["metric.rouge1:higher", "metric.bleu:higher"]},
        {"metrics", "learned score", "report"}),
    "l_wandb": (
        {"output": ["generated_text"], "references": ["ground_truth"], "mr": "prompt", "scores": ["loss:lower"]},
        {"metrics", "learned score", "report"}),
    "m_lists": (
        {"output": ["prediction"], "references": ["targets"], "mr": "mr", "system": "model", "ratings": ["quality"]},
        {"metrics", "learned score", "analysis", "systems", "report"}),
    "d_radio_buttons": (
        {"output": ["Input.sentence"], "mr": "Input.mr", "system": "Input.sys", "item": "HITId", "rater": "WorkerId"}
        | {"ratings": ["quality=Answer.quality"]},
        {"metrics", "learned score", "analysis", "report"}),
    "d_toloka": (
        {"output": ["INPUT:text"], "mr": "INPUT:source", "system": "INPUT:system", "rater": "ASSIGNMENT:worker_id"}
        | {"ratings": ["fluency=OUTPUT:fluency"]},
        {"metrics", "learned score", "analysis", "report"}),
    "g_chat": (
        {"output": ["completion"], "mr": "messages", "system": "metadata.model"}
        | {"ratings": ["fluency=human.fluency", "quality=human.quality"]},
        {"metrics", "learned score", "analysis", "report"}),
    "j_survey": (
        {"output": ["Text shown"], "mr": "Data record", "system": "Generated by", "id": "Response ID"}
        | {"ratings": ["How fluent is this text?"], "scale": ["very poor<poor<acceptable<good<very good"]},
        {"metrics", "learned score", "analysis", "report"}),
    "l_wandb_json": ({"output": ["prediction"], "references": ["label"], "mr": "input", "scores": ["rouge1:higher"]},
        {"metrics", "learned score", "report"}),
    "n_texts_alone": ({"output": ["sentence"], "delimiter": "\t"}, {"metrics", "learned score", "report"}),
}  # fmt: skip

Rainbow = Callable[..., dict[str, Any]]


@pytest.fixture
def rainbow(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Rainbow:
    """Run `rainbow ARGUMENTS --json` in an empty folder, and give what it prints."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments: str) -> dict[str, Any]:
        monkeypatch.setattr(sys, "argv", ["rainbow", *arguments, "--json"])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        assert not end.value.code, printed.err
        return json.loads(printed.out)

    return run


def test_every_shape_is_expected() -> None:
    assert {*SHAPES} == {*EXPECTED}


@pytest.mark.parametrize("shape", SHAPES)
def test_what_the_columns_of_any_shape_are_is_found(shape: str, tmp_path: Path) -> None:
    opened = open_user_files([str(SHAPES[shape](tmp_path))])
    assert opened.mapping.columns.set_options() == EXPECTED[shape][0]
    named = {*opened.mapping.roles()}
    table = opened.files[0] if opened.is_table else None
    if table is not None and table.suffix == ".csv":
        header = table.read_bytes().decode("latin-1").removeprefix("\u00ef\u00bb\u00bf").partition("\n")[0].strip()
        assert named == {*re.split("[,;\t]", header)}  # every column is named, the unused ones too


# One of each kind; the others take minutes.
QUICK = ("a_repeating_id", "d_crowd", "n_texts_alone")


@pytest.mark.parametrize(
    "shape", [shape if shape in QUICK else pytest.param(shape, marks=pytest.mark.slow) for shape in SHAPES]
)
def test_a_file_of_any_shape_is_run_without_an_option(shape: str, rainbow: Rainbow, tmp_path: Path) -> None:
    path, (columns, done) = SHAPES[shape](tmp_path), EXPECTED[shape]
    found = rainbow("run", path.name, "--yes", "--resamples", "20")
    assert found["columns"] == columns
    done = done | {"metric cards"} if "metrics" in done else done
    done = done | {"recommendation"} if "analysis" in done else done  # with few ratings it says why there is none
    assert {stage["name"] for stage in found["stages"] if stage["state"] == "done"} == done
    assert all(stage["says"] for stage in found["stages"]) and "<html" in (tmp_path / found["page"]).read_text()
    assert len(found["findings"]) <= 5


def test_an_analysis_that_another_command_wrote_is_not_current(rainbow: Rainbow, tmp_path: Path) -> None:
    path, states = SHAPES["f_with_mark"](tmp_path), []
    for words in ((), ("analyse", "--differences", "williams"), (), ("analyse", "--seed", "3"), (), ()):
        if words:
            rainbow(words[0], path.name, *words[1:], "--resamples", "20")
        else:
            found = rainbow("run", path.name, "--yes", "--resamples", "20")
            states.append({stage["name"]: stage["state"] for stage in found["stages"]}["analysis"])
    assert states == ["done", "done", "done", "current"]


@pytest.mark.slow
def test_metrics_that_were_added_to_the_table_stay_and_the_learned_score_too(rainbow: Rainbow, tmp_path: Path) -> None:
    path = SHAPES["c_raters"](tmp_path)
    rainbow("run", path.name, "--yes", "--resamples", "20")
    before = {*load_scores(tmp_path / "metrics" / f"{path.stem}.parquet").attrs["signatures"]}
    rainbow("metrics", path.name, "--metrics", "general-fast")
    after = {*load_scores(tmp_path / "metrics" / f"{path.stem}.parquet").attrs["signatures"]}
    assert before < after
    rainbow("run", path.name, "--yes", "--resamples", "20")
    assert after == {*load_scores(tmp_path / "metrics" / f"{path.stem}.parquet").attrs["signatures"]}


@pytest.mark.slow
def test_what_is_current_is_not_done_again(rainbow: Rainbow, tmp_path: Path) -> None:
    path = SHAPES["g_nested"](tmp_path)
    rainbow("run", path.name, "--resamples", "20")
    assert {stage["state"] for stage in rainbow("run", path.name, "--resamples", "20")["stages"]} == {"current"}
    path.write_text(path.read_text().replace("Silverline", "Silverlane"))
    assert {stage["state"] for stage in rainbow("run", path.name, "--resamples", "20")["stages"]} == {"done"}


def test_outputs_that_models_learned_from_have_no_learned_score(tmp_path, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.csv").write_text("text,ref\nthe inn is cheap,a cheap inn\nan inn,the inn\n")
    monkeypatch.setattr(
        "rainbow.metrics.general.regressions._training_digests", lambda: {"rankme": {text_digest("an inn")}}
    )
    stages = {stage.name: stage for stage in run("mine.csv").stages}
    assert (stages["learned score"].state, stages["metrics"].state) == ("left out", "done")
    assert "rankme" in stages["learned score"].says


def test_what_is_said_wins_and_is_kept_beside_the_file(rainbow: Rainbow, tmp_path: Path) -> None:
    path = SHAPES["b_wide"](tmp_path)
    (tmp_path / "rainbow.toml").write_text('# mine\n["other.csv"]\noutput = "x"\n')
    found = rainbow("run", path.name, "--output", "neural", "--reference", "template")
    assert (found["columns"]["output"], found["columns"]["references"]) == (["neural"], ["template"])
    kept = (tmp_path / "rainbow.toml").read_text()
    assert kept.startswith('# mine\n["other.csv"]\noutput = "x"\n')
    assert 'output = "neural"' in kept and rainbow("run", path.name)["columns"] == found["columns"]


def test_a_file_of_lines_that_is_called_otherwise_is_taken_otherwise(rainbow: Rainbow, tmp_path: Path) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    for name in ("tgen", "slug", "third"):
        (folder / f"{name}.txt").write_text("".join(f"{name} has an inn {k}.\n" for k in range(5)))
    assert rainbow("run", "mine")["stages"][0]["says"].endswith("of 15 outputs")
    (folder / "third.txt").rename(folder / "x_ref.txt")  # of the same bytes, in the same place
    assert rainbow("run", "mine")["stages"][0]["says"].endswith("of 10 outputs")


def test_several_files_are_the_outputs_of_a_system_each(rainbow: Rainbow, tmp_path: Path) -> None:
    for name in ("tgen", "slug"):
        rows = [{"id": k, "prediction": f"{name} has an inn {k}.", "target": f"an inn {k}."} for k in range(5)]
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found = rainbow("run", "tgen.jsonl", "slug.jsonl", "--resamples", "20")
    assert found["name"] == "tgen+slug" and "2 systems compared" in [stage["says"] for stage in found["stages"]]


def test_a_file_without_texts_is_told_which_columns_it_has(monkeypatch, capsys, tmp_path) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "n.csv").write_text("a,b\n1,2\n")
    monkeypatch.setattr(sys, "argv", ["rainbow", "run", "n.csv"])
    with pytest.raises(SystemExit) as end:
        main()
    assert end.value.code == 1
    assert (
        "n.csv: no column has the generated texts: name it with --output COLUMN; the columns are a, b"
        in capsys.readouterr().err
    )


def test_a_note_beside_a_file_that_cannot_be_read_is_left_as_it_is(tmp_path: Path) -> None:
    from rainbow.datasets.columns import Columns

    (tmp_path / "rainbow.toml").write_text("output = ")
    with pytest.raises(ValueError, match=r"rainbow\.toml: "):
        save_columns(tmp_path / "mine.csv", Columns.create(output="text"))
    assert (tmp_path / "rainbow.toml").read_text() == "output = "


def write_rated(path: Path, rows: int) -> None:
    """Write outputs of two systems with references and a rating each; METEOR orders the first three as people do."""
    with path.open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["system", "input", "output", "reference", "quality"])
        for row in range(rows):
            reference = f"place {row // 2} is a cheap bar near the river"
            output = " ".join(reference.split()[: 9 - 2 * (row % 4)])
            table.writerow([["alpha", "beta"][row % 2], f"name=place {row // 2}", output, reference, 6 - row % 4])


@pytest.mark.parametrize(("rows", "shown"), [(3, False), (15, False), (MINIMUM_RATED, True)])
def test_agreement_with_people_is_reported_from_the_minimum_of_rated_outputs(
    tmp_path, monkeypatch, rows, shown
) -> None:
    monkeypatch.chdir(tmp_path)
    write_rated(tmp_path / "mine.csv", rows)
    found = run("mine.csv", rating="quality", output="output", resamples=20)
    assert any("rainbow fit" in sentence for sentence in found.findings) is shown and found.page is not None
    html = found.page.read_text()
    first = html[html.index('id="answer"') : html.index('id="failures"')]
    assert ("rungs" in first) is shown and ("METEOR" in first) is shown and ("differ most" in first) <= shown
    assert ("rainbow fit" in "".join(Reader(html).texts)) is shown
