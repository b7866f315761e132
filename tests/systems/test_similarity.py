"""Systems scored with each other's outputs as references."""

from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus, load_dataset
from rainbow.metrics.word.meteor.meteor import Meteor
from rainbow.systems.alignment import align_systems
from rainbow.systems.corpus_scores.segment_sums import PARTS
from rainbow.systems.similarity import compute_similarity
from tests.judged import published
from tests.systems.corpus_scores.made import score, texts

# Figure 4 of the challenge: the mean similarity of each system with all others, by five metrics.
FIGURE_4 = {
    **{"TGen": 0.48, "Slug": 0.47, "TNT1": 0.46, "NLE": 0.46, "TNT2": 0.46, "Harv": 0.46, "Zhang": 0.45},
    **{"Sheff1": 0.44, "TR1": 0.44, "Gong": 0.44, "DANGNT": 0.42, "Slug-alt": 0.42, "ZHAW2": 0.42, "ZHAW1": 0.40},
    **{"Chen": 0.40, "TUDA": 0.37, "Adapt": 0.37, "FORGe3": 0.34, "Sheff2": 0.34, "TR2": 0.33, "FORGe1": 0.31},
}


def corpus(mrs: list[str] | None = None) -> Corpus:
    """Return three systems: two alike, one random."""
    outputs, _ = texts(20, 1)
    others, _ = texts(20, 2)
    items = [str(number) for number in range(20)]
    systems = [name for name in ("one", "again", "other") for _ in items]
    return Corpus.from_texts([*outputs, *outputs, *others], [["r"]] * 60, mrs, item=items * 3, system=systems)


@pytest.mark.parametrize("metric", [*PARTS, "TER"])
def test_a_pairs_value_is_the_metric_with_the_other_systems_outputs_as_references(metric: str) -> None:
    aligned = align_systems(corpus())
    table = compute_similarity(aligned, [metric]).pairs.query(f"metric == '{metric}'")
    said = aligned.corpus.frame["output"].to_numpy()
    outputs = {system: said[rows] for system, rows in zip(aligned.systems, aligned.rows, strict=True)}
    for row in table.itertuples():
        alone = score(metric, outputs[row.system].tolist(), [[text] for text in outputs[row.reference_system]])
        assert row.value == pytest.approx(alone, abs=1e-12)
    assert len(table) == 6


def test_systems_that_say_the_same_are_most_similar() -> None:
    table = compute_similarity(align_systems(corpus())).pairs.query("metric == 'normalised_average'")
    best = table.loc[table["value"].idxmax()]
    assert {best["system"], best["reference_system"]} == {"one", "again"}


def test_the_mean_is_over_all_other_systems_with_its_own_outputs_as_references() -> None:
    pairs, means = compute_similarity(align_systems(corpus()))
    for row in means.itertuples():
        own = pairs[(pairs["metric"] == row.metric) & (pairs["reference_system"] == row.system)]
        assert (len(own), row.value) == (2, pytest.approx(own["value"].mean()))


def test_names_make_outputs_no_more_alike_than_one_word_does_and_other_values_stay() -> None:
    def values(texts: list[str], **options: tuple[str, ...]) -> pd.Series:
        mrs = ["name[The Rice Boat], near[Burger King]"] * 4
        systems = align_systems(Corpus.from_texts(texts, [["r"]] * 4, mrs, item=list("1212"), system=list("xxyy")))
        return compute_similarity(systems, ["ROUGE-L"], **options).pairs["value"]

    texts = ["The Rice Boat is near Burger King", "The Rice Boat is cheap", "The Rice Boat, Burger King", "Rice Boat"]
    masked, plain = values(texts), values(texts, names=())
    assert masked.equals(values([text.replace("The Rice Boat", "Xname") for text in texts], names=()))
    assert (masked < plain).all()


def test_a_metric_that_cannot_be_computed_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Meteor, "unavailable", staticmethod(lambda: "its tables are not there"))
    found = compute_similarity(align_systems(corpus())).means["metric"].unique().tolist()
    assert found == ["BLEU", "NIST", "ROUGE-L", "CIDEr", "normalised_average"]


def test_a_system_with_an_empty_output_has_a_similarity_but_is_no_reference() -> None:
    outputs, references = texts(8, 1)
    frame = Corpus.from_texts(
        [*outputs, "", *outputs[1:]], references * 2, item=[*"12345678"] * 2, system=["x"] * 8 + ["y"] * 8
    )
    pairs = compute_similarity(align_systems(frame)).pairs.set_index(["system", "reference_system"])
    assert len(pairs) == 12 and pairs.loc[("y", "x"), "value"].notna().all()
    assert pairs.loc[("x", "y"), "value"].isna().all()


@pytest.mark.slow
def test_the_challenges_figure_of_similarities_comes_out(data_dir: Path) -> None:
    """Measured: at most .0097 from the printed means, .0037 on average, Spearman correlation .993.

    The paper leaves open which system of a pair is the reference, which names are delexicalised, and whether a system
    is compared with itself. Of all combinations of these, this one is chosen: it is within a printed digit for all
    systems, it compares with the others only, as the paper says, and it has the printed .34 (.336) for one random
    reference per item too. The largest differences of others: with the other system of each pair as reference .035,
    with both .017, with nothing delexicalised .025, with `near` too .040. With `near` and with each system itself it
    is .006, but then the random references have .30.
    """
    challenge = align_systems(published(data_dir, load_dataset, "e2e", as_published=True))
    means = compute_similarity(challenge).means.query("metric == 'normalised_average'")
    table = means.set_index("system")[["value"]].assign(printed=pd.Series(FIGURE_4))
    print(f"\nfigure 4\n{table.round(3).to_string()}")
    assert (table["value"] - table["printed"]).abs().max() < 0.01
    assert (table["value"] - table["printed"]).abs().mean() < 0.004 and table.corr("spearman").iloc[0, 1] > 0.99


@pytest.mark.parametrize(("language", "known"), [("en", True), ("cs", False)])
def test_metrics_that_do_not_know_the_language_are_left_out(language: str, known: bool) -> None:
    spoken = replace(corpus(), language=language)
    metrics = set(compute_similarity(align_systems(spoken), ["METEOR", "TER"]).pairs["metric"])
    assert ("METEOR" in metrics, "TER" in metrics) == (known, True)
