"""The page of a reproduced study, next to the published numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from rainbow._version import __version__
from rainbow.base.lazy import pd
from rainbow.reports.grid import Cell, Column, Grid, Row
from rainbow.reports.number_format import FORMATS, Number, NumberFormat, format_count, format_p_value, format_range
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.section import Figure, Section


class StudyLayout(NamedTuple):
    """Layout of a study's results: a table per value of one column, a row per value of another."""

    title: str
    question: str  # what was asked, and how the conditions differ
    tables: str  # the column whose values have a table each
    rows: str
    figures: Mapping[str, str]  # columns of numbers, with their names for a reader
    tests: Mapping[str, str]  # columns of p values, with what was tested


STUDIES = {
    "dusek2017": StudyLayout(
        "Referenceless quality estimation, 2017",
        (
            "Dušek, Novikova and Rieser (2017) predict ratings with a network that sees no reference. Folds: the "
            "five of the paper, where training may contain references and other outputs for test inputs. Domain "
            "and system: one domain or system is tested after learning from a hundred of its rows (C1), from all "
            "others (C2), or from both (C3). S1 learns from ratings only, S2 to S6 add more and more texts with "
            "inserted errors."
        ),
        "condition",
        "setup",
        {"pearson": "Pearson", "spearman": "Spearman", "mae": "MAE", "rmse": "RMSE"},
        {"over_best_metric_p": "over the best metric", "over_s1_p": "over S1"},
    ),
    "liu2021": StudyLayout(
        "Naturalness as classes, 2021",
        (
            "Liu, Maier, Minker and Ultes (2021) classify naturalness into six classes. Their test pairs are "
            "drawn at random from pairs of an output and one of its references (split paper), so most of their "
            "texts are also in training with the same class: a lookup of the text needs no learning. For seen-75 "
            "to seen-0 such texts were removed from training; in the other splits no test text is in training."
        ),
        "split",
        "method",
        {"accuracy": "accuracy", "macro_f1": "macro F1", "quadratic_kappa": "kappa", "spearman": "Spearman"},
        {},
    ),
}


def study_page(name: str, results: pd.DataFrame, figures: Sequence[Figure] = ()) -> Page:
    """Return the page of a study (of :data:`STUDIES`) from its table of results."""
    study = STUDIES[name]
    grids = [_result_grid(study, str(value), part) for value, part in results.groupby(study.tables, sort=False)]
    facts = f"{study.tables}: {', '.join(grid.caption for grid in grids)}; RAINBOW {__version__}"
    data = {"question": study.question, "grids": grids}
    return make_page(
        name, study.title, facts, [Section("study", "Reproduced and published results", data, figures)], {}
    )


def _result_grid(study: StudyLayout, value: str, part: pd.DataFrame) -> Grid:
    printed = [figure for figure in study.figures if part.get(f"printed_{figure}", part["n"] * math.nan).notna().any()]
    spans, columns = [("seeds", 1)], [Column("runs", "number of seeds")]
    for figure, label in study.figures.items():
        own = [Column("measured", f"{label}, reproduced; 95 % interval over inputs if available")]
        own += [Column("printed", f"{label}, published")] if figure in printed else []
        spans.append((label, len(own)))
        columns += own
    spans += [("p", len(study.tests))] if study.tests else []
    columns += [
        Column(label, f"Williams test: better than {label.removeprefix('over ')}") for label in study.tests.values()
    ]
    rows = [
        _result_row(study, place, line, printed)
        for place, line in zip(part.index, part.to_dict("records"), strict=True)
    ]
    return Grid(f"study-{value}", value, columns, rows, spans=spans, corner=study.rows)


def _result_row(study: StudyLayout, place: Any, line: Mapping[Any, Any], printed: Sequence[str]) -> Row:
    def cell(column: str, form: NumberFormat, note: str = "") -> Cell:
        return Cell(Number(line[column], form(line[column]), f"results:{place}:{column}"), note=note)

    cells = [cell("runs", format_count)]
    for figure in study.figures:
        low = line.get(f"{figure}_low", math.nan)
        ends = "" if math.isnan(low) else format_range(low, line[f"{figure}_high"], FORMATS["fixed3"])
        cells.append(cell(figure, FORMATS["fixed3"], ends))
        if figure in printed:
            cells.append(cell(f"printed_{figure}", FORMATS["fixed3"]))
    cells += [cell(test, format_p_value) for test in study.tests]
    return Row(line[study.rows], cells)
