"""Sound model files, to be tampered with."""

from pathlib import Path

import pytest

from rainbow.learned.model.model_file import save_model
from tests.learned import saved
from tests.learned.model.tampered.refusals import KINDS


@pytest.fixture(scope="package")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return a sound model file of every kind of learner."""
    folder = tmp_path_factory.mktemp("models")
    models = {preset: saved.model(preset, ("TER", "lm_mean", "len"), ("surface",)) for preset in KINDS}
    return {preset: save_model(model, folder / f"{preset}.rainbow") for preset, model in models.items()}


@pytest.fixture
def entries(files: dict[str, Path]) -> saved.Entries:
    return saved.entries_of(files["default"])
