"""Syntactic complexity among the textual measures."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from rainbow import Corpus
from rainbow.programs.stanford_parser import AT_ONCE, parse_trees, parser_unavailable_reason
from rainbow.systems.text_measures.textual_measures import complexity_measures, measure_texts, texts_to_parse
from tests.systems.e2e_files import read_e2e, read_printed

SIMPLE = "(S (NP (PRP It)) (VP (VBZ is) (ADJP (JJ cheap))))"
CLAUSE = "(S (NP (PRP I)) (VP (VBP know) (SBAR (S (NP (PRP it)) (VP (VBZ is) (ADJP (JJ cheap)))))))"
NAMES = ["mean_d_level", "level_0_2_percent", "level_6_7_percent"]


def test_levels_are_those_of_all_sentences_together() -> None:
    trees: dict[str, list[str] | None] = {"one": [SIMPLE, CLAUSE], "two": [SIMPLE], "not parsed": None}
    found = list(complexity_measures(list(trees), lambda texts: [trees[text] for text in texts]))
    assert found == [
        ("mean_d_level", 1.0, None), ("level_0_2_percent", 200 / 3, None), ("level_6_7_percent", 0.0, None)
    ]  # fmt: skip


def test_without_a_parsed_text_there_is_a_reason_and_no_number() -> None:
    for _, value, reason in complexity_measures(["x"], lambda texts: [None]):
        assert np.isnan(value) and reason == "no text was parsed"


def test_texts_are_parsed_with_placeholders_for_names_and_only_when_asked() -> None:
    corpus = Corpus.from_texts(["The Inn is cheap."], [["It is The Inn."]], ["name[The Inn]"], system=["x"])
    asked: list[str] = []

    def trees(texts: Sequence[str]) -> list[list[str]]:
        asked.extend(texts)
        return [[SIMPLE] for _ in texts]

    with_levels = measure_texts(corpus, trees=trees)
    assert (asked, set(asked)) == (["Xname is cheap.", "It is Xname.", "It is Xname."], set(texts_to_parse(corpus)))
    levels = with_levels[with_levels["measure"].isin(NAMES)]
    assert (set(levels["view"]), len(levels)) == ({"delexicalised"}, 9)
    assert with_levels[~with_levels["measure"].isin(NAMES)].reset_index(drop=True).equals(measure_texts(corpus))


@pytest.mark.xdist_group("parser")
@pytest.mark.skipif(parser_unavailable_reason() is not None, reason=str(parser_unavailable_reason()))
@pytest.mark.parametrize(
    "step", [pytest.param(63, marks=pytest.mark.slow), pytest.param(7, marks=pytest.mark.published)]
)
def test_levels_order_the_challenges_systems_about_as_printed(data_dir: Path, step: int) -> None:
    """Table 9 of Dušek et al. (2020) is of another parser and program; one of so many inputs is parsed here."""
    corpus = read_e2e(data_dir, as_published=True)
    rows = [row for row in range(len(corpus)) if row % 630 % step == 0]
    frame = corpus.frame.iloc[rows].assign(references=[()] * len(rows))
    table = measure_texts(Corpus(frame), trees=lambda texts: parse_trees(texts, AT_ONCE))
    both = read_printed(data_dir, "dusek2019_table09").merge(table, on=["measure", "system"], suffixes=("_printed", ""))
    for measure in NAMES[1:]:
        part = both[both["measure"] == measure]
        spearman = part["value"].corr(part["value_printed"], method="spearman")
        off = part["value"] - part["value_printed"]
        print(
            f"\ntable 9, {measure}: Spearman {spearman:.3f}, mean difference {off.mean():.1f}, of {len(part)} systems"
        )
        assert len(part) == 21 and spearman > 0.65
