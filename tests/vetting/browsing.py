"""A headless Chromium, driven over its DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_PATIENCE_S = 60.0


class Page:
    """One tab."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket = socket
        self._sent = 0
        self.requested: list[str] = []
        """Every address that the page has asked for."""
        self.complaints: list[str] = []
        """What the browser refused to load or run."""

    async def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Call a method of the protocol and wait for its answer."""
        self._sent += 1
        await self._socket.send_json({"id": self._sent, "method": method, "params": parameters})
        while True:
            message = await self._socket.receive_json(timeout=_PATIENCE_S)
            if message.get("id") == self._sent:
                assert "error" not in message, message
                result: dict[str, Any] = message["result"]
                return result
            if message.get("method") == "Network.requestWillBeSent":
                self.requested.append(message["params"]["request"]["url"])
            elif message.get("method") == "Network.webSocketCreated":
                self.requested.append(message["params"]["url"])
            elif message.get("method") == "Log.entryAdded":
                self.complaints.append(message["params"]["entry"]["text"])

    async def open(self, url: str) -> None:
        """Go to an address."""
        for domain in ("Page", "Network", "Log", "Runtime"):
            await self.send(f"{domain}.enable")
        await self.send("Page.navigate", url=url)

    async def value(self, script: str) -> Any:
        """What a script gives."""
        answer = await self.send("Runtime.evaluate", expression=script, returnByValue=True)
        return answer["result"].get("value")

    async def until(self, script: str) -> None:
        """Wait until a script gives true."""
        async with asyncio.timeout(_PATIENCE_S):
            while not await self.value(script):
                await asyncio.sleep(0.1)

    async def press(self, key: str) -> None:
        """Press and release a key that writes a character."""
        await self.send("Input.dispatchKeyEvent", type="keyDown", text=key, key=key)
        await self.send("Input.dispatchKeyEvent", type="keyUp", key=key)

    async def screenshot(self) -> bytes:
        """What is seen, as PNG."""
        return base64.b64decode((await self.send("Page.captureScreenshot", format="png"))["data"])


@asynccontextmanager
async def browse(profile: Path) -> AsyncIterator[Page]:
    """A browser with an empty profile and one tab."""
    assert CHROMIUM is not None
    # Chromium refuses its sandbox to root.
    rooted = ["--no-sandbox"] if os.geteuid() == 0 else []
    browser = subprocess.Popen(
        [
            CHROMIUM,
            "--headless=new",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--remote-debugging-port=0",
            "--window-size=1200,700",
            f"--user-data-dir={profile}",
            *rooted,
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        said = profile / "DevToolsActivePort"
        async with asyncio.timeout(_PATIENCE_S):
            while not (said.is_file() and said.read_text().count("\n")):
                await asyncio.sleep(0.1)
        port = said.read_text().splitlines()[0]
        async with aiohttp.ClientSession() as http:
            async with http.get(f"http://127.0.0.1:{port}/json/list") as answer:
                (tab,) = [one for one in await answer.json() if one["type"] == "page"]
            async with http.ws_connect(tab["webSocketDebuggerUrl"], max_msg_size=0) as socket:
                yield Page(socket)
    finally:
        browser.terminate()
        try:
            browser.wait(10)
        except subprocess.TimeoutExpired:
            browser.kill()
            browser.wait()
