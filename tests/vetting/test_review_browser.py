"""`gapsmith review --web` in a real browser. The terminal is a canvas there, so the bank is read, and the picture looked at."""

from __future__ import annotations

import asyncio
import io
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import matplotlib.image
import pytest

from gapsmith.app.workspace import make_workspace
from gapsmith.bank import Bank, Verdict
from tests.vetting.browsing import CHROMIUM, Page, browse
from tests.vetting.reviewing import fill_bank

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed"),
    pytest.mark.skipif(sys.platform == "win32", reason="needs POSIX signals"),
]
_PATIENCE_S = 60.0
_BLANK = 20
"""An empty page has at most that many colours."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with ten items without findings."""
    folder = tmp_path / "study"
    make_workspace(folder)
    (folder / "bank.sqlite").unlink()
    with fill_bank(folder / "bank.sqlite", 10) as bank:
        bank.findings.replace("subject_pg", dict.fromkeys(bank.items.ids(), ()), ruleset="none")
    return folder


@pytest.fixture
def link(workspace: Path) -> Iterator[str]:
    """Ann's link to a running server."""
    server = subprocess.Popen(
        [sys.executable, "-m", "gapsmith", "review", "--web", "--port", "0", "--for", "ann", "-w", str(workspace)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdout is not None
    found = re.match(r"ann: (http://\S+)", server.stdout.readline())
    assert found is not None
    yield found.group(1)
    server.terminate()
    server.communicate(timeout=_PATIENCE_S)


async def _decisions(workspace: Path, count: int) -> list[Verdict]:
    """What is decided, once that many decisions are there."""
    async with asyncio.timeout(_PATIENCE_S):
        while True:
            with Bank.open(workspace / "bank.sqlite") as bank:
                made = list(bank.decisions.current())
            if len(made) >= count:
                assert {decision.author for decision in made} == {"ann"}
                return [decision.verdict for decision in made]
            await asyncio.sleep(0.2)


def _colours(picture: bytes) -> int:
    pixels = matplotlib.image.imread(io.BytesIO(picture), format="png")
    return len({tuple(pixel) for row in (pixels[::3, ::3] * 255).astype(int).tolist() for pixel in row})


async def _painted(page: Page) -> bytes:
    """Wait until the item stands on the screen; a key that comes before does not count."""
    await page.until("document.body && document.body.classList.contains('-first-byte')")
    await page.value("document.querySelector('.xterm-helper-textarea').focus()")
    async with asyncio.timeout(_PATIENCE_S):
        while _colours(shown := await page.screenshot()) <= _BLANK:
            await asyncio.sleep(0.2)
    await asyncio.sleep(0.5)
    return shown


@pytest.mark.full
async def test_a_decision_made_in_a_browser_is_in_the_bank(workspace: Path, link: str, tmp_path: Path) -> None:
    async with browse(tmp_path / "profile") as page:
        await page.open(link)
        await _painted(page)
        assert await page.value("location.href") == link.split("?")[0]
        assert await page.value("document.cookie") == ""
        await page.press("a")
        assert await _decisions(workspace, 1) == [Verdict.APPROVE]
        # A second visit goes on where the bank is.
        await page.open(link.split("?")[0])
        (tmp_path / "item.png").write_bytes(await _painted(page))
        await page.press("f")
        assert await _decisions(workspace, 2) == [Verdict.APPROVE, Verdict.FLAG]
        hosts = {urlsplit(url).netloc for url in page.requested if not url.startswith("data:")}
        assert hosts == {urlsplit(link).netloc}
        assert not [text for text in page.complaints if "Content Security Policy" in text or "Failed to load" in text]
