"""Train the layers of a pretrained encoder on texts and ratings, by PyTorch."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from copy import deepcopy
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from rainbow.base.arrays import FloatArray, IntArray
from rainbow.learned.learner.rank_targets import rank_targets
from rainbow.learned.network.dual_encoder import Linear
from rainbow.learned.network.fine_tuned import FineTuned, TrainedEncoder, pooled, read_rows
from rainbow.learned.network.passes import Tell, batches, best_pass, drawing, drawn_groups, silent, text_groups
from rainbow.learned.network.vocabulary import known_words
from rainbow.programs.encoder import DEFAULT, encoder_sha256, loaded, missing_encoder, tokens_of

if TYPE_CHECKING:
    import torch

__all__ = ["LAYERS", "Layers", "Tuning", "fine_tune", "missing_tuning"]

Layers = Literal["all", "last2", "head"]
LAYERS: tuple[Layers, ...] = get_args(Layers)
_TRAINED = {"last2": 2, "head": 0}

HELD_OUT = 0.1  # the share of the rows by which the best pass is chosen
WARMING = 0.1  # the share of the batches in which the rate rises to its full size; then it falls to 0
SLACK = 0.1  # so much worse than the best the last pass may agree with those rows: they are few
HEAD_TIMES = 10  # the rate of the linear layer, which starts from nothing, is so many times that of the encoder
LONGEST_STEP = 1.0  # of a gradient
LORA_RANK = 8


class Tuning(NamedTuple):
    """Which encoder is trained and how; by default what :doc:`docs/encoders.md` measures."""

    encoder: str = DEFAULT  # ``minilm``, a folder, or the name of a model in the cache of Hugging Face's hub
    layers: Layers = "all"  # which are trained: all, the last two, or none but the linear one behind them
    lora: bool = False  # whether matrices of low rank are trained that are added to the weights of these layers
    passes: int = 3
    batch: int = 32
    rate: float = 1e-4  # of AdamW
    device: str = "auto"  # cpu, cuda, or auto: cuda where there is one


def missing_tuning(tuning: Tuning) -> str | None:
    """Say what this machine lacks to train so, and how to get it; None if it lacks nothing.

    Examples
    --------
    >>> missing_tuning(Tuning(encoder="/none")) is None
    False
    """
    if lacking := missing_encoder(tuning.encoder):
        return lacking
    return "peft not installed: pip install 'rainbow-nlg[lora]'" if tuning.lora and not find_spec("peft") else None


class _Rows(NamedTuple):
    """Rows to learn from: what the encoder reads, and standardised ranks of the ratings (rows, ratings)."""

    tokens: list[dict[str, list[int]]]
    targets: FloatArray

    def take(self, rows: IntArray) -> _Rows:
        return _Rows([self.tokens[row] for row in rows], self.targets[rows])


def fine_tune(
    texts: Mapping[str, Sequence[str]],
    ratings: FloatArray,
    tuning: Tuning,
    seed: int,
    groups: IntArray | None = None,
    start: FineTuned | None = None,
    tell: Tell = silent,
) -> FineTuned:
    """Return an encoder that predicts ratings from texts, trained on their relative ranks.

    It is kept as it was after the last pass, or after an earlier one that agreed clearly better with the ratings of a
    tenth of the rows, which it does not learn from.

    Parameters
    ----------
    texts
        Columns of n texts; of several the first is the first of a pair.
    ratings
        Shape (n, ratings), without NaN.
    tuning, seed
        How; nothing else is drawn.
    groups
        The number of every row's group, shape (n,): rows of a group are held out together. By default rows of equal
        texts are a group.
    start
        An encoder that was trained already, on another rating say, to go on from; by default as it is published.
    tell
        Is told how far training is.

    Raises
    ------
    RuntimeError
        If the encoder, or what trains it, is missing, or the device is not there.
    ValueError
        If there are fewer than two rows, or the encoder cannot be trained so.
    """
    if lacking := missing_tuning(tuning):
        raise RuntimeError(lacking)
    if len(ratings) < 2:
        raise ValueError("an encoder learns from two rows or more")
    sha256 = encoder_sha256(tuning.encoder)
    if start and start.encoder.sha256 != sha256:
        raise ValueError(f"what was trained before is another encoder than {tuning.encoder!r}")
    tokenizer, base = loaded(tuning.encoder)
    targets, mean, slope = _standardised(ratings)
    rows = _Rows([tokens_of(tokenizer, base, *row) for row in read_rows([*texts.values()])], targets)
    rng = np.random.default_rng(seed)
    held = drawn_groups(text_groups(texts) if groups is None else groups, rng, HELD_OUT)
    with drawing(seed, tuning.device) as device:
        step = _Step(deepcopy(start.encoder.network if start else base), tokenizer, rows, tuning, rng, device)
        # Where all rows are one group none is held out: they say themselves which pass was the best.
        step.passes(np.flatnonzero(~held), np.flatnonzero(held if held.any() else ~held), tell)
        network, output = step.trained()
    encoder = TrainedEncoder(tuning.encoder, sha256, _changed(network, base))
    words = [" ".join(known_words(column)) for column in texts.values()]
    return FineTuned(encoder, [*texts], words, output, mean, slope)


def _standardised(ratings: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return relative ranks in standard deviations, shape (n, ratings), and the line that leads back to ratings.

    Examples
    --------
    >>> targets, mean, slope = _standardised(np.array([[1.0], [2.0], [5.0], [6.0]]))
    >>> targets.ravel().round(2).tolist(), (mean + slope * targets).ravel().round(1).tolist()
    ([-1.34, -0.45, 0.45, 1.34], [0.8, 2.6, 4.4, 6.2])
    """
    ranks = rank_targets(ratings, np.ones(len(ratings)))
    centre, spread = ranks.targets.mean(axis=0), ranks.targets.std(axis=0)
    spread = np.where(spread > 0, spread, 1.0)
    return (ranks.targets - centre) / spread, ranks.mean + ranks.slope * centre, ranks.slope * spread


