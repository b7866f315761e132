"""Train the models that come with the package, on the public data of Novikova et al. (2017).

Run from the root of the repository, with the data fetched or in the folder that RAINBOW_DATA names::

    python -m scripts.make_models [referenceless references top5]
"""

from __future__ import annotations

from pathlib import Path
from sys import argv

from rainbow.analysis.agreement.best_ceilings import ceiling_intervals, ceilings
from rainbow.cli.console import track
from rainbow.datasets import load_dataset
from rainbow.learned.model.card import save_card
from rainbow.learned.model.model_file import save_model
from rainbow.learned.model.shipped import SUFFIX
from rainbow.learned.training.features import TEXTS, Features, feature_columns
from rainbow.learned.training.fitting import DEFAULT_PROTOCOLS, Request, fit
from rainbow.learned.training.learn import Recipe

TARGET = Path(__file__).resolve().parents[1] / "rainbow" / "learned" / "models"
DATASET = "emnlp2017"

# Of metrics that need no meaning representation. Without classes of words: they would be chosen first and leave no
# column for quality that looks at references, and would keep worthless texts of other domains above good ones.
COLUMNS = tuple(name for name in feature_columns("without-mr") if not name.startswith("class_"))
# METEOR's tables would have to be made before the first score. Whether a text has an end, no other column knows.
AT_ONCE = (*(name for name in COLUMNS if name != "METEOR"), "class_end")

RECIPES = {
    # For those who have meaning representations: no reference is looked at.
    "referenceless": Recipe(Features(feature_columns("referenceless"), TEXTS)),
    # For those who have references and no meaning representation.
    "references": Recipe(Features(AT_ONCE, ("surface",), view="surface")),
    # The metric of 2017: five of these columns.
    "top5": Recipe(Features(COLUMNS, view="surface"), top=5),
}

NOTES = (
    "Where its corpus statistics were counted on training items only, as they are when this file meets another domain, "
    "leave-one-dataset-out gives less: see docs/learned-metrics.md.",
    "Quality and naturalness hold a batch effect: texts rated under two systems got 1.05 points less quality as RNNLG "
    "than as LOLS. Text as it was formatted in 2017 tells the systems apart and would raise the correlation with "
    "quality by about .01; the model does not see it.",
    "Tried and left out, as it changed mean Spearman by .002 or less or lowered it: trees (alone -.05), support vector "
    "regression, ratings in place of their ranks, a kernel for each group of columns (-.005), other kernels and "
    "widths, language models of classes, characters and surface texts, references as further examples with the best "
    "rating (-.004 to -.060), likeness to the nearest references, a convolutional network in place of the table of "
    "n-grams. docs/learned-metrics.md lists all of it with figures.",
)


def main() -> None:
    """Train, measure and write every model with its card, or those of the families that are named."""
    corpus = load_dataset(DATASET)
    ratings = list(corpus.ratings)
    for name, recipe in [(name, RECIPES[name]) for name in argv[1:] or RECIPES]:
        highest = ceiling_intervals(ceilings(corpus.frame, ratings, recipe.seed))
        request = Request(corpus, ratings, recipe, name, DEFAULT_PROTOCOLS, notes=NOTES, ceilings=highest)
        for model in fit(request, lambda what, steps: track(steps, lambda step, what=what: what)).models:
            path = save_model(model, TARGET / f"{model.name}{SUFFIX}")
            save_card(model.card, path)
            print(f"{path.name}: {path.stat().st_size / 1e6:.2f} MB")


if __name__ == "__main__":
    main()
