"""Means of systems from few ratings, and plans of studies, as tables and as commands."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from rainbow import load_dataset, score_corpus
from rainbow.analysis.study_plan import Requirements, plan_for_metrics, plan_for_systems
from rainbow.analysis.system_estimates import system_estimates
from rainbow.cli import app
from rainbow.corpus import Corpus
from rainbow.scoring.saved_scores import save_scores


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    """Return the demo with two thirds of the ratings of quality taken away, and a judge."""
    frame, rng = load_dataset("demo").frame, np.random.default_rng(1)
    frame["judge"] = frame["quality"] + rng.normal(0, 0.5, len(frame))
    frame["whole"] = frame["quality"]
    return frame.assign(quality=frame["quality"].where(rng.random(len(frame)) < 1 / 3))


def test_estimates_lie_nearer_to_the_truth_than_ratings_alone(frame: pd.DataFrame) -> None:
    table = system_estimates(frame, "quality", "judge", rng=1)
    truth = frame.groupby("system")["whole"].mean()
    means = table[table["other"] == ""].set_index("system")
    assert (means["value"] - truth).abs().mean() < (means["rated_value"] - truth).abs().mean()
    assert (means["worth"] > 100).all()
    assert means["rated_value"].tolist() == pytest.approx(frame.groupby("system")["quality"].mean().tolist())
    pairs = table[table["other"] != ""]
    found = list(zip(pairs["system"], pairs["other"], strict=True))
    assert found == [("neural", "ngram"), ("neural", "template"), ("ngram", "template")]
    assert pairs["value"].iloc[0] == pytest.approx(means["value"]["neural"] - means["value"]["ngram"])
    assert (pairs["p_holm"] >= pairs["p"]).all()


def test_rows_without_a_score_are_left_out(frame: pd.DataFrame) -> None:
    gaps = frame.assign(judge=frame["judge"].where(frame["system"] != "ngram"))
    assert set(system_estimates(gaps, "quality", "judge", rng=1)["system"]) == {"neural", "template"}
    with pytest.raises(ValueError, match="no output has a score 'judge'"):
        system_estimates(frame.assign(judge=np.nan), "quality", "judge")


def test_strata_weigh_by_their_outputs(frame: pd.DataFrame) -> None:
    """The first third of the inputs was rated whole, the rest in part."""
    number = pd.factorize(frame["item"])[0]
    uneven = frame.assign(topic=number < number.max() / 3)
    uneven["quality"] = frame["whole"].where(uneven["topic"] | frame["quality"].notna())
    table = system_estimates(uneven, "quality", "judge", strata="topic", rng=1).set_index(["system", "other"])
    own = uneven[uneven["system"] == "ngram"].groupby("topic")["quality"]
    assert table["rated_value"]["ngram", ""] == pytest.approx((own.mean() * own.size()).sum() / own.size().sum())


def test_more_raters_need_fewer_inputs_and_more_ratings() -> None:
    table = plan_for_systems(load_dataset("demo").frame, "quality", requirements=Requirements(times=300), rng=1)
    assert table["items"].is_monotonic_decreasing and table["ratings"].is_monotonic_increasing
    assert table["ceiling"].is_monotonic_increasing and (table["power"] >= 0.8).all()
    assert table["simulated"].between(0.72, 0.88).all() and (table["difference"] == 0.25).all()


def test_variance_of_raters_and_the_rest_are_told_apart() -> None:
    """Systems differ with a deviation of .6 between inputs, raters have one of 1.2."""
    rng = np.random.default_rng(7)
    items, raters = 3000, 3
    rows = [
        {
            "dataset": "inns",
            "system": system,
            "item": item,
            **{f"quality_{k + 1}": truth + rng.normal(0, 1.2) for k in range(raters)},
        }
        for item, (one, other) in enumerate(rng.normal(0, 0.6 / np.sqrt(2), (items, 2)))
        for system, truth in (("A", one), ("B", other))
    ]
    frame = pd.DataFrame(rows)
    frame["quality"] = frame.filter(like="quality_").mean(axis=1)
    table = plan_for_systems(
        frame, "quality", difference=0.5, raters=[1, 4], requirements=Requirements(times=100), rng=1
    )
    for row in table.itertuples():
        deviation = np.sqrt(0.6**2 + 2 * 1.2**2 / row.raters)
        assert row.items == pytest.approx((1.96 + 0.8416) ** 2 * deviation**2 / 0.25, rel=0.1, abs=2)


def test_a_pilot_that_says_too_little_gives_a_reason(frame: pd.DataFrame) -> None:
    alone = plan_for_systems(frame[frame["system"] == "ngram"], "quality")
    assert alone["reason"].tolist() == ["the pilot has 0 inputs with rated outputs of two systems: 10 are needed"]
    without = frame.drop(columns=["quality_1", "quality_2", "quality_3"])
    table = plan_for_systems(without, "whole", requirements=Requirements(times=50))
    assert table["reason"].tolist() == ["no columns of single raters: assumes the pilot's number of raters"]
    assert table["items"].iloc[0] > 10


def test_metrics_further_apart_need_fewer_outputs(frame: pd.DataFrame) -> None:
    rng, scored = np.random.default_rng(2), load_dataset("demo").frame
    scored["good"] = scored["quality"] + rng.normal(0, 1, len(scored))
    scored["fair"] = scored["quality"] + rng.normal(0, 2, len(scored))
    scored["noise"] = rng.normal(size=len(scored))
    better = dict.fromkeys(("good", "fair", "noise"), True)
    near, far = (
        plan_for_metrics(scored, "quality", pair, better, requirements=Requirements(times=300), rng=1)
        for pair in (("good", "fair"), ("good", "noise"))
    )
    assert (near["outputs"] > far["outputs"]).all() and near["outputs"].is_monotonic_decreasing
    assert near["simulated"].between(0.72, 0.88).all()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, frame: pd.DataFrame) -> Path:
    folder = tmp_path_factory.mktemp("few")
    corpus = Corpus(frame.drop(columns=["judge", "whole"]), ("quality",))
    save_scores(folder / "metrics" / "mine.parquet", corpus, score_corpus(corpus, ["TER", "slots_realised"]))
    return folder


def run(folder: Path, *words: str) -> Result:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return CliRunner().invoke(app, list(words))


def test_the_commands_print_and_write(folder: Path) -> None:
    done = run(folder, "estimate", "mine.csv", "--rating", "quality", "--score", "slots_realised", "--resamples", "200")
    assert done.exit_code == 0, done.output
    assert "ngram - template" in done.output
    table = pd.read_csv(folder / "analysis" / "mine" / "system_estimates.csv")
    assert len(table) == 6
    two = ("--score", "slots_realised", "--score", "TER")
    done = run(folder, "estimate", "mine.csv", "--rating", "quality", *two, "--resamples", "200")
    assert done.exit_code == 0, done.output
    table = pd.read_csv(folder / "analysis" / "mine" / "system_estimates.csv")
    assert set(table["metric"]) == {"slots_realised, TER"}
    done = run(folder, "plan", "mine.csv", "--rating", "quality", "--resamples", "50")
    assert done.exit_code == 0, done.output
    assert "two systems" in done.output
    done = run(folder, "plan", "mine.csv", "--rating", "quality", "--metric", "TER", "--metric", "slots_realised")
    assert "TER and slots_realised" in done.output


@pytest.mark.parametrize(("words", "message"), [
    (("estimate", "mine.csv", "--rating", "fluency", "--score", "TER"), "mine.csv has no rating 'fluency'"),
    (("estimate", "mine.csv", "--rating", "quality", "--score", "BLEU4"), "mine.csv has no score 'BLEU4'"),
    (("plan", "other.csv", "--rating", "quality"), "run `rainbow metrics other.csv` first"),
])  # fmt: skip
def test_what_is_not_there_is_named(folder: Path, words: tuple[str, ...], message: str) -> None:
    assert message in str(run(folder, *words).exception)


def test_every_column_is_described(frame: pd.DataFrame) -> None:
    text = (Path(__file__).parents[2] / "analysis" / "README.md").read_text()
    table = system_estimates(frame, "quality", "judge", resamples=100, rng=1)
    assert [column for column in table if f"`{column}`" not in text] == []
