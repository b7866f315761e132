"""The E2E NLG Challenge: how far metrics of single outputs agree with the quality that people saw in them.

Dušek, Novikova and Rieser (2020), Evaluating the state-of-the-art of end-to-end natural language generation: the E2E
NLG challenge. A judgement is one person's ratings of five systems' outputs for one meaning representation. Ratings are
magnitudes, from 1 to 111111: only their order within a judgement counts, and the median over an output's judgements.
The tables are printed (pytest -s).
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pandas as pd
import pytest

from rainbow import Corpus, View, score_corpus
from rainbow.analysis.ranking.pairwise_accuracy import two_way_accuracy
from rainbow.stats.correlation.correlation import correlate

pytestmark = pytest.mark.xdist_group("e2e")

RATED_TOGETHER = 5
WITHIN = 0.01

# Known from another computation, to the digits given. NIST is as if each item were scored by itself, with information
# weights from its own references alone; CIDErD is what the challenge's program calls CIDEr; wps are words.
SPEARMAN = {"BLEU4": 0.11, "NIST": 0.18, "CIDErD": 0.20, "ROUGE": 0.08}
SPEARMAN_METEOR = {"METEOR": 0.20}
TAU = {"wps": 0.222, "BLEU4": 0.160}


@pytest.fixture(scope="module")
def judgements(data_dir: Path) -> pd.DataFrame:
    """Return a row for every output in every judgement; `rank` is its place there, 5 the best, ties sharing theirs."""
    wide = pd.read_csv(data_dir / "e2e" / "human_ratings" / "quality.csv", low_memory=False)
    columns = {"sys": "system", "quality": "quality", "ref": "shown"}
    parts = [
        wide[["mr", *(f"{name}{place}" for name in columns)]]
        .set_axis(["mr", *columns.values()], axis=1)
        .assign(dataset="e2e", judgement=wide.index)
        for place in range(1, RATED_TOGETHER + 1)
    ]
    long = pd.concat(parts, ignore_index=True)
    return long.assign(rank=long.groupby("judgement")["quality"].rank())


@pytest.fixture(scope="module")
def corpus(data_dir: Path, judgements: pd.DataFrame) -> Corpus:
    """Return every output that was rated, once, with the references of its meaning representation."""
    references = pd.read_csv(data_dir / "e2e" / "testset_w_refs.csv").groupby("mr")["ref"].agg(tuple)
    texts = {file.stem: outputs(file) for file in (data_dir / "e2e" / "system_outputs").glob("*.tsv")}
    rated = judgements[["mr", "system"]].drop_duplicates()
    frame = rated.assign(
        dataset="e2e",
        output=[texts[system][mr] for mr, system in rated.itertuples(index=False)],
        references=rated["mr"].map(references),
    )
    surface = Corpus(frame).view("surface")
    each_alone = View("each item alone", surface.outputs, surface.references, collections=tuple(rated["mr"]))
    return Corpus(frame, views={each_alone.name: each_alone})


def outputs(file: Path) -> dict[str, str]:
    """Return a system's output for every meaning representation; two files have single quotes round every field."""
    table = pd.read_csv(file, sep="\t", quotechar="'" if file.stem in ("tnt1", "tnt2") else '"', encoding="utf-8-sig")
    return dict(zip(table["MR"], table["output"].str.strip(), strict=True))


@pytest.fixture(scope="module")
def scores(corpus: Corpus) -> pd.DataFrame:
    """Return the scores of every rated output, but for METEOR's."""
    names = ["BLEU4", "CIDErD", "ROUGE", "len", "wps", "NIST"]
    found = score_corpus(corpus, names, view="surface").rename(columns={"NIST": "NIST, all references"})
    return corpus.frame[["mr", "system"]].join(found).join(score_corpus(corpus, ["NIST"], view="each item alone"))


def test_the_ratings_are_as_many_as_the_challenge_reports(judgements: pd.DataFrame, corpus: Corpus) -> None:
    pairs = RATED_TOGETHER * (RATED_TOGETHER - 1) // 2
    judged = judgements["judgement"].nunique()
    systems = corpus.frame.groupby("mr").size()
    assert (judged, judged * pairs, len(systems)) == (2979, 29790, 630)
    assert (round(systems.mean(), 1), systems.max()) == (9.5, 14)
    assert round(judgements.groupby("judgement")["quality"].nunique().eq(1).mean(), 2) == 0.28


def test_the_outputs_are_the_texts_that_were_rated(judgements: pd.DataFrame, corpus: Corpus) -> None:
    rated = judgements.merge(corpus.frame, on=["mr", "system"])
    assert len(rated) == len(judgements)
    shown, given = (rated[name].str.split() for name in ("shown", "output"))
    assert (shown == given).all()


