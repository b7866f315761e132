"""`python -m rainbow.fit`: the command `rainbow fit`."""

from __future__ import annotations

import sys

from rainbow.__main__ import main

if __name__ == "__main__":
    sys.argv.insert(1, "fit")
    main()
