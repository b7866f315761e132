"""The evaluator while it is trained: MiniLM with low-rank differences, and linear heads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import pandas as pd
import torch
from numpy.typing import NDArray
from torch import nn
from transformers import AutoModel, AutoTokenizer

from rainbow.base.arrays import FloatArray
from rainbow.programs.encoder import RATINGS
from rainbow.programs.network import default_folder

RANK = 32
SHARES = ("omitted", "added", "disorder", "entailed", "acceptable", "overlap", "similarity")  # between 0 and 1
HEADS = (*SHARES, *RATINGS)
LONGEST = 256  # tokens while training
# Layers whose matrices have a difference; all that is small is trained as it is.
_SMALL = ("bias", "LayerNorm", "token_type_embeddings")


class LowRankLinear(nn.Module):
    """A linear layer with a trained difference of low rank."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer
        layer.weight.requires_grad_(False)
        self.down = nn.Parameter(torch.randn(RANK, layer.in_features) / layer.in_features**0.5)
        self.up = nn.Parameter(torch.zeros(layer.out_features, RANK))

    def forward(self, states: torch.Tensor) -> torch.Tensor:
        weight = self.layer.weight + self.up @ self.down
        return nn.functional.linear(states, weight, self.layer.bias)


class Evaluator(nn.Module):
    """A cross-encoder with a linear head for each quantity."""

    def __init__(self) -> None:
        super().__init__()
        folder = default_folder()
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder)
        # Eager attention in bfloat16 is twice as fast as the default on processors.
        self.encoder: Any = AutoModel.from_pretrained(
            folder, dtype="float32", attn_implementation="eager", add_pooling_layer=False
        )
        for module in self.encoder.modules():
            if isinstance(module, nn.Dropout):
                module.p = 0.0
        for name, parameter in self.encoder.named_parameters():
            parameter.requires_grad_(any(part in name for part in _SMALL))
        self.encoder.embeddings.LayerNorm.requires_grad_(False)
        for parent in [*self.encoder.encoder.modules()]:
            for name, child in [*parent.named_children()]:
                if isinstance(child, nn.Linear) and not isinstance(parent, LowRankLinear):
                    setattr(parent, name, LowRankLinear(child))
        self.heads = nn.Linear(2 * self.encoder.config.hidden_size, len(HEADS))

    def forward(self, tokens: dict[str, torch.Tensor]) -> torch.Tensor:
        """Return the heads, shape (pairs, heads), before the logistic function."""
        states = self.encoder(**tokens).last_hidden_state
        mask = tokens["attention_mask"][:, :, None]
        mean = (states * mask).sum(dim=1) / mask.sum(dim=1)
        heads: torch.Tensor = self.heads(torch.cat([states[:, 0], mean], dim=1))
        return heads

    def encode(self, firsts: Sequence[str], seconds: Sequence[str]) -> dict[str, torch.Tensor]:
        """Return the tokens of pairs, all with a first text or all without."""
        texts = [[*seconds]] if not any(firsts) else [[*firsts], [*seconds]]
        return dict(self.tokenizer(*texts, truncation=True, max_length=LONGEST, padding=True, return_tensors="pt"))

    def differences(self) -> dict[str, NDArray[Any]]:
        """Return everything that was trained, as arrays named after the encoder's tensors, and the heads' names."""
        trained = {
            name.removeprefix("encoder.").replace(".layer.bias", ".bias"): parameter.detach().numpy().astype(np.float16)
            for name, parameter in self.named_parameters()
            if parameter.requires_grad
        }
        return {**trained, "heads.names": np.array(HEADS)}


def loss_of(heads: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean loss over known targets: cross-entropy of shares, squared error of ratings."""
    known = ~targets.isnan()
    aims = torch.where(known, targets, 0.0)
    shares = len(SHARES)
    cross = nn.functional.binary_cross_entropy_with_logits(heads[:, :shares], aims[:, :shares], reduction="none")
    square = (heads[:, shares:] - aims[:, shares:]) ** 2 / 2
    losses = torch.cat([cross, square], dim=1)
    return (losses * known).sum() / known.sum().clamp(min=1)


def batches(pairs: pd.DataFrame, size: int, rng: np.random.Generator | None = None) -> Iterable[NDArray[np.intp]]:
    """Yield rows of like length, all with or all without a first text; in random order if there is a generator."""
    alone = (pairs["first"] == "").to_numpy()
    lengths = (pairs["first"].str.len() + pairs["second"].str.len()).to_numpy(float)
    if rng is not None:
        lengths *= rng.uniform(0.9, 1.1, len(pairs))
    found = []
    for kind in (True, False):
        rows = np.flatnonzero(alone == kind)
        rows = rows[np.argsort(lengths[rows], kind="stable")]
        found += [rows[start : start + size] for start in range(0, len(rows), size)]
    order = range(len(found)) if rng is None else rng.permutation(len(found)).tolist()
    return [found[place] for place in order]


def predict(network: Evaluator, pairs: pd.DataFrame) -> FloatArray:
    """Return the heads of pairs, shape (pairs, heads), before the logistic function."""
    result = np.zeros((len(pairs), len(HEADS)))
    firsts, seconds = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for rows in batches(pairs, 64):
            result[rows] = network(network.encode(firsts[rows], seconds[rows])).float().numpy()
    return result