class _Step:
    """An encoder in training."""

    def __init__(
        self, network: Any, tokenizer: Any, rows: _Rows, tuning: Tuning, rng: np.random.Generator, device: Any
    ) -> None:
        import torch

        self.network = _prepared(network, tuning).to(device)
        self.head = torch.nn.Linear(network.config.hidden_size, rows.targets.shape[1]).to(device)
        torch.nn.init.zeros_(self.head.weight)
        torch.nn.init.zeros_(self.head.bias)
        self.dropout = torch.nn.Dropout(getattr(network.config, "hidden_dropout_prob", 0.1))
        self.tokenizer, self.rows, self.tuning, self.rng, self.device = tokenizer, rows, tuning, rng, device
        self.learned = [weights for weights in self.network.parameters() if weights.requires_grad]
        self.weights = [*self.learned, *self.head.parameters()]

    def passes(self, learned: IntArray, held: IntArray, tell: Tell) -> None:
        """Learn from rows again and again, and go back to the pass that agreed best with those held out."""
        from torch.optim import AdamW
        from torch.optim.lr_scheduler import LambdaLR

        tuning = self.tuning
        rates: list[dict[str, Any]] = [
            {"params": self.learned},
            {"params": self.head.parameters(), "lr": HEAD_TIMES * tuning.rate},
        ]
        self.optimiser = AdamW([part for part in rates if part["params"]], lr=tuning.rate)
        steps = tuning.passes * math.ceil(len(learned) / tuning.batch)
        self.schedule = LambdaLR(self.optimiser, lambda done: _share_of_rate(done, steps))
        rows, dev = self.rows.take(learned), self.rows.take(held)
        best = best_pass(
            tuning.passes,
            lambda: self._learn(rows),
            lambda: self._predicted(dev),
            dev.targets,
            lambda: [own.detach().clone() for own in self.weights],
            lambda how_far: tell(f"pass {how_far}"),
            SLACK,
        )
        for own, kept in zip(self.weights, best, strict=True):
            own.data.copy_(kept)

    def trained(self) -> tuple[Any, Linear]:
        """Return the encoder, and the linear layer behind it."""
        network = self.network.merge_and_unload() if self.tuning.lora else self.network
        weight, bias = (own.detach().cpu().double().numpy() for own in (self.head.weight, self.head.bias))
        return network.cpu(), Linear(np.ascontiguousarray(weight.T)[None], bias[None].copy())

    def _learn(self, rows: _Rows) -> None:
        from torch.nn.functional import mse_loss
        from torch.nn.utils import clip_grad_norm_

        self.network.train()
        self.dropout.train()
        for batch in batches(_lengths(rows), self.tuning.batch, self.rng):
            self.optimiser.zero_grad()
            targets = self._tensor(rows.targets[batch])
            loss: Any = mse_loss(self._outputs(rows.take(batch)), targets)
            loss.backward()
            clip_grad_norm_(self.weights, LONGEST_STEP)
            self.optimiser.step()
            self.schedule.step()

    def _predicted(self, rows: _Rows) -> FloatArray:
        import torch

        self.network.eval()
        self.dropout.eval()
        order, size = np.argsort(_lengths(rows), kind="stable"), self.tuning.batch
        found = np.empty(rows.targets.shape)
        with torch.inference_mode():
            for batch in (order[start : start + size] for start in range(0, len(order), size)):
                found[batch] = self._outputs(rows.take(batch)).double().cpu().numpy()
        return found

    def _outputs(self, rows: _Rows) -> torch.Tensor:
        tokens = self.tokenizer.pad({name: [row[name] for row in rows.tokens] for name in rows.tokens[0]})
        vectors = pooled(self.network, {name: self._tensor(numbers) for name, numbers in tokens.items()})
        outputs: torch.Tensor = self.head(self.dropout(vectors))
        return outputs

    def _tensor(self, numbers: Any) -> torch.Tensor:
        import torch

        array = np.asarray(numbers)
        return torch.from_numpy(array.astype(np.float32 if array.dtype.kind == "f" else np.int64)).to(self.device)


