"""All analyses of a table of scores: one tidy table per question, and a summary."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, get_args

import numpy as np
from threadpoolctl import threadpool_limits

from rainbow.analysis.agreement.agreement_table import agreement_table, disputed_items, undisputed_systems
from rainbow.analysis.agreement.ceiling import all_ceilings
from rainbow.analysis.agreement.span_agreement import has_spans, span_agreement, span_counts, span_outputs
from rainbow.analysis.analysis_inputs import Inputs
from rainbow.analysis.checks.check_scores import check_scores
from rainbow.analysis.correlations.best_metrics import best_metrics
from rainbow.analysis.correlations.correlation_table import correlation_table, correlations_among
from rainbow.analysis.correlations.stratum_correlations import Stratification, stratum_correlations, stratum_differences
from rainbow.analysis.differences.metric_differences import Significance, metric_clusters, metric_differences
from rainbow.analysis.judges.alternative_annotators import alternative_annotators
from rainbow.analysis.judges.biases import score_biases, system_preferences
from rainbow.analysis.judges.judge_baselines import best_metric_by_cell
from rainbow.analysis.judges.judge_errors import changed_labels, judge_differences, judge_error_rates, judge_errors
from rainbow.analysis.judges.judge_labels import judge_agreement, judge_labels
from rainbow.analysis.meta_evaluation import meta_evaluation
from rainbow.analysis.ranking.pairwise_accuracy import soft_pairwise_accuracy, tie_calibrated_accuracy, two_way_accuracy
from rainbow.analysis.ranking.ranking_accuracy import Scores, ranking_accuracy
from rainbow.analysis.system_means import compare_systems, system_means
from rainbow.analysis.verdicts.evidence import gather_evidence
from rainbow.analysis.verdicts.verdict import decide_verdicts, single_rater_agreement
from rainbow.base.lazy import pd
from rainbow.base.progress import Progress
from rainbow.corpus import rater_columns
from rainbow.scoring.result_tables import Table
from rainbow.scoring.table_cells import By
from rainbow.stats.agreement.raters import rater_against_rest
from rainbow.stats.resampling.bootstrap import bootstrap
from rainbow.stats.score_rounding import round_scores

STRATA: tuple[Stratification, ...] = ("bad-rating", "mr-type", "length", "references")


Tables = Mapping[str, "pd.DataFrame"]


def analyse(inputs: Inputs, progress: Progress = iter) -> dict[str, pd.DataFrame]:
    """Return a tidy table per question, by name; data checks come first."""
    if not inputs.ratings and inputs.judgements is None:
        raise ValueError("no rating: name the columns of human ratings, or a table of judgements")
    if not inputs.metrics:
        raise ValueError("no metric: name the columns of scores")
    about = {name: value for name, value in inputs.frame.attrs.items() if name in ("view", "language")}
    inputs = inputs._replace(frame=round_scores(inputs.frame, inputs.metrics))
    inputs.frame.attrs |= about
    tables: dict[str, pd.DataFrame] = {}
    # Thousands of small products: several threads wait for each other ten times as long as they multiply, and round
    # differently on each machine.
    with threadpool_limits(1):
        answers = {table.name: answer for table, answer in QUESTIONS if inputs.ratings or answer is _meta_evaluation}
        for name in progress(list(answers)):
            if (table := answers[name](inputs, tables)) is not None:
                tables[name] = table
    return tables


def _seed(inputs: Inputs, question: str) -> np.random.Generator:
    return np.random.default_rng([inputs.seed, *question.encode()])


def _concatenate(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    return pd.concat(list(tables), ignore_index=True)


def _checks(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return check_scores(inputs.frame, inputs.metrics, inputs.ratings)


def _agreement(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    rng = _seed(inputs, "agreement")
    return agreement_table(inputs.frame, inputs.ratings, resamples=inputs.resamples, rng=rng)


def _raters(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    single = {rating: inputs.frame[rater_columns(inputs.frame, rating)] for rating in inputs.ratings}
    parts = [rater_against_rest(table).assign(rating=rating) for rating, table in single.items() if len(table.columns)]
    return _concatenate(parts) if parts else None


def _disputed_items(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    return _rows_or_none(disputed_items(inputs.frame, inputs.ratings))


def _undisputed_systems(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    disputed = tables.get("disputed_items")
    return None if disputed is None else _rows_or_none(undisputed_systems(inputs.frame, disputed))


def _span_agreement(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    rng = _seed(inputs, "span agreement")
    return span_agreement(inputs.frame, resamples=inputs.resamples, rng=rng) if has_spans(inputs.frame) else None


def _span_table(make: Callable[[pd.DataFrame], pd.DataFrame], inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    return make(inputs.frame) if has_spans(inputs.frame) else None


def _ceilings(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return all_ceilings(inputs.frame, inputs.ratings, [inputs.seed, *b"ceilings"])


def _systems(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return system_means(inputs.frame, [*inputs.ratings, *inputs.metrics])


def _system_differences(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    rng = _seed(inputs, "system differences")
    return compare_systems(inputs.frame, [*inputs.ratings, *inputs.metrics], resamples=inputs.resamples, rng=rng)


def _correlations(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    correlate = partial(
        correlation_table, *inputs.compared[:3], resamples=inputs.resamples, rng=_seed(inputs, "correlations")
    )
    levels = (correlate("all", level=level) for level in ("item", "system"))
    return _concatenate([*map(correlate, get_args(By)), *levels])


def _rating_correlations(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    if len(inputs.ratings) < 2:
        return None
    rng = _seed(inputs, "rating correlations")
    return correlations_among(inputs.frame, inputs.ratings, "dataset", resamples=inputs.resamples, rng=rng)


def _metric_correlations(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    if len(inputs.metrics) < 2:
        return None
    return correlations_among(inputs.frame, inputs.metrics, "dataset", interval="fisher")


def _best_metrics(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return best_metrics(tables["correlations"], inputs.groups, inputs.higher_is_better)


def _metric_differences(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    if len(inputs.metrics) < 2:
        return None
    options: Any = {"test": inputs.differences, "resamples": inputs.resamples}
    compare = partial(metric_differences, *inputs.compared, rng=_seed(inputs, "metric differences"), **options)
    return _concatenate(compare(by=by) for by in ("dataset-system", "dataset", "all"))


def _metric_clusters(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    if "metric_differences" not in tables:
        return None
    significance: Significance = "p_permutation_holm" if inputs.differences.startswith("perm") else "p_holm"
    return metric_clusters(tables["metric_differences"], significance=significance)


def _ranking(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    compare = partial(ranking_accuracy, *inputs.compared, permutations=inputs.resamples, rng=_seed(inputs, "ranking"))
    tables = {scores: compare(scores=scores) for scores in get_args(Scores)}
    for scores, table in tables.items():
        table.insert(2, "scores", scores)
    return _concatenate(tables.values())


def _pairwise(make: Callable[..., pd.DataFrame], inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return make(*inputs.compared)


def _soft_pairwise(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return soft_pairwise_accuracy(*inputs.compared, permutations=inputs.resamples, rng=_seed(inputs, "soft pairwise"))


def _strata(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return _concatenate(stratum_correlations(inputs.frame, inputs.metrics, inputs.ratings, by) for by in STRATA)


def _stratum_differences(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    rng, columns = _seed(inputs, "stratum differences"), inputs.compared[:3]
    return _concatenate(stratum_differences(*columns, by, resamples=inputs.resamples, rng=rng) for by in STRATA)


def _dataset_parts(inputs: Inputs) -> tuple[By, ...]:
    """Return each dataset, and all of them together if there are several."""
    return ("dataset",) if inputs.frame["dataset"].nunique() == 1 else ("dataset", "all")


def _best_candidates(inputs: Inputs, tables: Tables) -> dict[tuple[str, str], str]:
    """Return the best single metric by dataset and rating, excluding scores that stand for a rating."""
    others = [name for name in inputs.metrics if name not in inputs.stands_for]
    return best_metric_by_cell(tables["correlations"], others, inputs.higher_is_better)


def _alternative_annotators(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    asked = inputs.frame, inputs.ratings, inputs.stands_for, _best_candidates(inputs, tables)
    return _concatenate(alternative_annotators(*asked, by=by, raters=inputs.raters) for by in _dataset_parts(inputs))


def _score_biases(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    asked = inputs.frame, inputs.ratings, inputs.stands_for, _best_candidates(inputs, tables)
    drawn = partial(score_biases, resamples=inputs.resamples, rng=_seed(inputs, "score biases"))
    return _rows_or_none(_concatenate(drawn(*asked, by=by) for by in _dataset_parts(inputs)))


def _system_preferences(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    if not inputs.stands_for:
        return None
    rng = _seed(inputs, "system preferences")
    columns = inputs.frame, inputs.stands_for, inputs.models
    return system_preferences(*columns, resamples=inputs.resamples, rng=rng)


def _judge_table(make: Callable[..., pd.DataFrame], inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    """Return a table about judges with labels; None if no score is one."""
    parts = _dataset_parts(inputs) if make is judge_agreement else ("all",)
    labelled = [each for by in parts for each in judge_labels(inputs.frame, inputs.stands_for, inputs.scale, by)]
    seed = int(_seed(inputs, make.__name__).integers(2**62))
    draw = partial(bootstrap, interval="percentile", resamples=inputs.resamples, rng=seed)
    return _rows_or_none(make(labelled, draw))


def _rows_or_none(table: pd.DataFrame) -> pd.DataFrame | None:
    return table if len(table) else None


def _evidence(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return gather_evidence(
        *inputs.compared,
        external=inputs.external,
        undirected=inputs.undirected,
        resamples=inputs.resamples,
        seed=[inputs.seed, *b"evidence"],
    )


def _verdicts(inputs: Inputs, tables: Tables) -> pd.DataFrame:
    return decide_verdicts(tables["evidence"], single_rater_agreement(tables["agreement"]))


def _meta_evaluation(inputs: Inputs, tables: Tables) -> pd.DataFrame | None:
    if inputs.judgements is None:
        return None
    scores = inputs.frame[["item", "system", "output", *inputs.metrics]]
    columns = inputs.metrics, inputs.higher_is_better
    rng = _seed(inputs, "meta-evaluation")
    return meta_evaluation(scores, inputs.judgements, *columns, resamples=inputs.resamples, rng=rng)


# Columns of the correlation and difference tables that identify the compared rows.
_COMPARED = "first second column stratum level test method interval"

# About judges with labels: what makes each, its question, its columns of text.
_JUDGE_TABLES: tuple[tuple[Callable[..., pd.DataFrame], str, str], ...] = (
    (judge_agreement, "Do judges give the labels that people give?", "kind predicts label measure"),
    (judge_errors, "Which outputs do judges label wrongly?", "error input output people judge answer"),
    (judge_error_rates, "Where do judges make more errors?", "error by group"),
    (judge_differences, "Which of two judges agrees with people more often?", "first second test"),
    (changed_labels, "Where do two judges differ?", "first second input output people label_first label_second right"),
)

# In the order in which they are asked: a question may look at the tables of those before it.
QUESTIONS: tuple[tuple[Table, Callable[[Inputs, Tables], pd.DataFrame | None]], ...] = (
    (Table("checks", "What is wrong with the data?", "check severity subject finding"), _checks),
    (Table("agreement", "Do the raters agree?", "measure"), _agreement),
    (Table("raters", "Which rater disagrees with the others?", "rater"), _raters),
    (Table("disputed_items", "On which inputs do the raters disagree most?"), _disputed_items),
    (Table("undisputed_systems", "Do the systems keep their order where raters agree?"), _undisputed_systems),
    (Table("span_agreement", "Do the annotators mark the same errors?", "measure"), _span_agreement),
    (
        Table("span_counts", "Which errors did each annotator mark?", "annotator category severity"),
        partial(_span_table, span_counts),
    ),
    (
        Table("span_outputs", "In which outputs do the annotators mark different errors?"),
        partial(_span_table, span_outputs),
    ),
    (Table("ceilings", "How high can a correlation get?", "measure"), _ceilings),
    (Table("systems", "How good are the systems?", "column"), _systems),
    (Table("system_differences", "Do two systems differ?", _COMPARED), _system_differences),
    (Table("rating_correlations", "Which ratings are redundant?", _COMPARED), _rating_correlations),
    (Table("metric_correlations", "Which metrics are redundant?", _COMPARED), _metric_correlations),
    (Table("correlations", "How well does a metric agree with a rating?", _COMPARED), _correlations),
    (Table("best_metrics", "Which metric of each group agrees best?", f"{_COMPARED} group"), _best_metrics),
    (
        Table("metric_differences", "Does one metric agree better than another?", "other permutation_reason"),
        _metric_differences,
    ),
    (Table("metric_clusters", "Which metrics are not worse than the best?"), _metric_clusters),
    (Table("ranking", "Does a metric order two outputs as people do?", "scores"), _ranking),
    (
        Table("tie_calibrated_accuracy", "Pairwise accuracy with calibrated ties"),
        partial(_pairwise, tie_calibrated_accuracy),
    ),
    (Table("two_way_accuracy", "Pairwise accuracy without human ties"), partial(_pairwise, two_way_accuracy)),
    (Table("soft_pairwise_accuracy", "Does a metric distinguish systems?"), _soft_pairwise),
    (Table("strata", "Where do metrics fail?", "by stratum"), _strata),
    (Table("stratum_differences", "Do two strata differ significantly?", "by first second"), _stratum_differences),
    (Table("alternative_annotators", "Could a score replace a rater?", "kind rater"), _alternative_annotators),
    (Table("score_biases", "Do scores favour length more than people do?", "kind bias"), _score_biases),
    (Table("system_preferences", "Which systems do scores favour?", "family"), _system_preferences),
    *((Table(make.__name__, asked, texts), partial(_judge_table, make)) for make, asked, texts in _JUDGE_TABLES),
    (Table("evidence", "What are the verdicts based on?", "status test weakest_system"), _evidence),
    (
        Table("verdicts", "May a metric be used for a rating?", "verdict headline because left_out cause closest test"),
        _verdicts,
    ),
    (Table("meta_evaluation", "Do metrics order outputs as judgements do?"), _meta_evaluation),
)
TABLES = tuple(table for table, _ in QUESTIONS)
