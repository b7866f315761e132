"""A domain is known by its file alone."""

from pathlib import Path

import pytest

from rainbow.meaning import domains, parse_meaning
from rainbow.meaning.realisation import realisation

TRAINS = """
from rainbow.meaning.domains import Domain
from rainbow.meaning.slot_values import Realisation

DOMAIN = Domain(
    owns=lambda meaning: meaning.act == "depart",
    realisation=lambda meaning, tokens: Realisation(("wrong",) * len(meaning.slots), 0, len(tokens)),
)
"""


def test_a_file_in_the_folder_is_a_domain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "trains_of_a_test.py").write_text(TRAINS)
    monkeypatch.setattr(domains, "__path__", [*domains.__path__, str(tmp_path)])
    domains._load_domains.cache_clear()
    try:
        assert realisation(parse_meaning("depart(at=noon)"), ["at", "noon"]) == (("wrong",), 0, 2)
        assert domains.find_domain(parse_meaning("name[Zizzi], eatType[pub]")) is not None
    finally:
        domains._load_domains.cache_clear()


def test_what_no_domain_owns_is_looked_for_by_its_values() -> None:
    meaning = parse_meaning("depart(at=noon)")
    assert domains.find_domain(meaning) is None
    assert realisation(meaning, ["at", "noon"]) == (("realised",), 0, 0)
