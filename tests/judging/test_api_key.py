"""However a server writes the key that it was sent, it does not come back."""

import base64
import html
import json
import time
from urllib.parse import quote

import pytest

from rainbow.judging.server import redact_secret

KEY = "sk-/0\"1\\2+3<4'56789"


def escaped(text: str) -> str:
    return "".join(f"\\u{ord(character):04X}" for character in text)


FORMS = {
    "as it is": KEY,
    "in upper case": KEY.upper(),
    "in JSON": json.dumps(KEY),
    "in JSON, with slashes escaped": json.dumps(KEY).replace("/", "\\/"),
    "in JSON, letter by letter": escaped(KEY),
    "in JSON in JSON": json.dumps(json.dumps(KEY)),
    "letter by letter in JSON in JSON": json.dumps(escaped(KEY)),
    "in an address": quote(KEY, safe=""),
    "in an address in an address": quote(quote(KEY, safe=""), safe=""),
    "in a page": html.escape(KEY),
    "in a page, letter by letter": "".join(f"&#{ord(character)};" for character in KEY),
    "in a page, letter by letter, hexadecimal": "".join(f"&#x{ord(character):X};" for character in KEY),
    "as Python writes it": repr(KEY),
    "in hexadecimal": KEY.encode().hex(),
    **{f"in Base64, {n} before": base64.b64encode(b"user:"[:n] + KEY.encode()).decode() for n in range(5)},
    "in Base64 for addresses": base64.urlsafe_b64encode(f"Bearer {KEY}".encode()).decode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_key_is_taken_out_however_it_is_written(form: str) -> None:
    shown = redact_secret(f"wrong key {FORMS[form]}, sorry", KEY)
    assert shown.startswith("wrong key ") and shown.endswith(", sorry") and "..." in shown
    assert len(shown) <= len("wrong key ..., sorry") + 16  # in Base64, what stands round it is left


def test_other_texts_stay_as_they_are() -> None:
    text = json.dumps({"choices": [{"message": {"content": "4 sk-1 \\n\\u00e9 &amp; %2D"}}]})
    assert redact_secret(text, KEY) == text == redact_secret(text, None)


SLOW = ["\\" * 2**20, "s" * 2**20, "&#" + "0" * 2**20, "%25" * 2**18, "&amp;" * 2**18]


@pytest.mark.parametrize("text", SLOW, ids=[text[:5] for text in SLOW])
def test_a_text_made_to_be_slow_is_not(text: str) -> None:
    start = time.perf_counter()
    redact_secret(text, KEY)
    assert time.perf_counter() - start < 5
