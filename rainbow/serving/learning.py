"""Learning of metrics in a notebook: evaluation tables and scorers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from rainbow.base.aliases import accept_aliases
from rainbow.base.formatting import format_interval, format_number
from rainbow.base.progress import PartProgress
from rainbow.corpus import Corpus
from rainbow.learned.fitting import FittedModels, fit_models
from rainbow.learned.learner.regressor import Preset
from rainbow.learned.scorer import Scorer
from rainbow.serving.fit_request import FitSettings, make_request
from rainbow.serving.table_results import TableResults, as_corpus

if TYPE_CHECKING:
    import pandas as pd

_PREFIX = "learned_"  # of the tables' files


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
    """Learn a metric of each rating, and measure it on rows that it did not learn from: `rainbow fit` for a notebook.

    Parameters
    ----------
    corpus
        A corpus with ratings; a file or the name of a dataset (:func:`rainbow.load_dataset`); or a table with the
        columns of one (`output`, and as far as they are there `references`,
        `mr`, `system`, `item`, `dataset`).
    ratings
        The columns of human ratings; by default those that the corpus names.
    model
        What is learned from: ``all``, ``referenceless``, ... (`rainbow fit --help` lists them).
    preset
        How: ``default``, or ``paper`` for the forest of 2017, which is taken where `top` is given and this is not.
    top
        How many columns to keep, by recursive feature elimination.
    start
        The general score that the preset ``default`` starts from: ``fast``, ``full`` (asks a small language model), or
        ``none``.
    protocols
        How it is measured; by default all that leak nothing and that the corpus has enough systems and datasets for.
    scores
        Scores of the corpus, as :func:`rainbow.score_corpus` gave them: they are not computed again.
    external
        Columns of scores that others computed, and whether higher is better: they are compared, not learned from.
    resamples, seed
        Draws for intervals, and the seed of all that is drawn.
    progress
        Is given the name and the steps of each part of the work, and gives the steps again (``tqdm``, say).

    Raises
    ------
    ValueError
        If there is no rating, a name is not known, or a protocol cannot be applied to the corpus.

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
    """A metric for each rating, and what it is worth: every table is an attribute, as ``protocols``."""

    corpus: Corpus  # what was learned from
    fitted: FittedModels  # the models

    @property
    def models(self) -> dict[str, Scorer]:
        """A scorer for each rating."""
        return {model.rating: Scorer(model) for model in self.fitted.models}

    def scorer(self, rating: str | None = None) -> Scorer:
        """Return the scorer of a rating, by default the first: call it with outputs, as :class:`rainbow.Scorer`."""
        found = self.models
        rating = rating or next(iter(found))
        if rating not in found:
            raise ValueError(f"no metric was learned for {rating!r}: choose from {', '.join(found)}")
        return found[rating]

    def save(self, folder: str | Path = "models", label: str = "own") -> list[Path]:
        """Write each model to ``folder/LABEL-RATING-MODEL.rainbow``, its card beside it; give the paths."""
        return self.fitted.save(Path(folder), label)

    def headline(self) -> str:
        """Say what was learned from how much."""
        ratings = ", ".join(model.rating for model in self.fitted.models)
        what = "Spearman on held-out outputs, 95 % interval, best single metric"
        return f"Learned {ratings} from {len(self.corpus)} outputs; {what}"

    def short(self) -> pd.DataFrame:
        """Return how far held-out predictions agree with each rating under each protocol, over all outputs."""
        import pandas as pd

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
