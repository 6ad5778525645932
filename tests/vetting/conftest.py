"""A bank with items to review."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gapsmith.bank import Bank
from gapsmith.vetting.review import Session
from tests.vetting.reviewing import fill_bank


@pytest.fixture
def make_bank(tmp_path: Path) -> Iterator[Callable[[int], Bank]]:
    """Makes banks that are closed at the end."""
    made: list[Bank] = []

    def make(count: int) -> Bank:
        made.append(fill_bank(tmp_path / f"bank{len(made)}.sqlite", count))
        return made[-1]

    yield make
    for bank in made:
        bank.close()


@pytest.fixture
def bank(make_bank: Callable[[int], Bank]) -> Bank:
    """A bank with ten items."""
    return make_bank(10)


@pytest.fixture
def session(bank: Bank) -> Session:
    """The session of ann."""
    return Session(bank, "ann")


@pytest.fixture(autouse=True)
def _short_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pilot looks at the clock of the processor every 5 ms, not 20, to find out whether all that a key did is done."""
    monkeypatch.setattr("textual._wait.SLEEP_GRANULARITY", 0.005)
    monkeypatch.setattr("textual._wait.SLEEP_IDLE", 0.00025)


@pytest.fixture(autouse=True, scope="session")
def _styles_are_parsed_once() -> Iterator[None]:
    """Every app parses the styles of all widgets, which are the same in each: textual keeps them for one app, and this for all."""
    from textual.css.stylesheet import Stylesheet

    def parsed(self: Stylesheet, *sheet: Any, **more: Any) -> Any:
        key = (tuple(self._variables.items()), sheet, tuple(more.items()))
        if key not in kept:
            kept[key] = parse(self, *sheet, **more)
        return kept[key]

    kept: dict[Any, Any] = {}
    parse = Stylesheet._parse_rules
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Stylesheet, "_parse_rules", parsed)
        yield


@pytest.fixture
def unseen_screens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A screen is put together when a test looks at it, and not after every key for a terminal that is not there. Our own widgets
    are drawn as ever, for they count what was drawn; labels, buttons and what lies behind a dialog are not."""
    from textual._compositor import Compositor
    from textual._context import visible_screen_stack
    from textual.geometry import Region
    from textual.widget import Widget

    drawing = False

    def lines(self: Widget, crop: Region) -> Any:
        return [] if drawing and not type(self).__module__.startswith("gapsmith.") else drawn(self, crop)

    def update(self: Compositor, *, screen_stack: list[Any]) -> str | None:
        nonlocal drawing
        visible_screen_stack.set(screen_stack)
        dirty = self._dirty_regions.copy()
        self._dirty_regions.clear()
        if not dirty:
            return None
        drawing = True
        try:
            for _own in self._get_renders(Region.from_union(dirty).intersection(self.size.region)):
                pass
        finally:
            drawing = False
        return ""

    drawn = Widget.render_lines
    monkeypatch.setattr(Widget, "render_lines", lines)
    monkeypatch.setattr(Compositor, "render_update", update)
