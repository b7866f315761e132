"""The page of the benchmark."""

from __future__ import annotations

import math
from typing import Any

from rainbow.analysis.benchmark.agreement import PAIRS, WHY_DIFFERENT, rescale_agreement, top_scores
from rainbow.base.lazy import pd
from rainbow.reports.grid import Cell, Column, Grid, Row, colour_class, colour_limit, empty_cell
from rainbow.reports.number_format import FORMATS, format_count, format_precise
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.saved.saved_tables import SavedRow
from rainbow.reports.section import Section
from rainbow.scoring.table_cells import POOLED

SHOWN = 5  # scores that the answer names


def benchmark_page(table: pd.DataFrame) -> Page:
    """Return the page of a table that :func:`rainbow.benchmark.run.run_benchmark` gives."""
    every = _rows(table)
    overall = [line for line in every if line.corpus == POOLED]
    lines = {(line.corpus, line.rating, line.metric): line for line in every}
    scaled = rescale_agreement(table)
    cells = list(dict.fromkeys((corpus, rating) for corpus, rating, _ in lines if corpus != POOLED))
    limit = colour_limit(scaled[table["corpus"] != POOLED])
    rows = [_score_row(line, [lines.get((*cell, line.metric)) for cell in cells], scaled, limit) for line in overall]
    columns = [
        Column("mean", "mean over corpora, with equal weights; a share of pairs s counts as 2 s - 1"),
        Column("corpora", "number of corpora in the mean"),
        *(Column(rating, f"{corpus}: {rating}") for corpus, rating in cells),
        Column("seconds", "seconds per 1,000 outputs on one thread of the machine that made the table"),
    ]
    corpora_of_cells = [corpus for corpus, _ in cells]
    spans = [("all", 2), *((name, corpora_of_cells.count(name)) for name in dict(cells)), ("cost", 1)]
    grid = Grid("benchmark", "Agreement with people", columns, rows, limit, spans, corner="score", second="kind")
    tested = any(line.cluster == 1 for line in overall if line.reason is None)
    corpora = _corpus_rows(table, cells)
    why = WHY_DIFFERENT if any(line["first"] for line in corpora) else ""
    sections = [
        Section("benchmark-answer", "Answer", {"corpora": corpora, "why": why, **_top_scores(overall, tested)}),
        Section("benchmark", "All scores", {"grid": grid, "tested": tested}),
        Section("benchmark-corpora", "The corpora", {"corpora": corpora}),
    ]
    facts = f"{len(overall)} scores, {len(dict(cells))} corpora, RAINBOW {table.attrs['version']}"
    return make_page("benchmark", "Benchmark", facts, sections, {})


def _top_scores(overall: list[SavedRow], tested: bool) -> dict[str, Any]:
    """Return the scores with the highest means, and how many scores lack some corpora."""
    most = max((line.n for line in overall), default=0)
    everywhere = [line for line in overall if line.n == most and line.value == line.value]
    best = sorted(everywhere, key=lambda line: -line.value)[:SHOWN]
    return {
        "best": [(line.metric, line.number("value")) for line in best],
        "alike": [line.metric for line in overall if line.cluster == 1] if tested else [],
        "most": most,
        "fewer": sum(line.n < most for line in overall),
    }


def _score_row(line: SavedRow, agreements: list[SavedRow | None], scaled: pd.Series[float], limit: float) -> Row:
    against = "" if math.isnan(line.p_length) else line.text("; length has {length:signed}, p = {p_length:p}")
    mean = Cell(
        line.number("value"),
        colour_class(line.value, limit),
        tip=line.text("{metric}: {value:signed} on {n} corpora") + against,
    )
    others = [_score_cell(each, scaled, limit) for each in agreements]
    ends = Cell(line.number("n", format_count)), Cell(line.number("seconds", format_precise))
    return Row(line.metric, [mean, ends[0], *others, ends[1]], line.group)


def _score_cell(line: SavedRow | None, scaled: pd.Series[float], limit: float) -> Cell:
    if line is None or math.isnan(line.value):
        return empty_cell("not computed" if line is None else f"{line.metric}: {line.reason}")
    form = _form(line)
    tip = line.text(
        f"{{metric}}, {{corpus}}, {{rating}}: {{value:{form}}} ({{range:{form}}}), {{measure}}, n = {{n:count}}, rank "
        f"{{rank}}, cluster {{cluster}}; length alone has {{length:{form}}}"
    )
    mark = "1" if line.cluster == 1 else ""
    note = line.text(f"{{range:{form}}}")
    return Cell(line.number("value", FORMATS[form]), colour_class(scaled[line.Index], limit), mark, tip, note)


def _form(line: SavedRow) -> str:
    """Return the number format of a measure: a share of pairs has no sign."""
    return "fixed" if line.measure == PAIRS else "signed"


def _corpus_rows(table: pd.DataFrame, cells: list[tuple[str, str]]) -> list[dict[str, str]]:
    """Return size, measure and human agreement for each corpus and rating."""
    first = {(line.corpus, line.rating): line for line in _rows(top_scores(table).query("not named"))}
    return [
        _human_agreement(line, first.get((line.corpus, line.rating)))
        for line in _rows(table.drop_duplicates(["corpus", "rating"]))
        if (line.corpus, line.rating) in cells
    ]


def _rows(table: pd.DataFrame) -> list[SavedRow]:
    return [SavedRow(row, "benchmark") for row in table.itertuples()]


def _human_agreement(line: SavedRow, top: SavedRow | None) -> dict[str, str]:
    """Return the texts on a corpus; `top` is the top score if the verdict names another."""
    form, first = _form(line), ""
    if top:
        whole = "judged pairs" if top.measure == PAIRS else "all outputs"
        first = top.text(f"{'On' if top.measure == PAIRS else 'Over'} {whole}, {{metric}} has the highest agreement ")
        first += top.text(f"({{value:{_form(top)}}}).")
    ends = "" if math.isnan(line.ceiling_low) else line.text(f" ({{range[ceiling]:{form}}})")
    return {
        "corpus": line.corpus,
        "rating": line.rating,
        "state": line.verdict,
        "headline": line.headline,
        "because": line.because,
        "measure": line.measure,
        "n": line.text("{n:count}"),
        "length": line.text(f"{{length:{form}}}"),
        "people": line.text(f"{{ceiling:{form}}}") + ends,
        "first": first,
    }
