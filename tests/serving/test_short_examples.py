"""Short examples of functions in serving."""

import re

import pytest

from rainbow.serving.http.limits import check_token


def test_check_token() -> None:
    check_token("open sesame")
    with pytest.raises(
        ValueError,
        match=re.escape("the token contains 'ü', which cannot be sent in a header: use printable ASCII characters"),
    ):
        check_token("schlüssel")