def _lengths(rows: _Rows) -> IntArray:
    return np.array([len(row["input_ids"]) for row in rows.tokens])


def _share_of_rate(done: int, steps: int) -> float:
    """Return how much of the full rate a batch has.

    Examples
    --------
    >>> [round(_share_of_rate(done, 40), 2) for done in (0, 3, 4, 22, 40)]
    [0.25, 1.0, 1.0, 0.5, 0.0]
    """
    warming = max(1, round(WARMING * steps))
    return min((done + 1) / warming, (steps - done) / max(1, steps - warming))


def _prepared(network: Any, tuning: Tuning) -> Any:
    """Return an encoder of which those weights can be learned that are to be."""
    layers, count = _layers(network), _TRAINED.get(tuning.layers, network.config.num_hidden_layers)
    network.requires_grad_(False)
    first = max(0, len(layers) - count)
    if tuning.lora:
        from peft import LoraConfig, get_peft_model

        chosen = list(range(first, len(layers)))
        return get_peft_model(network, LoraConfig(r=LORA_RANK, lora_alpha=2 * LORA_RANK, layers_to_transform=chosen))
    for layer in layers[first:]:
        layer.requires_grad_(True)
    return network


def _layers(network: Any) -> Any:
    """Return the layers of an encoder, whatever they are called."""
    from torch.nn import ModuleList

    count = network.config.num_hidden_layers
    found = [part for part in network.modules() if isinstance(part, ModuleList) and len(part) == count]
    if not found:
        raise ValueError(f"{type(network).__name__} has no list of {count} layers: take another encoder")
    return found[0]


def _changed(network: Any, base: Any) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """Return the weights that training changed as the bytes of a safetensors file, in half precision."""
    import torch
    from safetensors.torch import save

    before = base.state_dict()
    tensors = {
        name: weights.half().contiguous()
        for name, weights in network.state_dict().items()
        if not torch.equal(weights, before[name])
    }
    return np.frombuffer(save(tensors), dtype=np.uint8).copy()
