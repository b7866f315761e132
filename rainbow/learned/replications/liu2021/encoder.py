"""A pretrained encoder of output-reference pairs, fine-tuned with PyTorch."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any, NamedTuple

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.base.lazy import torch
from rainbow.learned.learner.standardised import make_rank_targets
from rainbow.learned.replications.liu2021.study import POINTS, Fold, Setting
from rainbow.learned.replications.training import draw_batches, seeded_device, train_best_pass
from rainbow.programs.network import DEFAULT, encode_texts, load_network

HELD_OUT = 0.1  # the share of the pairs by which the best pass is chosen
WARMING = 0.1  # the share of the batches in which the rate rises to its full size; then it falls to 0
SLACK = 0.1  # so much worse than the best the last pass may agree with those pairs: they are few
HEAD_TIMES = 10  # learning rate of the new linear layer, as a multiple of the encoder's
MAX_GRADIENT_NORM = 1.0  # of a gradient


class Tuning(NamedTuple):
    """The encoder and its fine-tuning settings."""

    model: str = DEFAULT  # ``minilm``, a folder, or the name of a model in the cache of Hugging Face's hub
    passes: int = 8  # over 10,000 pairs of few texts; the authors had 25
    batch: int = 32
    rate: float = 1e-4  # of AdamW


TUNING = Tuning()


class _Rows(NamedTuple):
    """Training rows: encoder tokens, and target outputs (rows, outputs)."""

    tokens: list[dict[str, list[int]]]
    targets: FloatArray

    def take(self, rows: IntArray) -> _Rows:
        return _Rows([self.tokens[row] for row in rows], self.targets[rows])


def classify_encoder(fold: Fold, setting: Setting) -> FloatArray:
    """Return class scores of the test pairs from fine-tuned MiniLM with squared-error loss."""
    tokenizer, base = load_network(TUNING.model)
    ranks = make_rank_targets((fold.train.labels[:, None] == POINTS).astype(float), np.ones(len(fold.train)))
    centre, spread = ranks.targets.mean(axis=0), ranks.targets.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    rows, test = (
        _Rows([encode_texts(tokenizer, base, *pair) for pair in zip(own.outputs, own.references, strict=True)], targets)
        for own, targets in (
            (fold.train, (ranks.targets - centre) / spread),
            (fold.test, np.zeros((len(fold.test), len(POINTS)))),
        )
    )
    rng = np.random.default_rng(setting.seed)
    held = rng.permutation(len(rows.targets))[: math.ceil(HELD_OUT * len(rows.targets))]
    with seeded_device(setting.seed, setting.device) as device:
        step = _Trainer(deepcopy(base), tokenizer, rng, device)
        step.passes(rows.take(np.setdiff1d(np.arange(len(rows.targets)), held)), rows.take(np.sort(held)), setting)
        predicted: FloatArray = ranks.mean + ranks.slope * (centre + spread * step.outputs(test))
    return predicted


class _Trainer:
    """An encoder in training, with one output per class."""

    def __init__(self, network: Any, tokenizer: Any, rng: np.random.Generator, device: Any) -> None:
        self.network, self.tokenizer, self.rng, self.device = network.to(device), tokenizer, rng, device
        network.requires_grad_(False)
        _encoder_layers(network).requires_grad_(True)  # the vectors of words are not trained
        self.head = torch.nn.Linear(network.config.hidden_size, len(POINTS)).to(device)
        torch.nn.init.zeros_(self.head.weight)
        torch.nn.init.zeros_(self.head.bias)
        self.dropout = torch.nn.Dropout(getattr(network.config, "hidden_dropout_prob", 0.1))
        self.learned = [weights for weights in network.parameters() if weights.requires_grad]
        self.weights = [*self.learned, *self.head.parameters()]

    def passes(self, rows: _Rows, dev: _Rows, setting: Setting) -> None:
        """Train for several passes and restore the best pass on the held-out pairs."""
        from torch.optim import AdamW
        from torch.optim.lr_scheduler import LambdaLR

        head: dict[str, Any] = {"params": self.head.parameters(), "lr": HEAD_TIMES * TUNING.rate}
        self.optimiser = AdamW([{"params": self.learned}, head], lr=TUNING.rate)
        steps = TUNING.passes * math.ceil(len(rows.targets) / TUNING.batch)
        self.schedule = LambdaLR(self.optimiser, lambda done: _rate_factor(done, steps))
        best = train_best_pass(
            TUNING.passes,
            lambda: self._train_epoch(rows),
            lambda: self.outputs(dev),
            dev.targets,
            lambda: [own.detach().clone() for own in self.weights],
            setting.tell,
            SLACK,
        )
        for own, kept in zip(self.weights, best, strict=True):
            own.data.copy_(kept)

    def outputs(self, rows: _Rows) -> FloatArray:
        """Return the outputs for rows, shape (rows, outputs)."""
        self.network.eval()
        self.dropout.eval()
        order, size = np.argsort(_token_lengths(rows), kind="stable"), TUNING.batch
        values = np.empty(rows.targets.shape)
        with torch.inference_mode():
            for batch in (order[start : start + size] for start in range(0, len(order), size)):
                values[batch] = self._outputs(rows.take(batch)).double().cpu().numpy()
        return values

    def _train_epoch(self, rows: _Rows) -> None:
        from torch.nn.functional import mse_loss
        from torch.nn.utils import clip_grad_norm_

        self.network.train()
        self.dropout.train()
        for batch in draw_batches(_token_lengths(rows), TUNING.batch, self.rng):
            self.optimiser.zero_grad()
            targets = self._pad_tokens(rows.targets[batch])
            loss: Any = mse_loss(self._outputs(rows.take(batch)), targets)
            loss.backward()
            clip_grad_norm_(self.weights, MAX_GRADIENT_NORM)
            self.optimiser.step()
            self.schedule.step()

    def _outputs(self, rows: _Rows) -> torch.Tensor:
        padded = self.tokenizer.pad({name: [row[name] for row in rows.tokens] for name in rows.tokens[0]})
        tokens = {name: self._pad_tokens(numbers) for name, numbers in padded.items()}
        states, counts = self.network(**tokens).last_hidden_state, tokens["attention_mask"].unsqueeze(-1)
        outputs: torch.Tensor = self.head(self.dropout((states * counts).sum(1) / counts.sum(1)))
        return outputs

    def _pad_tokens(self, numbers: Any) -> torch.Tensor:
        array = np.asarray(numbers)
        return torch.from_numpy(array.astype(np.float32 if array.dtype.kind == "f" else np.int64)).to(self.device)


def _token_lengths(rows: _Rows) -> IntArray:
    return np.array([len(row["input_ids"]) for row in rows.tokens])


def _rate_factor(step: int, steps: int) -> float:
    """Return the learning rate of a batch, relative to the full rate."""
    warming = max(1, round(WARMING * steps))
    return min((step + 1) / warming, (steps - step) / max(1, steps - warming))


def _encoder_layers(network: Any) -> Any:
    """Return the layers of an encoder, whatever their attribute name."""
    from torch.nn import ModuleList

    count = network.config.num_hidden_layers
    results = [part for part in network.modules() if isinstance(part, ModuleList) and len(part) == count]
    if not results:
        raise ValueError(f"{type(network).__name__} has no list of {count} layers: use another encoder")
    return results[0]
