"""The answer that a report begins with: three sentences, from the numbers of the tables."""

import re
from itertools import permutations

import pandas as pd
import pytest

from rainbow.reports.pages.page import make_page
from rainbow.reports.saved.saved_analysis import Saved
from rainbow.reports.sections import answer, learned_metric, metrics
from rainbow.reports.trusted import best_metric, main_protocol, trusted
from tests.reports.ensemble_tables import PROTOCOLS
from tests.reports.reading import Reader

pytestmark = pytest.mark.xdist_group("reports")


def sentences(saved: Saved) -> list[str]:
    html = make_page("x", "x", "", [answer.section(saved)], {}).html
    block = html.split('<div class="sentences">')[1].split("</div>")[0]
    return ["".join(Reader(f"<p>{part}").texts).replace("\n", "") for part in block.split("<p>")[1:]]


def with_table(saved: Saved, name: str, table: pd.DataFrame) -> Saved:
    return Saved(**{**vars(saved), "tables": {**saved.tables, name: table}})


def test_there_are_three_sentences(demo: Saved, learned: Saved) -> None:
    for saved in (demo, learned):
        found = sentences(saved)
        assert len(found) == 3
        assert all(re.fullmatch(r"[A-Z][^.]*(?:\d\.\d+[^.]*)*\.", sentence) for sentence in found), found


def test_the_trusted_metric_is_the_one_with_the_highest_correlation_once_turned(demo: Saved) -> None:
    table = demo.rows("correlations", dataset="demo", system="all", level="pooled")
    for rating in demo.ratings:
        best = ("", -1.0)
        for metric, r in table.loc[table["rating"] == rating, ["metric", "r"]].itertuples(index=False):
            better = demo.higher_is_better[metric]
            if better is not None and r == r:
                best = max(best, (metric, r if better else -r), key=lambda pair: pair[1])
        assert best_metric(demo, rating).metric == best[0]


def test_metrics_without_a_direction_are_no_candidates(demo: Saved) -> None:
    table = demo.tables["correlations"].copy()
    table.loc[table["metric"] == "len", "r"] = 0.99
    assert best_metric(with_table(demo, "correlations", table), "quality").metric != "len"


def test_what_could_be_luck_is_not_trusted(demo: Saved) -> None:
    table = demo.tables["correlations"].assign(p=0.04)
    saved = with_table(demo, "correlations", table)
    assert all(choice.doubtful for choice in trusted(saved))
    assert sentences(saved)[0].startswith("No metric can be trusted for informativeness, naturalness and quality")


def test_a_learnt_metric_is_trusted_where_it_is_better_on_held_out_outputs(demo: Saved, learned: Saved) -> None:
    assert {choice.metric for choice in trusted(learned)} == {"RAINBOW"}
    assert main_protocol(learned) == "by-item-and-text"
    worse = learned.tables["ensemble_protocols"].assign(williams_t=-4.2)
    chosen = trusted(with_table(learned, "ensemble_protocols", worse))
    assert [choice.metric for choice in chosen] == [choice.metric for choice in trusted(demo)]


@pytest.mark.parametrize("order", list(permutations(PROTOCOLS)))
@pytest.mark.parametrize("weakest", PROTOCOLS)
def test_the_headline_claims_what_the_strictest_protocol_shows_in_any_order(learned: Saved, order, weakest) -> None:
    table = learned.tables["ensemble_protocols"]
    table = table.assign(place=table["protocol"].map(order.index)).sort_values("place", kind="stable")
    low = table.assign(spearman=table["spearman"].where(table["protocol"] != weakest, 0.55)).reset_index(drop=True)
    chosen = trusted(with_table(learned, "ensemble_protocols", low))
    assert {(choice.metric, choice.protocol, choice.r.value) for choice in chosen} == {("RAINBOW", weakest, 0.55)}
    # The same numbers, where the difference from the best metric could be luck, or goes the other way.
    for change in (
        {"williams_p": 0.06},
        {"williams_t": -4.2},
        {"williams_t": float("nan"), "williams_p": float("nan")},
    ):
        doubted = low.copy()
        doubted.loc[doubted["protocol"] == weakest, list(change)] = list(change.values())
        saved = with_table(learned, "ensemble_protocols", doubted)
        assert "RAINBOW" not in {choice.metric for choice in trusted(saved)}
        assert not sentences(saved)[0].startswith("Trust RAINBOW")
        assert "the RAINBOW learned here is not reliably better" in sentences(saved)[0]


