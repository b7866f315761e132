"""What is compared: for each kind of work the peers that do it, ours, and how far their scores may differ."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from benchmarks import peers
from benchmarks.peers import TokenisedRows
from benchmarks.rows import Rows
from benchmarks.timing import Work
from rainbow.base.native import kernels
from rainbow.metrics import Batch, Metric, all_metrics, get
from rainbow.text.tokens.alphanumeric import alphanumeric_tokens
from rainbow.text.tokens.mteval import mteval_tokens
from rainbow.text.tokens.ptb import ptb_tokens
from rainbow.text.tokens.sacrebleu_tokens import lower_cased_words

__all__ = ["Comparison", "comparisons"]

TOKENIZERS = (ptb_tokens, alphanumeric_tokens, mteval_tokens, lower_cased_words)


@dataclass
class Comparison:
    """Some work: who does it, and on how many rows it is timed.

    Attributes
    ----------
    peers
        The peers; where they are several, their times are added up.
    ours
        From strings, everything prepared anew each time.
    prepared
        The same with the texts tokenised beforehand, as the peers get them; None where they get strings.
    check
        Gives the largest difference between the peers' scores and ours, and how far it may go.
    """

    work: str
    rows: Rows
    peers: dict[str, Work]
    ours: Work
    prepared: Work | None = None
    check: Callable[[], tuple[float, float]] | None = None
    targets: dict[str, float] = field(default_factory=dict)


def comparisons(rows: Rows) -> list[Comparison]:
    """Return everything that is compared on these rows, the dearest on fewer of them."""
    few = rows.take(200)
    return [_ngrams(rows), _rouge_l(rows), _meteor(rows), _ter(few), _hlepor(rows), _chrf(rows), _surface(rows)]


def _ngrams(rows: Rows) -> Comparison:
    from pycocoevalcap.bleu.bleu import Bleu
    from pycocoevalcap.cider.cider import Cider

    tokenised = TokenisedRows.from_rows(rows)
    split = [
        (mteval_tokens(o), [mteval_tokens(t) for t in texts])
        for o, texts in zip(rows.outputs, rows.references, strict=True)
    ]
    bleu, cider = peers.pycocoevalcap(Bleu(4)), peers.pycocoevalcap(Cider())
    metrics = _fitted(["bleu", "rouge-n", "cider", "nist"], rows)
    works = {
        "pycocoevalcap Bleu": Work(lambda _: bleu(tokenised)),
        "pycocoevalcap Cider": Work(lambda _: cider(tokenised)),
        "rouge-score 1-4": Work(lambda _: peers.rouge_n(rows)),
        "nltk NIST": Work(lambda _: peers.nist(split)),
    }

    def check() -> tuple[float, float]:
        ours = _scores(metrics)(rows.batch())
        theirs = np.hstack([works[name].scores() for name in list(works)[:3]])
        return _difference(ours[:, [0, 1, 2, 3, 9, 4, 5, 6, 7]], theirs), 1e-12

    return _compared("BLEU + ROUGE-N + CIDEr + NIST", rows, works, metrics, check, {"E2E": 120, "": 60})


def _rouge_l(rows: Rows) -> Comparison:
    from pycocoevalcap.rouge.rouge import Rouge

    tokenised, rouge, metrics = TokenisedRows.from_rows(rows), peers.pycocoevalcap(Rouge()), [get("rouge-l")]

    def check() -> tuple[float, float]:
        return _difference(_scores(metrics)(rows.batch()), rouge(tokenised)), 1e-12

    return _compared(
        "ROUGE-L", rows, {"pycocoevalcap Rouge": Work(lambda _: rouge(tokenised))}, metrics, check, {"": 200}
    )


def _meteor(rows: Rows) -> Comparison:
    tokenised, metrics = TokenisedRows.from_rows(rows), [get("meteor")]
    program = peers.meteor()

    def check() -> tuple[float, float]:
        return _difference(_scores(metrics)(rows.batch()), program(tokenised)), 1e-12

    works = {"METEOR 1.5 (Java, warm)": Work(lambda _: program(tokenised), clock=time.perf_counter)}
    return _compared("METEOR 1.5", rows, works, metrics, check, {"SF": 10, "E2E": 25}, clock=time.perf_counter)


def _ter(rows: Rows) -> Comparison:
    metrics = [get("ter")]

    def check() -> tuple[float, float]:
        return _difference(_scores(metrics)(rows.batch()), peers.ter(rows)), 1e-12

    works = {"sacrebleu TER": Work(lambda _: peers.ter(rows))}
    return _compared("TER", rows, works, metrics, check, {"SF": 150, "E2E": 3000})


def _hlepor(rows: Rows) -> Comparison:
    tokenised, metrics = TokenisedRows.from_rows(rows), [get("lepor")]

    def check() -> tuple[float, float]:
        """Compare where no word is repeated: the package aligns repeated words in another way."""
        plain = [row for row in range(len(rows.outputs)) if not _repeats(tokenised, row)]
        ours, theirs = _scores(metrics)(rows.batch())[:, 1:], peers.hlepor(tokenised)
        return _difference(ours[plain], theirs[plain]), 1e-12

    return _compared(
        "LEPOR and hLEPOR", rows, {"hLepor": Work(lambda _: peers.hlepor(tokenised))}, metrics, check, {"": 80}
    )


def _chrf(rows: Rows) -> Comparison:
    metrics = [get("chrf")]

    def check() -> tuple[float, float]:
        return _difference(_scores(metrics)(rows.batch()), peers.sacrebleu_chrf(rows)), 1e-9

    return _compared(
        "chrF++", rows, {"sacrebleu chrF": Work(lambda _: peers.sacrebleu_chrf(rows))}, metrics, check, {"E2E": 80}
    )


def _surface(rows: Rows) -> Comparison:
    metrics = [get("readability"), get("misspellings")]

    def check() -> tuple[float, float]:
        ours = _scores(metrics)(rows.batch())[:, [3]]  # words between blanks: the one measure with the same definition
        return _difference(ours, peers.words(rows)), 0.0

    works = {"textstat (7) + pyspellchecker": Work(lambda _: peers.readability(rows))}
    return _compared("Surface measures", rows, works, metrics, check, {"": 15})


def _compared(
    work: str,
    rows: Rows,
    works: dict[str, Work],
    metrics: Sequence[Metric],
    check: Callable[[], tuple[float, float]],
    targets: dict[str, float],
    clock: Callable[[], float] = time.process_time,
) -> Comparison:
    run = _scores(metrics)
    prepared = Work(run, lambda: _tokenised(rows), clock) if kernels() else None
    return Comparison(work, rows, works, Work(run, rows.batch, clock), prepared, check, targets)


def _tokenised(rows: Rows) -> Batch:
    batch = rows.batch()
    for tokenizer in TOKENIZERS:
        if kernels():
            batch.encoded(tokenizer, [])
    return batch


def _scores(metrics: Sequence[Metric]) -> Callable[[Batch], np.ndarray]:
    return lambda batch: np.hstack([metric.score(batch) for metric in metrics])


def _fitted(names: Sequence[str], rows: Rows) -> list[Metric]:
    batch = rows.batch()
    return [metric.fit(batch) for metric in (all_metrics()[name]() for name in names)]


def _repeats(rows: TokenisedRows, row: int) -> bool:
    texts = [rows.outputs[row][0].split(), *(text.split() for text in rows.references[row])]
    return any(len(set(words)) < len(words) for words in texts)


def _difference(ours: np.ndarray, theirs: np.ndarray) -> float:
    if (np.isnan(ours) != np.isnan(theirs)).any():
        return np.inf
    return float(np.nanmax(np.abs(ours - theirs), initial=0.0))
