"""Every question about several systems at once."""

import pandas as pd
import pytest

from rainbow import Corpus
from rainbow.systems.replications.belz_reiter import belz_reiter_tables
from rainbow.systems.replications.e2e_challenge.challenge_options import CHALLENGE
from rainbow.systems.system_evaluation import evaluate_systems
from tests.systems.corpus_scores.made import texts


def corpus(dataset: str = "mine", items: int = 12, seed: int = 0) -> pd.DataFrame:
    outputs, references = texts(items, seed)
    worse = [" ".join(text.split()[::-1]) for text in outputs]
    frame = pd.DataFrame({"output": [*outputs, *worse], "references": references * 2, "dataset": dataset})
    return frame.assign(item=[str(number) for number in range(items)] * 2, system=["a"] * items + ["b"] * items)


def test_there_is_a_table_for_each_question() -> None:
    tables = evaluate_systems(Corpus(corpus()), rng=1, resamples=50)
    assert {"corpus_metrics", "corpus_metric_differences", "similarity", "similarity_means", "notes"} <= set(tables)
    assert tables["corpus_metrics"]["system"].tolist() == ["a", "b"]
    assert set(tables["corpus_metric_differences"]["metric"]) <= set(tables["corpus_metrics"].columns)
    assert "rankings" not in tables


def test_the_columns_of_the_published_table_come_first() -> None:
    columns = list(evaluate_systems(Corpus(corpus()), rng=1, resamples=20)["corpus_metrics"])
    assert columns[:7] == ["system", "BLEU", "NIST", "METEOR", "ROUGE-L", "CIDEr", "normalised_average"]


def test_each_dataset_is_evaluated_by_itself() -> None:
    both = Corpus(pd.concat([corpus("first", seed=1), corpus("second", items=9, seed=2)], ignore_index=True))
    scores = evaluate_systems(both, rng=1, resamples=20)["corpus_metrics"]
    assert scores[["dataset", "n"]].drop_duplicates().to_numpy().tolist() == [["first", 12], ["second", 9]]
    alone = evaluate_systems(Corpus(corpus("second", items=9, seed=2)), rng=1, resamples=20)["corpus_metrics"]
    pd.testing.assert_frame_equal(
        scores[scores["dataset"] == "second"].drop(columns="dataset").reset_index(drop=True), alone
    )


def test_the_same_seed_gives_the_same_tables() -> None:
    one, other = (evaluate_systems(Corpus(corpus()), rng=5, resamples=50) for _ in range(2))
    for name in one:
        pd.testing.assert_frame_equal(one[name], other[name])


def test_what_does_not_fit_is_refused_or_left_out_and_noted() -> None:
    lacking = Corpus(corpus().drop(index=[3]))
    with pytest.raises(ValueError, match="a has no output for '3'"):
        evaluate_systems(lacking, resamples=20)
    tables = evaluate_systems(lacking, resamples=20, lenient=True)
    assert tables["corpus_metrics"]["n"].tolist() == [11, 11]
    assert tables["notes"]["problem"].str.contains("a has no output for '3'").any()


def judged() -> pd.DataFrame:
    marks = [(f"j{number}", str(number), *mark) for number in range(12) for mark in (("a", 90.0), ("b", 40.0))]
    table = pd.DataFrame(marks, columns=["judgement", "item", "system", "value"])
    return table.assign(rater=float("nan"), criterion="quality", kind="magnitude")


def test_judgements_make_rankings_as_seldom_as_there_are_datasets_they_are_about() -> None:
    rated = judged()
    assert evaluate_systems(Corpus(corpus()), rated, rng=1, resamples=20)["rankings"]["system"].tolist() == ["a", "b"]
    other = corpus("other", seed=4)
    other["item"] = "other " + other["item"]
    both = Corpus(pd.concat([corpus(), other], ignore_index=True))
    assert set(evaluate_systems(both, rated, rng=1, resamples=20)["rankings"]["dataset"]) == {"mine"}


def test_marks_are_averaged_as_they_are_and_magnitudes_by_their_order() -> None:
    marks = judged().assign(kind="likert", judgement=lambda table: "l" + table["judgement"], value=[6.0, 2.0] * 12)
    tables = evaluate_systems(Corpus(corpus()), pd.concat([judged(), marks]), rng=1, resamples=20)
    assert tables["system_ratings"][["rating", "scale", "system", "mean"]].to_numpy().tolist() == [
        ["quality (magnitude)", "rank", "a", 1.0],
        ["quality (magnitude)", "rank", "b", 0.0],
        ["quality (likert)", "raw", "a", 6.0],
        ["quality (likert)", "raw", "b", 2.0],
    ]
    assert set(tables["judgement_agreement"]["rating"]) == {"quality (magnitude)", "quality (likert)"}


def test_the_measures_of_belz_and_reiter_are_there_if_asked_for() -> None:
    people = [
        judged().assign(rater=name, group="experts", judgement=lambda t, n=name: n + t["judgement"]) for name in "xy"
    ]
    found = evaluate_systems(Corpus(corpus()), pd.concat(people), rng=1, resamples=20, extra=belz_reiter_tables)
    assert (found["belz_reiter_scores"]["system"].tolist(), len(found["belz_reiter_differences"])) == (["a", "b"], 4)
    result = found["belz_reiter_raters"][["raters", "group", "rating"]].to_numpy().tolist()
    assert result == [["experts", "experts", "quality"]]


def test_progress_sees_every_question() -> None:
    seen: list[str] = []

    def progress(names):
        for name in names:
            seen.append(name)
            yield name

    evaluate_systems(Corpus(corpus()), resamples=20, progress=progress)
    assert seen[:2] == ["corpus metrics", "similarity"]


def test_as_published_quotes_round_outputs_count_in_texts_but_not_in_word_overlap() -> None:
    plain = corpus()
    quoted = plain.assign(output=plain["output"].where(plain["system"] == "a", "'" + plain["output"] + "'"))
    found, bare = (evaluate_systems(Corpus(frame), rng=1, resamples=99, options=CHALLENGE) for frame in (quoted, plain))
    pd.testing.assert_frame_equal(found["corpus_metrics"], bare["corpus_metrics"])
    tokens = [tables["textual"].query("measure == 'tokens'")["value"].sum() for tables in (found, bare)]
    assert tokens[0] > tokens[1]
