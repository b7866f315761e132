"""Many systems at once: the correction for all their pairs can be passed with what is drawn by default."""

from rainbow.corpus import Corpus
from rainbow.systems.alignment import align_systems
from rainbow.systems.corpus_scores.corpus_scores import evaluate_metrics

SYSTEMS, ITEMS, WORDS = 40, 20, 45


def test_forty_systems_of_clearly_different_quality_are_told_apart_by_default() -> None:
    references = [[f"word{item}x{place}" for place in range(WORDS)] for item in range(ITEMS)]
    # System k has k wrong words in every output.
    outputs = [" ".join(["wrong"] * k + words[k:]) for k in range(SYSTEMS) for words in references]
    corpus = Corpus.from_texts(
        outputs,
        [[" ".join(words)] for words in references] * SYSTEMS,
        item=[str(item) for item in range(ITEMS)] * SYSTEMS,
        system=[f"system {k:02}" for k in range(SYSTEMS) for _ in range(ITEMS)],
    )
    scores, differences, _ = evaluate_metrics(align_systems(corpus), ["TER"], rng=1)
    assert scores["system"].tolist() == [f"system {k:02}" for k in range(SYSTEMS)]
    assert scores["groups"].nunique() == SYSTEMS and (differences["p_randomisation_holm"] < 0.05).all()
    assert set(differences["resamples"]) == {31_200}  # 10,000 could not show anything in 780 pairs
