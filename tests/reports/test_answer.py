"""The first screen: it says the verdict and no more, with numbers of the tables."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from rainbow.analysis.verdicts.candidate_columns import CANDIDATE
from rainbow.learned.protocols.groups import DEFAULT_PROTOCOLS, JOINED_PROTOCOLS
from rainbow.pipeline import run
from rainbow.reports.overview.agreement_chart import agreement_chart
from rainbow.reports.overview.disagreeing_outputs import disagreeing_outputs, system_order
from rainbow.reports.overview.held_out import held_out_result as held_out
from rainbow.reports.overview.held_out import main_protocol
from rainbow.reports.overview.page_verdicts import best_column, page_verdicts
from rainbow.reports.pages.page import make_page
from rainbow.reports.saved.saved_analysis import SavedAnalysis
from rainbow.reports.sections import learned_metric, metrics_section, verdict_section
from tests.reports.learned_tables import PROTOCOLS
from tests.reports.reading import Reader

pytestmark = pytest.mark.xdist_group("reports")


def with_table(saved: SavedAnalysis, name: str, table: pd.DataFrame) -> SavedAnalysis:
    return replace(saved, tables={**saved.tables, name: table})


def screen(saved: SavedAnalysis) -> str:
    return " ".join("".join(Reader(make_page("x", "x", "", [verdict_section.section(saved)], {}).html).texts).split())


def test_every_rating_has_its_verdict_in_words_and_by_colour(demo: SavedAnalysis) -> None:
    seen = screen(demo)
    for line in demo.tables["verdicts"].itertuples():
        assert line.headline in seen and line.because in seen
    assert [ruling.state for ruling in page_verdicts(demo)] == demo.tables["verdicts"]["verdict"].tolist()


def test_no_headline_names_a_metric_that_the_verdict_does_not(demo: SavedAnalysis) -> None:
    red = demo.tables["verdicts"].assign(verdict="red", metric="", headline="No metric here", because="Too few.")
    saved = with_table(demo, "verdicts", red)
    assert not any(ruling.metric for ruling in page_verdicts(saved)) and "Use " not in screen(saved)
    assert not any(
        rung["chosen"] for ruling in page_verdicts(saved) for rung in agreement_chart(saved, ruling)["rungs"]
    )


def test_the_ladder_has_the_ten_best_columns_in_order_with_their_numbers(demo: SavedAnalysis) -> None:
    for ruling in page_verdicts(demo):
        table = demo.rows("evidence", rating=ruling.rating)
        table = table[table["status"] == CANDIDATE].dropna(subset="agreement")
        rungs = agreement_chart(demo, ruling)["rungs"]
        assert [rung["number"].value for rung in rungs] == sorted(table["agreement"], reverse=True)[:10]
        for rung in rungs:
            assert 0 <= rung["low"] <= rung["at"] <= rung["high"] <= 100


def test_where_there_are_no_intervals_every_column_stands_on_the_scale(demo: SavedAnalysis) -> None:
    ends = {"BLEU4": 1.0, "TER": 0.5, "METEOR": -0.5}
    evidence = demo.tables["evidence"].assign(low=float("nan"), high=float("nan"))
    saved = with_table(demo, "evidence", evidence.assign(agreement=evidence["metric"].map(ends)))
    charts = [agreement_chart(saved, ruling) for ruling in page_verdicts(saved)]
    assert all(0 <= rung["at"] <= 100 for chart in charts for rung in chart["rungs"])
    assert "nan%" not in make_page("x", "x", "", [verdict_section.section(saved)], {}).html


def test_length_learned_score_and_ceiling_are_lines(demo: SavedAnalysis, learned: SavedAnalysis) -> None:
    (ruling, *_) = page_verdicts(learned)
    lines = {line["kind"]: line["number"].value for line in agreement_chart(learned, ruling)["lines"]}
    assert set(lines) == {"length", "learned", "ceiling"}
    found = held_out(learned, ruling.rating)
    assert found is not None and lines["learned"] == found.r.value
    assert "learned" not in {line["kind"] for line in agreement_chart(demo, ruling)["lines"]}


@pytest.mark.parametrize("weakest", [*DEFAULT_PROTOCOLS, *JOINED_PROTOCOLS[1:]])
def test_the_learned_line_is_what_the_weakest_strict_protocol_shows(learned: SavedAnalysis, weakest: str) -> None:
    table = learned.tables["learned_protocols"]
    if weakest not in PROTOCOLS:
        table = table.replace({"protocol": {PROTOCOLS[-1]: weakest}})
    table = table.assign(spearman=table["spearman"].where(table["protocol"] != weakest, 0.25))
    found = held_out(with_table(learned, "learned_protocols", table), "quality")
    assert found is not None and (found.protocol, found.r.value) == (weakest, 0.25)
    assert main_protocol(learned) == "by-item-and-text"


def test_columns_that_agree_the_wrong_way_round_are_named(demo: SavedAnalysis) -> None:
    (ruling, *_) = page_verdicts(demo)
    table = demo.tables["correlations"].copy()
    table.loc[table["metric"] == "BLEU4", ["r", "low", "high"]] = [-0.7, -0.8, -0.6]
    table.loc[table["metric"] == "TER", ["r", "low", "high"]] = [0.6, 0.5, 0.7]  # lower is better
    assert {"BLEU4", "TER"} <= set(agreement_chart(with_table(demo, "correlations", table), ruling)["wrong"])
    assert "BLEU4" not in agreement_chart(demo, ruling)["wrong"]


def test_systems_stand_in_peoples_order_with_an_arrow_where_the_metric_has_another(demo: SavedAnalysis) -> None:
    places = system_order(demo, "quality", "TER")
    assert len(places) == 3 and [place["rank"] for place in places] == sorted(place["rank"] for place in places)
    means = demo.rows("systems", column="TER").set_index("system")["mean"]
    order = means.sort_values().index.tolist()  # fewer edits are better
    assert [place["rank_metric"] for place in places] == [1 + order.index(place["system"]) for place in places]
    assert all(bool(place["arrow"]) == (place["rank"] != place["rank_metric"]) for place in places)


def test_the_three_outputs_are_different_texts_and_open_in_the_browser(demo: SavedAnalysis) -> None:
    shown = disagreeing_outputs(demo, "quality", best_column(demo, "quality"))
    assert len({one["output"] for one in shown}) == 3
    for one in shown:
        assert one["link"].startswith("#utterances?rating=quality&metric=")
        assert abs(one["percentiles"]["rating"].value - one["percentiles"]["metric"].value) > 50


@pytest.mark.parametrize(("ratings", "scores"), [
    ([1, 1, 1, 6, 6, 6], [0.5] * 6),  # a metric that gives every output the same score
    ([1, 2, 3, 4, 5, 6], [0.1, 0.3, 0.2, 0.5, 0.9, 0.4]),  # both have the same outputs in the upper half
    ([6, 6, 6, 6, 6, 1], [0.9, 0.9, 0.9, 0.8, 0.9, 0.1]),  # five outputs share the highest rating
])  # fmt: skip
def test_outputs_in_the_same_half_of_ratings_and_scores_are_not_listed(demo, ratings, scores) -> None:
    frame = demo.scores.iloc[: len(ratings)].assign(quality=ratings, BLEU4=scores)
    shown = disagreeing_outputs(replace(demo, scores=frame), "quality", "BLEU4")
    assert all(sum(number.value > 50 for number in one["percentiles"].values()) == 1 for one in shown)
    if len({*scores}) == 1 or ratings == sorted(ratings):
        assert shown == []


def test_percentiles_of_tied_outputs_are_the_mean_of_their_ranks(demo: SavedAnalysis) -> None:
    frame = demo.scores.drop_duplicates("output").iloc[:4].assign(quality=[1, 6, 6, 6], BLEU4=[0.9, 0.1, 0.4, 0.6])
    shown = disagreeing_outputs(replace(demo, scores=frame), "quality", "BLEU4")
    found = [[number.value for number in one["percentiles"].values()] for one in shown]
    assert found == [[12.5, 87.5], [62.5, 12.5], [62.5, 37.5]]
    assert [one["says"] for one in shown] == ["high score, low rating", *["high rating, low score"] * 2]
    assert "better than 6" not in screen(replace(demo, scores=frame))


def test_a_cause_is_one_caution_with_what_to_do_and_there_are_three_at_most(demo: SavedAnalysis) -> None:
    checks = pd.DataFrame([
        ("ties", "warning", "quality", "80 % of all pairs", 9),
        ("ties", "warning", "naturalness", "70 % of all pairs", 9),
        ("coverage", "warning", "demo", "3 of 9 items lack some system", 9),
        ("language", "error", "METEOR", "no English", 9),
        ("batch effects", "error", "quality", "a batch effect", 9),
        ("baselines", "note", "TER", "predicts", 9),
    ], columns=["check", "severity", "subject", "finding", "n"])  # fmt: skip
    data = verdict_section.section(with_table(demo, "checks", checks)).data
    assert [caution["word"] for caution in data["cautions"][:2]] == ["wrong data", "wrong data"]
    assert len(data["cautions"]) == 3 and all(caution["advice"] for caution in data["cautions"])
    assert data["more"] == len([*checks["check"].unique()]) - 1 - 3 + ("weak" in str(data["cautions"]))


def test_where_the_learned_metric_differs_from_the_best_single_one_the_direction_is_shown(learned) -> None:
    table = learned.tables["learned_protocols"].copy()
    table.loc[table["protocol"] == "by-template", "best_metric_t"] = -4.2
    table.loc[table["protocol"] == "leave-one-system-out", "best_metric_p"] = 0.3
    data = learned_metric.section(with_table(learned, "learned_protocols", table)).data
    marks = {row.name: row.cells[0].mark for row in data["protocols"].rows}
    assert marks == {"by-item-and-text": "better", "by-template": "worse", "leave-one-system-out": ""}


def test_how_far_probabilities_hold_is_drawn_for_the_strict_protocol_where_it_was_measured(learned) -> None:
    drawing = {figure.name: figure for figure in learned_metric.section(learned).figures}["reliability"].draw()
    assert [axes.get_title() for axes in drawing.axes] == list(learned.ratings)
    for axes in drawing.axes:
        assert [tuple(point) for point in axes.lines[1].get_xydata().tolist()] == [(0.35, 0.3), (0.45, 0.5)]
    without = with_table(learned, "learned_reliability", learned.tables["learned_reliability"].iloc[:0])
    assert "reliability" not in {figure.name for figure in learned_metric.section(without).figures}


@pytest.mark.parametrize(("p", "star"), [(0.26, ""), (0.026, "*")])
def test_the_best_of_a_group_has_its_p_and_only_a_candidate_has_a_star(demo, p, star) -> None:
    table = demo.tables["best_metrics"].assign(p_selected=p)
    rows = metrics_section.section(with_table(demo, "best_metrics", table)).data["best"].rows
    cells = [cell for row in rows for cell in row.cells if cell.number.raw]
    assert {cell.mark for cell in cells} == {"", star} and all(cell.note.endswith(f", p = {p}") for cell in cells)
    assert not any(cell.mark and demo.higher_is_better[cell.note.split(",")[0]] is None for cell in cells)


def test_a_column_that_the_verdict_cannot_choose_has_a_note_that_says_why(demo: SavedAnalysis) -> None:
    saved = with_table(demo, "evidence", demo.tables["evidence"].query("metric != 'BLEU4'"))
    saved = replace(saved, scores=demo.scores.assign(BLEU4=demo.scores["BLEU4"].where(demo.scores.index % 5 < 2)))
    data = metrics_section.section(saved).data
    notes = {row.name: row.note for name in ("correlations", "further") for row in data[name].rows}
    assert notes["BLEU4"] == "not a candidate: missing in 60\u00a0% of rated outputs"
    found = {notes[name] for name, better in demo.higher_is_better.items() if better is None and name in notes}
    assert found == {"not a candidate: no direction"}
    assert notes["TER"] == "" and notes["BLEU4"] in make_page("x", "x", "", [metrics_section.section(saved)], {}).html


def test_a_note_names_the_rating_that_it_holds_for_and_the_status_that_the_evidence_has(demo: SavedAnalysis) -> None:
    table = demo.tables["evidence"].assign(status="candidate")
    table.loc[table["metric"] == "TER", "status"] = "too few rows"
    table.loc[(table["metric"] == "BLEU4") & (table["rating"] == "quality"), "status"] = "copy of the rating"
    rows = metrics_section.section(with_table(demo, "evidence", table)).data["correlations"].rows
    notes = {row.name: row.note for row in rows}
    assert notes["TER"] == "not a candidate: too few rows"
    assert notes["BLEU4"] == "not a candidate for quality: copy of the rating"


def test_scores_of_unknown_direction_and_a_judge_that_follows_length_are_the_first_cautions(
    tmp_path, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(4)
    lines = ["system,input,output,reference,faithful,judge,facts"]
    for item in range(30):
        for system in "abc":
            words = rng.choice(["inn", "bar", "cheap", "quiet", "nice", "old", "red", "small"], rng.integers(3, 9))
            mark = rng.integers(1, 6)
            judged = min(5, max(1, len(words) - 3 + rng.integers(0, 2)))
            facts = mark + rng.normal()
            lines.append(f"{system},name={item},{' '.join(words)},a cheap inn,{mark},{judged},{facts:.3f}")
    Path("mine.csv").write_text("\n".join(lines) + "\n")
    run("mine.csv", ratings="faithful", scores=["judge:higher=faithful", "facts:unknown"], resamples=50)
    page = Path("reports/mine.html").read_text()
    cautions = page[page.index("Before you use these numbers") :]
    assert cautions.index("confirm it with --score facts:higher") < cautions.index("with output length")
    assert re.search(r'class="unconfirmed">.*?if higher is better', page, re.DOTALL) and "Excluded: facts (" in page


def test_every_verdict_leads_to_a_section_of_the_page_on_verdicts() -> None:
    from rainbow.analysis.verdicts import verdict
    from rainbow.reports.overview.page_verdicts import HELP

    page = (Path(__file__).parents[2] / "docs" / "verdicts.md").read_text(encoding="utf-8")
    assert {*HELP} == {*verdict._SAYS, "borderline", "amber"}
    assert [title for title in HELP.values() if f"### {title}\n" not in page] == []
