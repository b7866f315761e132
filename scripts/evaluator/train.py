"""Train the evaluator in two stages, and write what ships.

Run from the root of the repository with the extras `likelihood` and `neural`, MiniLM fetched, the repositories of
:mod:`scripts.evaluator.sources` in FOLDER/open, and the rated corpora in the folder that RAINBOW_DATA names::

    python -m scripts.evaluator.train pairs FOLDER      # makes pairs.parquet: 1 minute
    python -m scripts.evaluator.train signals FOLDER    # measures overlap and similarity
    python -m scripts.evaluator.train pretrain FOLDER   # writes pretrained.pt
    python -m scripts.evaluator.train finetune FOLDER [--without CORPUS ...]  # writes finetuned.pt
    python -m scripts.evaluator.train export FOLDER     # writes rainbow/programs/pair_encoder.npz

The first stage learns what is known of altered texts because of how they were made, and how alike the texts are by
chrF++ and by BERTScore's recall; the second learns human ratings of translations and answers, with some pairs of the
first among them. Both report the agreement with pairs that they did not see.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import numpy as np
import pandas as pd
import scipy.stats
import torch

from rainbow import Corpus, score_corpus
from scripts.evaluator.network import HEADS, SHARES, Evaluator, batches, loss_of, predict
from scripts.evaluator.pairs import make_pairs
from scripts.evaluator.ratings import rated_pairs

TARGET = Path(__file__).resolve().parents[2] / "rainbow" / "programs" / "pair_encoder.npz"
SEED = 1
SIGNALS = {"overlap": "chrF++", "similarity": "BERTScoreR"}
MEASURED = 45_000  # pairs whose texts are compared by chrF++ and BERTScore
KEPT_ASIDE = 2_000
AGAIN = 10_000  # pairs of the first stage in the second
SIZE = 32
RATES = {"pretrain": 1e-3, "finetune": 4e-4}
WARM_UP = 0.06
EVERY = 200  # batches between two lines of the report


def main() -> None:
    """Run one stage."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stage", choices=["pairs", "signals", "pretrain", "finetune", "export"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--without", nargs="*", default=[], help="rated corpora that are left out")
    given = parser.parse_args()
    torch.manual_seed(SEED)
    folder: Path = given.folder
    if given.stage == "pairs":
        make_pairs(folder, SEED).to_parquet(folder / "pairs.parquet")
    elif given.stage == "signals":
        measured(pd.read_parquet(folder / "pairs.parquet")).to_parquet(folder / "measured.parquet")
    elif given.stage == "pretrain":
        network = train(Evaluator(), pd.read_parquet(folder / "measured.parquet"), RATES["pretrain"])
        torch.save(network.state_dict(), folder / "pretrained.pt")
    elif given.stage == "finetune":
        network = finetuned(folder, given.without)
        torch.save(network.state_dict(), folder / f"{'-without-'.join(['finetuned', *given.without])}.pt")
    else:
        network = Evaluator()
        network.load_state_dict(torch.load(folder / "finetuned.pt"))
        np.savez_compressed(TARGET, **network.differences())
        print(f"{TARGET.name}: {TARGET.stat().st_size / 1e6:.2f} MB")


def measured(pairs: pd.DataFrame) -> pd.DataFrame:
    """Return the pairs with overlap and similarity of some that are texts on both sides."""
    texts = pairs[~pairs["source"].str.endswith("input") & (pairs["first"] != "")]
    texts = texts.sample(min(MEASURED, len(texts)), random_state=SEED)
    corpus = Corpus.from_texts(texts["second"].tolist(), [[first] for first in texts["first"]])
    scores = score_corpus(corpus, [*SIGNALS.values()], "surface")
    for name, column in SIGNALS.items():
        pairs.loc[texts.index, name] = scores[column].to_numpy() / (100 if scores[column].max() > 1 else 1)
    return pairs


def finetuned(folder: Path, without: list[str]) -> Evaluator:
    """Return the network of the first stage after it has learned from ratings."""
    network = Evaluator()
    network.load_state_dict(torch.load(folder / "pretrained.pt"))
    rated = rated_pairs(Path(os.environ["RAINBOW_DATA"]) / "teachers", folder / "open", without, SEED)
    again = pd.read_parquet(folder / "measured.parquet").sample(AGAIN, random_state=SEED)
    return train(network, pd.concat([rated, again], ignore_index=True), RATES["finetune"])


def train(network: Evaluator, pairs: pd.DataFrame, rate: float) -> Evaluator:
    """Return the network after one pass over the pairs, reporting the agreement with pairs kept aside."""
    rng = np.random.default_rng(SEED)
    order = rng.permutation(len(pairs))
    aside, pairs = pairs.iloc[order[:KEPT_ASIDE]], pairs.iloc[order[KEPT_ASIDE:]]
    firsts, seconds = pairs["first"].to_numpy(), pairs["second"].to_numpy()
    targets = torch.tensor(pairs.reindex(columns=[*HEADS]).to_numpy(np.float32))
    optimiser = torch.optim.AdamW(
        [one for one in network.parameters() if one.requires_grad], lr=rate, weight_decay=0.01
    )
    parts = list(batches(pairs, SIZE, rng))
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, rate, total_steps=len(parts), pct_start=WARM_UP, anneal_strategy="cos"
    )
    start, losses = time.time(), []
    for number, rows in enumerate(parts, 1):
        with torch.autocast("cpu", torch.bfloat16):
            heads = network(network.encode(firsts[rows], seconds[rows]))
        loss = loss_of(heads.float(), targets[rows])
        loss.backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimiser.step()
        schedule.step()
        optimiser.zero_grad()
        losses.append(loss.item())
        if number % EVERY == 0 or number == len(parts):
            speed = number * SIZE / (time.time() - start)
            print(f"{number}/{len(parts)} loss {np.mean(losses[-EVERY:]):.4f}, {speed:.0f} pairs a second", flush=True)
    report(network, aside)
    return network


def report(network: Evaluator, aside: pd.DataFrame) -> None:
    """Print how each head agrees with what is known of pairs kept aside."""
    predicted = predict(network, aside)
    for place, head in enumerate(HEADS):
        values = aside.reindex(columns=[head])[head]
        for source, own in values.dropna().groupby(aside["source"]):
            rows = aside.index.get_indexer(own.index)
            said = predicted[rows, place]
            rho = scipy.stats.spearmanr(said, own).statistic
            right = f", right {np.mean((said > 0) == (own > 0.5)):.3f}" if head in SHARES and set(own) <= {0, 1} else ""
            print(f"{head:12} {source:16} n = {len(own):5}: Spearman {rho:.3f}{right}", flush=True)


if __name__ == "__main__":
    main()
