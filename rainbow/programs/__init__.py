"""What others wrote and we start or read: Java programs, parsers, networks, word nets; none of it is part of this."""
