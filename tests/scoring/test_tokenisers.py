"""Views of sacrebleu's tokenisers: metrics equal sacrebleu with the same tokeniser on every row."""

import numpy as np
import pytest
from rouge_score.rouge_scorer import RougeScorer
from sacrebleu.metrics import BLEU, CHRF, TER

from rainbow import Corpus, compare_systems, score_corpus
from rainbow.metrics import get
from rainbow.metrics.contract.batch import Batch
from rainbow.metrics.contract.views import Views
from rainbow.text.tokens.sacrebleu_tokens import tokenise
from tests.metrics.conftest import both
from tests.text.languages.sentences import SENTENCES

HERE = ("13a", "intl", "zh", "char", "ja-mecab", "ko-mecab")
FURTHER = {
    "ja-mecab": ["The Innは安いです。3.5kmです!", "宿は川の近くにあります。"],
    "ko-mecab": ["여관은 쌉니다. 3.5km 떨어져 있습니다!", "여관은 강 근처에 있습니다."],
    "zh": ["旅馆很便宜,离河3.5公里!", "The Inn 靠近河边。"],
}


def texts_of(tokeniser: str) -> list[str]:
    texts = [text for language in ("de", "ja", "zh", "hi", "ar", "en") for text in SENTENCES[language]]
    return [*texts, *FURTHER.get(tokeniser, []), "Don't pay $3,000.50 -- it's cheap (really)."]


def corpus(tokeniser: str) -> Corpus:
    """Return each text with the next one and a shortened copy of itself as references."""
    texts = texts_of(tokeniser)
    return Corpus.from_texts(
        texts, [[after, text[: len(text) // 2]] for text, after in zip(texts, texts[1:] + texts[:1], strict=True)]
    )


@pytest.mark.parametrize("tokeniser", HERE)
def test_bleu_of_every_row_is_that_of_sacrebleu(tokeniser: str) -> None:
    rows = corpus(tokeniser)
    tool = BLEU(tokenize=tokeniser, lowercase=True, smooth_method="none")
    batch = Batch.from_corpus(rows, rows.view(tokeniser))
    for sums in both(lambda: get("bleu").sums(batch)):
        ours = get("bleu").score_sums(sums)[:, 0]
        for score, output, references in zip(ours, batch_texts(rows), rows.frame["references"], strict=True):
            assert 100 * score == pytest.approx(tool.corpus_score([output], [[text] for text in references]).score)


def batch_texts(rows: Corpus) -> list[str]:
    return rows.frame["output"].tolist()


@pytest.mark.parametrize("tokeniser", HERE)
def test_ter_and_rouge_compare_the_tokens(tokeniser: str) -> None:
    rows = corpus(tokeniser)
    scores = score_corpus(rows, ["TER", "ROUGE1", "ROUGE2"], view=tokeniser)
    rouge = RougeScorer(["rouge1", "rouge2"], tokenizer=_Blanks())
    for row, (output, references) in enumerate(zip(rows.frame["output"], rows.frame["references"], strict=True)):
        (split,), sets = tokenise(tokeniser, [output]), tokenise(tokeniser, references)
        assert 100 * scores["TER"][row] == pytest.approx(TER().sentence_score(split, list(sets)).score)
        theirs = rouge.score_multi(sets, split)
        assert scores["ROUGE1"][row] == pytest.approx(theirs["rouge1"].fmeasure)
        assert scores["ROUGE2"][row] == pytest.approx(theirs["rouge2"].fmeasure)


class _Blanks:
    def tokenize(self, text: str) -> list[str]:
        return text.split()


def test_chrf_reads_the_texts_as_they_are() -> None:
    rows, tool = corpus("ja-mecab"), CHRF(word_order=2)
    ours = score_corpus(rows, ["chrF++"], view="ja-mecab")["chrF++"]
    theirs = [
        tool.sentence_score(output, list(references)).score
        for output, references in zip(rows.frame["output"], rows.frame["references"], strict=True)
    ]
    np.testing.assert_allclose(ours, theirs)


@pytest.mark.parametrize("tokeniser", HERE)
def test_kernels_and_plain_texts_give_the_same(tokeniser: str) -> None:
    rows = corpus(tokeniser)
    names = ["BLEU4", "ROUGE", "ROUGE1", "TER", "NIST", "LEPOR", "CIDEr", "SE"]
    compiled, python = both(lambda: score_corpus(rows, names, view=tokeniser).to_numpy())
    np.testing.assert_allclose(compiled, python, atol=1e-12)
    views = Views.from_texts(rows.frame["output"].tolist(), rows.frame["references"].tolist())
    for metric in (get("bleu"), get("rouge-n"), get("ter")):
        found = metric.score(views.get_for_metric(metric, tokeniser))
        np.testing.assert_array_equal(found, score_corpus(rows, [metric], view=tokeniser).to_numpy())


def test_the_signature_names_the_tokeniser() -> None:
    signatures = score_corpus(corpus("zh"), ["BLEU4", "chrF++"], view="zh").attrs["signatures"]
    assert signatures["BLEU4"].endswith("|view:zh") and signatures["chrF++"].endswith("|view:surface")


def test_a_tokeniser_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(tokenize: str) -> None:
        raise ImportError("\nPlease install the sentencepiece library\n")

    monkeypatch.setattr("sacrebleu.metrics.bleu.BLEU", missing)
    with pytest.raises(ValueError, match=r"tokeniser flores200 cannot be loaded: Please install the sentencepiece"):
        corpus("zh").view("flores200")


def test_systems_are_compared_by_the_tokens() -> None:
    texts = [*SENTENCES["ja"], *FURTHER["ja-mecab"]]
    rows = Corpus.from_texts(texts[1:] + texts[:1] + texts, [[text] for text in texts] * 2)
    frame = rows.frame.assign(
        system=["shifted"] * len(texts) + ["copy"] * len(texts), item=[*map(str, range(len(texts)))] * 2
    )
    found = compare_systems(Corpus(frame), view="ja-mecab", resamples=99).corpus_metrics.set_index("system")
    references = [[*texts]]
    for system, part in frame.groupby("system"):
        bleu = BLEU(tokenize="ja-mecab", lowercase=True, smooth_method="none").corpus_score(
            [*part["output"]], references
        )
        assert 100 * found.loc[system, "BLEU"] == pytest.approx(bleu.score)
        result = found.loc[system, "chrF++"]
        assert result == pytest.approx(CHRF(word_order=2).corpus_score([*part["output"]], references).score)
