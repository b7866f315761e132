"""What the columns of a file are, found out by their names and by what stands in them, and said."""

from rainbow.datasets.mapping.detect import Mapping, Taken, mapping_of

__all__ = ["Mapping", "Taken", "mapping_of"]
