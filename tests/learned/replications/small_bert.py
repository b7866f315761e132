"""A small BERT with weights that are drawn, as a folder of transformers: nothing is fetched for it."""

from pathlib import Path

from rainbow import load_dataset
from rainbow.text.words.words_and_punctuation import text_words

MARKS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")
LAYERS, WIDTH, LONGEST = 3, 16, 64


def small_bert(folder: Path, seed: int = 1) -> str:
    """Write a BERT that knows the words of the embedded dataset into a folder, and give its path."""
    import torch
    from transformers import BertConfig, BertModel, BertTokenizer
    from transformers.utils import logging

    logging.disable_progress_bar()
    texts = load_dataset("demo").frame["output"].tolist()
    words = [*MARKS, *sorted({word for text in texts for word in text_words(text)})]
    folder.mkdir(parents=True, exist_ok=True)
    vocabulary = folder / "vocab.txt"
    vocabulary.write_text("\n".join(words), encoding="utf-8")
    BertTokenizer(vocab=str(vocabulary), model_max_length=LONGEST).save_pretrained(folder)
    config = BertConfig(
        vocab_size=len(words),
        hidden_size=WIDTH,
        num_hidden_layers=LAYERS,
        num_attention_heads=2,
        intermediate_size=2 * WIDTH,
        max_position_embeddings=LONGEST,
        initializer_range=0.2,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        BertModel(config).save_pretrained(folder)
    return str(folder)
