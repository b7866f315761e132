"""A scorer for Inspect."""

from __future__ import annotations

from typing import Any

from rainbow.serving.row_scorer import RowScorer


def as_inspect_scorer(scorer: RowScorer) -> Any:
    """Return a scorer for ``inspect_ai.Task(scorer=...)``, with mean and standard error.

    A sample without a score is marked as unscored (NaN) and excluded from the means.

    Parameters
    ----------
    scorer : RowScorer
        Scorer; its columns are `input`, `target`, and the keys of the sample's metadata.
    """
    from inspect_ai.scorer import Score, mean, stderr
    from inspect_ai.scorer import scorer as registered

    def rainbow() -> Any:
        async def score(state: Any, target: Any) -> Any:
            row = {**state.metadata, "input": state.input_text, "target": list(target)}
            return Score(value=scorer.one(state.output.completion, row), answer=state.output.completion)

        return score

    return registered(metrics=[mean(), stderr()], name=scorer.scorer.name)(rainbow)()
