"""Numbers in messages."""

from __future__ import annotations

import pytest

from gapsmith.templates.counting import count

pytestmark = pytest.mark.fast


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (count(0, "item"), "0 items"),
        (count(1, "item"), "1 item"),
        (count(8064, "item"), "8,064 items"),
        (count(1, "criterion", "criteria"), "1 criterion"),
        (count(2, "criterion", "criteria"), "2 criteria"),
    ],
)
def test_one_is_told_from_many(said: str, told: str) -> None:
    assert said == told