def test_the_order_of_mean_ranks_is_the_published_one(judgements, printed) -> None:
    table = printed("dusek2019_table11").query("rating == 'quality'")
    mean = judgements.groupby("system")["rank"].mean()
    found = correlate(-mean, pd.Series(range(len(table)), index=table["system"].str.lower()).reindex(mean.index))
    print(f"\nmean ranks against the published order of systems: Spearman {found.r:.3f}, n = {found.n}")
    assert found.n == 21 and found.r > 0.97


def test_correlations_over_single_outputs_come_out(judgements: pd.DataFrame, scores: pd.DataFrame) -> None:
    check("Spearman with the median rating", segment_correlations(judgements, scores), SPEARMAN)


def test_nist_agrees_better_with_people_if_its_weights_come_from_all_references(judgements, scores) -> None:
    found = segment_correlations(judgements, scores)
    assert found["NIST, all references"] > found["NIST"] + 2 * WITHIN


def test_length_alone_orders_two_outputs_better_than_bleu_does(judgements: pd.DataFrame, scores: pd.DataFrame) -> None:
    found = pair_taus(judgements, scores)
    check("tau over the pairs of a judgement", found, TAU)
    assert found["wps"] > found["BLEU4"] + 5 * WITHIN and found["len"] > found["BLEU4"] + 5 * WITHIN


def test_length_orders_whole_systems_better_than_bleu_does_too(judgements: pd.DataFrame, scores: pd.DataFrame) -> None:
    found = system_correlations(judgements, scores)
    print(f"\nSpearman over systems\n{found.round(3).to_string()}")
    assert sorted(found.index) == sorted(metrics(scores)) and (found.loc["wps"] > found.loc["BLEU4"]).all()
    assert (found.idxmax() == "NIST").all()


@pytest.mark.slow
@pytest.mark.usefixtures("java")
def test_the_correlation_of_meteor_over_single_outputs_comes_out(judgements: pd.DataFrame, corpus: Corpus) -> None:
    meteor = corpus.frame[["mr", "system"]].join(score_corpus(corpus, ["METEOR"], view="surface"))
    print(f"\nMETEOR: tau over the pairs of a judgement {pair_taus(judgements, meteor)['METEOR']:.4f}")
    print(f"Spearman over systems\n{system_correlations(judgements, meteor).round(3).to_string()}")
    check("Spearman with the median rating", segment_correlations(judgements, meteor), SPEARMAN_METEOR)


def segment_correlations(judgements: pd.DataFrame, scores: pd.DataFrame) -> pd.Series[float]:
    """Return Spearman's correlation of every metric with the median rating of every output."""
    median = judgements.groupby(["mr", "system"])["quality"].median().rename("median").reset_index()
    rated = scores.merge(median, on=["mr", "system"])
    return pd.Series({name: correlate(rated[name], rated["median"]).r for name in metrics(scores)})


def pair_taus(judgements: pd.DataFrame, scores: pd.DataFrame) -> pd.Series[float]:
    """Return (concordant - discordant) / all of the pairs that a judge does not tie, over all judgements."""
    rated = judgements.merge(scores, on=["mr", "system"]).rename(columns={"judgement": "item"})
    names = metrics(scores)
    accuracy = two_way_accuracy(rated, names, ["rank"], dict.fromkeys(names, True), by="all").set_index("metric")
    assert accuracy["pairs"].eq(15_001).all()
    # The accuracy counts a metric's tie as half right: half the way from -1 to 1.
    return 2 * accuracy["accuracy"] - 1


def system_correlations(judgements: pd.DataFrame, scores: pd.DataFrame) -> pd.DataFrame:
    """Return Spearman's correlation of the mean of every metric with the mean and the median rank, over systems."""
    systems = judgements.merge(scores, on=["mr", "system"]).groupby("system")
    means, ranks = systems[metrics(scores)].mean(), systems["rank"].agg(["mean", "median"]).add_suffix(" rank")
    return pd.DataFrame({rank: {name: correlate(means[name], ranks[rank]).r for name in means} for rank in ranks})


def metrics(scores: pd.DataFrame) -> list[str]:
    return [str(name) for name in scores if name not in ("mr", "system")]


def check(title: str, found: pd.Series[float], expected: Mapping[str, float]) -> None:
    """Print what was found beside what is expected, and demand that it is as near as it is to be."""
    table = pd.DataFrame({"ours": found, "expected": pd.Series(expected)})
    near = (table["ours"] - table["expected"]).abs() <= WITHIN
    print(f"\n{title}: {near.sum()}/{len(expected)}\n{table.round(4).to_string(na_rep='')}")
    missed = table[table["expected"].notna() & ~near]
    assert missed.empty, missed.to_string()
