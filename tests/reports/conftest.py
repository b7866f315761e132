"""Saved tables of a part of the demo dataset, with and without a learned metric, and of hostile texts."""

import json
import shutil
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import typer
from typer.testing import CliRunner

from rainbow import Corpus, load_dataset, score_corpus
from rainbow.analysis.analyse import Inputs, analyse
from rainbow.analysis.summary import summarise
from rainbow.audit.word_changes import metric_word_changes
from rainbow.base.formatting import plain
from rainbow.cli import systems
from rainbow.metrics import all_metrics
from rainbow.reports.pages.metrics_page import make_report
from rainbow.reports.pages.page import Page
from rainbow.reports.pages.systems_page import make_systems_page
from rainbow.reports.saved.saved_analysis import SavedAnalysis, load_analysis
from rainbow.reports.saved.saved_systems import SavedSystems, load_systems
from rainbow.scoring.saved_scores import save_scores
from tests.reports.learned_tables import write_learned_tables, write_search_tables

# Some of every group, none that takes seconds to start: the report does not care which metrics there are.
METRICS = [*("bleu", "ter", "rouge-l", "se", "readability", "misspellings"), *("slots", "repetition", "language-model")]

HOSTILE = {
    "script": "</script><script>window.harmed = true</script>", "image": "<img src=x onerror='window.harmed = true'>",
    "quotes": "\"><b class='x'>it's \"quoted\" & escaped</b>",
    "right-to-left": "\u202eevil \u05e9\u05dc\u05d5\u05dd \u0645\u0631\u062d\u0628\u0627",
    "emoji": "\U0001f3e8 \U0001f469\u200d\U0001f469\u200d\U0001f467 ok \U0001f1e9\U0001f1ea",
    "template": "{{ 7 * 7 }} {% raw %} ${alert(1)}", "long": "x" * 10_000, "blanks": 'a\n\n,"b"\t\u2028c',
}  # fmt: skip


def save(folder: Path, name: str, corpus: Corpus, metrics: list[str], resamples: int) -> None:
    """Leave what `rainbow metrics` and `rainbow analyse` leave."""
    save_scored(folder, name, corpus, score_corpus(corpus, metrics), resamples)


def save_scored(folder: Path, name: str, corpus: Corpus, scores: pd.DataFrame, resamples: int) -> dict[str, Any]:
    """Leave the same of scores that are known; return the summary."""
    save_scores(folder / "metrics" / f"{name}.parquet", corpus, scores)
    known = {column.name: (column, metric.group) for metric in all_metrics().values() for column in metric.columns}
    better = {column: known[column][0].higher_is_better for column in scores}
    groups = {column: known[column][1] for column in scores}
    inputs = Inputs(corpus.frame.join(scores), list(scores), list(corpus.ratings), better, groups, resamples)
    tables = analyse(inputs)
    (folder / "analysis" / name).mkdir(parents=True)
    for table, frame in tables.items():
        frame.to_csv(folder / "analysis" / name / f"{table}.csv", index=False)
    summary = summarise(inputs, tables)
    (folder / "analysis" / name / "summary.json").write_text(json.dumps(plain(summary)))
    return summary


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with metrics/ and analysis/ of `demo`, and of `learned`: the same with a learned metric."""
    folder = tmp_path_factory.mktemp("saved")
    corpus = load_dataset("demo").take(range(150))
    save(folder, "demo", corpus, METRICS, resamples=20)
    shutil.copy(folder / "metrics" / "demo.parquet", folder / "metrics" / "learned.parquet")
    shutil.copytree(folder / "analysis" / "demo", folder / "analysis" / "learned")
    write_learned_tables(folder / "analysis" / "learned", corpus.frame, list(corpus.ratings))
    write_search_tables(folder / "analysis" / "learned", corpus.frame["mr"][0], HOSTILE["script"])
    changes = metric_word_changes(corpus, ["SE", "RE"])
    changes.loc[changes["id"] == corpus.frame["id"].iloc[-1], "word"] = "other"  # of another text
    changes.to_csv(folder / "analysis" / "learned" / "word_changes.csv", index=False)
    return folder


@pytest.fixture(scope="session")
def demo(folder: Path) -> SavedAnalysis:
    return load_analysis("demo", folder=folder)


@pytest.fixture(scope="session")
def learned(folder: Path) -> SavedAnalysis:
    return load_analysis("learned", folder=folder)


@pytest.fixture(scope="session")
def page(learned: SavedAnalysis) -> Page:
    """Return the report with every section."""
    return make_report(learned)


@pytest.fixture(scope="session")
def hostile_page(hostile: SavedAnalysis) -> Page:
    return make_report(hostile)


@pytest.fixture(scope="session")
def hostile(hostile_folder: Path) -> SavedAnalysis:
    return load_analysis("hostile", folder=hostile_folder)


@pytest.fixture(scope="session")
def hostile_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what is saved about texts, names and references that try to break out of the page, twice."""
    folder, texts = tmp_path_factory.mktemp("hostile"), list(HOSTILE.values())
    corpus = Corpus.from_texts(
        outputs=[text for text in texts for _ in range(2)],
        references=[[text, HOSTILE["quotes"]] for text in texts for _ in range(2)],
        system=[HOSTILE["script"], HOSTILE["quotes"]] * len(texts),
        item=[f"<i>{place}</i>" for place in range(len(texts)) for _ in range(2)],
        quality=[float(1 + (5 * place) % 6) for place in range(2 * len(texts))],
    )
    save(folder, "hostile", corpus, ["SE", "TER", "len"], resamples=10)
    shutil.copy(folder / "metrics" / "hostile.parquet", folder / "metrics" / "again.parquet")
    shutil.copytree(folder / "analysis" / "hostile", folder / "analysis" / "again")
    return folder


@pytest.fixture(scope="session")
def systems_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return what `rainbow systems` leaves of `demo`, with judgements, and of systems with hostile names."""
    folder, frame = tmp_path_factory.mktemp("systems"), load_dataset("demo").frame
    judged = frame[["item", "system"]].assign(criterion="quality", kind="likert")
    raters = [judged.assign(judgement=frame["item"] + rater, value=frame[f"quality_{rater}"]) for rater in "123"]
    pd.concat(raters).to_csv(folder / "judgements.csv", index=False)
    names = [HOSTILE[name] for name in ("script", "image", "quotes", "template", "emoji")]
    rows = [{
        "system": name, "item": f"<i>{item}</i>", "output": f"{name[: 3 + item]} is {item}",
        "reference": f"it is {item}",
    } for name in names for item in range(8)]  # fmt: skip
    pd.DataFrame(rows).to_csv(folder / "hostile.csv", index=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for arguments in (["demo", "--judgements", "judgements.csv"], ["hostile.csv", "--system", "system"]):
            app = typer.Typer()
            systems.add_to(app)
            result = CliRunner().invoke(app, [*arguments, "--resamples", "30"])
            assert result.exit_code == 0, result.output
    return folder


@pytest.fixture(scope="session")
def compared(systems_folder: Path) -> SavedSystems:
    return load_systems("demo", folder=systems_folder)


@pytest.fixture(scope="session")
def hostile_systems(systems_folder: Path) -> SavedSystems:
    return load_systems("hostile", folder=systems_folder)


@pytest.fixture(scope="session")
def hostile_systems_page(hostile_systems: SavedSystems) -> Page:
    return make_systems_page(hostile_systems)


@pytest.fixture(scope="session")
def systems_page(compared: SavedSystems) -> Page:
    return make_systems_page(compared)
