"""Who may reach the review in a browser: Host, Origin and token on every route, over real HTTP and WebSockets."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest
from aiohttp import WSMsgType, web

from gapsmith.app.workspace import make_workspace
from gapsmith.templates.errors import ConfigError
from gapsmith.vetting.web import Link, ReviewServer, listen
from tests.conftest import CommandOutcome
from tests.vetting.reviewing import fill_bank

_PATIENCE_S = 40.0
# Speaks the protocol of a Textual program behind a server: writes down that it runs, echoes, ends when asked to.
_PROGRAM = """
import json, os, sys
from pathlib import Path
place = Path(sys.argv[1])
with place.open("a") as file:
    file.write(f"{os.getpid()} {sys.argv[2]} {os.environ['COLUMNS']}\\n")
def say(kind, payload):
    os.write(1, kind + len(payload).to_bytes(4, "big") + payload)
os.write(1, b"__GANGLION__\\n")
say(b"D", f"hello {sys.argv[2]}".encode())
while True:
    head = sys.stdin.buffer.read(5)
    if len(head) < 5:
        break
    payload = sys.stdin.buffer.read(int.from_bytes(head[1:], "big"))
    if head[:1] == b"D":
        if payload == b"die":
            os._exit(3)
        say(b"D", b"got " + payload)
    elif json.loads(payload)["type"] == "resize":
        say(b"D", payload)
    elif json.loads(payload)["type"] == "quit":
        break
