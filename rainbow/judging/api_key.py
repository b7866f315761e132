"""Removal of the API key from anything the server wrote."""

from __future__ import annotations

import base64
import re
from functools import cache
from html.entities import codepoint2name

HIDDEN = "..."  # its replacement
SHORTEST = 4  # characters: a shorter one is found in texts that do not hold it


def redact_secret(text: str, secret: str | None) -> str:
    r"""Return a text without the key in any encoding: escaped, Base64 or hexadecimal."""
    return _pattern(secret).sub(HIDDEN, text) if secret else text


@cache
def _pattern(secret: str) -> re.Pattern[str]:
    forms = [secret, secret.encode().hex(), *_base64_pattern(secret.encode())]
    return re.compile("|".join("".join(map(_character_pattern, form)) for form in forms), re.IGNORECASE)


def _base64_pattern(secret: bytes) -> list[str]:
    """Return the Base64 digits that the key produces at any alignment."""
    results = [
        base64.b64encode(bytes(before) + secret)[-(-before * 8 // 6) : (before + len(secret)) * 8 // 6].decode()
        for before in range(3)
    ]
    return [*results, *(form.translate(str.maketrans("+/", "-_")) for form in results)]


def _character_pattern(character: str) -> str:
    """Return a regular expression that matches every escape of a character, including repeated ones."""
    number = ord(character)
    named = codepoint2name.get(number)
    before = (
        r"\\{1,8}" if character == "\\" else r"\\{1,8}+"
    )  # taken back never: texts of backslashes alone would be slow
    escaped = rf"{before}(?:u00{number:02x}|x{number:02x}|{re.escape(character)})"
    encoded = rf"%(?:25){{0,4}}{number:02x}|&(?:amp;){{0,4}}#(?:0{{0,6}}{number}|x0{{0,6}}{number:x});?"
    entity = f"|&(?:amp;){{0,4}}{named};" if named else ""
    return rf"(?:{re.escape(character)}|{escaped}|{encoded}{entity})"
