"""What a kernel writes of corpus statistics is what Python writes of them: their digests are the same."""

import json

import pytest

from rainbow.base.corpus_statistics import CompiledCounts
from rainbow.base.native import kernels
from rainbow.metrics import Batch, get
from tests.metrics.conftest import demo_rows

ODD = [
    'an "inn" by \\ the \u00e9t\u00e9, 20 \u20ac', "a \U0001f600 bar\x7f near \u2028 the \ud800 pub",
    "the \x01 cat\x1f sat\x02 on \x0c it", "",
]  # fmt: skip


@pytest.mark.parametrize("name", ["cider", "nist"])
@pytest.mark.parametrize("texts", [ODD, None], ids=["odd texts", "demo"])
def test_a_kernel_writes_the_content_that_python_writes(name: str, texts: list[str] | None) -> None:
    if kernels() is None:
        pytest.skip("there are no kernels")
    references = [list(texts)[place:] for place in range(4)] if texts else [*demo_rows().frame["references"]]
    fitted = get(name).fit(Batch(["an inn"] * len(references), references)).statistics
    assert any(isinstance(part.counts, CompiledCounts) for part in fitted.collections.values())
    assert fitted.content() == json.dumps(fitted.to_json(), sort_keys=True).encode()
