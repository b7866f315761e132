"""Agreement of every score with the ratings of one corpus, and its mean over corpora, with significance tests."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from rainbow.analysis.agreement.agreement_table import agreement_table
from rainbow.analysis.agreement.ceiling import all_ceilings, best_ceilings
from rainbow.analysis.benchmark.rated_corpus import RatedCorpus
from rainbow.analysis.correlations.correlation_table import correlation_table
from rainbow.analysis.differences.metric_differences import metric_clusters, metric_differences
from rainbow.analysis.meta_evaluation import LENGTH
from rainbow.analysis.verdicts.evidence import gather_evidence
from rainbow.analysis.verdicts.verdict import decide_verdicts, single_rater_agreement
from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import pd
from rainbow.corpus.judgements import validate_judgements
from rainbow.scoring.saved_scores import EXTERNAL
from rainbow.scoring.table_cells import POOLED
from rainbow.stats.differences.multiplicity import holm
from rainbow.stats.differences.proportion_differences import MAX_EXACT_VALUES, proportion_differences, sign_flip_p
from rainbow.stats.resampling.bootstrap import bootstrap

SPEARMAN, PAIRS = "Spearman", "pairs of a judgement"
CONFIDENCE = 0.95

COLUMNS = (
    *("corpus", "rating", "metric", "group", "measure", "value", "low", "high", "n", "rank", "cluster", "length"),
    *("p_length", "ceiling", "ceiling_low", "ceiling_high", "verdict", "headline", "because", "reason"),
)


def corpus_agreement(corpus: RatedCorpus, *, resamples: int = 500, seed: int = 2017) -> pd.DataFrame:
    """Return the agreement of every score, and of output length, with every rating of a corpus."""
    sides = {rating: _comparative_judgements(corpus, rating) for rating in corpus.ratings}
    single = [rating for rating, table in sides.items() if table is None]
    parts = [_correlation_rows(corpus, single, resamples, seed)] if single else []
    parts += [
        _order_rows(corpus, rating, table, resamples, seed) for rating, table in sides.items() if table is not None
    ]
    result = pd.concat(parts, ignore_index=True).assign(corpus=corpus.name)
    own = result[result["metric"] == LENGTH].set_index("rating")["value"]
    groups = {**corpus.groups, LENGTH: "baseline"}
    result = result.merge(_verdicts(corpus, seed), on="rating", how="left")
    result = result.assign(group=result["metric"].map(groups), length=result["rating"].map(own))
    return result.reindex(columns=list(COLUMNS)).sort_values(
        ["rating", "rank", "metric"], kind="stable", ignore_index=True
    )


def _verdicts(corpus: RatedCorpus, seed: int) -> pd.DataFrame:
    """Return the verdicts with the seeds of an analysis, so that every page shows the same ones."""
    better = {name: None if corpus.higher_is_better[name] is None else True for name in corpus.scores}
    brought = [name for name in corpus.scores if corpus.groups[name] == EXTERNAL]
    known = gather_evidence(
        corpus.oriented_frame, corpus.scores, corpus.ratings, better, external=brought, seed=[seed, *b"evidence"]
    )
    lines = agreement_table(corpus.frame, corpus.ratings, resamples=0)
    return decide_verdicts(known, single_rater_agreement(lines))[["rating", "verdict", "headline", "because"]]


def _comparative_judgements(corpus: RatedCorpus, rating: str) -> pd.DataFrame | None:
    """Return comparative judgements of a criterion; None if there are none."""
    if corpus.judgements is None:
        return None
    table = validate_judgements(corpus.judgements)
    table = table[table["criterion"] == rating]
    together = table.groupby(["judgement", "item", "kind"], observed=True)["system"].transform("size") > 1
    return table[together].reset_index(drop=True) if together.any() else None


def _correlation_rows(corpus: RatedCorpus, ratings: list[str], resamples: int, seed: int) -> pd.DataFrame:
    frame, names = corpus.oriented_frame, [*corpus.scores, LENGTH]
    table = correlation_table(
        frame, names, ratings, "dataset", interval="percentile", confidence=CONFIDENCE, resamples=resamples, rng=seed
    )
    differences = metric_differences(frame, names, ratings, dict.fromkeys(names, True), by="dataset")
    clusters = metric_clusters(differences)[["rating", "metric", "rank", "cluster"]]
    table = table.rename(columns={"r": "value"}).merge(clusters, on=["rating", "metric"], how="left")
    from_length = differences.loc[differences["other"] == LENGTH, ["rating", "metric", "p"]]  # length comes last
    from_length = from_length.rename(columns={"p": "p_length"})
    table = table.merge(from_length, on=["rating", "metric"], how="left").assign(measure=SPEARMAN)
    highest = best_ceilings(all_ceilings(corpus.frame, ratings, seed))
    for column, name in (("estimate", "ceiling"), ("low", "ceiling_low"), ("high", "ceiling_high")):
        known = {rating: line[column] for rating, line in highest.items()}
        table[name] = [known.get(rating, math.nan) for rating in table["rating"]]
    return table.drop(columns=["p"])


class _Pairs(NamedTuple):
    """Decided pairs: rows of the better and the worse output, the item, and a key for both."""

    better: IntArray
    worse: IntArray
    items: IntArray
    both: IntArray


def _order_rows(corpus: RatedCorpus, rating: str, judged: pd.DataFrame, resamples: int, seed: int) -> pd.DataFrame:
    names = [*corpus.scores, LENGTH]
    pairs = _decided_pairs(corpus.oriented_frame, judged)
    scores = corpus.oriented_frame[names].to_numpy(float)
    # A score that is missing for one of the two has no say: a pair counts one half for it, as a tie does.
    signs = np.nan_to_num(np.sign(scores[pairs.better] - scores[pairs.worse]))
    right = (1 + signs) / 2
    known = ~np.isnan(scores[pairs.better] - scores[pairs.worse]).all(axis=0)

    def statistic(weights: FloatArray) -> FloatArray:
        shares: FloatArray = weights @ right / weights.sum(axis=1)[:, None]
        return shares[:, :, None]

    bounds = bootstrap(statistic, pairs.items, "percentile", CONFIDENCE, resamples, np.random.default_rng(seed))
    _, p = proportion_differences(right, np.unique(pairs.items, return_inverse=True)[1])
    values = np.where(known, right.mean(axis=0), np.nan)
    clusters = metric_clusters(_pairwise_tests(names, rating, corpus.name, values, p, len(right)))
    ends = {"low": bounds.low[:, 0], "high": bounds.high[:, 0]}
    table = pd.DataFrame({"rating": rating, "metric": names, "measure": PAIRS, "value": values, "n": len(right)})
    table = table.assign(p_length=p[:, -1], **{name: np.where(known, end, np.nan) for name, end in ends.items()})
    reasons: Any = [None if there else "no pair has two scores" for there in known]
    table = table.assign(reason=pd.Series(reasons, dtype=object), ceiling=_judgement_agreement(pairs))
    return table.merge(clusters[["metric", "rank", "cluster"]], on="metric", how="left")


def _decided_pairs(frame: pd.DataFrame, judged: pd.DataFrame) -> _Pairs:
    places = frame.assign(row=np.arange(len(frame)))[["item", "system", "row"]]
    table = judged.merge(places, on=["item", "system"])[["judgement", "item", "kind", "value", "row"]]
    pairs = table.merge(table, on=["judgement", "item", "kind"], suffixes=("", "_other"))
    pairs = pairs[pairs["value"] > pairs["value_other"]]
    better, worse = (pairs[name].to_numpy(np.intp) for name in ("row", "row_other"))
    items = pairs["item"].factorize()[0].astype(np.intp)
    both = np.minimum(better, worse) * len(frame) + np.maximum(better, worse)
    return _Pairs(better, worse, items, both)


def _judgement_agreement(pairs: _Pairs) -> float:
    """Return how often another judgement of the same pair decides the same way; NaN if there is none."""
    _, place = np.unique(pairs.both, return_inverse=True)
    first = np.bincount(place, pairs.better < pairs.worse)
    times = np.bincount(place)
    chances = times * (times - 1)
    alike = first * (first - 1) + (times - first) * (times - first - 1)
    return float(alike.sum() / chances.sum()) if chances.sum() else math.nan


def _pairwise_tests(
    names: list[str], rating: str, corpus: str, values: FloatArray, p: FloatArray, n: int
) -> pd.DataFrame:
    """Return the tests of every two scores in the form of :func:`metric_differences`."""
    first, second = np.triu_indices(len(names), 1)
    ps = np.where(np.isnan(values[first]) | np.isnan(values[second]), np.nan, p[first, second])
    columns: dict[str, Any] = {"rating": rating, "dataset": corpus, "system": "all"}
    columns |= {"metric": [names[place] for place in first], "other": [names[place] for place in second]}
    columns |= {"r": values[first], "r_other": values[second], "p_holm": holm(ps), "n": n}
    return pd.DataFrame(columns).assign(difference=values[first] - values[second])


# The verdict holds systems and inputs fixed, as the table does not: a score may win by telling systems apart.
WHY_DIFFERENT = (
    "Verdicts are based on agreement within systems and inputs, the table on agreement over all outputs "
    "or pairs, so they may name different scores."
)


def top_scores(table: pd.DataFrame) -> pd.DataFrame:
    """Return the top score per corpus and rating; `named` says whether the verdict names it too."""
    first = table[(table["rank"] == 1) & (table["corpus"] != POOLED)].drop_duplicates(["corpus", "rating"])
    pairs = zip(first["metric"], first["headline"], strict=True)
    return first.assign(named=[f" {metric} " in f" {headline} " for metric, headline in pairs])


MEAN = "mean over corpora"
NOT_EVERYWHERE = "not on every corpus"
ALPHA = 0.05
# A corpus on which fewer scores have a value (it has no references, say) does not count for means.
MOST = 0.5


def mean_agreement(table: pd.DataFrame) -> pd.DataFrame:
    """Return the mean agreement of every score over corpora with equal weights, best first."""
    scaled = table.assign(value=rescale_agreement(table))
    wide = scaled.groupby(["metric", "corpus"], sort=False)["value"].mean().unstack("corpus")
    wide = wide.loc[:, wide.notna().mean() >= MOST]
    wide = wide[wide.notna().any(axis=1)]
    groups = table.drop_duplicates("metric").set_index("metric")["group"]
    result = pd.DataFrame([_score_row(name, row, wide) for name, row in wide.iterrows()])
    result = result.assign(corpus=POOLED, rating=POOLED, measure=MEAN, group=result["metric"].map(groups))
    whole = result["n"] == wide.shape[1]
    result["rank"] = result["value"].where(whole).rank(method="min", ascending=False).astype("Int64")
    result = _add_clusters(result.sort_values(["rank", "value", "metric"], ascending=[True, False, True]), wide)
    return result.reindex(columns=list(COLUMNS)).reset_index(drop=True)


def rescale_agreement(table: pd.DataFrame) -> pd.Series[float]:
    """Return values on a scale where 0 is chance and 1 is perfect."""
    return table["value"].where(table["measure"] != PAIRS, 2 * table["value"] - 1)


def _score_row(name: Any, row: pd.Series[float], wide: pd.DataFrame) -> dict[str, Any]:
    known = row.notna()
    values = row[known].to_numpy(float)
    length = wide.loc[wide.index == LENGTH, known].to_numpy(float)[0] if LENGTH in wide.index else values * math.nan
    differences = (values - length)[~np.isnan(length)]
    p = sign_flip_p(differences) if len(differences) and name != LENGTH else math.nan
    means = {"value": float(values.mean()), "n": len(values), "length": float(length.mean())}
    return {"metric": name, **means, "p_length": p}


def _add_clusters(table: pd.DataFrame, wide: pd.DataFrame) -> pd.DataFrame:
    """Return the table with the cluster of scores that are not worse than the best, if it can be tested."""
    ranked, corpora = table["rank"].notna(), wide.shape[1]
    others = int(ranked.sum()) - 1
    least = 2 / 2**corpora if corpora <= MAX_EXACT_VALUES else 0.0
    cluster, reason = pd.Series(pd.NA, index=table.index, dtype="Int64"), None
    if corpora == 1 and (others < 1 or least * others >= ALPHA):
        reason = "there is one corpus"
    elif others < 1 or least * others >= ALPHA:
        compared = f"{max(others, 0)} scores are compared with the best"
        reason = f"{corpora} corpora allow no p-value below {least:.2g}, and {compared}"
    else:
        head = wide.loc[table.loc[ranked, "metric"].iloc[0]]
        p = [sign_flip_p((head - wide.loc[name]).to_numpy(float)) for name in table.loc[ranked, "metric"].iloc[1:]]
        cluster[ranked] = np.where(np.concatenate([[False], holm(p) < ALPHA]), 2, 1)
    reasons: Any = [reason if there else NOT_EVERYWHERE for there in ranked]
    return table.assign(cluster=cluster, reason=pd.Series(reasons, index=table.index, dtype=object))
