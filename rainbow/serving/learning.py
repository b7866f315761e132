"""Learning of metrics in a notebook: evaluation tables and scorers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from rainbow.base.aliases import accept_aliases
from rainbow.base.formatting import format_interval, format_number
from rainbow.base.lazy import pd
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.learned.fitting import FittedModels, fit_models
from rainbow.learned.learner.regressor import Preset
from rainbow.learned.scorer import Scorer
from rainbow.serving.fit_request import FitSettings, make_request
from rainbow.serving.table_results import TableResults, as_corpus

_PREFIX = "learned_"  # prefix of the table files


@accept_aliases(ratings=("rating",), protocols=("protocol",))
def learn(
    corpus: Corpus | pd.DataFrame | str | Path,
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
    given = as_corpus(corpus, names)
    how = [protocols] if isinstance(protocols, str) else protocols
    asked = FitSettings(model, preset, top, start, how, seed=seed, resamples=resamples)
    request = make_request(given, names, asked, scores, external)
    fitted = fit_models(request, progress or (lambda what, steps: steps))
    tables = {name.removeprefix(_PREFIX): table for name, table in fitted.tables.items()}
    return Learned(tables=tables, corpus=given, fitted=fitted)


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
