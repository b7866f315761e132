"""The page of the benchmark: every score on every rated corpus."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rainbow.analysis.benchmark.agreement import PAIRS
from rainbow.analysis.benchmark.top_scores import WHY_DIFFERENT, top_scores
from rainbow.analysis.benchmark.mean_agreement import rescale_agreement
from rainbow.reports.grid import Cell, Column, Grid, Row, coloured, empty, limit_of
from rainbow.reports.number import Number, between, count, fixed, p_value, precise, signed
from rainbow.reports.pages.page import Page, make_page
from rainbow.reports.section import Section
from rainbow.scoring.table_cells import POOLED

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 5  # scores that the answer names


def benchmark_page(table: pd.DataFrame) -> Page:
    """Return the page of a table that :func:`rainbow.benchmark.run.run_benchmark` gives."""
    overall: list[Any] = list(table[table["corpus"] == POOLED].itertuples())
    lines = dict(zip(_keys(table), table.itertuples(), strict=True))
    scaled = rescale_agreement(table)
    cells = list(dict.fromkeys((corpus, rating) for corpus, rating, _ in lines if corpus != POOLED))
    limit = limit_of(scaled[table["corpus"] != POOLED])
    rows = [_row(line, [lines.get((*cell, line.metric)) for cell in cells], scaled, limit) for line in overall]
    columns = [
        Column("mean", "mean over corpora, each counted once; a share of pairs s counts as 2 s - 1"),
        Column("corpora", "corpora that the mean is over"),
        *(Column(rating, f"{corpus}: {rating}") for corpus, rating in cells),
        Column("seconds", "seconds that 1,000 outputs take on one thread of the machine that made the table"),
    ]
    spans = [("all", 2), *_spans([corpus for corpus, _ in cells]), ("cost", 1)]
    grid = Grid("benchmark", "Agreement with people", spans, columns, rows, limit, corner="score", second="kind")
    tested = any(line.cluster == 1 for line in overall if line.reason is None)
    corpora = _corpora(table, cells)
    why = WHY_DIFFERENT if any(line["first"] for line in corpora) else ""
    sections = [
        Section("benchmark-answer", "Answer", {"corpora": corpora, "why": why, **_first(overall, tested)}),
        Section("benchmark", "All scores", {"grid": grid, "tested": tested}),
        Section("benchmark-corpora", "The corpora", {"corpora": corpora}),
    ]
    facts = f"{len(overall)} scores, {len(dict(cells))} corpora, RAINBOW {table.attrs['version']}"
    return make_page("benchmark", "Benchmark", facts, sections, {})


def _first(overall: list[Any], tested: bool) -> dict[str, Any]:
    """Return the scores with the highest means among those that every corpus has, and how many lack some corpora."""
    most = max((line.n for line in overall), default=0)
    everywhere = [line for line in overall if line.n == most and line.value == line.value]
    best = sorted(everywhere, key=lambda line: -line.value)[:SHOWN]
    return {
        "best": [
            (line.metric, Number(line.value, signed(line.value), f"benchmark:{line.Index}:value")) for line in best
        ],
        "alike": [line.metric for line in overall if line.cluster == 1] if tested else [],
        "most": most,
        "fewer": sum(line.n < most for line in overall),
    }


def _keys(table: pd.DataFrame) -> list[tuple[str, str, str]]:
    return list(zip(table["corpus"], table["rating"], table["metric"], strict=True))


def _spans(corpora: list[str]) -> list[tuple[str, int]]:
    return [(name, corpora.count(name)) for name in dict.fromkeys(corpora)]


def _row(line: Any, found: list[Any], scaled: pd.Series[float], limit: float) -> Row:
    source = f"benchmark:{line.Index}"
    against = (
        "" if math.isnan(line.p_length) else f"; the length has {signed(line.length)}, p = {p_value(line.p_length)}"
    )
    mean = Cell(
        Number(line.value, signed(line.value), f"{source}:value"),
        coloured(line.value, limit),
        tip=f"{line.metric}: {signed(line.value)} on {line.n} corpora{against}",
    )
    corpora = Cell(Number(float(line.n), count(line.n), f"{source}:n"))
    seconds = Cell(Number(line.seconds, precise(line.seconds), f"{source}:seconds"))
    return Row(
        line.metric,
        line.group,
        ("", ""),
        [mean, corpora, *(_cell(each, scaled, limit) for each in found), seconds],
    )


def _cell(line: Any, scaled: pd.Series[float], limit: float) -> Cell:
    if line is None or math.isnan(line.value):
        return empty("it was not computed" if line is None else f"{line.metric}: {line.reason}")
    form = fixed if line.measure == PAIRS else signed
    ends = between(line.low, line.high, form)
    tip = (
        f"{line.metric}, {line.corpus}, {line.rating}: {form(line.value)} ({ends}), {line.measure}, "
        f"n = {count(line.n)}, rank {line.rank}, cluster {line.cluster}; the length alone has {form(line.length)}"
    )
    number = Number(line.value, form(line.value), f"benchmark:{line.Index}:value")
    return Cell(number, coloured(scaled[line.Index], limit), "1" if line.cluster == 1 else "", tip, ends)


def _corpora(table: pd.DataFrame, cells: list[tuple[str, str]]) -> list[dict[str, str]]:
    """Return for each corpus and rating how much there is, how it was measured, and how far people agree."""
    lines: list[Any] = list(table.drop_duplicates(["corpus", "rating"]).itertuples())
    others: list[Any] = list(top_scores(table).query("not named").itertuples())
    first = {(line.corpus, line.rating): _other_first(line) for line in others}
    return [
        _people(line) | {"first": first.get((line.corpus, line.rating), "")}
        for line in lines
        if (line.corpus, line.rating) in cells
    ]


def _other_first(line: Any) -> str:
    """Return in a sentence which score the table has first where the verdict names another or none."""
    if line.measure == PAIRS:
        return f"In pairs that people judged, {line.metric} agrees most ({fixed(line.value)})."
    return f"Over all outputs, {line.metric} agrees most ({signed(line.value)})."


def _people(line: Any) -> dict[str, str]:
    form = fixed if line.measure == PAIRS else signed
    ends = "" if math.isnan(line.ceiling_low) else f" ({between(line.ceiling_low, line.ceiling_high, form)})"
    return {
        "corpus": line.corpus,
        "rating": line.rating,
        "state": line.verdict,
        "headline": line.headline,
        "because": line.because,
        "measure": line.measure,
        "n": count(line.n),
        "length": form(line.length),
        "people": form(line.ceiling) + ends,
    }
