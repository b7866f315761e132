"""`import rainbow` is light: nothing heavy is loaded before it is needed."""

import subprocess
import sys


def test_importing_the_package_loads_nothing_heavy() -> None:
    code = "import sys, rainbow; print([m for m in ('numpy', 'pandas', 'nltk', 'jpype', 'typer') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_every_public_name_can_be_imported() -> None:
    import rainbow

    assert all(getattr(rainbow, name) is not None for name in rainbow.__all__)
    assert rainbow.metrics.get("se").name == "se"
