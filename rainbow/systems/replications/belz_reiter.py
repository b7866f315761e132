"""System scores by the metrics of Belz and Reiter (2006), and tests of their differences."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Hashable, Sequence
from itertools import combinations

import numpy as np

from rainbow.base.arrays import FloatArray, Random
from rainbow.base.lazy import pd
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import require_complete
from rainbow.corpus.rows import validate_references
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.word.bleu import Bleu
from rainbow.metrics.word.edit_distance import StringEditSimilarity
from rainbow.metrics.word.nist import Nist
from rainbow.stats.correlation.correlation import Correlation, correlate
from rainbow.stats.resampling.paired_resampling import approximate_randomisation
from rainbow.stats.tidy_tables import require_columns, tidy_table
from rainbow.systems.corpus_scores.segment_sums import SegmentSums, segment_sums
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.mteval import mteval_tokens


def score_systems(frame: pd.DataFrame) -> pd.DataFrame:
    """Return NIST-5, BLEU-4, ROUGE-4 and SE of every system, on items that all systems have.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL, table 2.
    """
    result = _system_sums(frame)
    return tidy_table(
        [
            {"system": name, "n": len(parts["SE"].sums)}
            | {metric: part.scores.item() for metric, part in parts.items()}
            for name, parts in result.items()
        ],
        ["system", "NIST-5", "BLEU-4", "ROUGE-4", "SE", "n"],
    )


def system_differences(frame: pd.DataFrame, *, resamples: int = 10_000, rng: Random = None) -> pd.DataFrame:
    """Test every pair of systems for differences in the four metrics by approximate randomisation.

    Source: Riezler, S. and Maxwell, J. T. (2005). On some pitfalls in automatic evaluation and significance testing for
    MT. ACL workshop on intrinsic and extrinsic evaluation measures.
    """
    results = _system_sums(frame)
    # One seed for all, so that a test does not depend on which systems were tested before.
    seed = int(np.random.default_rng(rng).integers(2**62))
    lines = []
    for metric in next(iter(results.values())):
        for first, second in combinations(results, 2):
            one, other = results[first][metric], results[second][metric]
            result = approximate_randomisation(
                one.sums, other.sums, statistic=one.score_sums, resamples=resamples, rng=seed
            )
            lines.append({"metric": metric, "first": first, "second": second} | result._asdict())
    return tidy_table(lines, ["metric", "first", "second", "difference", "p", "n", "resamples", "reason"])


def _system_sums(frame: pd.DataFrame) -> dict[str, dict[str, SegmentSums]]:
    """Return the segment sums of every system, over the items common to all systems."""
    require_columns(frame, ["system", "item", "output", "references"])
    if (twice := frame.duplicated(["system", "item"])).any():
        row = frame[twice].iloc[0]
        raise ValueError(f"system {row['system']!r} has two outputs for item {row['item']}: keep one")
    outputs = frame.pivot(index="item", columns="system", values="output").dropna()
    if outputs.empty:
        raise ValueError("no item has an output of all systems: compare systems on the same items")
    sets = _shared_references(frame)
    texts = [sets[item] for item in outputs.index]
    nist = Nist().fit(Batch([""] * len(texts), texts))
    return {str(name): four_metrics(outputs[name].tolist(), texts, nist) for name in dict.fromkeys(frame["system"])}


def _shared_references(frame: pd.DataFrame) -> dict[Hashable, tuple[str, ...]]:
    """Return the references of every item; ValueError if they differ between systems."""
    result: dict[Hashable, tuple[str, ...]] = {}
    for item, references in zip(frame["item"], validate_references("references", frame["references"]), strict=True):
        if result.setdefault(item, references) != references:
            raise ValueError(f"item {item} has different references for different systems")
    return result


def belz_reiter_tables(
    corpus: Corpus, judged: pd.DataFrame | None, resamples: int, seed: int
) -> dict[str, pd.DataFrame]:
    """Return the four metrics (``belz_reiter_scores``) and tests of all pairs of systems."""
    tables = {
        "belz_reiter_scores": score_systems(corpus.frame),
        "belz_reiter_differences": system_differences(corpus.frame, resamples=resamples, rng=seed),
    }
    if judged is not None and {"rater", "group"} <= set(judged):
        by_criterion = judged.groupby("criterion", sort=False, observed=True)
        tables["belz_reiter_raters"] = pd.concat(
            [correlate_raters(part).assign(rating=criterion) for criterion, part in by_criterion], ignore_index=True
        )
    return tables


COLUMNS = ("raters", "group", "r_of_means", "mean_r", "mean_r_without_rater", "n_raters", "n_systems", "reason")


def correlate_raters(ratings: pd.DataFrame) -> pd.DataFrame:
    """Correlate system scores of single raters with group means, averaged over the raters.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL, table 3, in
    brackets.
    """
    require_complete(ratings, ["rater", "system", "value", "group"])
    groups = ratings.groupby("rater", observed=True)["group"].nunique()
    if (groups > 1).any():
        raise ValueError(f"rater {groups.index[groups > 1][0]!r} is in two groups: use distinct names")
    scores = ratings.pivot_table(index="rater", columns="system", values="value", aggfunc="mean", observed=True)
    of_rater = ratings.groupby("rater", observed=True)["group"].first().reindex(scores.index)
    tables = {str(name): scores[of_rater == name].to_numpy(dtype=float) for name in dict.fromkeys(ratings["group"])}
    lines = [
        {"raters": one, "group": other} | _correlation_line(tables[one], tables[other], one == other)
        for one in tables
        for other in tables
    ]
    return tidy_table(lines, COLUMNS)


def _correlation_line(raters: FloatArray, group: FloatArray, same: bool) -> dict[str, object]:
    """Correlate the rows of one table with the mean row of another, or of the same."""
    mean = _mean_row(group)
    own = _mean_row(raters)
    within = [correlate(row, mean, "pearson") for row in raters]
    others = [np.delete(group, place, axis=0) if same else group for place in range(len(raters))]
    without = [correlate(row, _mean_row(rest), "pearson") for row, rest in zip(raters, others, strict=True)]
    mean_r, n, reason = _mean_correlation(within)
    return {
        "r_of_means": correlate(own, mean, "pearson").r,
        "mean_r": mean_r,
        "mean_r_without_rater": _mean_correlation(without)[0],
        "n_raters": n,
        "n_systems": int((~np.isnan(own) & ~np.isnan(mean)).sum()),
        "reason": reason,
    }


def _mean_row(table: FloatArray) -> FloatArray:
    """Return the mean of each column, ignoring NaN; NaN if it has no value."""
    rated = ~np.isnan(table)
    total: FloatArray = np.where(rated, table, 0.0).sum(axis=0)
    mean: FloatArray = total / np.where(rated.any(axis=0), rated.sum(axis=0), np.nan)
    return mean


def _mean_correlation(correlations: list[Correlation]) -> tuple[float, int, str | None]:
    known = [one.r for one in correlations if not math.isnan(one.r)]
    if known:
        return float(np.mean(known)), len(known), None
    return math.nan, 0, f"no rater has a defined correlation (the first: {correlations[0].reason})"


Segments = Sequence[str]


def four_metrics(outputs: Segments, references: Sequence[Segments], nist: Nist) -> dict[str, SegmentSums]:
    """Return the four metrics of Belz and Reiter (2006) as segment sums for resampling.

    Source: Belz, A. and Reiter, E. (2006). Comparing automatic and human evaluation of NLG systems. EACL. Papineni, K.,
    Roukos, S., Ward, T. and Zhu, W.-J. (2002). BLEU: a method for automatic evaluation of machine translation. ACL.
    """
    if not outputs or len(outputs) != len(references):
        raise ValueError(f"{len(outputs)} outputs but {len(references)} sets of references: give one set for each")
    if bare := [item for item, texts in enumerate(references) if isinstance(texts, str) or not "".join(texts).strip()]:
        raise ValueError(f"item {bare[0]} has no references: give a list of one or more texts")
    batch = Batch(list(outputs), [list(texts) for texts in references])
    similarity = segment_sums(StringEditSimilarity(), batch)["SE"]
    recall = [
        rouge_recall(alphanumeric_tokens(text), [alphanumeric_tokens(reference) for reference in texts])
        for text, texts in zip(outputs, references, strict=True)
    ]
    return {
        "NIST-5": segment_sums(nist, batch)["NIST"],
        "BLEU-4": _use_shortest_references(segment_sums(Bleu(), batch)["BLEU"], batch),
        "ROUGE-4": SegmentSums(np.column_stack([recall, np.ones(len(recall))]), similarity.score_sums),
        "SE": similarity,
    }


def _use_shortest_references(bleu: SegmentSums, batch: Batch) -> SegmentSums:
    shortest = [min(map(len, texts)) for texts in batch.references.preprocess(mteval_tokens)]
    return bleu._replace(sums=np.column_stack([bleu.sums[:, :-1], shortest]))


def rouge_recall(output: Sequence[str], references: Sequence[Sequence[str]], order: int = 4) -> float:
    """Return the recall of a reference's n-grams, from 0 to 1; higher is better.

    Source: Lin, C.-Y. (2004). ROUGE: a package for automatic evaluation of summaries. Text Summarization Branches Out.
    """
    own = _ngrams(output, order)
    recalls = [_recall(own, _ngrams(tokens, order)) for tokens in references]
    if len(recalls) == 1:
        return recalls[0]
    # Without the best reference the second best counts, without any other the best one.
    *_, second, best = sorted(recalls)
    return (second + (len(recalls) - 1) * best) / len(recalls)


def _ngrams(tokens: Sequence[str], order: int) -> Counter[tuple[str, ...]]:
    return Counter(zip(*(tokens[start:] for start in range(order)), strict=False))


def _recall(output: Counter[tuple[str, ...]], reference: Counter[tuple[str, ...]]) -> float:
    return (output & reference).total() / reference.total() if reference else 0.0
