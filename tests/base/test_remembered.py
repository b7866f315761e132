"""What is remembered of texts is bounded."""

from rainbow.base.caching import cache_by_size


def test_what_is_remembered_is_bounded_by_its_characters() -> None:
    calls: list[str] = []

    @cache_by_size(10_000)
    def length(text: str) -> int:
        calls.append(text)
        return len(text)

    texts = [str(number) * 500 for number in range(10, 60)]  # 1,000 characters each
    assert ([length(text) for text in texts for _ in "ab"], calls) == ([1000] * 100, texts)
    length(texts[-1])
    length(texts[0])
    assert len(calls) == 51  # the last is known, the first was forgotten
