"""Every question about several systems at once: a table for each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from rainbow.base.arrays import Random
from rainbow.base.notes import Note
from rainbow.base.progress import Progress
from rainbow.corpus import Corpus
from rainbow.corpus.judgements import Scale, validate_judgements, split_by_kind
from rainbow.corpus.text_profile import UNSPACED_ADVICE, profile_outputs
from rainbow.metrics import Metric
from rainbow.metrics.contract.registry import word_columns
from rainbow.stats.tidy import tidy
from rainbow.systems.align import Aligned, align
from rainbow.systems.corpus_scores.corpus_scores import METRICS, corpus_metrics
from rainbow.systems.rankings.judgement_agreement import judgement_agreement
from rainbow.systems.rankings.rankings import RankingMethod, rankings
from rainbow.systems.rankings.system_ratings import system_ratings
from rainbow.systems.similarity import similarity
from rainbow.systems.slot_errors.per_utterance import Reading, read, utterance_slot_errors
from rainbow.systems.slot_errors.slot_errors import summed_slot_errors
from rainbow.systems.textual.complexity import Trees
from rainbow.systems.textual.measures import MEASURES, Measure
from rainbow.systems.textual.textual import TokensOf, textual, tokens_of

if TYPE_CHECKING:
    import pandas as pd

# Tables of a study's own, by their names: of the outputs that all systems have, judgements, resamples and a seed.
Further: TypeAlias = "Callable[[Corpus, pd.DataFrame | None, int, int], dict[str, pd.DataFrame]]"


class Ways(NamedTuple):
    """How texts are prepared, counted, read and ranked: as we think right, or as a study did."""

    compared: Callable[[Aligned], Aligned] = lambda aligned: aligned  # for the metrics of all outputs
    tokens: TokensOf = tokens_of
    measures: Sequence[Measure] = MEASURES
    reading: Reading = read
    ranking: RankingMethod = "trueskill"


USUAL = Ways()


class _Inputs(NamedTuple):
    """What the questions are asked about; those about one dataset see the rows of that only."""

    aligned: Aligned
    judgements: pd.DataFrame | None
    resamples: int
    seed: int
    ways: Ways
    trees: Trees | None
    threads: int
    further: Further | None
    metrics: Sequence[str | Metric]


def evaluate_systems(
    corpus: Corpus,
    judgements: pd.DataFrame | None = None,
    *,
    rng: Random = None,
    resamples: int = 10_000,
    ways: Ways = USUAL,
    lenient: bool = False,
    trees: Trees | None = None,
    threads: int = 1,
    further: Further | None = None,
    metrics: Sequence[str | Metric] = (),
    progress: Progress = iter,
) -> dict[str, pd.DataFrame]:
    """Return a table for every question about the systems of a corpus: which is better, at what, is it real."""
    import pandas as pd

    generator = np.random.default_rng(rng)
    seed = int(generator.integers(2**63))
    datasets = dict.fromkeys(corpus.frame["dataset"])
    inputs = {}
    for name in datasets:
        aligned = align(_part(corpus, name), lenient=lenient)
        own = judgements if judgements is None or len(datasets) == 1 else _about(judgements, aligned)
        inputs[name] = _Inputs(aligned, own, resamples, seed, ways, trees, threads, further, metrics)
    questions = [name for name in _QUESTIONS if any(_asked(name, part) for part in inputs.values())]
    tables: dict[str, list[pd.DataFrame]] = {}
    for question in progress(questions):
        for name, part in inputs.items():
            if not _asked(question, part):
                continue
            for table_name, table in _QUESTIONS[question](part).items():
                if len(datasets) > 1 and "dataset" not in table:
                    table.insert(0, "dataset", name)
                tables.setdefault(table_name, []).append(table)
    return {
        name: parts[0] if len(parts) == 1 else pd.concat(parts, ignore_index=True) for name, parts in tables.items()
    }


def _about(judgements: pd.DataFrame, aligned: Aligned) -> pd.DataFrame | None:
    """Return the judgements of items of this dataset; None if there are none."""
    own = judgements[judgements["item"].isin(aligned.items)]
    return own if len(own) else None


def _part(corpus: Corpus, dataset: str) -> Corpus:
    return corpus.take(np.flatnonzero(corpus.frame["dataset"] == dataset).tolist())


def _asked(question: str, inputs: _Inputs) -> bool:
    """Whether there is what a question needs."""
    lacking = {
        "rankings": inputs.judgements is None,
        "slot errors": not any(inputs.aligned.corpus.meanings),
        "further": inputs.further is None,
    }
    return not lacking.get(question, False)


def _corpus_metrics(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    aligned, asked = inputs.ways.compared(inputs.aligned), (*METRICS, *inputs.metrics)
    found = corpus_metrics(aligned, asked, resamples=inputs.resamples, rng=inputs.seed, threads=inputs.threads)
    notes = [
        *inputs.aligned.notes,
        *(Note(name, reason, "it is not computed") for name, reason in found.missing.items()),
        *_more_resamples(inputs.resamples, found.differences),
        *_without_words(aligned.corpus, map(str, found.scores)),
    ]
    told = tidy([note._asdict() for note in notes], ["place", "problem", "mended"])
    return {"corpus_metrics": found.scores, "corpus_metric_differences": found.differences, "notes": told}


def _without_words(corpus: Corpus, metrics: Iterable[str]) -> list[Note]:
    """Return a note where metrics compare words, and the language has no blanks between them."""
    compared, problem = word_columns(metrics), profile_outputs(corpus.frame).unspaced_problem()
    return [Note(", ".join(compared), problem, UNSPACED_ADVICE)] if compared and problem else []


def _more_resamples(wanted: int, differences: pd.DataFrame) -> list[Note]:
    """Return a note where so few resamples were asked for that no difference could have been significant."""
    made = int(differences["resamples"].max()) if len(differences) else wanted
    if made == wanted:
        return []
    problem = f"no difference of two systems can be significant with {wanted:,} resamples, corrected for all pairs"
    return [Note("--resamples", problem, f"{made:,} were made")]


def _similarity(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    found = similarity(inputs.aligned, threads=inputs.threads)
    return {"similarity": found.pairs, "similarity_means": found.means}


def _textual(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    ways, corpus = inputs.ways, _kept(inputs.aligned)
    table = textual(corpus, rng=inputs.seed, trees=inputs.trees, tokens=ways.tokens, measures=ways.measures)
    return {"textual": table}


def _slot_errors(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    utterances = utterance_slot_errors(_kept(inputs.aligned), reading=inputs.ways.reading)
    return {"slot_errors": summed_slot_errors(utterances), "utterance_slot_errors": utterances}


def _rankings(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    import pandas as pd

    if inputs.judgements is None:
        return {}
    ranked = rankings(inputs.judgements, method=inputs.ways.ranking, rng=inputs.seed)
    rated, agreed = [], []
    # Marks may be averaged as they are; of magnitudes only the order within a judgement may.
    for kind, part in split_by_kind(validate_judgements(inputs.judgements)).groupby("kind", sort=False, observed=True):
        scale: Scale = "rank" if kind == "magnitude" else "raw"
        rated.append(system_ratings(part, scale, rng=inputs.seed))
        agreed.append(judgement_agreement(part, scale=scale, rng=inputs.seed))
    stacked = (pd.concat(parts, ignore_index=True) for parts in (rated, agreed))
    return {"rankings": ranked, **dict(zip(("system_ratings", "judgement_agreement"), stacked, strict=True))}


def _further(inputs: _Inputs) -> dict[str, pd.DataFrame]:
    if inputs.further is None:
        return {}
    return inputs.further(_kept(inputs.aligned), inputs.judgements, inputs.resamples, inputs.seed)


def _kept(aligned: Aligned) -> Corpus:
    """Return the rows that every system has, in the order of the corpus."""
    return aligned.corpus.take(sorted(aligned.rows.ravel().tolist()))


_QUESTIONS: dict[str, Callable[[_Inputs], dict[str, pd.DataFrame]]] = {
    "corpus metrics": _corpus_metrics,
    "similarity": _similarity,
    "textual": _textual,
    "slot errors": _slot_errors,
    "rankings": _rankings,
    "further": _further,
}
