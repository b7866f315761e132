"""Metrics in other languages: equal to the reference tool, or missing with the reason."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from rouge_score.rouge_scorer import RougeScorer

from rainbow import Corpus, compare_systems, load_dataset, score_corpus, score_rows
from rainbow.audit.audit import audit_metrics
from rainbow.audit.perturbations import ENGLISH_SENTENCES, perturb
from rainbow.corpus.views import CHARACTERS, SURFACE
from rainbow.metrics import all_metrics
from rainbow.metrics.contract.registry import all_columns, find
from rainbow.scoring.chunks import CorpusRows
from rainbow.scoring.saved_scores import load_scores
from rainbow.scoring.score_corpus import fit_metrics
from rainbow.scoring.verification import verify_metrics
from rainbow.text.languages.detection import UNSPACED
from tests.text.languages.sentences import SENTENCES

ROOT = Path(__file__).parents[2]
OTHERS = [language for language in SENTENCES if language != "en"]


def corpus(of: str, **given: Any) -> Corpus:
    """Return each sentence with itself as the reference, but the last, which has the first."""
    outputs = SENTENCES[of]
    return Corpus.from_texts(outputs, [[outputs[0]], [outputs[1]], [outputs[0]]], **given)


@pytest.mark.parametrize("language", OTHERS)
def test_every_column_has_a_value_or_the_reason(language: str) -> None:
    scores = score_corpus(corpus(language))
    assert scores.attrs["language"] == language
    assert scores.attrs["view"] == (CHARACTERS if language in UNSPACED else SURFACE)
    for metric in all_metrics().values():
        for column in (column.name for column in metric.columns if column.name in scores):
            known = metric.languages_of(column)
            if known and language not in known:
                assert scores[column].isna().all()
                (reason,) = scores.attrs["missing"][column]
                assert re.match(r"it knows (English|\d+ languages) only, and the outputs are ", reason), reason
            elif known and not metric.unavailable():
                assert scores[column].notna().all(), column
            elif metric.group == "word" and "mr" not in metric.needs:
                equal, worse = scores[column].iloc[1], scores[column].iloc[2]
                assert equal > worse if all_columns()[column][0].higher_is_better else equal < worse, column


@pytest.mark.parametrize("column", ["BLEU1", "BLEU4", "ROUGE", "ROUGE1", "ROUGE4", "chrF++", "LEPOR"])
@pytest.mark.parametrize("language", OTHERS)
def test_equal_texts_have_the_highest_score(language: str, column: str) -> None:
    best = 100 if column == "chrF++" else 1
    assert score_corpus(corpus(language), [column])[column].iloc[:2].tolist() == pytest.approx([best, best])


class _Characters:
    """A tokeniser for rouge_score: characters of Chinese and Japanese, words of the rest."""

    def tokenize(self, text: str) -> list[str]:
        return text.split()


@pytest.mark.parametrize("language", ["ja", "zh"])
def test_rouge_over_characters_is_that_of_rouge_score(language: str) -> None:
    texts = corpus(language)
    view = texts.view(CHARACTERS)
    kept = [" ".join(part for part in text.split() if part.isalnum()) for text in view.outputs]
    sets = [" ".join(part for part in refs[0].split() if part.isalnum()) for refs in view.references]
    tool = RougeScorer(["rouge1", "rouge2"], tokenizer=_Characters())
    ours = score_corpus(texts, ["ROUGE1", "ROUGE2"])
    for row, (output, reference) in enumerate(zip(kept, sets, strict=True)):
        theirs = tool.score(reference, output)
        found = ours[["ROUGE1", "ROUGE2"]].iloc[row].tolist()
        assert found == pytest.approx([theirs[name].fmeasure for name in ("rouge1", "rouge2")])


@pytest.mark.parametrize("language", ["de", "hi", "ru", "zh"])
def test_word_metrics_equal_their_tools(language: str) -> None:
    view = corpus(language).with_language().view(CHARACTERS if language in UNSPACED else SURFACE)
    spaced = Corpus.from_texts(list(view.outputs), [list(refs) for refs in view.references])
    table = verify_metrics(spaced, [find(name) for name in ("BLEU4", "ROUGE", "TER", "CIDEr")]).set_index("column")
    assert (table["rows"] > 0).all() and (table["unexplained"] == 0).all()


def test_english_is_scored_as_ever() -> None:
    demo = load_dataset("demo").take(range(40))
    detected, given = score_corpus(demo), score_corpus(Corpus(demo.frame, demo.ratings, language="en"))
    pd.testing.assert_frame_equal(detected, given)
    assert "language" not in detected.attrs and detected["METEOR"].notna().any()


def test_a_given_language_is_believed() -> None:
    assert score_corpus(corpus("de", language="en"), ["METEOR"])["METEOR"].notna().all()
    assert score_corpus(corpus("en", language="ja"), ["METEOR"])["METEOR"].isna().all()
    as_german = score_corpus(corpus("en", language="de"), ["METEOR"])
    assert "-l de" in as_german.attrs["signatures"]["METEOR"]
    assert as_german["METEOR"].tolist() != score_corpus(corpus("en"), ["METEOR"])["METEOR"].tolist()
    with pytest.raises(ValueError, match="unknown language 'xx'"):
        corpus("de", language="xx")


def test_a_named_metric_of_another_language_is_refused_where_it_is_fitted() -> None:
    with pytest.raises(ValueError, match="sim: it knows English only, and the outputs are German"):
        fit_metrics(corpus("de"), ["SIM"])
    with pytest.raises(ValueError, match="meteor: it knows 16 languages only, and the outputs are Japanese"):
        fit_metrics(corpus("ja"), ["METEOR"])
    assert all(metric.made_for in ({"de"}, set()) for metric in fit_metrics(corpus("de")))


def test_worse_texts_are_scored_as_the_file_is() -> None:
    assert audit_metrics(corpus("zh"), ["ROUGE1"], kinds="empty")["falls"].tolist() == [1.0]


@pytest.mark.parametrize("language", ["de", "zh"])
def test_a_table_keeps_its_language(language: str, tmp_path: Path) -> None:
    texts = corpus(language)
    assert score_rows(CorpusRows(texts), tmp_path / "out.parquet", chunk_rows=1).language == language
    frame = load_scores(tmp_path / "out.parquet")
    assert frame.attrs["language"] == language
    pd.testing.assert_frame_equal(frame[list(score_corpus(texts))], score_corpus(texts), check_exact=True)


def test_a_file_says_its_language_in_rainbow_toml(tmp_path: Path) -> None:
    outputs = SENTENCES["en"]
    pd.DataFrame({"output": outputs, "reference": outputs}).to_csv(tmp_path / "a.csv", index=False)
    (tmp_path / "rainbow.toml").write_text('["a.csv"]\noutput = "output"\nreference = "reference"\nlanguage = "fr"\n')
    loaded = load_dataset(tmp_path / "a.csv")
    assert loaded.language == "fr" and np.isnan(score_corpus(loaded, ["msp", "SIM"])["SIM"]).all()
    with pytest.raises(ValueError, match="unknown language 'klingon'"):
        load_dataset(tmp_path / "a.csv", language="klingon")


@pytest.mark.parametrize("language", ["cs", "de", "fr", "ru"])
def test_meteor_equals_its_program(language: str, java: str) -> None:
    table = verify_metrics(corpus(language, language=language), [find("meteor")])
    assert (table["reason"].notna() | (table["rows"] == 3) & (table["unexplained"] == 0)).all()


def test_the_page_names_every_metric_that_knows_english_only() -> None:
    page = (ROOT / "docs/languages.md").read_text()
    listed = page.partition("## What knows English only")[2].partition("\n## ")[0]
    for metric in all_metrics().values():
        named = all(f"`{column.name}`" in listed for column in metric.columns)
        assert named or f"`{metric.name}`" in listed or metric.languages != {"en"}, metric.name
        if metric.languages != {"en"}:
            assert f"`{metric.name}`" not in listed, metric.name


def test_worse_texts_in_other_languages_have_no_english_sentences() -> None:
    kinds = {language: {*perturb(corpus(language))["kind"]} for language in ("en", "de", "zh")}
    assert kinds["en"] >= ENGLISH_SENTENCES and not ENGLISH_SENTENCES & (kinds["de"] | kinds["zh"])
    assert {*perturb(corpus("de"), ["unrelated-sentence"])["kind"]} == {"unrelated-sentence"}


def test_text_statistics_of_chinese_count_characters() -> None:
    texts = SENTENCES["zh"]
    frame = Corpus.from_texts(texts * 2, [[text] for text in texts] * 2).frame
    items = [*map(str, range(len(texts)))]
    found = compare_systems(Corpus(frame.assign(system=["a"] * 3 + ["b"] * 3, item=items * 2)), resamples=99)
    length = found.textual.set_index(["system", "measure"])["value"]
    characters = [sum(character.isalnum() for character in text) for text in texts]
    assert length["a", "words"] == pytest.approx(sum(characters), rel=0.1)
    assert "characters are counted instead of words" in {*found.notes["fix"]}


def test_outputs_in_two_languages_are_named() -> None:
    texts = [" ".join(SENTENCES["de"])] * 30 + [" ".join(SENTENCES["ru"])] * 15
    outputs = [f"{text} {number}" for number, text in enumerate(texts)]
    with pytest.warns(UserWarning, match="the outputs are taken as German, but 33% are Russian: score one language"):
        score_corpus(Corpus.from_texts(outputs, [[text] for text in texts]), ["chrF++"])


def test_scores_of_another_language_are_not_kept(tmp_path: Path) -> None:
    rows = {language: CorpusRows(corpus("de", language=language)) for language in ("de", "fr", "en")}
    score_rows(rows["de"], tmp_path / "out.parquet", ["msp", "METEOR"])
    with pytest.raises(ValueError, match="2 metrics that were computed with the language de, not fr"):
        score_rows(rows["fr"], tmp_path / "out.parquet", ["BLEU4"], keep=True)
    score_rows(rows["de"], tmp_path / "out.parquet", ["BLEU4"], keep=True)
    assert {"msp", "BLEU4"} <= {*load_scores(tmp_path / "out.parquet")}
