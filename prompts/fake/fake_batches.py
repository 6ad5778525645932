"""The stand-in's batches: both services' ways to take many requests together and answer them later."""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes
from typing import Any

from gapsmith.prompts.fake.answers import FakeWriter
from gapsmith.prompts.fake.behaviour import Behaviour
from gapsmith.prompts.fake.fake_wire import gemini_answer, gemini_error, openai_answer, openai_error, prompt_of, response_answer

_NO_LINE = {Behaviour.HANG, Behaviour.BREAK}
_RPC_OF_HTTP = {400: 3, 401: 16, 403: 7, 404: 5, 429: 8, 500: 13, 503: 14}
_STATES = {
    "in_progress": "RUNNING",
    "cancelling": "RUNNING",
    "completed": "SUCCEEDED",
    "failed": "FAILED",
    "expired": "EXPIRED",
    "cancelled": "CANCELLED",
}


@dataclass
class FakeBatch:
    """A batch that was made."""

    name: str
    tag: str
    model: str
    requests: Sequence[tuple[str, Mapping[str, Any]]]
    """Keys and bodies."""
    made_at: float = field(default_factory=time.time)
    looks: int = 0
    status: str = "in_progress"
    good: list[dict[str, Any]] = field(default_factory=list)
    bad: list[dict[str, Any]] = field(default_factory=list)


