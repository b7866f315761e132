"""Pretrained networks that CTranslate2 runs, or a server: read, converted and asked."""
