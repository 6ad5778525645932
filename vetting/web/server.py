"""The review in a browser: textual-serve's server behind our `gapsmith.vetting.web.guard`.

Every token has one annotator, one command and one seat: who connects again takes the seat over, after the process of the
connection before has ended, so a reload or a broken line goes on where the bank is.
"""

from __future__ import annotations

import asyncio
import html
import logging
import socket
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import textual_serve
from aiohttp import web
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from gapsmith.vetting.web.guard import LINK, LOOPBACK, Guard, Link, address_of

_HERE = Path(__file__).parent
_THEIRS = Path(textual_serve.__file__).parent / "static"
_FILES = {
    "textual.js": (_THEIRS / "js" / "textual.js", "text/javascript"),
    "xterm.css": (_THEIRS / "css" / "xterm.css", "text/css"),
    "mono.ttf": (_THEIRS / "fonts" / "RobotoMono-VariableFont_wght.ttf", "font/ttf"),
    "mono-italic.ttf": (_THEIRS / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf", "font/ttf"),
    "page.css": (_HERE / "page.css", "text/css"),
    "page.js": (_HERE / "page.js", "text/javascript"),
}
_SESSIONS = 8
_PATIENCE_S = 20.0
"""A process that does not end by itself in this time is killed; what was decided is on disk."""
_CLOSING_S = 2.0
_MAX_MESSAGE = 1 << 20
_WIDTH, _HEIGHT = (20, 500), (5, 200)

log = logging.getLogger("gapsmith.web")


class ReviewServer(Guard, Server):
    """Serves the review to those who have a link.

    `public_url` is the address under which a proxy or tunnel reaches it, if it is not this machine's own. At most
    `sessions` processes run at a time."""

    def __init__(self, links: Sequence[Link], *, port: int, public_url: str | None = None, sessions: int = _SESSIONS) -> None:
        address = address_of(public_url)
        Server.__init__(self, "", host=LOOPBACK, port=port, title="gapsmith review", public_url=address)
        Guard.__init__(self, links, port=port, address=address)
        self.sessions = sessions
        self._seats: dict[str, web.WebSocketResponse] = {}
        self._turns = {link.token: asyncio.Lock() for link in links}

    def serve_on(self, listening: socket.socket) -> None:
        """Serve until Ctrl-C. Nothing is logged of a request, because an address may hold a token."""
        web.run_app(self._make_app(), sock=listening, access_log=None, print=None)

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self.guard])
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self.handle_websocket),
                web.get("/static/{name}", self._file),
            ]
        )
        app.on_response_prepare.append(self.protect)
        app.on_shutdown.append(self.on_shutdown)
        return app

    async def on_shutdown(self, app: web.Application) -> None:  # noqa: ARG002  # what textual-serve passes
        """End the sessions, so that their processes end."""
        await asyncio.gather(*(seat.close() for seat in self._seats.values()))

    # What is served

    async def _page(self, request: web.Request) -> web.Response:
        origin = self.origin_of(request)
        page = (_HERE / "page.html").read_text(encoding="utf-8")
        filled = page.replace("{title}", html.escape(f"{self.title}: {request[LINK].author}"))
        filled = filled.replace("{socket}", html.escape(f"ws{origin.removeprefix('http')}/ws"))
        return web.Response(text=filled, content_type="text/html")

    async def _file(self, request: web.Request) -> web.FileResponse:
        known = _FILES.get(request.match_info["name"])
        if known is None:
            raise web.HTTPNotFound
        path, kind = known
        return web.FileResponse(path, headers={"Content-Type": kind})

    async def handle_websocket(self, request: web.Request) -> web.WebSocketResponse:
        """One annotator at work; ends with the connection, with the process, or when they connect again."""
        link = request[LINK]
        before = self._seats.get(link.token)
        if before is None and len(self._seats) >= self.sessions:
            raise web.HTTPServiceUnavailable(text=f"{self.sessions} reviews are open already; close one first.")
        mine = web.WebSocketResponse(heartbeat=15, timeout=_CLOSING_S, max_msg_size=_MAX_MESSAGE)
        self._seats[link.token] = mine
        try:
            await mine.prepare(request)
            if before is not None:
                await before.close()
            async with self._turns[link.token]:
                if self._seats.get(link.token) is mine and not mine.closed:
                    await self._attend(mine, link, request)
        finally:
            if self._seats.get(link.token) is mine:
                del self._seats[link.token]
            await mine.close()
        return mine

    async def _attend(self, connection: web.WebSocketResponse, link: Link, request: web.Request) -> None:
        service = _ReviewProcess(link.command, connection, self)
        width, height = (to_int(request.query.get(name, ""), 0) for name in ("width", "height"))
        await service.start(_within(width or 80, _WIDTH), _within(height or 24, _HEIGHT))
        messages = asyncio.create_task(self._process_messages(connection, service))
        try:
            await asyncio.wait({messages, service.running}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            messages.cancel()
            # It was cancelled in the line above.
            with suppress(asyncio.CancelledError):
                await _quietly(messages)
            await service.stop()


async def _quietly(messages: asyncio.Task[None]) -> None:
    try:
        await messages
    except (ValueError, TypeError, KeyError, IndexError, AttributeError, AssertionError):
        log.warning("a message from a browser could not be read; its session was ended")


class _ReviewProcess(AppService):
    """One annotator's process, started without a shell."""

    def __init__(self, command: Sequence[str], connection: web.WebSocketResponse, server: Server) -> None:
        async def write_bytes(data: bytes) -> None:
            # A browser that has gone away ends the session where its messages are read.
            with suppress(ConnectionError):
                await connection.send_bytes(data)

        async def write_str(text: str) -> None:
            # As above.
            with suppress(ConnectionError):
                await connection.send_str(text)

        async def close() -> None:
            await connection.close()

        super().__init__(
            " ".join(command),
            write_bytes=write_bytes,
            write_str=write_str,
            close=close,
            download_manager=server.download_manager,
        )
        self._words = tuple(command)

    @property
    def running(self) -> asyncio.Task[None]:
        """Done when the process has ended."""
        assert self._task is not None
        return self._task

    async def _open_app_process(self, width: int = 80, height: int = 24) -> Process:
        self._process = await asyncio.create_subprocess_exec(
            *self._words, stdin=PIPE, stdout=PIPE, stderr=PIPE, env=self._build_environment(width, height)
        )
        self._stdin = self._process.stdin
        return self._process

    async def set_terminal_size(self, width: int, height: int) -> None:
        """Tell the process how large the browser's terminal is, within reason."""
        await super().set_terminal_size(_within(int(width), _WIDTH), _within(int(height), _HEIGHT))

    async def stop(self) -> None:
        """Ask the process to end, and see to it that it does."""
        process, self._process = self._process, None
        if process is None:
            return
        await self.send_meta({"type": "quit"})
        try:
            await asyncio.wait_for(process.wait(), _PATIENCE_S)
        except TimeoutError:
            process.kill()
            await process.wait()
        await self.running


def _within(value: int, limits: tuple[int, int]) -> int:
    return max(limits[0], min(limits[1], value))