class FakeBatches:
    """Batches of both APIs. Every request that is answered is in `answered`, once for each time that it is paid for."""

    def __init__(self, writer: FakeWriter) -> None:
        self._writer = writer
        self._lock = threading.Lock()
        self._files: dict[str, bytes] = {}
        self.made: list[FakeBatch] = []
        self.answered: list[str] = []
        self.looks = 0
        """So many looks find a batch still in progress."""
        self.ends_as = "completed"
        """``completed``, ``expired``, ``failed`` or ``cancelled``."""
        self.finishes: int | None = None
        """How many requests are answered before it ends; None: all."""
        self.listed = True
        """Whether a batch is shown in the list."""
        self.at_creation: Callable[[int], Behaviour] = lambda _: Behaviour.WELL
        """How the so-manieth request for a batch is met. ``break`` and ``hang`` make it and lose the answer."""
        self.of_line: Callable[[int], Behaviour] = lambda _: Behaviour.WELL
        """How a request within a batch is answered; ``break`` and ``hang`` leave its line out."""
        self.keyless = False
        """Whether answers come back without our keys."""
        self._creations = 0

    def answer(
        self,
        method: str,
        path: str,
        query: Mapping[str, Sequence[str]],
        gemini: bool,
        headers: Mapping[str, str],
        body: bytes,
    ) -> tuple[int, bytes, Behaviour] | None:
        """Status and body for a request that has to do with batches, and how to send it; None where it has not."""
        with self._lock:
            route = f"{method} {path}"
            if match := re.search(r"^POST .*/models/([^/:]+):batchGenerateContent$", route):
                return self._make_gemini(match[1], json.loads(body)["batch"])
            if match := re.search(r"^POST .*/batches/([\w-]+)(?::|/)cancel$", route):
                return self._cancel(match[1], gemini)
            if re.search(r"^GET .*/batches$", route):
                return self._list(gemini, query)
            if match := re.search(r"^GET .*/batches/([\w-]+)$", route):
                return self._look(match[1], gemini)
            if match := re.search(r"^GET .*/files/([\w-]+)/content$", route):
                known = self._files.get(match[1])
                return (404, b"{}", Behaviour.WELL) if known is None else (200, known, Behaviour.WELL)
            if route.endswith("/files") and method == "POST":
                return self._upload(headers, body)
            if route.endswith("/batches") and method == "POST":
                return self._make_openai(json.loads(body))
            return None

    def _upload(self, headers: Mapping[str, str], body: bytes) -> tuple[int, bytes, Behaviour]:
        form = message_from_bytes(f"content-type: {headers['content-type']}\r\n\r\n".encode() + body)
        name = f"file-{len(self._files)}"
        for part in form.walk():
            content = part.get_payload(decode=True)
            if part.get_filename() and isinstance(content, bytes):
                self._files[name] = content
        return self._json({"id": name, "object": "file", "purpose": "batch"})

    def _make_openai(self, body: Mapping[str, Any]) -> tuple[int, bytes, Behaviour]:
        lines = [json.loads(line) for line in self._files[body["input_file_id"]].splitlines()]
        tag = next(iter((body.get("metadata") or {}).values()), "")
        requests = [(line["custom_id"], line["body"]) for line in lines]
        return self._made(tag, str(requests[0][1]["model"]), requests, gemini=False)

    def _make_gemini(self, model: str, body: Mapping[str, Any]) -> tuple[int, bytes, Behaviour]:
        inlined = body["inputConfig"]["requests"]["requests"]
        requests = [(one["metadata"]["key"], one["request"]) for one in inlined]
        return self._made(body.get("displayName", ""), model, requests, gemini=True)

    def _made(
        self, tag: str, model: str, requests: Sequence[tuple[str, Mapping[str, Any]]], *, gemini: bool
    ) -> tuple[int, bytes, Behaviour]:
        behaviour = self.at_creation(self._creations)
        self._creations += 1
        error = gemini_error(behaviour, 0.0) if gemini else openai_error(behaviour)
        if error is not None:
            return error[0], json.dumps(error[1]).encode(), Behaviour.WELL
        if behaviour is not Behaviour.REDIRECT:
            self.made.append(FakeBatch(f"batch-{len(self.made)}", tag, model, requests))
        shown = self._shown(self.made[-1], gemini) if self.made else {}
        return 200, json.dumps(shown).encode(), behaviour

    def _list(self, gemini: bool, query: Mapping[str, Sequence[str]]) -> tuple[int, bytes, Behaviour]:
        shown = [self._shown(batch, gemini) for batch in reversed(self.made)] if self.listed else []
        if gemini:
            start = int(query.get("pageToken", ["0"])[0])
            more = {"nextPageToken": str(start + 1)} if start + 1 < len(shown) else {}
            return self._json({"operations": shown[start : start + 1], **more})
        ids = [batch["id"] for batch in shown]
        start = ids.index(query["after"][0]) + 1 if "after" in query else 0
        page = shown[start : start + 1]
        return self._json({"object": "list", "data": page, "has_more": start + 1 < len(shown)})

    def _find(self, name: str) -> FakeBatch | None:
        return next((batch for batch in self.made if batch.name == name), None)

    def _look(self, name: str, gemini: bool) -> tuple[int, bytes, Behaviour]:
        batch = self._find(name)
        if batch is None:
            return 404, b'{"error": {"message": "no such batch"}}', Behaviour.WELL
        batch.looks += 1
        if batch.status == "cancelling" or (batch.status == "in_progress" and batch.looks > self.looks):
            self._finish(batch, gemini)
        return self._json(self._shown(batch, gemini))

    def _cancel(self, name: str, gemini: bool) -> tuple[int, bytes, Behaviour]:
        batch = self._find(name)
        if batch is None or batch.status != "in_progress":
            return 409, b'{"error": {"message": "it is not in progress"}}', Behaviour.WELL
        batch.status = "cancelling"
        self.ends_as = "cancelled"
        return self._json({} if gemini else self._shown(batch, gemini))

    def _finish(self, batch: FakeBatch, gemini: bool) -> None:
        batch.status = self.ends_as
        done = len(batch.requests) if self.finishes is None else self.finishes
        for number, (key, body) in enumerate(batch.requests if self.ends_as != "failed" else ()):
            behaviour = self.of_line(number)
            if number >= done:
                self._not_done(batch, key, gemini)
            elif behaviour in _NO_LINE:
                self.answered.append(key)
            else:
                self._answer(batch, key, body, behaviour, gemini)
        for kind, lines in (("output", batch.good), ("error", batch.bad)):
            self._files[f"{batch.name}-{kind}"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)

    def _not_done(self, batch: FakeBatch, key: str, gemini: bool) -> None:
        if not gemini:
            error = {"code": f"batch_{self.ends_as}", "message": "This request was not executed."}
            batch.bad.append({"id": "r", "custom_id": key, "response": None, "error": error})

    def _answer(self, batch: FakeBatch, key: str, body: Mapping[str, Any], behaviour: Behaviour, gemini: bool) -> None:
        error = gemini_error(behaviour, 0.0) if gemini else openai_error(behaviour)
        named = {} if self.keyless else {"metadata": {"key": key}} if gemini else {"custom_id": key}
        if error is not None:
            if gemini:
                told = {"code": _RPC_OF_HTTP.get(error[0], 13), "message": error[1]["error"]["message"]}
                batch.good.append({**named, "error": told})
            else:
                response = {"status_code": error[0], "request_id": "r", "body": error[1]}
                batch.bad.append({"id": "r", **named, "response": response, "error": None})
            return
        self.answered.append(key)
        prompt = prompt_of(body)
        text = self._writer.write(prompt, behaviour)
        form = gemini_answer if gemini else response_answer if "input" in body else openai_answer
        answer = form(text, prompt, batch.model, behaviour)
        if gemini:
            batch.good.append({**named, "response": answer})
        else:
            response = {"status_code": 200, "request_id": "r", "body": answer}
            # The lines of a file come in any order.
            batch.good.insert(0, {"id": "r", **named, "response": response, "error": None})

    def _shown(self, batch: FakeBatch, gemini: bool) -> dict[str, Any]:
        ended = batch.status not in ("in_progress", "cancelling")
        if gemini:
            made = datetime.fromtimestamp(batch.made_at, UTC).isoformat()
            inner: dict[str, Any] = {
                "displayName": batch.tag,
                "model": f"models/{batch.model}",
                "createTime": made,
                "state": f"BATCH_STATE_{_STATES[batch.status]}",
                "batchStats": {
                    "requestCount": str(len(batch.requests)),
                    "successfulRequestCount": str(len(batch.good)),
                },
            }
            if ended and batch.good:
                inner["output"] = {"inlinedResponses": {"inlinedResponses": batch.good}}
            return {"name": f"batches/{batch.name}", "metadata": inner, "done": ended}
        counts = {"total": len(batch.requests), "completed": len(batch.good), "failed": len(batch.bad)}
        shown: dict[str, Any] = {
            "id": batch.name,
            "object": "batch",
            "endpoint": "/v1/chat/completions",
            "completion_window": "24h",
            "created_at": int(batch.made_at),
            "status": batch.status,
            "metadata": {"gapsmith": batch.tag},
            "request_counts": counts,
        }
        if batch.status == "failed":
            shown["errors"] = {"data": [{"code": "invalid_json_line", "message": "The file is not valid.", "line": 1}]}
        if ended and batch.good:
            shown["output_file_id"] = f"{batch.name}-output"
        if ended and batch.bad:
            shown["error_file_id"] = f"{batch.name}-error"
        return shown

    def _json(self, value: Mapping[str, Any]) -> tuple[int, bytes, Behaviour]:
        return 200, json.dumps(value).encode(), Behaviour.WELL