"""


class Place:
    """A running server with links for ann and ben, and what its processes have written down."""

    def __init__(self, server: ReviewServer, log: Path) -> None:
        self.server = server
        self.base = server.public_url
        self.host = server.public_url.removeprefix("http://")
        self._log = log

    @property
    def started(self) -> list[tuple[int, str, int]]:
        """Process id, annotator and columns of every process that was ever started."""
        lines = self._log.read_text().splitlines() if self._log.exists() else []
        return [(int(pid), name, int(columns)) for pid, name, columns in map(str.split, lines)]

    def token(self, number: int = 0) -> str:
        return self.server.links[number].token

    def cookie(self, number: int = 0) -> dict[str, str]:
        """What the browser of an annotator sends along."""
        return {"Cookie": f"gapsmith_review_{self.server.port}={self.token(number)}"}

    def own(self, number: int = 0) -> dict[str, str]:
        """What the page of an annotator sends along when it opens its WebSocket."""
        return {**self.cookie(number), "Origin": self.base}


@asynccontextmanager
async def _serving(tmp_path: Path, *, sessions: int = 8) -> AsyncIterator[Place]:
    log = tmp_path / "started.txt"
    with listen(0) as listening:
        links = [Link(name, (sys.executable, "-c", _PROGRAM, str(log), name)) for name in ("ann", "ben")]
        server = ReviewServer(links, port=listening.getsockname()[1], sessions=sessions)
        runner = web.AppRunner(await server._make_app(), access_log=None)
        await runner.setup()
        await web.SockSite(runner, listening).start()
        try:
            yield Place(server, log)
        finally:
            await runner.cleanup()


@pytest.fixture
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    """A server for ann and ben."""
    async with _serving(tmp_path) as running:
        yield running


@pytest.fixture
async def http() -> AsyncIterator[aiohttp.ClientSession]:
    """A client without cookies of its own."""
    async with aiohttp.ClientSession(cookie_jar=aiohttp.DummyCookieJar()) as session:
        yield session


async def _hear(connection: aiohttp.ClientWebSocketResponse) -> str:
    return (await connection.receive_bytes(timeout=_PATIENCE_S)).decode()


async def _is_over(connection: aiohttp.ClientWebSocketResponse) -> bool:
    message = await connection.receive(timeout=_PATIENCE_S)
    return message.type in {WSMsgType.CLOSE, WSMsgType.CLOSING, WSMsgType.CLOSED}


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def _until(true: Callable[[], bool]) -> None:
    async with asyncio.timeout(_PATIENCE_S):
        while not true():
            await asyncio.sleep(0.05)


ROUTES = ["/", "/ws", "/static/textual.js", "/static/page.js", "/static/nothing", "/download/x", "/nothing"]


@pytest.mark.parametrize("path", ROUTES)
async def test_no_route_answers_without_a_token(place: Place, http: aiohttp.ClientSession, path: str) -> None:
    for cookie in ({}, {"Cookie": f"gapsmith_review_{place.server.port}=wrong"}):
        async with http.get(place.base + path, headers={"Origin": place.base, **cookie}) as answer:
            assert answer.status == 401
            assert "link" in await answer.text()
    assert place.started == []


@pytest.mark.parametrize("path", ROUTES)
@pytest.mark.parametrize(
    "foreign",
    [
        {"Origin": "http://evil.example"},
        {"Origin": "null"},
        {"Origin": "http://127.0.0.1:1"},
        {"Host": "evil.example"},
        {"Host": "127.0.0.1:1"},
        {"Host": "127.0.0.1"},
    ],
    ids=str,
)
async def test_a_foreign_origin_or_host_gets_403_and_starts_nothing(
    place: Place, http: aiohttp.ClientSession, path: str, foreign: dict[str, str]
) -> None:
    async with http.get(place.base + path, headers={**place.own(), **foreign}) as answer:
        assert answer.status == 403
    assert place.started == []


async def test_a_foreign_page_opens_no_websocket(place: Place, http: aiohttp.ClientSession) -> None:
    for origin in ({"Origin": "http://evil.example"}, {"Origin": f"{place.base}.evil.example"}, {}):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
            await http.ws_connect(f"{place.base}/ws", headers={**place.cookie(), **origin})
        assert refused.value.status == 403
    assert place.started == []


async def test_a_page_on_another_port_of_this_machine_embeds_nothing(place: Place, http: aiohttp.ClientSession) -> None:
    """Ports share their cookies, and a plain script tag sends no Origin."""
    headers = {**place.cookie(), "Sec-Fetch-Site": "same-site"}
    async with http.get(f"{place.base}/static/textual.js", headers=headers) as answer:
        assert answer.status == 403


async def test_a_token_in_another_place_does_not_count(place: Place, http: aiohttp.ClientSession) -> None:
    with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
        await http.ws_connect(f"{place.base}/ws?token={place.token()}", headers={"Origin": place.base})
    assert refused.value.status == 401
    async with http.get(f"{place.base}/?token=wrong", headers=place.cookie()) as answer:
        assert answer.status == 401


async def test_the_token_moves_from_the_address_to_a_cookie(place: Place, http: aiohttp.ClientSession) -> None:
    url = place.server.url(place.server.links[0])
    async with http.get(url, allow_redirects=False, headers={"Sec-Fetch-Site": "cross-site"}) as answer:
        assert answer.status == 303
        assert answer.headers["Location"] == f"{place.base}/"
        cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert place.token() in cookie


async def test_the_page_asks_nobody_else_and_may_run_nothing_else(place: Place, http: aiohttp.ClientSession) -> None:
    async with http.get(f"{place.base}/", headers=place.cookie()) as answer:
        page = await answer.text()
        policy = answer.headers["Content-Security-Policy"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
        assert answer.headers["Cache-Control"] == "no-store"
    for part in ("default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "form-action 'none'"):
        assert part in policy
    assert "http:" not in policy
    assert "unsafe" not in policy.split("style-src")[0]
    assert place.token() not in page
    named = re.findall(r' (?:href|src)="([^"]+)"', page)
    assert {name.split("/")[1] for name in named if name != "data:,"} == {"static"}
    for name in (*named, "/static/mono.ttf", "/static/mono-italic.ttf"):
        if name != "data:,":
            async with http.get(place.base + name, headers=place.cookie()) as answer:
                assert answer.status == 200
                assert "Content-Security-Policy" in answer.headers
                if name.endswith(".css"):
                    assert re.findall(r"@import|url\(\"?http", await answer.text()) == []
    async with http.get(f"{place.base}/static/..%2f..%2fserver.py", headers=place.cookie()) as answer:
        assert answer.status == 404


async def test_each_token_starts_the_command_of_its_annotator(place: Place, http: aiohttp.ClientSession) -> None:
    for number, name in enumerate(("ann", "ben")):
        async with http.ws_connect(f"{place.base}/ws?width=100&height=30", headers=place.own(number)) as connection:
            assert await _hear(connection) == f"hello {name}"
            await connection.send_json(["stdin", "a"])
            assert await _hear(connection) == "got a"
    assert [(name, columns) for _, name, columns in place.started] == [("ann", 100), ("ben", 100)]
    await _until(lambda: not any(_runs(pid) for pid, _, _ in place.started))


async def test_who_connects_again_takes_the_seat_over(place: Place, http: aiohttp.ClientSession) -> None:
    async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as first:
        await _hear(first)
        async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as second:
            assert await _is_over(first)
            assert await _hear(second) == "hello ann"
            (old, _, _), (new, _, _) = place.started
            assert not _runs(old)
            assert _runs(new)


async def test_many_connections_at_once_leave_one_process(place: Place, http: aiohttp.ClientSession) -> None:
    connections = await asyncio.gather(*(http.ws_connect(f"{place.base}/ws", headers=place.own()) for _ in range(6)))
    heard = await asyncio.gather(*(one.receive(timeout=_PATIENCE_S) for one in connections))
    await _until(lambda: sum(_runs(pid) for pid, _, _ in place.started) == 1)
    assert any(message.type is WSMsgType.BINARY for message in heard)
    for one in connections:
        await one.close()
    await _until(lambda: not any(_runs(pid) for pid, _, _ in place.started))


async def test_sessions_are_capped(tmp_path: Path, http: aiohttp.ClientSession) -> None:
    async with _serving(tmp_path, sessions=1) as place:
        async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as first:
            await _hear(first)
            with pytest.raises(aiohttp.WSServerHandshakeError) as refused:
                await http.ws_connect(f"{place.base}/ws", headers=place.own(1))
            assert refused.value.status == 503
        await _until(lambda: not _runs(place.started[0][0]))
        async with asyncio.timeout(_PATIENCE_S):
            # The process is gone a moment before its place is free.
            while True:
                with suppress(aiohttp.WSServerHandshakeError):
                    second = await http.ws_connect(f"{place.base}/ws", headers=place.own(1))
                    break
                await asyncio.sleep(0.05)
        async with second:
            assert await _hear(second) == "hello ben"
    assert [name for _, name, _ in place.started] == ["ann", "ben"]


async def test_the_page_is_told_when_its_process_dies(place: Place, http: aiohttp.ClientSession) -> None:
    async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as connection:
        await _hear(connection)
        await connection.send_json(["stdin", "die"])
        assert await _is_over(connection)


@pytest.mark.parametrize(
    "message", ["nonsense", "{}", "[]", "7", '["stdin"]', '["stdin", 7]', '["resize", {"width": "x", "height": 3}]']
)
async def test_a_message_that_cannot_be_read_ends_its_own_session(
    place: Place, http: aiohttp.ClientSession, message: str
) -> None:
    async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as connection:
        await _hear(connection)
        await connection.send_str(message)
        assert await _is_over(connection)
    await _until(lambda: not _runs(place.started[0][0]))
    async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as connection:
        assert await _hear(connection) == "hello ann"


async def test_sizes_stay_within_reason(place: Place, http: aiohttp.ClientSession) -> None:
    async with http.ws_connect(f"{place.base}/ws?width=99999999&height=-4", headers=place.own()) as connection:
        await _hear(connection)
        await connection.send_json(["resize", {"width": 10**9, "height": 0}])
        assert json.loads(await _hear(connection)) == {"type": "resize", "width": 500, "height": 5}
    assert place.started[0][2] == 500


async def test_tokens_are_in_no_log_and_no_command_line(
    tmp_path: Path, http: aiohttp.ClientSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = io.StringIO()
    root = logging.getLogger()
    monkeypatch.setattr(root, "handlers", [logging.StreamHandler(told)])
    monkeypatch.setattr(root, "level", logging.DEBUG)
    async with _serving(tmp_path) as place:
        async with http.get(place.server.url(place.server.links[0])) as answer:
            await answer.read()
        async with http.ws_connect(f"{place.base}/ws", headers=place.own()) as connection:
            await _hear(connection)
            await connection.send_str("nonsense")
            assert await _is_over(connection)
        for link in place.server.links:
            assert link.token not in told.getvalue()
            assert link.token not in " ".join(link.command)
            assert link.token not in repr(link)
    assert len({link.token for link in place.server.links}) == 2
    assert all(len(link.token) >= 40 for link in place.server.links)


def test_a_port_that_is_taken_is_named() -> None:
    with listen(0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ConfigError, match=f"port {port} cannot be used"):
            listen(port)


@pytest.mark.parametrize("url", ["review.example.org", "ftp://x", "https://x/path", "https://"])
def test_an_address_that_is_none_is_refused(url: str) -> None:
    with pytest.raises(ConfigError, match="no address"):
        ReviewServer([], port=1, public_url=url)


def test_behind_a_proxy_its_address_alone_counts() -> None:
    link = Link("ann", ("true",))
    server = ReviewServer([link], port=8000, public_url="https://Review.example.org/")
    assert server.url(link) == f"https://review.example.org/?token={link.token}"
    assert server.origins == {"https://review.example.org"}


def test_every_start_makes_new_links_on_this_machine_alone() -> None:
    first, second = (ReviewServer([Link("ann", ("true",))], port=8000) for _ in range(2))
    assert first.sessions == 8
    tokens = {link.token for server in (first, second) for link in server.links}
    assert len(tokens) == 2
    assert all(len(token) >= 32 for token in tokens)
    with listen(0) as listening:
        assert listening.getsockname()[0] == "127.0.0.1"


def test_windows_is_told_what_to_do_instead(
    workspace: Path, gapsmith: Callable[..., CommandOutcome], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("gapsmith.app.cli.review.sys.platform", "win32")
    refused = gapsmith("review", "--web", "--for", "ann", "-w", workspace)
    assert refused.code == 2
    assert "does not run on Windows" in refused.err
    assert "gapsmith packet" in refused.err
    assert refused.out == ""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with three items."""
    folder = tmp_path / "study"
    make_workspace(folder)
    (folder / "bank.sqlite").unlink()
    fill_bank(folder / "bank.sqlite", 3).close()
    return folder


