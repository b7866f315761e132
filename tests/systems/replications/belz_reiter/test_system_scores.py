import numpy as np
import pandas as pd
import pytest

from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.word.edit_distance import StringEditSimilarity
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.systems.replications.belz_reiter import score_systems, system_differences

WORDS = ["ssw", "16", "20", "backing", "veering", "sse", "then", "variable", "later", "by", "midday"]


@pytest.fixture
def frame() -> pd.DataFrame:
    """Return 12 items with two references each; system A copies one, B copies most of it, C is random."""
    rng, rows = np.random.default_rng(1), []
    for item in range(12):
        references = tuple(" ".join(rng.choice(WORDS, 9)) for _ in range(2))
        near = " ".join([*references[0].split()[:7], "x"])
        outputs = {"A": references[0], "B": near, "C": " ".join(rng.choice(WORDS, 9))}
        rows += [
            {"item": item, "system": name, "output": text, "references": references} for name, text in outputs.items()
        ]
    return pd.DataFrame(rows)


def test_systems_are_scored_by_all_four_metrics_as_in_table_2(frame):
    table = score_systems(frame)
    assert list(table) == ["system", "NIST-5", "BLEU-4", "ROUGE-4", "SE", "n"]
    assert (table["system"].tolist(), table["n"].tolist()) == ([*"ABC"], [12] * 3)
    for metric in ("NIST-5", "BLEU-4", "ROUGE-4", "SE"):
        assert table[metric].is_monotonic_decreasing
    part = frame[frame["system"] == "B"]
    edit = StringEditSimilarity().score(Batch(part["output"].tolist(), part["references"].tolist()))
    assert table.loc[1, "SE"] == pytest.approx(edit.mean())


def test_only_items_that_every_system_has_an_output_for_count(frame):
    short = frame.drop(index=frame.index[:1])
    assert score_systems(short)["n"].tolist() == [11] * 3
    tables = [score_systems(part).set_index("system").sort_index() for part in (short, frame[frame["item"] > 0])]
    pd.testing.assert_frame_equal(*tables)


def test_the_order_of_rows_does_not_count(frame):
    shuffled = frame.sample(frac=1, random_state=1)
    pd.testing.assert_frame_equal(*[score_systems(part).set_index("system").sort_index() for part in (frame, shuffled)])


def test_differences_are_tested_by_approximate_randomisation(frame):
    table = system_differences(frame, resamples=999, rng=3)
    assert len(table) == 4 * 3
    edit = {
        name: StringEditSimilarity().score(Batch(part["output"].tolist(), part["references"].tolist()))[:, 0]
        for name, part in frame.groupby("system")
    }
    row = table[(table["metric"] == "SE") & (table["first"] == "A") & (table["second"] == "C")].iloc[0]
    expected = approximate_randomisation(edit["A"], edit["C"], resamples=999, rng=5)
    assert row["difference"] == pytest.approx(expected.difference)
    assert row["p"] == pytest.approx(expected.p, abs=0.01) and row["p"] <= 0.005
    assert table["p"].between(1 / 1000, 1).all()


def test_a_system_does_not_differ_from_itself(frame):
    twin = frame[frame["system"] == "B"].assign(system="B2")
    table = system_differences(pd.concat([frame[frame["system"] == "B"], twin]), resamples=99, rng=1)
    assert table["difference"].eq(0).all() and table["reason"].str.contains("equal values for both systems").all()


def test_what_cannot_be_compared_is_refused(frame):
    with pytest.raises(ValueError, match="two outputs for item 0"):
        score_systems(pd.concat([frame, frame[:1]]))
    with pytest.raises(ValueError, match="no item has an output of all systems"):
        score_systems(frame[(frame["item"] < 6) == (frame["system"] == "A")])
    with pytest.raises(ValueError, match="different references"):
        score_systems(frame.assign(references=[(str(place),) for place in range(len(frame))]))
    with pytest.raises(ValueError, match="single string"):
        score_systems(frame.assign(references="a text"))
    with pytest.raises(ValueError, match="no column 'references'"):
        score_systems(frame.drop(columns="references"))


def test_the_demo_can_be_scored():
    from rainbow import load_dataset

    demo = load_dataset("demo").frame
    table = score_systems(demo.drop_duplicates(["system", "item"]))
    assert set(table["system"]) <= set(demo["system"]) and table["n"].gt(0).all()
    assert table[["NIST-5", "BLEU-4", "ROUGE-4", "SE"]].gt(0).all(axis=None)
