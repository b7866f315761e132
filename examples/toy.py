"""A toy generator for the tutorial on rewards: a language model of 0.2 million weights that describes hotels.

It reads names of slots and writes placeholders (`Xname`), which give way to the values before anybody sees the text.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import rainbow
from rainbow.meaning import delexicalise, parse_meaning

EPOCHS = 8  # few, so that there is much left to learn


def holder(slot: Any) -> str:
    """Return the placeholder of a slot's value."""
    return "X" + slot.name.replace("_", "")


def filled(text: str, mr: str) -> str:
    """Return a text with the values of its input in place of placeholders."""
    for slot in parse_meaning(mr).slots:
        text = text.replace(holder(slot), str(slot.value))
    return text.replace(" .", ".").replace(" ,", ",")


def words(text: str) -> list[str]:
    """Return the words that the model reads and writes."""
    return text.replace(".", " .").replace(",", " ,").split()


class Toy:
    """Inputs and references of the demo, and a model that has learned a little from three quarters of them.

    Attributes
    ----------
    rows
        The inputs to learn from: dictionaries with `prompt` and `mr`, as a trainer's dataset has them.
    held_out
        Those that nothing is learned from, with their `references`.
    """

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)  # so small a model is no faster on more, and the same everywhere
        torch.manual_seed(1)
        table = rainbow.load_dataset("demo").frame.query("mr_type == 'inform'").drop_duplicates("mr")
        texts = [
            [delexicalise(text, parse_meaning(mr)) for text in refs]
            for mr, refs in zip(table["mr"], table["references"], strict=True)
        ]
        said = {word for group in texts for text in group for word in words(text)}
        rows = [
            {"prompt": self._prompt(mr, said), "mr": mr, "references": list(refs)}
            for mr, refs in zip(table["mr"], table["references"], strict=True)
        ]
        train = len(rows) * 3 // 4
        self.rows, self.held_out = [{k: row[k] for k in ("prompt", "mr")} for row in rows[:train]], rows[train:]
        self.tokenizer = self._tokenizer(sorted(said | {word for row in rows for word in row["prompt"].split()}))
        self.model = self._model()
        self._learn([(row["prompt"], text) for row, group in zip(rows[:train], texts, strict=False) for text in group])
        self._start = {name: weights.clone() for name, weights in self.model.state_dict().items()}

    def fresh(self) -> Any:
        """Return the model as it was before any reward."""
        self.model.load_state_dict(self._start)
        return self.model

    def say(self, samples: int = 4) -> rainbow.Corpus:
        """Return what the model says of the inputs held out, `samples` texts each."""
        import torch

        torch.manual_seed(7)
        rows = [row for row in self.held_out for _ in range(samples)]
        batch = self.tokenizer([row["prompt"] for row in rows], return_tensors="pt", padding=True)
        made = self.model.eval().generate(
            **batch, do_sample=True, top_k=0, max_new_tokens=40, pad_token_id=0, eos_token_id=1
        )
        texts = self.tokenizer.batch_decode(made[:, batch["input_ids"].shape[1] :], skip_special_tokens=True)
        return rainbow.Corpus.from_texts(
            [filled(text, row["mr"]) for text, row in zip(texts, rows, strict=True)],
            [row["references"] for row in rows],
            [row["mr"] for row in rows],
        )

    def _prompt(self, mr: str, said: set[str]) -> str:
        slots = [(slot.name, holder(slot) if holder(slot) in said else slot.value) for slot in parse_meaning(mr).slots]
        return " ".join([f"{name}={value}".replace(" ", "_") for name, value in slots] + [":"])

    def _tokenizer(self, vocabulary: list[str]) -> Any:
        from tokenizers import Tokenizer, models, pre_tokenizers
        from transformers import PreTrainedTokenizerFast

        special = {"pad_token": "<pad>", "eos_token": "<eos>", "unk_token": "<unk>"}
        places = {word: place for place, word in enumerate([*special.values(), *vocabulary])}
        tokenizer = Tokenizer(models.WordLevel(places, unk_token="<unk>"))
        tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
        return PreTrainedTokenizerFast(tokenizer_object=tokenizer, padding_side="left", **special)

    def _model(self) -> Any:
        from transformers import LlamaConfig, LlamaForCausalLM

        shape = {"hidden_size": 96, "intermediate_size": 192, "num_hidden_layers": 2, "num_attention_heads": 4}
        size = len(self.tokenizer)
        config = LlamaConfig(vocab_size=size, pad_token_id=0, eos_token_id=1, bos_token_id=None, **shape)
        return LlamaForCausalLM(config)

    def _learn(self, pairs: list[tuple[str, str]]) -> None:
        """Learn to write references for prompts."""
        import torch

        optimizer = torch.optim.AdamW(self.model.parameters(), lr=3e-3)
        rng = np.random.default_rng(1)
        for _ in range(EPOCHS):
            for places in np.array_split(rng.permutation(len(pairs)), len(pairs) // 32):
                texts = [
                    f"{prompt} {' '.join(words(text))} <eos>" for prompt, text in (pairs[place] for place in places)
                ]
                batch = self.tokenizer(texts, return_tensors="pt", padding=True, padding_side="right")
                labels = batch["input_ids"].clone()
                labels[batch["attention_mask"] == 0] = -100
                for label, place in zip(labels, places, strict=True):
                    label[: len(pairs[place][0].split())] = -100
                self.model(**batch, labels=labels).loss.backward()
                optimizer.step()
                optimizer.zero_grad()
