"""The review in a browser: textual-serve's server, and the only place that decides who may open it.

A browser sends requests on behalf of any page that is open in it. So every route, also that of a file that is not there,
wants three things: a Host that is ours (else another name could be made to point here), an Origin that is ours wherever
the browser tells one (the WebSocket must), and a token that only the annotator's link has. The link is opened once: its
token moves into a cookie that scripts cannot read and that other sites' requests do not carry.

Every token has one annotator, one command and one seat: who connects again takes the seat over, after the process of the
connection before has ended, so a reload or a broken line goes on where the bank is.
"""

from __future__ import annotations

import asyncio
import hmac
import html
import logging
import secrets
import socket
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import textual_serve
from aiohttp import web
from aiohttp.typedefs import Handler
from textual_serve.app_service import AppService
from textual_serve.server import Server, to_int

from gapsmith.templates import ConfigError

LOOPBACK = "127.0.0.1"
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
_NO_TOKEN = "This page opens with the link that `gapsmith review --web` has printed."
_FOREIGN = "This request does not come from the page of the review."

log = logging.getLogger("gapsmith.web")


@dataclass(frozen=True, slots=True)
class Link:
    """One annotator's way in."""

    author: str
    command: tuple[str, ...]
    """What is started for them, word by word; no shell reads it."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)


def listen(port: int) -> socket.socket:
    """A socket on this machine alone; port 0 takes a free one. Raises `ConfigError`."""
    try:
        return socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise ConfigError(
            f"port {port} cannot be used ({error})", hint="Take another with --port, or --port 0 for a free one."
        ) from None


_LINK = web.RequestKey("link", Link)


class ReviewServer(Server):
    """Serves the review to those who have a link.

    `public_url` is the address under which a proxy or tunnel reaches it, if it is not this machine's own. At most
    `sessions` processes run at a time."""

    def __init__(self, links: Sequence[Link], *, port: int, public_url: str | None = None, sessions: int = _SESSIONS) -> None:
        super().__init__("", host=LOOPBACK, port=port, title="gapsmith review", public_url=_address(public_url))
        self.links = tuple(links)
        self.sessions = sessions
        self.origins = {self.public_url} if public_url else {self.public_url, f"http://localhost:{port}"}
        self._seats: dict[str, web.WebSocketResponse] = {}
        self._turns = {link.token: asyncio.Lock() for link in links}
        # Cookies do not know ports: two servers on one machine would take each other's away.
        self._cookie = f"gapsmith_review_{port}"

    def url(self, link: Link) -> str:
        """What the annotator opens."""
        return f"{self.public_url}/?token={link.token}"

    def serve_on(self, listening: socket.socket) -> None:
        """Serve until Ctrl-C. Nothing is logged of a request, because an address may hold a token."""
        web.run_app(self._make_app(), sock=listening, access_log=None, print=None)

    async def _make_app(self) -> web.Application:
        app = web.Application(middlewares=[self._guard])
        app.add_routes(
            [
                web.get("/", self._page),
                web.get("/ws", self.handle_websocket),
                web.get("/static/{name}", self._file),
            ]
        )
        app.on_response_prepare.append(self._protect)
        app.on_shutdown.append(self.on_shutdown)
        return app

    async def on_shutdown(self, app: web.Application) -> None:  # noqa: ARG002  # what textual-serve passes
        """End the sessions, so that their processes end."""
        await asyncio.gather(*(seat.close() for seat in self._seats.values()))

    # Who asks

    @web.middleware
    async def _guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if request.headers.get("Host") not in {urlsplit(origin).netloc for origin in self.origins}:
            raise web.HTTPForbidden(text=_FOREIGN)
        opening = request.path == "/" and request.method == "GET"
        origin = request.headers.get("Origin")
        if origin not in self.origins and not (origin is None and request.path != "/ws"):
            raise web.HTTPForbidden(text=_FOREIGN)
        # Another port of this machine counts as the same site for cookies, and plain requests carry no Origin.
        if not opening and request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
            raise web.HTTPForbidden(text=_FOREIGN)
        if opening and "token" in request.query:
            return self._enter(self._link(request.query["token"]))
        request[_LINK] = self._link(request.cookies.get(self._cookie, ""))
        return await handler(request)

    def _link(self, token: str) -> Link:
        found = [link for link in self.links if hmac.compare_digest(link.token.encode(), token.encode())]
        if not found:
            raise web.HTTPUnauthorized(text=_NO_TOKEN)
        return found[0]

    def _enter(self, link: Link) -> web.Response:
        response = web.Response(status=303, headers={"Location": f"{self.public_url}/"})
        # Lax, not Strict: a link that is opened from a mail is redirected with the cookie. The WebSocket is no navigation.
        response.set_cookie(self._cookie, link.token, httponly=True, samesite="Lax", secure=self.public_url.startswith("https:"))
        return response

    async def _protect(self, request: web.Request, response: web.StreamResponse) -> None:
        sockets = f"ws{self._origin(request).removeprefix('http')}"
        response.headers.update(
            {
                "Content-Security-Policy": (
                    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self';"
                    f" img-src 'self' data:; connect-src 'self' {sockets}; base-uri 'none'; form-action 'none';"
                    " frame-ancestors 'none'"
                ),
                "Cache-Control": "no-store",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Referrer-Policy": "no-referrer",
                "X-Content-Type-Options": "nosniff",
            }
        )

    def _origin(self, request: web.Request) -> str:
        host = request.headers.get("Host")
        return next((origin for origin in self.origins if urlsplit(origin).netloc == host), self.public_url)

    # What is served

    async def _page(self, request: web.Request) -> web.Response:
        origin = self._origin(request)
        page = (_HERE / "page.html").read_text(encoding="utf-8")
        filled = page.replace("{title}", html.escape(f"{self.title}: {request[_LINK].author}"))
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
        link = request[_LINK]
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


def _address(public_url: str | None) -> str | None:
    """An address without a path. Raises `ConfigError`."""
    if public_url is None:
        return None
    parts = urlsplit(public_url)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path.strip("/") or parts.query:
        raise ConfigError(f"{public_url!r} is no address of a review", hint="For example --url https://review.example.org.")
    return f"{parts.scheme}://{parts.netloc}".lower()
