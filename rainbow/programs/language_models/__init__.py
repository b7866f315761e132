"""Pretrained language models that say how probable a text is after another: read, converted and asked."""
