"""The only place that decides who may open what is shown in a browser: the review, the pages of judging, the lead's page.

A browser sends requests on behalf of any page that is open in it. So every route, also that of a file that is not there,
wants three things: a Host that is ours (else another name could be made to point here), an Origin that is ours wherever
the browser tells one (the WebSocket and every form must), and a token that only the annotator's link has. The link is opened
once: its token moves into a cookie that scripts cannot read and that other sites' requests do not carry.
"""

from __future__ import annotations

import hmac
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from aiohttp import web
from aiohttp.typedefs import Handler

from gapsmith.templates import ConfigError

LOOPBACK = "127.0.0.1"
_NO_TOKEN = "This page opens with the link that gapsmith has printed."
_FOREIGN = "This request does not come from the page of the review."


@dataclass(frozen=True, slots=True)
class Link:
    """One annotator's way in."""

    author: str
    command: tuple[str, ...] = ()
    """What is started for them, word by word; no shell reads it. Pages are made here and start nothing."""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)


def listen(port: int) -> socket.socket:
    """A socket on this machine alone; port 0 takes a free one. Raises `ConfigError`."""
    try:
        return socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise ConfigError(
            f"port {port} cannot be used ({error})", hint="Take another with --port, or --port 0 for a free one."
        ) from None


LINK = web.RequestKey("link", Link)
"""Whose request it is, once it has been let in."""


class Guard:
    """What stands before every route. `address` is that of a proxy or tunnel, if it is not this machine's own."""

    form_action = "'none'"
    """Where forms may go, as a content security policy has it."""
    referrer = "no-referrer"

    def __init__(self, links: Sequence[Link], *, port: int, address: str | None = None) -> None:
        self.links = tuple(links)
        self.public_url = address or f"http://{LOOPBACK}:{port}"
        self.origins = {self.public_url} if address else {self.public_url, f"http://localhost:{port}"}
        # Cookies do not know ports: two servers on one machine would take each other's away.
        self._cookie = f"gapsmith_review_{port}"

    def url(self, link: Link) -> str:
        """What the annotator opens."""
        return f"{self.public_url}/?token={link.token}"

    @web.middleware
    async def guard(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Let a request in, or refuse it."""
        if request.headers.get("Host") not in {urlsplit(origin).netloc for origin in self.origins}:
            raise web.HTTPForbidden(text=_FOREIGN)
        opening = request.path == "/" and request.method == "GET"
        origin = request.headers.get("Origin")
        # A WebSocket and a form can do something, and a browser tells the origin of either.
        needed = request.path == "/ws" or request.method not in ("GET", "HEAD")
        if origin not in self.origins and not (origin is None and not needed):
            raise web.HTTPForbidden(text=_FOREIGN)
        # Another port of this machine counts as the same site for cookies, and plain requests carry no Origin.
        if not opening and request.headers.get("Sec-Fetch-Site", "none") not in {"same-origin", "none"}:
            raise web.HTTPForbidden(text=_FOREIGN)
        if opening and "token" in request.query:
            return self._enter(self._link(request.query["token"]))
        request[LINK] = self._link(request.cookies.get(self._cookie, ""))
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

    async def protect(self, request: web.Request, response: web.StreamResponse) -> None:
        """Headers by which a browser keeps to this page."""
        sockets = f"ws{self.origin_of(request).removeprefix('http')}"
        response.headers.update(
            {
                "Content-Security-Policy": (
                    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self';"
                    f" img-src 'self' data:; connect-src 'self' {sockets}; base-uri 'none'; form-action {self.form_action};"
                    " frame-ancestors 'none'"
                ),
                "Cache-Control": "no-store",
                "Cross-Origin-Opener-Policy": "same-origin",
                "Cross-Origin-Resource-Policy": "same-origin",
                "Referrer-Policy": self.referrer,
                "X-Content-Type-Options": "nosniff",
            }
        )

    def origin_of(self, request: web.Request) -> str:
        """Under which of our addresses the request came."""
        host = request.headers.get("Host")
        return next((origin for origin in self.origins if urlsplit(origin).netloc == host), self.public_url)


def address_of(public_url: str | None) -> str | None:
    """An address without a path. Raises `ConfigError`."""
    if public_url is None:
        return None
    parts = urlsplit(public_url)
    if parts.scheme not in {"http", "https"} or not parts.netloc or parts.path.strip("/") or parts.query:
        raise ConfigError(f"{public_url!r} is no address of a review", hint="For example --url https://review.example.org.")
    return f"{parts.scheme}://{parts.netloc}".lower()
