"""BLEU of utterances and of whole systems."""
