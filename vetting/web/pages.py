"""Pages that are made here, of plain HTML and forms, for browsers of any size: judging, and the lead's page.

They run no script, so that a tablet with a strict browser shows them alike. Who may open them is decided by
`gapsmith.vetting.web.guard`; a form counts only where the browser says that it was sent from here.
"""

from __future__ import annotations

import asyncio
import html
import socket
from collections.abc import Mapping, Sequence
from typing import Protocol

from aiohttp import web

from gapsmith.templates import GapsmithError
from gapsmith.vetting.html_page import page_of
from gapsmith.vetting.web.guard import LINK, Guard, Link, address_of


class Desk(Protocol):
    """What a server of pages shows, and takes in. Both are called in a thread, one after the other for each link."""

    title: str

    def page(self, author: str) -> str:
        """The body of the page for somebody, as HTML. Raises `GapsmithError`."""

    def take(self, author: str, action: str, said: Mapping[str, str]) -> None:
        """Take in a form. Raises `GapsmithError`."""


class PageServer(Guard):
    """Serves a desk to those who have a link."""

    form_action = "'self'"
    # A browser that is to say no referrer says no origin of forms either.
    referrer = "same-origin"

    def __init__(self, links: Sequence[Link], desk: Desk, *, port: int, public_url: str | None = None) -> None:
        super().__init__(links, port=port, address=address_of(public_url))
        self._desk = desk
        self._turns = {link.token: asyncio.Lock() for link in links}
        self._told: dict[str, str] = {}
        """What the last form of a link came to, where it was refused."""

    def serve_on(self, listening: socket.socket) -> None:
        """Serve until Ctrl-C. Nothing is logged of a request, because an address may hold a token."""
        web.run_app(self.make_app(), sock=listening, access_log=None, print=None)

    async def make_app(self) -> web.Application:
        """The routes."""
        app = web.Application(middlewares=[self.guard], client_max_size=1 << 16)
        app.add_routes([web.get("/", self._page), web.post("/{action}", self._take)])
        app.on_response_prepare.append(self.protect)
        return app

    async def _page(self, request: web.Request) -> web.Response:
        link = request[LINK]
        told = self._told.pop(link.token, "")
        try:
            async with self._turns[link.token]:
                body = await asyncio.to_thread(self._desk.page, link.author)
        except GapsmithError as refused:
            body = said(refused)
        told = f'<p class="told" role="status">{html.escape(told)}</p>' if told else ""
        return web.Response(text=page_of(f"{self._desk.title}: {link.author}", told + body), content_type="text/html")

    async def _take(self, request: web.Request) -> web.Response:
        link = request[LINK]
        form = {name: value for name, value in (await request.post()).items() if isinstance(value, str)}
        try:
            async with self._turns[link.token]:
                await asyncio.to_thread(self._desk.take, link.author, request.match_info["action"], form)
        except GapsmithError as refused:
            self._told[link.token] = f"{refused.message.rstrip('.')}. {refused.hint or ''}".strip()
        # The answer to a form is a page that can be loaded again without sending the form again.
        return web.Response(status=303, headers={"Location": f"{self.public_url}/"})


def said(refused: GapsmithError) -> str:
    """An error as HTML."""
    return f'<p class="told" role="alert">{html.escape(refused.message)}<br>{html.escape(refused.hint or "")}</p>'
