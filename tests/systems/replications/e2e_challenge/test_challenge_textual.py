"""Tables 9 and 10 of Dušek et al. (2020), but for the columns that need a parser; printed with pytest -s."""

from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.systems.replications.e2e_challenge.challenge_options import challenge_measures
from rainbow.systems.replications.e2e_challenge.challenge_texts import challenge_tokens
from rainbow.systems.text_measures import measure_texts
from rainbow.systems.text_measures.textual_measures import ONE_REFERENCE
from tests.systems.e2e_files import read_e2e, read_printed

pytestmark = pytest.mark.xdist_group("e2e-textual")

EXACT = (
    "average_length_tokens", "distinct_tokens", "distinct_trigrams", "unique_trigrams_percent", "entropy_tokens",
    "conditional_entropy_bigrams",
)  # fmt: skip


def challenge_textual(corpus: Corpus) -> pd.DataFrame:
    return measure_texts(corpus, tokens=challenge_tokens, measures=challenge_measures())


@pytest.fixture(scope="module")
def table(data_dir: Path) -> pd.DataFrame:
    """Return a row per measure and system, ours beside the printed; the one reference drawn by them is not known."""
    printed = pd.concat([read_printed(data_dir, "dusek2019_table09"), read_printed(data_dir, "dusek2019_table10")])
    printed = printed[(printed["system"] != ONE_REFERENCE) & ~printed["measure"].str.startswith("level_")]
    ours = challenge_textual(read_e2e(data_dir, as_published=True)).query("view == 'delexicalised'")
    both = printed.merge(ours, on=["measure", "system"], suffixes=("_printed", ""))
    digits = both["measure"].str.startswith("distinct_").map({True: 0, False: 2})
    both["exact"] = [
        round(value, places) == printed
        for value, places, printed in zip(both["value"], digits, both["value_printed"], strict=True)
    ]
    return both.assign(off=both["value"] - both["value_printed"])


def report(rows: pd.DataFrame, number: int) -> None:
    (measure,) = set(rows["measure"])
    missed = {row.system: (round(row.value, 3), row.value_printed) for row in rows[~rows["exact"]].itertuples()}
    print(f"\ntable {number}, {measure}: {rows['exact'].sum()}/{len(rows)} {missed}")


@pytest.mark.slow
@pytest.mark.parametrize("measure", EXACT)
def test_lengths_counts_and_entropies_come_out(table: pd.DataFrame, measure: str) -> None:
    pytest.importorskip("ufal.morphodita", reason="pip install 'rainbow-nlg[lexical]'")
    rows = table[table["measure"] == measure]
    report(rows, 9 if measure == "average_length_tokens" else 10)
    assert len(rows) == 22 and rows["exact"].all()


@pytest.mark.slow
def test_segmental_ratios_come_out_to_a_hundredth(table: pd.DataFrame) -> None:
    pytest.importorskip("simplemma", reason="pip install 'rainbow-nlg[lexical]'")
    pytest.importorskip("wordfreq", reason="pip install 'rainbow-nlg[lexical]'")
    rows = table[table["measure"] == "MSTTR-50"]
    report(rows, 9)
    assert ((rows["value"].round(2) - rows["value_printed"]).abs() < 0.0101).sum() == 22


@pytest.mark.slow
def test_lexical_sophistication_orders_collections_as_printed(table: pd.DataFrame) -> None:
    pytest.importorskip("simplemma", reason="pip install 'rainbow-nlg[lexical]'")
    pytest.importorskip("wordfreq", reason="pip install 'rainbow-nlg[lexical]'")
    rows = table[table["measure"] == "LS2"]
    report(rows, 9)  # the print's list of frequent words is another, and its words are tagged
    assert rows["off"].abs().mean() < 0.02 and rows["off"].abs().max() < 0.06
    assert rows["value"].corr(rows["value_printed"], method="spearman") > 0.95


@pytest.mark.slow
def test_the_printed_lengths_of_two_systems_count_the_quotes_in_their_files(data_dir: Path) -> None:
    found = measure_texts(read_e2e(data_dir)).query("view == 'delexicalised' and measure == 'average_length_tokens'")
    lengths = found.set_index("system")["value"].round(2)
    assert (lengths["TNT1"], lengths["TNT2"]) == (24.37, 23.49)  # two tokens less than printed


def test_only_conditional_entropies_and_segments_are_measured_otherwise() -> None:
    corpus = Corpus.from_texts(
        ["Zizzi is near The Mill.", "A pub."],
        [["Zizzi! Near The Mill.", "Try Zizzi."], ["Try The Mill."]],
        ["name[Zizzi], near[The Mill]", "name[The Mill], near[Zizzi]"],
    )
    right, published = (
        measure(corpus).query("system == 'test set all' and view == 'surface'").set_index("measure")["value"]
        for measure in (measure_texts, challenge_textual)
    )
    changed = {name for name, value in right.items() if value != pytest.approx(published[name], nan_ok=True)}
    assert changed == {"conditional_entropy_bigrams", "conditional_entropy_trigrams"}  # too short for a segment
