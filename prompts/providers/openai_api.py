"""OpenAI, and every server that speaks its chat API: vLLM, Ollama, LM Studio, llama.cpp and others, by base URL."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar, Literal

import openai
from openai.types.chat import ChatCompletion
from openai.types.responses import Response

from gapsmith.prompts.failures import FailureKind
from gapsmith.prompts.providers.access import NO_KEY, OPENAI_ADDRESS, Service
from gapsmith.prompts.providers.batching import CLOCK_SLACK, MOST_PAGES, Batching, BatchLine, BatchLook, line_of
from gapsmith.prompts.providers.http import MAX_BATCH_BYTES, HttpProvider
from gapsmith.prompts.providers.responses import (
    RESPONSES,
    answer_in,
    complaint_in,
    finish_of,
    is_response,
    response_arguments,
    response_usage,
)
from gapsmith.prompts.providers.wire import details_of, limit_kind, short, told_count, with_schema
from gapsmith.prompts.request import CallRequest, ModelParameters, Reply
from gapsmith.prompts.scrubbing import scrub
from gapsmith.prompts.usage import Usage
from gapsmith.templates import ConfigError, DocumentError, read_json

_BLOCKED = {"CONTENT_FILTER", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "REFUSAL"}
_CUT = {"LENGTH", "MAX_TOKENS"}
_WHOLE = {"STOP", "STOP_SEQUENCE", "END_TURN", "EOS", "EOS_TOKEN", "COMPLETE", "NONE GIVEN"}
_OUR_MEMBERS = {
    "model",
    "messages",
    "stream",
    "n",
    "temperature",
    "seed",
    "top_p",
    "service_tier",
    "reasoning_effort",
    "max_tokens",
    "max_completion_tokens",
    "tools",
    "tool_choice",
    "input",
    "instructions",
    "store",
    "background",
    "conversation",
    "previous_response_id",
    "max_output_tokens",
    "reasoning",
}
Endpoint = Literal["/v1/chat/completions", "/v1/responses"]
_TAG = "gapsmith"
_NOT_DONE = {"batch_expired", "batch_cancelled"}
_ID = re.compile(r"[\w.-]{1,200}")
_KIND_BY_CODE = {
    "invalid_api_key": FailureKind.BAD_KEY,
    "insufficient_quota": FailureKind.NO_FUNDS,
    "billing_hard_limit_reached": FailureKind.NO_FUNDS,
    "model_not_found": FailureKind.UNKNOWN_MODEL,
    "content_filter": FailureKind.SAFETY,
    "content_policy_violation": FailureKind.SAFETY,
}


class OpenAIProvider(HttpProvider, Batching):
    """The key is in OPENAI_API_KEY and is needed only for OpenAI itself; OPENAI_BASE_URL names another server."""

    name: ClassVar[str] = "openai"
    paid: bool = True
    most_requests: ClassVar[int] = 50_000
    most_bytes: ClassVar[int] = 150 * 2**20
    example_model: ClassVar[str] = "gpt-5.4-mini"
    form_refusals: ClassVar[frozenset[int]] = frozenset({400, 404, 415, 422, 501})
    service: ClassVar[Service] = Service(
        title="OpenAI",
        url="https://api.openai.com/v1",
        url_variable=OPENAI_ADDRESS,
        key_variables=("OPENAI_API_KEY",),
        hint="Set OPENAI_API_KEY. For a server of your own, give its address with --base-url.",
    )

    def connect(self, key: str | None) -> None:
        """Build the SDK's client."""
        self._client = openai.AsyncOpenAI(
            api_key=key or NO_KEY,
            base_url=self.address or self.service.url,
            max_retries=0,
            timeout=self.timeout_s,
            http_client=self.http,
        )

    def check(self, parameters: ModelParameters) -> None:
        """Refuse a number of thinking tokens, which this API does not take, and members of requests that are ours to give."""
        _check_extra(parameters.extra_body, self.secrets)
        if parameters.api == RESPONSES and parameters.seed is not None:
            raise ConfigError("--seed: the Responses API takes none", hint="Leave it out, or leave out --api.")
        if parameters.thinking is not None and parameters.thinking.lstrip("-").isdigit():
            raise ConfigError(
                f"--thinking {parameters.thinking}: this API takes no number of tokens",
                hint="Give a word that the model knows, such as minimal, low, medium or high.",
            )

    async def send(self, request: CallRequest, structure: str) -> Any:
        """One chat completion, or one response."""
        if request.parameters.api == RESPONSES:
            return await self._client.responses.create(**self._arguments(request, structure))
        return await self._client.chat.completions.create(**self._arguments(request, structure))

    def _arguments(self, request: CallRequest, structure: str) -> dict[str, Any]:
        parameters = request.parameters
        if parameters.api == RESPONSES:
            return response_arguments(self.model, request, structure)
        arguments: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": "user", "content": with_schema(request.prompt, request.schema, structure)}],
            "temperature": parameters.temperature,
            "seed": parameters.seed,
            "top_p": parameters.top_p,
            "service_tier": parameters.tier,
            "extra_body": json.loads(parameters.extra_body) if parameters.extra_body else None,
            "reasoning_effort": parameters.thinking,
            # OpenAI's newer models refuse the older name, and some servers know no other.
            "max_completion_tokens" if self.address is None else "max_tokens": parameters.max_output_tokens,
        }
        if request.schema is not None and structure == "json_schema":
            schema = {"name": "item_sets", "strict": True, "schema": request.schema}
            arguments["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif request.schema is not None and structure == "json_object":
            arguments["response_format"] = {"type": "json_object"}
        return {name: value for name, value in arguments.items() if value is not None}

    async def stage(self, requests: Mapping[str, CallRequest]) -> tuple[str, Endpoint]:
        """Upload the requests as a file; its id, and what they are for."""
        responses = any(request.parameters.api == RESPONSES for request in requests.values())
        endpoint: Endpoint = "/v1/responses" if responses else "/v1/chat/completions"
        lines = []
        for key, request in requests.items():
            arguments = self._arguments(request, self.structure_of(request))
            body = {**arguments.pop("extra_body", {}), **arguments}
            lines.append(json.dumps({"custom_id": key, "method": "POST", "url": endpoint, "body": body}))
        content = ("\n".join(lines) + "\n").encode()
        uploaded = await self.told_document(lambda: self._client.files.create(file=("gapsmith.jsonl", content), purpose="batch"))
        return self._id_in(uploaded), endpoint

    async def submit(self, tag: str, staged: tuple[str, Endpoint]) -> str:
        """Make a batch of the uploaded file."""
        file, endpoint = staged
        made = await self.told_document(
            lambda: self._client.batches.create(
                input_file_id=file, endpoint=endpoint, completion_window="24h", metadata={_TAG: tag}
            )
        )
        return self._id_in(made)

    async def search(self, tag: str, since: datetime) -> str | None:
        """Page by page, newest first, until the batches are older than ours can be."""
        after: str | None = None
        for _ in range(MOST_PAGES):
            more = {"after": after} if after else {}
            page = await self.told_document(partial(self._page, more))
            listed = page.get("data")
            found = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
            for one in found:
                if isinstance(one.get("metadata"), dict) and one["metadata"].get(_TAG) == tag:
                    return self._id_in(one)
            made = [one["created_at"] for one in found if isinstance(one.get("created_at"), int | float)]
            if not found or not page.get("has_more") or (made and max(made) < (since - CLOCK_SLACK).timestamp()):
                return None
            after = self._id_in(found[-1])
        raise self.failure(FailureKind.GARBLED, "the list of batches has no end")

    async def look(self, name: str) -> BatchLook:
        """By its status; the files with its answers are there when it has ended."""
        batch = await self.told_document(lambda: self._client.batches.retrieve(name))
        status = str(batch.get("status") or "unknown")
        counts = batch.get("request_counts")
        told = counts if isinstance(counts, dict) else {}
        files = tuple(str(batch[kind]) for kind in ("output_file_id", "error_file_id") if batch.get(kind))
        errors = batch.get("errors")
        said = [one for one in (errors.get("data") or [] if isinstance(errors, dict) else []) if isinstance(one, dict)]
        return BatchLook(
            status=short(status, self.secrets),
            ended=status in {"completed", "failed", "expired", "cancelled"},
            # A batch fails where its file is no good, before its first request.
            untouched=status == "failed" and not files and not told.get("completed"),
            counts=f"{told.get('completed', 0)} of {told.get('total', '?')} answered" if told else "",
            error=short("; ".join(str(one.get("message") or one.get("code")) for one in said[:3]), self.secrets),
            results=files,
        )

    async def lines(self, look: BatchLook) -> list[BatchLine]:
        """The lines of the file of answers, and of the file of errors."""
        found: list[BatchLine] = []
        for file in look.results:
            exchange = await self.exchanged(partial(self._client.files.content, file), most_bytes=MAX_BATCH_BYTES)
            found += [self._line(raw) for raw in (exchange.body or b"").split(b"\n") if raw.strip()]
        return found

    async def cancel(self, name: str) -> None:
        """It may take some minutes, and what is done by then is charged and kept."""
        await self.exchanged(lambda: self._client.batches.cancel(name))

    def _line(self, raw: bytes) -> BatchLine:
        try:
            line = read_json(raw)
        except DocumentError:
            line = None
        if not isinstance(line, dict):
            return line_of(None, raw, self.failure(FailureKind.GARBLED, "not a line of this API"))
        return line_of(line.get("custom_id"), raw, self.reading(partial(self._found_in, line), raw))

    def _found_in(self, line: Mapping[str, Any]) -> Reply:
        response, error = line.get("response"), line.get("error")
        if not isinstance(response, dict):
            told = error if isinstance(error, dict) else {}
            kind = FailureKind.NOT_DONE if str(told.get("code")) in _NOT_DONE else FailureKind.SERVER_ERROR
            raise self.failure(kind, told.get("message") or told.get("code") or "no answer and no reason")
        status, body = response.get("status_code"), response.get("body")
        if isinstance(status, int) and status != 200:
            inner = body.get("error") if isinstance(body, dict) else None
            raise self.refusal(status, inner if isinstance(inner, dict) else {}, "")
        if not isinstance(body, dict):
            raise self.failure(FailureKind.GARBLED, f"status {status} and no answer")
        form = Response if body.get("object") == "response" else ChatCompletion
        return self.read(form.construct(**body), self._ladder.current)

    async def _page(self, more: Mapping[str, Any]) -> object:
        return await self._client.batches.list(limit=100, **more)

    def _id_in(self, document: Mapping[str, Any]) -> str:
        name = document.get("id")
        if not isinstance(name, str) or not _ID.fullmatch(name):
            raise self.failure(FailureKind.GARBLED, f"no id in {json.dumps(document)}")
        return name

    def read(self, answer: Any, structure: str) -> Reply:
        """The text of the first choice. Servers that only resemble OpenAI's leave fields out: nothing is taken for granted."""
        completion = answer
        if isinstance(completion, str):
            raise self.failure(FailureKind.GARBLED, completion, details={"structure": structure})
        responded = is_response(completion)
        usage = (response_usage if responded else _usage)(getattr(completion, "usage", None))
        details = details_of(
            self.secrets,
            model=getattr(completion, "model", None),
            structure=structure,
            response_id=getattr(completion, "id", None),
            system_fingerprint=getattr(completion, "system_fingerprint", None),
        )
        if responded:
            error = complaint_in(completion)
            if error:
                kind = self.kind_of(0, error, "") or FailureKind.SERVER_ERROR
                raise self.failure(kind, error.get("message") or "", usage=usage, details=details)
            return self._judged(*answer_in(completion), finish_of(completion), usage, details)
        choices = getattr(completion, "choices", None) or []
        complaint = (getattr(completion, "model_extra", None) or {}).get("error")
        if not choices and complaint:
            raise self.failure(FailureKind.SERVER_ERROR, complaint, usage=usage, details=details)
        message = getattr(choices[0], "message", None) if choices else None
        finish = str((getattr(choices[0], "finish_reason", None) if choices else None) or "none given")
        text = _text(getattr(message, "content", None))
        return self._judged(text, getattr(message, "refusal", None), finish, usage, details)

    def _judged(self, text: str, refusal: Any, finish: str, usage: Usage, details: Mapping[str, str]) -> Reply:
        told: dict[str, Any] = {"finish_reason": finish, "usage": usage, "details": details}
        told["reply"] = text or refusal
        if finish.upper() in _BLOCKED or refusal:
            raise self.failure(FailureKind.SAFETY, refusal or f"finish reason {finish}", **told)
        if finish.upper() == "RECITATION":
            raise self.failure(FailureKind.RECITATION, **told)
        if finish.upper() in _CUT:
            raise self.failure(FailureKind.TRUNCATED, **told)
        if not text.strip():
            raise self.failure(FailureKind.EMPTY, **told)
        if finish.upper() not in _WHOLE:
            raise self.failure(FailureKind.ODD_ENDING, f"finish reason {finish}", **told)
        return Reply(text, finish, usage, details)

    def kind_of(self, status: int, error: Mapping[str, Any], message: str) -> FailureKind | None:
        """By the code or the type of the error."""
        kind = _KIND_BY_CODE.get(str(error.get("code"))) or _KIND_BY_CODE.get(str(error.get("type")))
        return limit_kind(message) if kind is None and status == 429 else kind


def _check_extra(extra: str | None, secrets: Sequence[str]) -> None:
    if extra is None:
        return
    if scrub(extra, secrets) != extra:
        raise ConfigError(
            "--extra-body holds a key, and the bank keeps what it says", hint="Put the key into the provider's variable instead."
        )
    try:
        members = read_json(extra)
    except DocumentError as error:
        raise ConfigError(
            f"--extra-body is not JSON that can be sent ({error})", hint="For example: '{\"min_p\": 0.05}'"
        ) from None
    if not isinstance(members, dict):
        raise ConfigError("--extra-body is not a JSON object", hint="For example: '{\"min_p\": 0.05}'")
    ours = sorted(_OUR_MEMBERS & set(members))
    if ours:
        raise ConfigError(f"--extra-body: {', '.join(ours)} is not for it to say", hint="There are flags for that; see --help.")


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(usage: Any) -> Usage:
    if usage is None:
        return Usage()
    written = told_count(getattr(usage, "completion_tokens", None))
    thinking = told_count(getattr(getattr(usage, "completion_tokens_details", None), "reasoning_tokens", None))
    return Usage(
        input_tokens=told_count(getattr(usage, "prompt_tokens", None)),
        cached_tokens=told_count(getattr(getattr(usage, "prompt_tokens_details", None), "cached_tokens", None)),
        output_tokens=None if written is None else max(0, written - (thinking or 0)),
        thinking_tokens=thinking,
    )
