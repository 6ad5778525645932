"""The HTTP under an SDK, watched: what really came over the wire is kept, whatever the SDK makes of it. The only place that opens
a provider's HTTP client, which follows no redirect."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

import httpx2

from gapsmith.templates import DocumentError, read_json

MAX_BODY_BYTES = 32 * 2**20
"""A body that goes on and on is read no further."""

_PLAIN_HEADERS = (
    "accept",
    "connection",
    "content-",
    "host",
    "transfer-",
    "user-agent",
    "x-goog-api-client",
    "x-server-timeout",
)


@dataclass(slots=True)
class Exchange:
    """One request's answer, as it came."""

    status: int | None = None
    """None until an answer begins."""
    headers: Mapping[str, str] = field(default_factory=dict)
    """Names in lower case."""
    redirect: str | None = None
    """Both ends of a redirect, by scheme and host; None where the answer is none."""
    whole: bool = False
    """All of the body is here, or as much of it as is ever read."""
    most_bytes: int = MAX_BODY_BYTES
    _chunks: list[bytes] = field(default_factory=list)
    _size: int = 0

    @property
    def body(self) -> bytes | None:
        """What has come of the body, or None where no answer began."""
        return None if self.status is None else b"".join(self._chunks)

    @property
    def good(self) -> bool:
        """The server claims success."""
        return self.status is not None and 200 <= self.status < 300

    def body_text(self) -> str:
        """The body as text, for people."""
        return (self.body or b"").decode("utf-8", "replace")

    def document(self) -> Any:
        """The body as JSON, or None where it is none."""
        try:
            return read_json(self.body or b"")
        except DocumentError:
            return None

    def begin(self, response: httpx2.Response) -> None:
        """An answer begins."""
        self.status = response.status_code
        self.headers = {name.lower(): value for name, value in response.headers.items()}
        self.redirect = _redirect(response)

    def add(self, chunk: bytes) -> None:
        """More of the body. Raises `_TooLongError` at the limit."""
        self._chunks.append(chunk)
        self._size += len(chunk)
        if self._size > self.most_bytes:
            self.whole = True
            raise _TooLongError


class _TooLongError(Exception):
    pass


_current: ContextVar[Exchange | None] = ContextVar("exchange", default=None)


@contextmanager
def watched(most_bytes: int = MAX_BODY_BYTES) -> Iterator[Exchange]:
    """The exchange of the request that this task sends within the block; of several, the last one."""
    exchange = Exchange(most_bytes=most_bytes)
    token = _current.set(exchange)
    try:
        yield exchange
    finally:
        _current.reset(token)


def open_client(*, bare: bool) -> httpx2.AsyncClient:
    """The HTTP client under an SDK: it follows no redirect, because the next host would get the key and write the items,
    and what comes back is seen by `watched`.

    With `bare`, nothing that an SDK picks up from the environment (key, organisation, headers of the user's own) goes
    along either."""
    return httpx2.AsyncClient(
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=1000, max_keepalive_connections=100),
        event_hooks={"request": [_strip] if bare else [], "response": [_watch]},
        headers={"accept-encoding": "identity"},
        timeout=None,
    )


async def _watch(response: httpx2.Response) -> None:
    exchange, stream = _current.get(), response.stream
    if exchange is None or not isinstance(stream, httpx2.AsyncByteStream):
        return
    exchange.begin(response)
    # Chunk by chunk, so that of a body that breaks off the part that came is kept.
    async for chunk in stream:
        exchange.add(chunk)
    exchange.whole = True
    await stream.aclose()
    response.stream = httpx2.ByteStream(exchange.body or b"")


async def _strip(request: httpx2.Request) -> None:
    for name in list(request.headers):
        if not name.lower().startswith(_PLAIN_HEADERS):
            del request.headers[name]


def _redirect(response: httpx2.Response) -> str | None:
    if not 300 <= response.status_code < 400:
        return None
    here = response.url
    try:
        there = _authority(here.join(response.headers.get("location", "")))
    except httpx2.InvalidURL:
        there = "something that is no address"
    return f"{_authority(here)} sends the request on to {there}"


def _authority(url: httpx2.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode('ascii', 'replace')}"
