"""Of long lists of parameters, those that `make test` runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import pytest


def first_of(parameters: Iterable[Any], n: int = 1) -> list[Any]:
    """The values of one parameter, all but the first `n` of them for `make test-full` only."""
    return [own if number < n else pytest.param(own, marks=pytest.mark.full) for number, own in enumerate(parameters)]


def first_of_each(parameters: Iterable[Any], kind: Callable[[Any], object]) -> list[Any]:
    """The values of one parameter, all but the first of each kind for `make test-full` only."""
    kinds: set[object] = set()
    found = []
    for own in parameters:
        found.append(pytest.param(own, marks=pytest.mark.full) if kind(own) in kinds else own)
        kinds.add(kind(own))
    return found
