"""`rainbow.analyse`: the tables of `rainbow analyse`, in a notebook."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import rainbow
from rainbow.base.formatting import plain
from rainbow.cli import app
from rainbow.corpus import Corpus
from rainbow.serving.analysis import Analysis


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return rainbow.load_dataset("demo").take(range(0, 1038, 10))


@pytest.fixture(scope="module")
def found(corpus: Corpus) -> Analysis:
    return rainbow.analyse(corpus, rainbow.score_corpus(corpus, ["TER", "len", "SE"]), resamples=50)


def test_tables_are_those_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    analyse = ["analyse", "demo", "--rating", "quality", "--resamples", "50"]
    for command in (["metrics", "demo", "--metrics", "TER,len,SE"], analyse):
        assert CliRunner().invoke(app, command).exit_code == 0
    whole = rainbow.load_dataset("demo")
    own = rainbow.analyse(whole, rainbow.score_corpus(whole, ["TER", "len", "SE"]), ratings=["quality"], resamples=50)
    written = pd.read_csv("analysis/demo/correlations.csv")
    np.testing.assert_allclose(own.correlations["r"].to_numpy(float), written["r"], rtol=1e-12)
    assert json.loads(Path("analysis/demo/summary.json").read_text()) == json.loads(json.dumps(plain(own.summary)))


def test_it_shows_itself(found: Analysis) -> None:
    headlines = found.verdicts["headline"].tolist()
    assert (repr(found).splitlines()[: len(headlines)], len(headlines)) == (headlines, len(found.inputs.ratings))
    assert all(headline in found._repr_html_() for headline in headlines)
    first, *lines = repr(found).splitlines()[len(headlines) :]
    assert first == "Analysis of 104 outputs, 3 metrics; Spearman of the best metric of each group, 95 % interval"
    assert [line.split()[:2] for line in lines[:2]] == [["informativeness", "word"], ["informativeness", "grammar"]]
    assert found._repr_html_().count("<tr") == 1 + len(lines) and {"correlations", "checks", "plot"} <= set(dir(found))
    with pytest.raises(AttributeError, match="unknown table 'nope': choose from checks"):
        found.nope  # noqa: B018


def test_the_report_is_one_page_with_every_section(found: Analysis, tmp_path: Path) -> None:
    page = found.to_html(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text() == page
    for name in ("answer", "failures", "metrics", "between", "systems", "data", "making"):
        assert f'<section id="{name}"' in page
    assert "SE" in page


def test_it_is_plain_data(found: Analysis) -> None:
    data = json.loads(json.dumps(plain(found.to_dict())))
    assert (len(data["tables"]["correlations"]), data["outputs"]) == (len(found.correlations), 104)


def test_it_is_a_table_for_a_paper(found: Analysis) -> None:
    assert found.to_markdown().startswith("| metric | ") and found.to_latex().splitlines()[-1] == r"\end{longtable}"


def test_figures_are_axes(found: Analysis) -> None:
    assert found.plot("TER").get_ylabel() == "informativeness"
    names = [label.get_text() for label in found.plot_correlations("quality").get_yticklabels()]
    r = found.correlations.query("dataset == 'all' and system == 'all' and level == 'pooled' and rating == 'quality'")
    assert names == r.sort_values("r", key=abs)["metric"].tolist()
    with pytest.raises(ValueError, match="unknown metric 'BLEU4': choose from TER, len, SE"):
        found.plot("BLEU4")
    with pytest.raises(ValueError, match="unknown rating 'fluency'"):
        found.plot_correlations("fluency")


def test_a_plot_without_a_metric_shows_the_verdict(found: Analysis) -> None:
    axes = found.plot(rating="quality")
    rows = found.evidence.query("rating == 'quality'").set_index("metric")
    candidates = rows.query("status == 'candidate'").nlargest(10, "agreement")
    assert [label.get_text() for label in axes.get_yticklabels()] == candidates.index[::-1].tolist()
    assert axes.get_title() == found.verdicts.set_index("rating")["headline"]["quality"]
    length = [line.get_xdata()[0] for line in axes.lines if line.get_label() == "length in words"]
    assert length == [rows.loc["length in words", "agreement"]]
    assert found.plot().get_title() == found.verdicts["headline"][0]
    with pytest.raises(ValueError, match="unknown rating 'fluency': choose from informativeness"):
        found.plot(rating="fluency")


def test_a_table_with_scores_that_others_computed(corpus: Corpus, figures_unwritten: None) -> None:
    frame = corpus.frame.assign(comet=corpus.frame["quality"] + np.arange(len(corpus)) % 3)
    scores = rainbow.score_corpus(corpus, ["SE"])
    found = rainbow.analyse(frame, scores, ratings=["quality"], higher_is_better={"comet": True}, resamples=50)
    best = {row["group"]: row["metric"] for row in found.summary["best_metrics"]}
    assert best == {"word": "SE", "external": "comet"} and "comet" in found.to_html()


def test_what_is_not_there_is_said(corpus: Corpus) -> None:
    scores = rainbow.score_corpus(corpus, ["SE"])
    with pytest.raises(ValueError, match="unknown column 'fluency': the columns are"):
        rainbow.analyse(corpus, scores, ratings=["fluency"])
    with pytest.raises(ValueError, match="unknown column 'comet'"):
        rainbow.analyse(corpus, scores, higher_is_better={"comet": True})


def test_only_what_is_public_is_listed() -> None:
    assert set(dir(rainbow)) == {*rainbow.__all__, "datasets", "metrics"}
