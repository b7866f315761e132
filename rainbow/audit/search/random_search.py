"""A search for random texts that score above human-written ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from random import Random

import numpy as np

from rainbow.audit.audit import CONFIDENCE, Score, column_direction, measure_columns, metric_scorer, score_rows
from rainbow.audit.comparison_texts import STANDARDS, ComparisonTexts, score_comparison_texts
from rainbow.audit.perturbations import SEED
from rainbow.audit.search.hill_climbing import EDITS, Climb
from rainbow.base.lazy import pd
from rainbow.base.progress import RowProgress, silent
from rainbow.corpus import Corpus
from rainbow.metrics.contract.selection import select_metrics

STRATEGIES = ("plain", "guided")
INPUTS = 25
EVALUATIONS = 80 * EDITS  # per input and strategy
ABOVE = tuple(f"above_{standard}" for standard in STANDARDS)
COLUMNS = ("strategy", "dataset", "item", "mr", "text", "score", *STANDARDS, *ABOVE, "compared_with", "evaluations")

# Share of draws from the input's own words, relative to all other words of the domain.
OWN = 0.25


def search_texts(
    score: Score,
    corpus: Corpus,
    *,
    inputs: int = INPUTS,
    evaluations: int = EVALUATIONS,
    seed: int = SEED,
    higher_is_better: bool = True,
    progress: RowProgress = silent,
) -> pd.DataFrame:
    """Search for high-scoring texts from random words and compare them with good texts.

    The search starts from twelve random words of the domain. Each round scores 48 random edits (insert, delete,
    replace, double or swap words) and keeps the best if the score improves. The result is nearly always ungrammatical;
    a score that prefers it to human-written text is unsafe as a reward.

    Parameters
    ----------
    score : callable
        As in :func:`~rainbow.audit.audit.audit`; called with the good texts, then once per round.
    corpus : Corpus
        Inputs, references and everything the score needs. If there are no references,
        :func:`~rainbow.audit.comparison_texts.score_comparison_texts` chooses the good texts.
    inputs : int
        Number of inputs to sample.
    evaluations : int
        Number of texts to score per input and search strategy, rounded down to rounds of 48, at least one.
    seed : int
        Random seed. The result for an input does not depend on the other sampled inputs.
    higher_is_better : bool
        Direction of the score.
    progress : callable
        Called with ``"searching"``, the number of scored texts and the total.

    Returns
    -------
    DataFrame
        One row per strategy and input. Columns: strategy, dataset, item, mr, text (found), score, worst, median,
        best (scores of good texts for the input), above_worst, above_median, above_best (1.0 if the found text scores
        better, else 0.0; NaN if a score is missing), compared_with (kind of good texts), evaluations.

    Raises
    ------
    ValueError
        If the corpus has no text, or `score` does not give a number per row.

    References
    ----------
    Pan, A., Bhatia, K. and Steinhardt, J. (2022). The effects of reward misspecification. ICLR.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a pub"] * 2, [["the inn is in soma"], ["a cheap pub"]])
    >>> table = search_texts(lambda texts: texts.frame["output"].str.len(), corpus, evaluations=480)
    >>> table["strategy"].tolist(), table["above_best"].tolist()
    (['plain', 'plain', 'guided', 'guided'], [1.0, 1.0, 1.0, 1.0])
    """
    sign = 1 if higher_is_better else -1
    standards = score_comparison_texts(lambda texts: sign * score_rows(score, texts), corpus, inputs, seed)
    climbs = [climb for strategy in STRATEGIES for climb in _start_climbs(corpus, standards.inputs, strategy, seed)]
    rounds = max(1, evaluations // EDITS)
    total = rounds * EDITS * len(climbs)
    rows = np.tile(np.repeat(np.arange(len(standards.inputs)), EDITS), len(STRATEGIES)).tolist()
    for done in range(0, total, EDITS * len(climbs)):
        progress("searching", done, total)
        texts = [" ".join(text) for climb in climbs for text in climb.texts()]
        result = sign * score_rows(score, standards.inputs.with_outputs(rows, texts))
        for climb, scores in zip(climbs, result.reshape(-1, EDITS).tolist(), strict=True):
            climb.update_best(scores)
    progress("searching", total, total)
    return _search_table(standards, climbs, sign).assign(evaluations=rounds * EDITS)


def search_metrics(
    corpus: Corpus,
    names: Iterable[str] | str,
    *,
    inputs: int = INPUTS,
    evaluations: int = EVALUATIONS,
    seed: int = SEED,
    progress: RowProgress = silent,
) -> pd.DataFrame:
    """Yield the search result of each registered metric column."""
    search = partial(search_texts, corpus=corpus, inputs=inputs, evaluations=evaluations, seed=seed, progress=progress)
    return measure_columns(
        (column for entry in select_metrics(names) for column in entry.columns),
        lambda name: search(metric_scorer(corpus, name), higher_is_better=column_direction(name) is not False),
    )


def search_shares(table: pd.DataFrame) -> pd.DataFrame:
    """Return the share of inputs for which the found text scores higher than a good text.

    Parameters
    ----------
    table : DataFrame
        Result of :func:`search_texts` or :func:`search_metrics`, or several of them concatenated.

    Returns
    -------
    DataFrame
        One row per metric (if the table has that column), strategy and baseline (worst, median or best
        good text). Columns n (inputs with both scores), above (share), low and high (95 % Wilson interval).

    Examples
    --------
    >>> corpus = Corpus.from_texts(["a pub"] * 2, [["the inn is in soma"], ["a cheap pub"]])
    >>> table = search_texts(lambda texts: texts.frame["output"].str.len(), corpus, evaluations=480)
    >>> search_shares(table)[["baseline", "n", "above", "low"]].round(2).iloc[:2]
      baseline  n  above   low
    0    worst  2    1.0  0.34
    1   median  2    1.0  0.34
    """
    from scipy.stats import binomtest

    by, lines = [name for name in ("metric", "strategy") if name in table], []
    for names, rows in table.groupby(by, sort=False):
        for standard, column in zip(STANDARDS, ABOVE, strict=True):
            known = rows[column].dropna()
            line = dict(zip(by, names, strict=True)) | {"baseline": standard, "n": len(known)}
            if len(known):
                interval = binomtest(int(known.sum()), len(known)).proportion_ci(CONFIDENCE, "wilson")
                line |= {"above": known.mean(), "low": interval.low, "high": interval.high}
            lines.append(line)
    return pd.DataFrame(lines, columns=[*by, "baseline", "n", "above", "low", "high"])


def domain_vocabulary(corpus: Corpus) -> dict[str, list[str]]:
    """Return the words of the references (or outputs) of every dataset, with repetition."""
    words = {}
    for dataset, rows in corpus.frame.groupby("dataset", sort=False):
        texts_of_inputs = [text for texts in rows.drop_duplicates("item")["references"] for text in texts]
        words[str(dataset)] = [word for text in texts_of_inputs for word in text.split()] or [
            word for text in rows["output"] for word in text.split()
        ]
    return words


def _start_climbs(corpus: Corpus, inputs: Corpus, strategy: str, seed: int) -> list[Climb]:
    words, climbs = domain_vocabulary(corpus), []
    columns = (inputs.frame[name] for name in ("dataset", "item", "mr"))
    for dataset, item, mr, meaning in zip(*columns, inputs.meanings, strict=True):
        own = " ".join(slot.value for slot in meaning.slots if slot.value) if meaning else mr
        often = round(OWN * len(words[dataset]) / max(1, len(own.split())))
        rng = Random("\0".join((str(seed), strategy, dataset, item, mr)).encode("utf-8", "surrogatepass"))
        climbs.append(Climb([*words[dataset], *own.split() * often], rng, guided=strategy == "guided"))
    return climbs


def _search_table(standards: ComparisonTexts, climbs: Sequence[Climb], sign: int) -> pd.DataFrame:
    size = len(standards.inputs)
    table = pd.concat([standards.inputs.frame[["dataset", "item", "mr"]]] * len(STRATEGIES), ignore_index=True)
    table.insert(0, "strategy", np.repeat(STRATEGIES, size))
    table["text"] = pd.Series([" ".join(climb.text) for climb in climbs], dtype=object)
    values = np.array([climb.score for climb in climbs])
    table["score"] = sign * np.where(np.isneginf(values), np.nan, values)
    good_scores = np.tile(standards.scores, (len(STRATEGIES), 1)).T
    for standard, above, scores in zip(STANDARDS, ABOVE, good_scores, strict=True):
        table[standard] = sign * scores
        table[above] = np.where(np.isnan(scores) | np.isneginf(values), np.nan, values > scores)
    return table.assign(compared_with=standards.compared_with)[list(COLUMNS[:-1])]
