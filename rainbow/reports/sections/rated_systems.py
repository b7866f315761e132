"""Systems: means, tests, and metrics that distinguish them."""

from __future__ import annotations

from functools import partial
from shlex import quote

from rainbow.reports.figures.dot_plots import TEST, system_differences
from rainbow.reports.grid import ARROWS, Cell, Column, Grid, Measure, Row, metric_row, significance_stars
from rainbow.reports.number_format import Number
from rainbow.reports.orders import order_by_agreement
from rainbow.reports.saved.saved_analysis import PUBLISHED, Part, SavedAnalysis
from rainbow.reports.saved.saved_tables import SavedRow, SavedTables
from rainbow.reports.section import Figure, Section

# A dataset and two systems.
SystemPair = tuple[str, str, str]

# Asks least of the data: no distribution is assumed.
RANDOMISATION = "approximate randomisation"

_SUBJECT = "{column}, {system} on {dataset}: "
MEAN = Measure(
    "mean",
    "precise",
    _SUBJECT + "mean {mean:precise}, sd {sd:precise}, n = {n:count}",
    note="({sd:precise})",
    reason=_SUBJECT + "{reason}",
)
DIFFERENCE = Measure(
    "difference",
    "precise",
    "{column}, {first} minus {second}: {difference:precise}, {interval:precise}; p = {p:p} "
    f"({TEST}), {{p_random:p}} ({RANDOMISATION})",
    reason="{reason}",
    absent="not tested",
)
SOFT = Measure(
    "soft_accuracy",
    "share",
    "{metric} and {rating}, {system_pairs:count} pairs of systems: soft {soft_accuracy:percent}, order only "
    "{pairwise_accuracy:percent}",
    reason="{reason}",
    centre=0.5,
)
SHARE = Measure("preferred", "percent", "of its comparisons; ties count half")
STRENGTH = Measure("bradley_terry", "signed", "log odds against an average system", note="{range:signed}")
COMPARISONS = Measure("comparisons", "count")


def section(saved: SavedAnalysis) -> Section:
    """Return means per system and tested differences."""
    tests = saved.tables["system_differences"]
    pairs: list[SystemPair] = list(dict.fromkeys(zip(tests["dataset"], tests["first"], tests["second"], strict=True)))
    dataset = saved.name.removesuffix(f"-{PUBLISHED}")
    data = {
        "means": _means_grid(saved, pairs),
        "pairs": pairs,
        "preferences": preference_grid(saved),
        "soft": _soft_grid(saved) if pairs else None,
        "compared": saved.compared,
        "page": saved.page,
        "command": f"rainbow systems {quote(dataset)}" + (" --as-published" if dataset != saved.name else ""),
    }
    figure = Figure(
        "system-differences",
        "Differences of mean ratings of systems over common items, with 95 % intervals (paired t).",
        "Forest plot of differences between systems; numbers in the next table.",
        partial(system_differences, saved),
    )
    return Section("systems", "Systems", data, [figure] if pairs else [])


def _means_grid(saved: SavedAnalysis, pairs: list[SystemPair]) -> Grid:
    means = saved.lookup("systems", "dataset", "system", "column")
    paired, randomised = (
        saved.lookup("system_differences", "dataset", "first", "second", "column", test=test)
        for test in (TEST, RANDOMISATION)
    )
    systems = list(dict.fromkeys(key[:2] for key in means))
    rows = []
    for column in [*saved.ratings, *order_by_agreement(saved)]:
        cells = [MEAN.cell(means[(*system, column)]) for system in systems]
        cells += [
            _difference_cell(saved, paired.get((*pair, column)), randomised.get((*pair, column))) for pair in pairs
        ]
        is_metric = column in saved.metrics
        rows.append(metric_row(saved, column, cells) if is_metric else Row(column, cells, "rating", ARROWS[True]))
    heads = [Column(saved.label(Part(*system)), f"mean of {Part(*system).label}") for system in systems]
    heads += [_pair_head(saved, pair) for pair in pairs]
    spans = [("mean (standard deviation)", len(systems))] + ([("difference", len(pairs))] if pairs else [])
    caption = "Mean ratings and scores of every system"
    return Grid("means", caption, heads, rows, spans=spans, corner="rating or metric")


def _pair_head(saved: SavedAnalysis, pair: SystemPair) -> Column:
    dataset, first, second = pair
    label = f"{first} − {second}"
    title = f"difference on {dataset}, {first} minus {second}"
    return Column(f"{dataset} · {label}" if len(saved.datasets) > 1 else label, title)


def _difference_cell(saved: SavedAnalysis, paired: SavedRow | None, randomised: SavedRow | None) -> Cell:
    p = randomised.p if randomised else paired.p if paired else 1.0
    return DIFFERENCE.cell(paired, mark=significance_stars(p, len(saved.metrics) + len(saved.ratings)), p_random=p)


def _soft_grid(saved: SavedAnalysis) -> Grid:
    """Return the soft pairwise accuracy of each metric."""
    lines = saved.lookup("soft_pairwise_accuracy", "dataset", "rating", "metric")
    parts = [(dataset, rating) for dataset in saved.datasets for rating in saved.ratings]
    rows = [
        metric_row(saved, metric, [SOFT.cell(lines.get((*part, metric)), 0.5) for part in parts])
        for metric in order_by_agreement(saved)
    ]
    columns = [Column(rating, f"{dataset}, {rating}") for dataset, rating in parts]
    spans = [(dataset, len(saved.ratings)) for dataset in saved.datasets] if len(saved.datasets) > 1 else []
    return Grid("soft", "Soft pairwise accuracy over systems, %", columns, rows, spans=spans)


def preference_grid(saved: SavedTables) -> Grid | None:
    """Return how often people prefer each system, best first; None without comparisons."""
    rows = []
    for line in saved.lines("preferences"):
        ranks = f"{line.rank_from:g}" if line.rank_from == line.rank_to else f"{line.rank_from:g} to {line.rank_to:g}"
        rank = Cell(Number(float(line.rank_from), ranks), tip="ranks in 95 % of the resamples")
        rows.append(Row(str(line.system), [SHARE.cell(line), STRENGTH.cell(line), rank, COMPARISONS.cell(line)]))
    columns = [Column(head, head) for head in ("preferred", "Bradley-Terry", "rank", "comparisons")]
    caption = "Which system people prefer, with 95 % intervals"
    return Grid("preferences", caption, columns, rows, corner="system") if rows else None
