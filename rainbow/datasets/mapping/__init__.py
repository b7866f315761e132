"""What the columns of a file are, found out by their names and by what stands in them, and said."""

from rainbow.datasets.mapping.detect import mapping_of
from rainbow.datasets.mapping.found import Mapping, Taken

__all__ = ["Mapping", "Taken", "mapping_of"]
