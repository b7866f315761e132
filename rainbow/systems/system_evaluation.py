"""Evaluation of several systems: one table per question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.files import Note
from rainbow.base.lazy import pd
from rainbow.base.progress import Progress
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import Scale, split_by_kind, validate_judgements
from rainbow.corpus.text_profile import UNSPACED_ADVICE, profile_outputs
from rainbow.corpus.views import CHARACTERS, splits_words
from rainbow.metrics import Metric
from rainbow.metrics.contract.registry import word_columns
from rainbow.stats.tidy_tables import tidy_table
from rainbow.systems.alignment import AlignedSystems, align_systems
from rainbow.systems.corpus_scores.corpus_scores import METRICS, evaluate_metrics
from rainbow.systems.rankings.judgement_agreement import judgement_agreement
from rainbow.systems.rankings.rankings import RankingMethod, rank_systems
from rainbow.systems.rankings.system_ratings import rate_systems
from rainbow.systems.similarity import compute_similarity
from rainbow.systems.slot_errors import Reading, read_output, sum_slot_errors, utterance_slot_errors
from rainbow.systems.text_measures.measures import MEASURES, Measure
from rainbow.systems.text_measures.textual_measures import (
    TokensOf,
    Trees,
    character_tokens,
    delexicalised_tokens,
    measure_texts,
)
from rainbow.text.languages.detection import ENGLISH

# Tables of a study's own, by their names: of the outputs that all systems have, judgements, resamples and a seed.
Further: TypeAlias = "Callable[[Corpus, pd.DataFrame | None, int, int], dict[str, pd.DataFrame]]"


class EvaluationOptions(NamedTuple):
    """Options for preprocessing, parsing and ranking: the defaults, or the settings of a study."""

    compared: Callable[[AlignedSystems], AlignedSystems] = lambda aligned: aligned  # for the metrics of all outputs
    tokens: TokensOf = delexicalised_tokens
    measures: Sequence[Measure] = MEASURES
    reading: Reading = read_output
    ranking: RankingMethod = "trueskill"


DEFAULT_OPTIONS = EvaluationOptions()


class _Inputs(NamedTuple):
    """Inputs of the questions; per-dataset questions only see the rows of one dataset."""

    aligned: AlignedSystems
    judgements: pd.DataFrame | None
    resamples: int
    seed: int
    ways: EvaluationOptions
    trees: Trees | None
    threads: int
    further: Further | None
    metrics: Sequence[str | Metric]
    view: str | None


def evaluate_systems(
    corpus: Corpus,
    judgements: pd.DataFrame | None = None,
    *,
    rng: Random = None,
    resamples: int = 10_000,
    options: EvaluationOptions = DEFAULT_OPTIONS,
    lenient: bool = False,
    trees: Trees | None = None,
    threads: int = 1,
    extra: Further | None = None,
    metrics: Sequence[str | Metric] = (),
    view: str | None = None,
    progress: Progress = iter,
) -> dict[str, pd.DataFrame]:
    """Return a table for every question about the systems of a corpus."""
    generator = np.random.default_rng(rng)
    seed = int(generator.integers(2**63))
    datasets = dict.fromkeys(corpus.frame["dataset"])
    inputs = {}
    for name in datasets:
        rows = np.flatnonzero(corpus.frame["dataset"] == name).tolist()
        aligned, own = align_systems(corpus.take(rows), lenient=lenient), judgements
        if judgements is not None and len(datasets) > 1:
            judged = judgements[judgements["item"].isin(aligned.items)]
            own = judged if len(judged) else None
        inputs[name] = _Inputs(aligned, own, resamples, seed, options, trees, threads, extra, metrics, view)
    questions = [name for name in _QUESTIONS if any(_is_applicable(name, part) for part in inputs.values())]
    tables: dict[str, list[pd.DataFrame]] = {}
    for question in progress(questions):
        for name, part in inputs.items():
            if not _is_applicable(question, part):
                continue
            for table_name, table in _QUESTIONS[question](part).items():
                if len(datasets) > 1 and "dataset" not in table:
                    table.insert(0, "dataset", name)
                tables.setdefault(table_name, []).append(table)
    return {
        name: parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True) for name, parts in tables.items()
    }


def _is_applicable(question: str, inputs: _Inputs) -> bool:
    """Return whether the required inputs of a question are available."""
    missing = {
        "rankings": inputs.judgements is None,
        # What slots are called is known in English only.
        "slot errors": not any(inputs.aligned.corpus.meanings)
        or inputs.aligned.corpus.with_language().language not in (None, ENGLISH),
        "further": inputs.further is None,
    }
    return not missing.get(question, False)


def _metric_tables(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    aligned, asked = inputs.ways.compared(inputs.aligned), (*METRICS, *inputs.metrics)
    result = evaluate_metrics(
        aligned, asked, resamples=inputs.resamples, rng=inputs.seed, threads=inputs.threads, view=inputs.view
    )
    notes = [
        *inputs.aligned.notes,
        *(Note(name, reason, "not computed") for name, reason in result.missing.items()),
        *_note_resamples(inputs.resamples, result.differences),
        *_note_unspaced_text(aligned.corpus, map(str, result.scores), inputs.view),
    ]
    note_table = tidy_table([note._asdict() for note in notes], ["place", "problem", "fix"])
    return {"corpus_metrics": result.scores, "corpus_metric_differences": result.differences, "notes": note_table}


def _is_unspaced(corpus: Corpus) -> bool:
    return corpus.with_language().default_view == CHARACTERS


def _note_unspaced_text(corpus: Corpus, metrics: Iterable[str], view: str | None) -> list[Note]:
    """Return a note if the language is written without spaces: what is counted, or wrongly compared."""
    compared, problem = word_columns(metrics), profile_outputs(corpus.frame).unspaced_problem()
    if _is_unspaced(corpus):
        compared = [] if splits_words(view or CHARACTERS) else compared
        counted = Note("textual", problem, "characters are counted instead of words")
        return [counted, *([Note(", ".join(compared), problem, UNSPACED_ADVICE)] if compared else [])]
    return [Note(", ".join(compared), problem, UNSPACED_ADVICE)] if compared and problem else []


def _note_resamples(resamples: int, differences: pd.DataFrame) -> list[Note]:
    """Return a note if the number of resamples had to be increased to allow significance."""
    made = int(differences["resamples"].max()) if len(differences) else resamples
    if made == resamples:
        return []
    problem = (
        f"with {resamples:,} resamples, no difference of two systems can be significant after correction for all pairs"
    )
    return [Note("--resamples", problem, f"{made:,} were computed")]


def _similarity_tables(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    result = compute_similarity(inputs.aligned, threads=inputs.threads)
    return {"similarity": result.pairs, "similarity_means": result.means}


def _textual_table(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    ways, corpus = inputs.ways, _aligned_corpus(inputs.aligned)
    tokens = character_tokens if _is_unspaced(corpus) else ways.tokens
    table = measure_texts(corpus, rng=inputs.seed, trees=inputs.trees, tokens=tokens, measures=ways.measures)
    return {"textual": table}


def _slot_error_tables(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    utterances = utterance_slot_errors(_aligned_corpus(inputs.aligned), reading=inputs.ways.reading)
    return {"slot_errors": sum_slot_errors(utterances), "utterance_slot_errors": utterances}


def _ranking_table(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    if inputs.judgements is None:
        return {}
    ranked = rank_systems(inputs.judgements, method=inputs.ways.ranking, rng=inputs.seed)
    rated, agreed = [], []
    # Marks may be averaged as they are; of magnitudes only the order within a judgement may.
    for kind, part in split_by_kind(validate_judgements(inputs.judgements)).groupby("kind", sort=False, observed=True):
        scale: Scale = "rank" if kind == "magnitude" else "raw"
        rated.append(rate_systems(part, scale, rng=inputs.seed))
        agreed.append(judgement_agreement(part, scale=scale, rng=inputs.seed))
    stacked = (pd.concat(parts, ignore_index=True) for parts in (rated, agreed))
    return {"rankings": ranked, **dict(zip(("system_ratings", "judgement_agreement"), stacked, strict=True))}


def _further_tables(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    if inputs.further is None:
        return {}
    return inputs.further(_aligned_corpus(inputs.aligned), inputs.judgements, inputs.resamples, inputs.seed)


def _aligned_corpus(aligned: AlignedSystems) -> Corpus:
    """Return the rows that every system has, in the order of the corpus."""
    return aligned.corpus.take(sorted(aligned.rows.ravel().tolist()))


_QUESTIONS: dict[str, Callable[[_Inputs], dict[str, pd.DataFrame]]] = {
    "corpus metrics": _metric_tables,
    "similarity": _similarity_tables,
    "textual": _textual_table,
    "slot errors": _slot_error_tables,
    "rankings": _ranking_table,
    "further": _further_tables,
}
