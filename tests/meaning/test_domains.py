"""A domain is known by its file alone."""

from pathlib import Path

import pytest

from rainbow.meaning import domains, parse
from rainbow.meaning.realisation import realisation

TRAINS = """
from rainbow.meaning.domains import Domain
from rainbow.meaning.slot_states import Realisation

DOMAIN = Domain(
    owns=lambda meaning: meaning.act == "depart",
    realisation=lambda meaning, tokens: Realisation(("wrong",) * len(meaning.slots), 0, len(tokens)),
)
"""


def test_a_file_in_the_folder_is_a_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trains_of_a_test.py").write_text(TRAINS)
    monkeypatch.setattr(domains, "__path__", [*domains.__path__, str(tmp_path)])
    domains._domains.cache_clear()
    try:
        assert realisation(parse("depart(at=noon)"), ["at", "noon"]) == (("wrong",), 0, 2)
        assert domains.domain_of(parse("name[Zizzi], eatType[pub]")) is not None
    finally:
        domains._domains.cache_clear()


def test_what_no_domain_owns_is_looked_for_by_its_values() -> None:
    meaning = parse("depart(at=noon)")
    assert domains.domain_of(meaning) is None
    assert realisation(meaning, ["at", "noon"]) == (("realised",), 0, 0)
