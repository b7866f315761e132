"""How rich, varied and long texts are: measures of one system's outputs, or of references, taken together."""

from rainbow.systems.textual.textual import textual

__all__ = ["textual"]
