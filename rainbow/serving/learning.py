"""Learning of metrics in a notebook: evaluation tables and scorers."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple

from rainbow.analysis.agreement.ceiling import all_ceilings, ceiling_intervals, missing_ceiling_reasons
from rainbow.base.aliases import accept_aliases
from rainbow.base.formatting import format_interval, format_number
from rainbow.base.lazy import pd
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.corpus.text_profile import profile_outputs
from rainbow.learned.fitting import FittedModels, Request, applicable_protocols, fit_models
from rainbow.learned.learner.regressor import Preset, check_preset
from rainbow.learned.protocols.cross_validation import Statistics
from rainbow.learned.protocols.groups import check_protocols
from rainbow.learned.scorer import Scorer
from rainbow.learned.training.features import Features, StoredColumns, feature_columns, preset_features
from rainbow.learned.training.learn import Recipe
from rainbow.serving.table_results import TableResults, accept_corpus
from rainbow.text.languages.detection import ENGLISH

_PREFIX = "learned_"  # prefix of the table files


@accept_aliases(ratings=("rating",), protocols=("protocol",))
@accept_corpus
def learn(
    corpus: Corpus,
    ratings: str | Sequence[str] | None = None,
    *,
    model: str = "all",
    preset: Preset | None = None,
    top: int | None = None,
    start: str = "fast",
    protocols: Sequence[str] = (),
    scores: pd.DataFrame | None = None,
    external: Mapping[str, bool | None] = MappingProxyType({}),
    resamples: int = 1000,
    seed: int = 2017,
    progress: PartProgress | None = None,
) -> Learned:
    """Train a metric for each rating and evaluate it on held-out rows, like `rainbow fit`, for notebooks.

    Parameters
    ----------
    corpus : Corpus, DataFrame, str or path
        A corpus with ratings; a file or dataset name (:func:`rainbow.load_dataset`); or a table with the columns of a
        corpus (`output`, and if available `references`, `mr`, `system`, `item`, `dataset`).
    ratings : str or sequence of str, optional
        Columns of human ratings; by default those of the corpus.
    model : str
        Feature set: ``all``, ``referenceless``, ... (see `rainbow fit --help`).
    preset : {"default", "combination", "paper"}, optional
        Learner; ``paper`` is the forest of 2017, and the default if `top` is given.
    top : int, optional
        Number of columns to keep, by recursive feature elimination.
    start : {"fast", "full", "none"}
        General score that ``default`` and ``combination`` start from; ``full`` uses a small language model.
    protocols : sequence of str
        Evaluation protocols; by default all without leakage that the corpus has enough systems and datasets for.
    scores : DataFrame, optional
        Precomputed scores of the corpus, from :func:`rainbow.score_corpus`.
    external : mapping of str to bool or None
        External score columns and their direction; they are compared, but not used as features.
    resamples, seed : int
        Number of bootstrap resamples; random seed.
    progress : callable, optional
        Called with the name and the steps of each part; returns the steps, e.g. wrapped by ``tqdm``.

    Raises
    ------
    ValueError
        If there is no rating, a name is unknown, or a protocol does not apply to the corpus.

    Examples
    --------
    >>> import rainbow
    >>> corpus = rainbow.load_dataset("demo").take(range(120))
    >>> found = rainbow.learn(corpus, "quality", model="gbm", protocols=["by-item-and-text"], resamples=50)
    >>> print(repr(found).splitlines()[0])
    Learned quality from 120 outputs; Spearman on held-out outputs, 95 % interval, best single metric
    >>> found.protocols.columns[:3].tolist()
    ['model', 'preset', 'protocol']
    >>> scores = found.scorer()(["the inn is cheap.", "inn the the"])
    >>> ((1 <= scores) & (scores <= 6)).tolist()
    [True, True]
    """
    names = [ratings] if isinstance(ratings, str) else list(ratings or ())
    how = [protocols] if isinstance(protocols, str) else protocols
    asked = FitSettings(model, preset, top, start, how, seed=seed, resamples=resamples)
    request = make_request(corpus, names, asked, scores, external)
    fitted = fit_models(request, progress or (lambda what, steps: steps))
    tables = {name.removeprefix(_PREFIX): table for name, table in fitted.tables.items()}
    return Learned(tables=tables, corpus=corpus, fitted=fitted)


@dataclass(frozen=True, repr=False, kw_only=True)
class Learned(TableResults):
    """Trained metrics and their evaluation; every table is an attribute, e.g. ``protocols``."""

    corpus: Corpus  # training data
    fitted: FittedModels  # trained models

    @property
    def models(self) -> dict[str, Scorer]:
        """One scorer per rating."""
        return {model.rating: Scorer(model) for model in self.fitted.models}

    def scorer(self, rating: str | None = None) -> Scorer:
        """Return the :class:`rainbow.Scorer` of a rating, by default the first."""
        result = self.models
        rating = rating or next(iter(result))
        if rating not in result:
            raise ValueError(f"no metric was learned for {rating!r}: choose from {', '.join(result)}")
        return result[rating]

    def save(self, folder: str | Path = "models", label: str = "own") -> list[Path]:
        """Write each model to ``folder/LABEL-RATING-MODEL.rainbow`` with its card; return the paths."""
        return self.fitted.save(Path(folder), label)

    def headline(self) -> str:
        """Return the ratings and the size of the training data in one sentence."""
        ratings = ", ".join(model.rating for model in self.fitted.models)
        what = "Spearman on held-out outputs, 95 % interval, best single metric"
        return f"Learned {ratings} from {len(self.corpus)} outputs; {what}"

    def short(self) -> pd.DataFrame:
        """Return the agreement of held-out predictions with each rating under each protocol, over all outputs."""
        names = ["rating", "protocol", "Spearman", "95 % interval", "best single metric"]
        if "protocols" not in self.tables:
            return pd.DataFrame(columns=names)
        table = self.tables["protocols"]
        whole = table[(table["dataset"] == "all") & (table["system"] == "all")].to_dict("records")
        lines = [
            (
                *(str(row["rating"]), str(row["protocol"]), format_number(row["spearman"])),
                f"({format_interval(row['low'], row['high'], format_number)})",
                f"{row['best_metric']} {format_number(row['best_metric_spearman'])}",
            )
            for row in whole
        ]
        return pd.DataFrame(lines, columns=names)


STARTS = ("fast", "full", "none")


class FitSettings(NamedTuple):
    """Settings for learning and evaluation, named like the options of `rainbow fit`."""

    model: str = "all"  # the feature set, a key of :data:`rainbow.learned.training.features.FEATURE_SETS`
    preset: Preset | None = None  # by default `default`, or `paper` where columns are chosen
    top: int | None = None  # how many columns are kept by recursive feature elimination
    start: str = "fast"  # the general score to start from: fast, full (asks SmolLM2), or none
    protocols: Sequence[str] = ()  # by default all that leak nothing and that the corpus has enough groups for
    scores: Literal["ours", "published"] = "ours"  # or those that a dataset brings along, for measuring only
    statistics: Statistics = "all"  # what corpus statistics are counted on
    seed: int = 2017  # of all that is drawn
    resamples: int = 1000  # draws for intervals


def make_request(
    corpus: Corpus,
    ratings: Sequence[str],
    settings: FitSettings,
    known: pd.DataFrame | None = None,
    external: Mapping[str, bool | None] = MappingProxyType({}),
) -> Request:
    """Return the request to learn these ratings, with their known ceilings."""
    names, corpus = list(ratings or corpus.ratings), corpus.with_language()
    if warning := profile_outputs(corpus.frame).mixture_warning(corpus.language):
        warnings.warn(warning, stacklevel=3)
    if unknown := [name for name in names if name not in corpus.frame]:
        raise ValueError(f"unknown rating {unknown[0]!r}: the ratings are {', '.join(corpus.ratings) or 'none'}")
    check_protocols(settings.protocols)
    if settings.start not in STARTS:
        raise ValueError(f"unknown start {settings.start!r}: choose from {', '.join(STARTS)}")
    recipe = _make_recipe(corpus, settings)
    name = "combination" if recipe.preset == "combination" else f"top{settings.top}" if settings.top else settings.model
    # People of several corpora used scales in their own ways: how high any metric could agree with all is not known.
    highest = all_ceilings(corpus.frame.iloc[:0] if "corpus" in corpus.frame else corpus.frame, names, settings.seed)
    return Request(
        corpus,
        names,
        recipe,
        name,
        list(settings.protocols) or applicable_protocols(corpus),
        settings.statistics,
        known=known,
        resamples=settings.resamples,
        notes=[
            f"The ceiling for {rating} is unknown: {reason}."
            for rating, reason in missing_ceiling_reasons(highest).items()
        ],
        ceilings=ceiling_intervals(highest),
        external=external,
    )


def _make_recipe(corpus: Corpus, settings: FitSettings) -> Recipe:
    preset = settings.preset or ("paper" if settings.top else "default")
    check_preset(preset)
    if settings.top and preset == "combination":
        raise ValueError("a combination chooses its columns itself: leave out --top")
    stored = settings.scores == "published"
    start = "" if settings.start == "none" else settings.start
    # A learner that starts from the general score needs no inputs, whatever its columns.
    is_started = bool(start) and corpus.language in (None, ENGLISH)
    has_inputs = is_started or bool(corpus.frame["mr"].str.strip().any())
    features: Features | StoredColumns = (
        _published_columns(corpus, settings.model)
        if stored
        else preset_features(settings.model, preset, bool(settings.top), start).suitable(corpus.language, has_inputs)
    )
    # A language model takes long to read copies, and knows what they are worth; the forest of 2017 had none.
    corrupted = preset == "default" and start != "full" and not stored
    return Recipe(features, preset, settings.top, corrupted, settings.seed)


def _published_columns(corpus: Corpus, model: str) -> StoredColumns:
    """Return the columns of a feature set that comes with a dataset."""
    # The one stored column that no metric here gives is the parser's score, a grammar-based one.
    wanted = {*feature_columns(model), *(["prs"] if "gbm" in model or "all" in model else [])}
    prefix = StoredColumns.prefix
    stored = [name.removeprefix(prefix) for name in map(str, corpus.frame) if name.startswith(prefix)]
    if not wanted & set(stored):
        raise ValueError("this dataset has no published scores for these metrics: use --scores ours")
    return StoredColumns(tuple(name for name in stored if name in wanted))
