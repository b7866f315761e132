"""The page of the benchmark."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rainbow.analysis.benchmark.agreement import PAIRS, WHY_DIFFERENT, top_scores
from rainbow.analysis.benchmark.mean_agreement import rescale_agreement
from rainbow.reports.grid import Cell, Column, Grid, Row, colour_class, colour_limit, empty_cell
from rainbow.reports.number_format import (
    Number,
    format_count,
    format_fixed,
    format_p_value,
    format_precise,
    format_range,
    format_signed,
)
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.section import Section
from rainbow.scoring.table_cells import POOLED

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 5  # scores that the answer names


def benchmark_page(table: pd.DataFrame) -> Page:
    """Return the page of a table that :func:`rainbow.benchmark.run.run_benchmark` gives."""
    overall: list[Any] = list(table[table["corpus"] == POOLED].itertuples())
    lines = dict(zip(_corpus_keys(table), table.itertuples(), strict=True))
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
    spans = [("all", 2), *_header_spans([corpus for corpus, _ in cells]), ("cost", 1)]
    grid = Grid("benchmark", "Agreement with people", spans, columns, rows, limit, corner="score", second="kind")
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


def _top_scores(overall: list[Any], tested: bool) -> dict[str, Any]:
    """Return the scores with the highest means, and how many scores lack some corpora."""
    most = max((line.n for line in overall), default=0)
    everywhere = [line for line in overall if line.n == most and line.value == line.value]
    best = sorted(everywhere, key=lambda line: -line.value)[:SHOWN]
    return {
        "best": [
            (line.metric, Number(line.value, format_signed(line.value), f"benchmark:{line.Index}:value"))
            for line in best
        ],
        "alike": [line.metric for line in overall if line.cluster == 1] if tested else [],
        "most": most,
        "fewer": sum(line.n < most for line in overall),
    }


def _corpus_keys(table: pd.DataFrame) -> list[tuple[str, str, str]]:
    return list(zip(table["corpus"], table["rating"], table["metric"], strict=True))


def _header_spans(corpora: list[str]) -> list[tuple[str, int]]:
    return [(name, corpora.count(name)) for name in dict.fromkeys(corpora)]


def _score_row(line: Any, agreements: list[Any], scaled: pd.Series[float], limit: float) -> Row:
    source = f"benchmark:{line.Index}"
    against = (
        ""
        if math.isnan(line.p_length)
        else f"; length has {format_signed(line.length)}, p = {format_p_value(line.p_length)}"
    )
    mean = Cell(
        Number(line.value, format_signed(line.value), f"{source}:value"),
        colour_class(line.value, limit),
        tip=f"{line.metric}: {format_signed(line.value)} on {line.n} corpora{against}",
    )
    corpora = Cell(Number(float(line.n), format_count(line.n), f"{source}:n"))
    seconds = Cell(Number(line.seconds, format_precise(line.seconds), f"{source}:seconds"))
    return Row(
        line.metric,
        line.group,
        ("", ""),
        [mean, corpora, *(_score_cell(each, scaled, limit) for each in agreements), seconds],
    )


def _score_cell(line: Any, scaled: pd.Series[float], limit: float) -> Cell:
    if line is None or math.isnan(line.value):
        return empty_cell("not computed" if line is None else f"{line.metric}: {line.reason}")
    form = format_fixed if line.measure == PAIRS else format_signed
    ends = format_range(line.low, line.high, form)
    tip = (
        f"{line.metric}, {line.corpus}, {line.rating}: {form(line.value)} ({ends}), {line.measure}, n = "
        f"{format_count(line.n)}, rank {line.rank}, cluster {line.cluster}; length alone has "
        f"{form(line.length)}"
    )
    number = Number(line.value, form(line.value), f"benchmark:{line.Index}:value")
    return Cell(number, colour_class(scaled[line.Index], limit), "1" if line.cluster == 1 else "", tip, ends)


def _corpus_rows(table: pd.DataFrame, cells: list[tuple[str, str]]) -> list[dict[str, str]]:
    """Return size, measure and human agreement for each corpus and rating."""
    lines: list[Any] = list(table.drop_duplicates(["corpus", "rating"]).itertuples())
    others: list[Any] = list(top_scores(table).query("not named").itertuples())
    first = {(line.corpus, line.rating): _verdict_difference(line) for line in others}
    return [
        _human_agreement(line) | {"first": first.get((line.corpus, line.rating), "")}
        for line in lines
        if (line.corpus, line.rating) in cells
    ]


def _verdict_difference(line: Any) -> str:
    """Return a sentence if the top score differs from the one the verdict names."""
    if line.measure == PAIRS:
        return f"On judged pairs, {line.metric} has the highest agreement ({format_fixed(line.value)})."
    return f"Over all outputs, {line.metric} has the highest agreement ({format_signed(line.value)})."


def _human_agreement(line: Any) -> dict[str, str]:
    form = format_fixed if line.measure == PAIRS else format_signed
    ends = "" if math.isnan(line.ceiling_low) else f" ({format_range(line.ceiling_low, line.ceiling_high, form)})"
    return {
        "corpus": line.corpus,
        "rating": line.rating,
        "state": line.verdict,
        "headline": line.headline,
        "because": line.because,
        "measure": line.measure,
        "n": format_count(line.n),
        "length": form(line.length),
        "people": form(line.ceiling) + ends,
    }