def test_where_the_learned_metric_differs_from_the_best_single_one_the_direction_is_shown(learned: Saved) -> None:
    table = learned.tables["ensemble_protocols"].copy()
    table.loc[table["protocol"] == "by-template", "best_metric_t"] = -4.2
    table.loc[table["protocol"] == "leave-one-system-out", "best_metric_p"] = 0.3
    data = learned_metric.section(with_table(learned, "ensemble_protocols", table)).data
    marks = {row.name: row.cells[0].mark for row in data["protocols"].rows}
    assert marks == {"by-item-and-text": "better", "by-template": "worse", "leave-one-system-out": ""}


def test_how_far_probabilities_hold_is_drawn_for_the_strict_protocol_where_it_was_measured(learned: Saved) -> None:
    figures = {figure.name: figure for figure in learned_metric.section(learned).figures}
    drawing = figures["reliability"].draw()
    assert [axes.get_title() for axes in drawing.axes] == list(learned.ratings)
    for axes in drawing.axes:
        assert [tuple(point) for point in axes.lines[1].get_xydata().tolist()] == [(0.35, 0.3), (0.45, 0.5)]
    without = with_table(learned, "ensemble_reliability", learned.tables["ensemble_reliability"].iloc[:0])
    assert "reliability" not in {figure.name for figure in learned_metric.section(without).figures}


def test_the_p_of_a_metric_chosen_from_many_stands_beside_it(demo: Saved) -> None:
    table = demo.tables["best_metrics"].assign(p_selected=0.26)
    rows = metrics.section(with_table(demo, "best_metrics", table)).data["best"].rows
    cells = [cell for row in rows for cell in row.cells if cell.number.raw]
    assert cells and all(cell.note.endswith(", p = 0.26") and not cell.mark for cell in cells)
    choice = best_metric(demo, "quality")
    html = make_page("x", "x", "", [answer.section(demo)], {}).html
    assert f'p = <span class="num" data-value="{choice.p_selected.raw}">' in html


def test_the_ceiling_and_how_near_the_best_come_to_it_are_told(demo: Saved) -> None:
    ceiling = next(line for line in demo.summary["ceilings"] if line["rating"] == "quality")
    choice = next(choice for choice in trusted(demo) if choice.rating == "quality")
    assert choice.ceiling is not None and choice.reach is not None
    assert choice.ceiling.estimate.value == pytest.approx(ceiling["estimate"])
    assert choice.reach.value == pytest.approx(choice.agreement / ceiling["estimate"])
    assert f"{ceiling['estimate']:.2f}" in sentences(demo)[1]


def test_without_a_ceiling_the_answer_says_that_it_is_not_known(demo: Saved) -> None:
    saved = Saved(**{**vars(demo), "summary": {**demo.summary, "ceilings": []}})
    assert sentences(saved)[1].startswith("How high any metric could correlate is not known")


def test_a_rating_without_a_ceiling_has_a_reason(demo: Saved) -> None:
    table = demo.tables["ceilings"]
    table = table.assign(estimate=table["estimate"].where(table["rating"] != "quality"), reason="raters are unlike")
    ceilings = [line for line in demo.summary["ceilings"] if line["rating"] != "quality"]
    saved = Saved(**{**vars(with_table(demo, "ceilings", table)), "summary": {**demo.summary, "ceilings": ceilings}})
    assert "; that with quality is not known (raters are unlike)" in sentences(saved)[1]


def test_the_third_sentence_warns_of_single_outputs_with_numbers(demo: Saved, learned: Saved) -> None:
    assert re.match(
        r"Do not trust .* for one output alone: of the pairs of outputs for one input, \d+", sentences(demo)[2]
    )
    found = sentences(learned)[2]
    assert "predictions miss informativeness by 0.70 on average (a constant by 0.80)" in found
    assert re.search(r"among outputs rated above 2, Spearman is 0\.\d\d", sentences(demo)[2])


def test_warnings_of_one_check_are_one_line(demo: Saved) -> None:
    beware = answer.section(demo).data["beware"]
    checks = demo.tables["checks"]
    serious = checks[checks["severity"].isin(["error", "warning"])]
    assert len(beware) == len(serious[["severity", "check"]].drop_duplicates()) < len(serious)
