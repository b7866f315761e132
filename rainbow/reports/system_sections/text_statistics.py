"""Length, richness and variety of texts."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rainbow.reports.grid import Column, Grid, Measure, Row
from rainbow.reports.saved.saved_systems import ComparedDataset, SavedSystems
from rainbow.reports.section import Section, block_section
from rainbow.reports.system_sections.corpus_metrics import plain_name

# The most informative measures with their meaning; the full table has all of them.
FIRST = {
    "average_length_tokens": "tokens per output",
    "average_sentence_length_tokens": "tokens per sentence",
    "distinct_tokens": "distinct tokens; grows with the number of texts",
    "unique_trigrams_percent": "trigrams that occur once, % of distinct trigrams",
    "entropy_tokens": "unigram entropy in bits per token",
    "conditional_entropy_bigrams": "bigram conditional entropy in bits per token",
    "MSTTR-50": "mean number of distinct words among 50 consecutive ones, independent of text size",
    "LS2": "lexical sophistication: share of distinct words outside the 2,000 most frequent",
}

# The same of syntactic complexity, where texts were parsed.
COMPLEXITY = {
    "mean_d_level": "mean D-level of the sentences' syntax, 0 (simple) to 7",
    "level_0_2_percent": "sentences of D-level 0 to 2: simple or conjoined, %",
    "level_6_7_percent": "sentences of D-level 6 and 7: complex subjects, or several structures, %",
}

_MEANINGS = FIRST | COMPLEXITY

MEASURE = Measure("value", "precise", "{system}: {named} {value:precise}", reason="{reason}")

# The view of the texts as they are; the others have placeholders for names.
SURFACE = "surface"


def section(saved: SavedSystems) -> Section:
    """Return the most informative measures, and all measures per view."""
    return block_section("systems-texts", "Text statistics", [_block(saved, part) for part in saved.parts])


def _block(saved: SavedSystems, part: ComparedDataset) -> dict[str, Any]:
    lines = saved.rows("textual", **part.filters)
    measures = [name for name in dict.fromkeys(lines["measure"]) if name not in COMPLEXITY]
    first = [measure for measure in FIRST if measure in measures]
    by_view = {str(view): set(own) for view, own in lines.groupby("view", sort=False)["measure"]}
    grids = [(view, _measure_grid(saved, part, view, measures, f"textual-{view}{part.suffix}")) for view in by_view]
    levels = next((view for view, known in by_view.items() if known >= set(COMPLEXITY)), None)
    complexity = levels and _measure_grid(saved, part, levels, list(COMPLEXITY), f"complexity{part.suffix}")
    main = _measure_grid(saved, part, SURFACE, first, f"textual{part.suffix}")
    return {"part": part, "first": main, "complexity": complexity, "all": grids}


def _measure_grid(saved: SavedSystems, part: ComparedDataset, view: str, measures: Sequence[str], name: str) -> Grid:
    lines = saved.lookup("textual", "system", "measure", view=view, **part.filters)
    systems = [*saved.systems(part), *(key[0] for key in lines if key[0].startswith("test set "))]
    rows = [
        Row(system, [MEASURE.cell(lines.get((system, name)), named=plain_name(name)) for name in measures])
        for system in dict.fromkeys(systems)
    ]
    columns = [Column(plain_name(measure), _MEANINGS.get(measure, plain_name(measure))) for measure in measures]
    caption = f"Measures of the {view} texts{part.where}"
    return Grid(name, caption, columns, rows, corner="system")
