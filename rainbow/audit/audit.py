"""Share of texts whose score drops when they are perturbed, and which faults a metric does not see."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rainbow.audit.perturbations import SEED, kinds_for, perturb, perturbed_corpus
from rainbow.base.arrays import FloatArray
from rainbow.base.formatting import format_count
from rainbow.base.lazy import pd
from rainbow.base.progress import Progress, RowProgress, silent
from rainbow.corpus import COLUMNS as COLUMNS_OF_A_CORPUS
from rainbow.corpus import Corpus
from rainbow.metrics.contract.registry import all_columns
from rainbow.scoring.score_corpus import fit_metrics, score_corpus

COLUMNS = ("kind", "n", "falls", "low", "high", "mean_change", "median_change", "unscored")

# Changes smaller than this share of the score (or of 1) are ties, as they may be rounding errors.
TIE = 1e-9
CONFIDENCE = 0.95

Score = Callable[[Corpus], Any]


def audit(
    score: Score,
    corpus: Corpus,
    *,
    kinds: Iterable[str] | str | None = None,
    seed: int = SEED,
    higher_is_better: bool = True,
    progress: Progress = iter,
) -> pd.DataFrame:
    """Return, per kind of perturbation, the share of texts whose score drops.

    Source: Wilson, E. B. (1927). Probable inference, the law of succession, and statistical inference. Journal of the
    American Statistical Association 22. The idea of the test is that of Ribeiro, M. T. et al. (2020). Beyond accuracy:
    behavioral testing of NLP models with CheckList. ACL.
    """
    chosen = kinds_for(corpus, kinds)
    perturbed = perturb(corpus, chosen, seed=seed)
    texts = {"originals": corpus, "perturbed texts": perturbed_corpus(corpus, perturbed)}
    before, after = (score_rows(score, texts[name]) for name in progress(list(texts)))
    return _audit_rows(chosen, perturbed, before, after, sign=1 if higher_is_better else -1)


def audit_metrics(
    corpus: Corpus,
    names: Iterable[str] | str,
    *,
    kinds: Iterable[str] | str | None = None,
    seed: int = SEED,
    progress: RowProgress = silent,
) -> pd.DataFrame:
    """Audit registered metrics, one after the other.

    Corpus statistics are fitted on `corpus`, also for the perturbed texts. The sign of metrics for which lower is
    better is flipped. If a metric has no direction (e.g. a length), a drop is a lower number.

    Parameters
    ----------
    corpus : Corpus
        Texts to perturb, with everything the metrics need.
    names : str or iterable of str
        Metrics or columns, as in :func:`~rainbow.scoring.score_corpus.score_corpus`.
    kinds, seed
        As in :func:`audit`.
    progress : callable
        Called with the current task, the number of finished steps and the total.

    Returns
    -------
    DataFrame
        Column metric, then those of :func:`audit`.

    Raises
    ------
    ValueError
        If a kind or a metric is unknown.
    MissingResourceError
        If a metric is not available on this machine.

    Examples
    --------
    >>> corpus = Corpus.from_texts(["the inn is cheap"], [["the inn is cheap"]])
    >>> audit_metrics(corpus, ["TER", "len"], kinds="repeated-word")[["metric", "falls", "mean_change"]]
      metric  falls  mean_change
    0    TER    1.0         -0.5
    1    len    0.0          6.0
    """
    names, corpus = [names] if isinstance(names, str) else list(names), corpus.with_language()
    chosen = kinds_for(corpus, kinds)
    perturbed = perturb(corpus, chosen, seed=seed)
    fitted = fit_metrics(corpus, names)
    before = score_corpus(corpus, names, progress=progress)
    after = before.iloc[:0]
    if len(perturbed):
        after = score_corpus(perturbed_corpus(corpus, perturbed), fitted, progress=progress)

    def measure(name: str) -> pd.DataFrame:
        sign = -1 if column_direction(name) is False else 1
        return _audit_rows(chosen, perturbed, before[name].to_numpy(), after[name].to_numpy(), sign)

    return measure_columns(map(str, before), measure)


def measure_columns(columns: Iterable[str], measure: Callable[[str], pd.DataFrame]) -> pd.DataFrame:
    """Return the tables of several metric columns as one, whose first column names the metric."""
    tables = []
    for name in columns:
        table = measure(name)
        table.insert(0, "metric", name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)


def metric_scorer(corpus: Corpus, column: str) -> Score:
    """Return the scoring function of a metric column with the statistics of a corpus."""
    fitted, language = fit_metrics(corpus, [column]), corpus.with_language().language
    return lambda texts: score_corpus(replace(texts, language=language), fitted)[column]


def column_direction(column: str) -> bool | None:
    """Return whether higher is better for a metric column; None if neither is."""
    known = all_columns()
    return known[column][0].higher_is_better if column in known else True


def reference_corpus(corpus: Corpus) -> Corpus:
    """Return a corpus whose outputs are the references."""
    frame = corpus.frame[list(COLUMNS_OF_A_CORPUS)]
    good = [list(dict.fromkeys(text for text in texts if text.strip())) for texts in frame["references"]]
    frame = frame.assign(system="reference", output=[texts[0] if texts else "" for texts in good])
    frame["references"] = [tuple(texts[1:]) for texts in good]
    frame = frame[[bool(texts) for texts in good]]
    if frame.empty:
        raise ValueError("there are no references to perturb: perturb the outputs, or give references")
    return Corpus(frame.drop_duplicates(["dataset", "item"]))


def score_rows(score: Score, corpus: Corpus) -> FloatArray:
    """Return the scores of the rows of a corpus, shape (n,); an empty corpus is not scored."""
    if not len(corpus):
        return np.empty(0)
    scores = np.asarray(score(corpus), dtype=float)
    if scores.shape != (len(corpus),):
        raise ValueError(f"the score returned shape {scores.shape} for {len(corpus)} texts: return one number per text")
    return scores


def _audit_rows(
    kinds: Sequence[str], perturbed: pd.DataFrame, before: FloatArray, after: FloatArray, sign: int
) -> pd.DataFrame:
    original = before[perturbed["row"].to_numpy()]
    lines = []
    for kind in kinds:
        made = (perturbed["kind"] == kind).to_numpy() & ~np.isnan(original)
        lines.append({"kind": kind, **_audit_row(sign * original[made], sign * after[made])})
    return pd.DataFrame(lines, columns=list(COLUMNS))


def _audit_row(original: FloatArray, worse: FloatArray) -> dict[str, float]:
    """Return the audit of one kind of perturbation; higher scores are better."""
    from scipy.stats import binomtest

    n = len(original)
    line = dict.fromkeys(COLUMNS[1:], math.nan) | {"n": n, "unscored": int(np.isnan(worse).sum())}
    if not n:
        return line
    fallen = int(((worse < original) & ~np.isclose(worse, original, rtol=TIE, atol=TIE)).sum())
    interval = binomtest(fallen, n).proportion_ci(CONFIDENCE, "wilson")
    line |= {"falls": fallen / n, "low": interval.low, "high": interval.high}
    with np.errstate(invalid="ignore"):  # the difference of equal infinities is NaN
        change = np.where(worse == original, 0.0, worse - original)
        known = change[~np.isnan(worse)]
        return line | ({"mean_change": known.mean(), "median_change": np.median(known)} if len(known) else {})


ROWS = 100  # outputs to make worse
BLIND = 0.8  # share of texts below which a metric does not see a kind of fault
_FEWEST = 10  # texts of a kind
_NAMED = 5  # kinds in a sentence


def sample_rows(corpus: Corpus) -> Corpus:
    """Return at most ROWS evenly spaced outputs."""
    places = np.linspace(0, max(0, len(corpus) - 1), min(ROWS, len(corpus)))
    return corpus.take(places.round().astype(int).tolist())


def audit_sample(corpus: Corpus, names: Iterable[str]) -> pd.DataFrame:
    """Return the share of texts whose score drops, per column with a direction and kind of worse text."""
    table = audit_metrics(sample_rows(corpus), list(names))
    directed = table["metric"].map(column_direction).notna()
    # A missing score neither drops nor stays.
    enough = (table["n"] >= _FEWEST) & (2 * table["unscored"] <= table["n"])
    return table.loc[directed & enough, ["metric", "kind", "n", "falls", "low", "high"]]


def weakness_sentence(lines: pd.DataFrame) -> str:
    """Return what a column does not see, the least visible fault first; empty without lines."""
    if lines.empty:
        return ""
    blind = lines[lines["falls"] < BLIND].sort_values("falls", kind="stable")
    if blind.empty:
        return f"falls for every kind of worse text ({format_count(len(lines), 'kind')})"
    shares = zip(blind["kind"], blind["falls"], strict=True)
    kinds = [f"{kind.replace('-', ' ')} ({100 * falls:.0f} %)" for kind, falls in shares]
    more = ", ..." if len(kinds) > _NAMED else ""
    first = ", ".join(kinds[:_NAMED])
    return f"does not reliably fall for {len(kinds)} of {len(lines)} kinds of worse texts: {first}{more}"
