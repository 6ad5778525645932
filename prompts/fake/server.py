"""The stand-in server: HTTP on loopback, one thread per connection, as much of both APIs as gapsmith uses."""

from __future__ import annotations

import json
import re
import socket
import threading
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any
from urllib.parse import parse_qs, urlsplit

from gapsmith.prompts.fake.answers import FakeWriter
from gapsmith.prompts.fake.behaviour import Behaviour
from gapsmith.prompts.fake.fake_batches import FakeBatches
from gapsmith.prompts.fake.fake_wire import (
    asked_structure,
    gemini_answer,
    gemini_error,
    openai_answer,
    openai_error,
    prompt_of,
    response_answer,
)
from gapsmith.templates import Paradigm

_GEMINI_PATH = re.compile(r"/models/(?P<model>[^/:]+):generateContent$")
_REMEMBERED = 10_000


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer sent as it is, byte for byte."""

    body: bytes
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    missing: int = 0
    """So many bytes more are promised than come before the connection is closed."""


@dataclass(frozen=True, slots=True)
class SeenRequest:
    """A request that the server got."""

    number: int
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def prompt(self) -> str:
        """The prompt in it."""
        return prompt_of(self.body)

    @property
    def structure(self) -> str:
        """How it asks for the form of the answer."""
        return asked_structure(self.body)


class FakeServer:
    """Serves from a background thread while the `with` block runs.

    `script` says how to answer the request with a given number (from 0, in the order of arrival); `latency_s` says
    how long each answer takes."""

    def __init__(
        self,
        paradigm: Paradigm,
        *,
        script: Callable[[SeenRequest], Behaviour] = lambda _: Behaviour.WELL,
        latency_s: Callable[[SeenRequest], float] | float = 0.0,
        wait_s: float = 0.0,
        seed: int = 1,
        port: int = 0,
    ) -> None:
        self.writer = FakeWriter(paradigm, seed)
        self.requests: deque[SeenRequest] = deque(maxlen=_REMEMBERED)
        self._script = script
        self._latency_s = latency_s
        self.wait_s = wait_s
        """The wait that a rate limit asks for."""
        self.fixed_body: Mapping[str, Any] | None = None
        """Answer every request with this body instead."""
        self.fixed_error: tuple[int, Mapping[str, Any]] | None = None
        """Answer every request with this status and body instead."""
        self.redirect_to = "http://other.invalid"
        """Where `Behaviour.REDIRECT` sends requests on to."""
        self.raw_answer: Callable[[SeenRequest], RawAnswer | None] = lambda _: None
        """Answer a request with this instead; None: as the script says."""
        self.served_tier: str | None = None
        """The tier that answers say they were served at; None: the one that was asked for."""
        self.batches = FakeBatches(self.writer)
        self.seen_of_batches: deque[SeenRequest] = deque(maxlen=_REMEMBERED)
        """Requests that had to do with batches, with method and path; their bodies are not kept."""
        self.redirect_files = False
        """Send downloads of files on to `redirect_to`."""
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._count = 0
        self._http = _Server(("127.0.0.1", port), self)
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.05,), daemon=True)

    @property
    def url(self) -> str:
        """The address to give to the gemini provider."""
        return f"http://127.0.0.1:{self._http.server_address[1]}"

    @property
    def openai_url(self) -> str:
        """The address to give to the openai provider."""
        return f"{self.url}/v1"

    def __enter__(self) -> FakeServer:
        self._thread.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()

    def receive(self, path: str, headers: Mapping[str, str], body: Mapping[str, Any]) -> SeenRequest:
        """Number a request and remember it."""
        with self._lock:
            seen = SeenRequest(self._count, path, headers, body)
            self._count += 1
            self.requests.append(seen)
            return seen

    def behaviour(self, seen: SeenRequest) -> Behaviour:
        """How to answer, after the time that an answer takes."""
        self.closing.wait(self._latency_s(seen) if callable(self._latency_s) else self._latency_s)
        behaviour = self._script(seen)
        refuses = {
            Behaviour.NO_JSON_SCHEMA: {"json_schema"},
            Behaviour.NO_STRUCTURE: {"json_schema", "json_object"},
        }
        if behaviour in refuses and seen.structure not in refuses[behaviour]:
            return Behaviour.WELL
        return behaviour


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], fake: FakeServer) -> None:
        self.fake = fake
        super().__init__(address, _Handler)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away is no fault of the server's."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: _Server

    def do_POST(self) -> None:
        """Answer a request of one of the two APIs."""
        fake = self.server.fake
        content = self.rfile.read(int(self.headers.get("content-length", "0")))
        path = self.path.split("?", 1)[0]
        if self._answer_batches("POST", content):
            return
        body = json.loads(content or b"{}")
        gemini = _GEMINI_PATH.search(path)
        if gemini is None and not path.endswith(("/chat/completions", "/responses")):
            self._send(404, {"error": {"message": f"nothing is served at {path}"}})
            return
        seen = fake.receive(path, {k.lower(): v for k, v in self.headers.items()}, body)
        behaviour = fake.behaviour(seen)
        raw = fake.raw_answer(seen)
        if raw is not None:
            self._send_raw(raw)
            return
        if fake.fixed_error is not None or fake.fixed_body is not None:
            self._send(*(fake.fixed_error or (200, fake.fixed_body or {})))
            return
        if behaviour is Behaviour.HANG:
            fake.closing.wait()
            self.close_connection = True
            return
        if behaviour is Behaviour.REDIRECT:
            self._send(307, {}, {"location": f"{fake.redirect_to}{self.path}"})
            return
        if behaviour is Behaviour.NOT_JSON:
            self._send_bytes(200, b"<html><body>Welcome to the web</body></html>", "text/html")
            return
        error = gemini_error(behaviour, fake.wait_s) if gemini else openai_error(behaviour)
        if error is not None:
            self._send(error[0], error[1], {"retry-after": f"{fake.wait_s:g}"} if error[0] == 429 else {})
            return
        model = gemini["model"] if gemini else str(body.get("model"))
        text = fake.writer.write(seen.prompt, behaviour)
        form = gemini_answer if gemini else response_answer if path.endswith("/responses") else openai_answer
        answer = form(text, seen.prompt, model, behaviour)
        if behaviour is Behaviour.BREAK:
            self._break_off(json.dumps(answer).encode())
        else:
            tier = body.get("serviceTier" if gemini else "service_tier") and (
                fake.served_tier or body.get("serviceTier") or body.get("service_tier")
            )
            told = {"x-gemini-service-tier": str(tier)} if gemini and tier else {}
            self._send(200, answer | ({"service_tier": tier} if tier and not gemini else {}), told)

    def do_GET(self) -> None:
        """Say how batches stand, and which models there are, as clients ask when they look around."""
        if self._answer_batches("GET", b""):
            return
        self._send(200, {"object": "list", "data": [{"id": "fake", "object": "model"}]})

    def _answer_batches(self, method: str, content: bytes) -> bool:
        fake = self.server.fake
        parts = urlsplit(self.path)
        headers = {k.lower(): v for k, v in self.headers.items()}
        gemini = "x-goog-api-client" in headers
        found = fake.batches.answer(method, parts.path, parse_qs(parts.query), gemini, headers, content)
        if found is None:
            return False
        status, data, behaviour = found
        fake.seen_of_batches.append(SeenRequest(len(fake.seen_of_batches), f"{method} {parts.path}", headers, {}))
        redirected = behaviour is Behaviour.REDIRECT or (fake.redirect_files and "/content" in parts.path)
        if redirected:
            self._send(307, {}, {"location": f"{fake.redirect_to}{self.path}"})
        elif behaviour is Behaviour.HANG:
            fake.closing.wait()
            self.close_connection = True
        elif behaviour is Behaviour.BREAK:
            self._break_off(data)
        elif behaviour is Behaviour.NOT_JSON:
            self._send_bytes(200, b"<html>made</html>", "text/html")
        else:
            self._send_bytes(status, data, "application/json")
        return True

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing is logged: prompts and keys pass through here."""

    def _send(self, status: int, body: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> None:
        self._send_bytes(status, json.dumps(body).encode(), "application/json", headers)

    def _send_bytes(self, status: int, data: bytes, kind: str, headers: Mapping[str, str] | None = None) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(data)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def _send_raw(self, raw: RawAnswer) -> None:
        self.send_response(raw.status, "OK")
        headers = {"Content-Type": "application/json", **raw.headers}
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw.body) + raw.missing))
        self.end_headers()
        self.wfile.write(raw.body)
        self.wfile.flush()
        if raw.missing:
            self.connection.shutdown(socket.SHUT_RDWR)
            self.close_connection = True

    def _break_off(self, data: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data[: len(data) // 2])
        self.wfile.flush()
        self.connection.shutdown(socket.SHUT_RDWR)
        self.close_connection = True
