"""The page of all recipes: `python -m docs.pages.recipes` writes it."""

from __future__ import annotations

from pathlib import Path

from rainbow.datasets.columns import option_name
from rainbow.datasets.recipes import Recipe, known_recipes

PAGE = Path(__file__).parents[1] / "recipes.md"
HEAD = """# Recipes for the exports of known tools

A recipe says what the columns of an export hold. `rainbow run` and `rainbow.load_dataset` use one if all columns of its
fingerprint are there. A table that only nearly matches is read as any other table. Columns that the recipe does not
name are detected. Options, `rainbow.toml` and what was saved with the scores override it.

In a column, `*` stands for any characters. Nested objects are columns with dots: `output.model`.

"""
TAIL = """
## Write your own

```toml
# ourtool.toml
name = "Our annotation tool"
columns = ["unit", "annotator", "answer.*"]  # always there
absent = ["draft"]  # never there (optional)

[read]
output = "text"
rater = "annotator"
rating = ["answer.*"]
ignore = ["unit"]
```

The keys under `[read]` are the options of the commands. A pattern stands for the columns that no other key names. Where
an option takes one column and its pattern matches several, it is left out. `rating = "{}=answers.*.{}.value"` makes one
rating for each name in place of `{}`, with one rater per column.

```sh
rainbow run export.csv --recipe ourtool.toml
```

In Python: `rainbow.load_dataset("export.csv", recipe="ourtool.toml")`. In `rainbow.toml`: `recipe = "ourtool.toml"`. A
given recipe must fit: if it does not, an error names the missing column. To share a recipe, put it into
`rainbow/datasets/recipes/` with a sample in `tests/datasets/recipes/samples/`.

## Exports without a recipe

| export | why |
| --- | --- |
| Appraise (DA) | system, segment and score, but no texts; [ESA and MQM](error-spans.md) are read |
| Potato (CSV, TSV, JSONL) | item, annotator and labels, but no texts; [marked spans](error-spans.md) are read |
| OpenAI evals | prompt and answer, and whether it is right, are different rows of a log |
| MT-bench judgements by a model | the answer is a part of the judge's prompt |
| W&B tables | no column has a fixed name |
"""


def page() -> str:
    """Return the page."""
    rows = [_row(recipe) for recipe in sorted(known_recipes(), key=lambda recipe: recipe.name.lower())]
    head = "| export | recognised by | read as | source |\n| --- | --- | --- | --- |\n"
    return HEAD + head + "".join(rows) + TAIL


def _row(recipe: Recipe) -> str:
    columns = [_code(column) for column in recipe.columns] + [f"no {_code(column)}" for column in recipe.absent]
    read = [
        f"{option_name(field)}: " + ", ".join(map(_code, value if isinstance(value, list) else [value]))
        for field, value in recipe.read.set_options().items()
        if field != "ignored"
    ]
    return f"| {recipe.name} | {', '.join(columns)} | {'; '.join(read)} | [format]({recipe.source}) |\n"


def _code(text: str) -> str:
    return f"`{text}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
