"""Short examples of functions in serving."""

import re

import pytest


def test_check_token() -> None:
    from rainbow.serving.http.limits import check_token

    check_token("open sesame")
    with pytest.raises(
        ValueError,
        match=re.escape(
            "the token has 'ü', which no header carries as it stands: take letters, digits and signs of ASCII"
        ),
    ):
        check_token("schlüssel")
