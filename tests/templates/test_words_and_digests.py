"""Lists in words, and the digests that banks have kept since their first release."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from gapsmith.templates import file_sha256, first_of, json_sha256, listed, text_sha256

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("parts", "last", "words"),
    [
        ([], "and", ""),
        (["a"], "and", "a"),
        (["a", "b"], "and", "a and b"),
        (["a", "b", "c"], "or", "a, b or c"),
        (["a", "b"], "but", "a, but b"),
    ],
)
def test_a_list_in_words(parts: list[str], last: str, words: str) -> None:
    assert listed(parts, last=last) == words


def test_of_a_long_list_the_first_and_how_many_are_left() -> None:
    labels = [str(number) for number in range(1_203)]
    assert first_of(labels, 3) == "0, 1, 2 and 1,200 more"
    assert first_of(labels[:3], 3) == "0, 1, 2"


def test_digests_are_those_of_the_bytes_that_were_always_taken(tmp_path: Path) -> None:
    def of(content: str) -> str:
        return hashlib.sha256(content.encode()).hexdigest()

    assert text_sha256("für") == of("für")
    assert json_sha256({"b": 1, "a": ["für"]}) == of('{"a": ["für"], "b": 1}')
    assert json_sha256({"b": 1, "a": ["für"]}, ascii_only=True) == of('{"a": ["f\\u00fcr"], "b": 1}')
    file = tmp_path / "file"
    file.write_bytes(b"\r\n\xff")
    assert file_sha256(file) == hashlib.sha256(b"\r\n\xff").hexdigest()