def _children(pid: int) -> list[tuple[int, list[str]]]:
    """The processes that a process has started, with their command lines."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
                words = (entry / "cmdline").read_text().split("\0")
            except (FileNotFoundError, ProcessLookupError):
                continue
            if parent == pid:
                found.append((int(entry.name), words))
    return found


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")
async def test_the_real_program_decides_under_the_name_of_the_link_and_ends_with_its_server(
    workspace: Path, http: aiohttp.ClientSession
) -> None:
    name = "--ann; touch 'x y'"
    server = subprocess.Popen(
        [
            sys.executable,
            "-m",
            "gapsmith",
            "review",
            "--web",
            "--port=0",
            f"--for={name}",
            "--show=item:2",
            "-w",
            str(workspace),
        ],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        url = server.stdout.readline().strip().removeprefix(f"{name}: ")
        base, token = url.split("/?token=")
        headers = {"Cookie": f"gapsmith_review_{base.rsplit(':', 1)[1]}={token}", "Origin": base}
        async with http.ws_connect(f"{base}/ws", headers=headers) as connection:
            shown = ""
            async with asyncio.timeout(_PATIENCE_S):
                while "item" not in shown or "approve" not in shown:
                    shown += await _hear(connection)
            ((child, words),) = _children(server.pid)
            assert f"--by={name}" in words
            assert "--show=item:2" in words
            assert "item 2" in shown
            assert token not in " ".join(words)
            server.send_signal(signal.SIGKILL)
            await _until(lambda: not _runs(child))
    finally:
        server.kill()
        out, err = server.communicate()
    assert token not in out + err


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        (["--for", "ann"], "belong to --web"),
        (["--web", "--scale", "7"], "--scale belongs to --judge"),
        (["--web", "--port", "99999"], "99999 is not a whole number from 0 to 65,535"),
        (["--web", "--for", " "], "needs a name"),
        (["--web", "--port", "0", "--url", "example.org"], "no address"),
    ],
)
def test_wrong_options_are_named(workspace: Path, gapsmith: Callable[..., CommandOutcome], flags: list[str], said: str) -> None:
    done = gapsmith("review", "-w", workspace, *flags)
    assert done.code == 2
    assert said in done.err
