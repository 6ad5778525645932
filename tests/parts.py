"""Of long lists of parameters, those that `make test` runs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(parameters: Iterable[Any], n: int = 1) -> list[Any]:
    """The values of one parameter, all but the first `n` of them for `make test-full` only."""
    return [own if number < n else pytest.param(own, marks=pytest.mark.full) for number, own in enumerate(parameters)]
