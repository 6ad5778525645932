"""A hub on the loopback, as far as fetching a model needs one."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

COMMIT = "0123456789abcdef0123456789abcdef01234567"


class FakeHub:
    """Models by name, each with its files; and what was asked for."""

    def __init__(self, models: Mapping[str, Mapping[str, bytes]]) -> None:
        self.models = models
        self.address = ""
        self.requests: list[str] = []


def aim_at(hub: FakeHub, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What HF_ENDPOINT and HF_HOME would do in a process that begins now: huggingface_hub reads them when it is imported."""
    from huggingface_hub import constants

    monkeypatch.setattr(constants, "ENDPOINT", hub.address)
    template = hub.address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    monkeypatch.setattr(constants, "HF_HOME", str(home))
    monkeypatch.setattr(constants, "HF_HUB_CACHE", str(home / "hub"))


@contextmanager
def serve_hub(models: Mapping[str, Mapping[str, bytes]]) -> Iterator[FakeHub]:
    """Serve `models` until the block ends. A model whose name ends in ``gated`` or ``broken`` is just that."""
    hub = FakeHub(models)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

        def do_GET(self) -> None:
            self._answer(body=True)

        def do_HEAD(self) -> None:
            self._answer(body=False)

        def _answer(self, *, body: bool) -> None:
            path = self.path.split("?")[0]
            hub.requests.append(f"{self.command} {path}")
            status, headers, content = _reply(hub, path)
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **headers}.items():
                self.send_header(name, value)
            self.end_headers()
            if body:
                self.wfile.write(content)

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    hub.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield hub
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def _commit(path: str) -> str:
    """The commit of ``…/revision/stepN``, which is the usual one with N at its end; any other revision is the usual one."""
    step = path.rpartition("/revision/step")[2] if "/revision/step" in path else ""
    return COMMIT[: len(COMMIT) - len(step)] + step


def _reply(hub: FakeHub, path: str) -> tuple[int, dict[str, str], bytes]:
    if path.endswith("broken") or "/broken/" in path or path.startswith("/api/models/test/broken"):
        return 500, {}, b""
    if "test/gated" in path:
        return 403, {"X-Error-Code": "GatedRepo", "X-Error-Message": "gated"}, b""
    for name, files in hub.models.items():
        if path.startswith(f"/api/models/{name}/tree/"):
            tree = [
                {"type": "file", "path": file, "size": len(content), "oid": hashlib.sha1(content).hexdigest()}
                for file, content in files.items()
            ]
            return 200, {"Content-Type": "application/json"}, json.dumps(tree).encode()
        if path == f"/api/models/{name}" or path.startswith(f"/api/models/{name}/revision/"):
            if path.endswith("/no-such-revision"):
                return 404, {"X-Error-Code": "RevisionNotFound"}, b""
            info = {
                "id": name,
                "modelId": name,
                "sha": _commit(path),
                "siblings": [{"rfilename": file} for file in files],
            }
            return 200, {"Content-Type": "application/json"}, json.dumps(info).encode()
        for file, content in files.items():
            if path.startswith(f"/{name}/resolve/") and path.endswith(f"/{file}"):
                commit = path.split("/")[-2]
                if file == "config.json" and commit != COMMIT:  # so that every step is a model of its own
                    content = content.replace(b"{", f'{{"step": "{commit}",'.encode(), 1)
                etag = f'"{hashlib.sha1(content).hexdigest()}"'
                return 200, {"ETag": etag, "X-Repo-Commit": commit}, content
    return 404, {"X-Error-Code": "RepoNotFound"}, b""
