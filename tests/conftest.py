"""Options of the test run, and a home that is not the user's."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add --gpt2."""
    parser.addoption(
        "--gpt2", action="store_true", default=False, help="also run the checks that need the weights of gpt2"
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Skip what needs the weights of gpt2, unless it is asked for."""
    if config.getoption("--gpt2"):
        return
    skip = pytest.mark.skip(reason="needs the weights of gpt2; run with --gpt2")
    for item in items:
        if item.get_closest_marker("gpt2") is not None:
            item.add_marker(skip)
