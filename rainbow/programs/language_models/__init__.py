"""Language models and encoders run by CTranslate2 or a server."""
