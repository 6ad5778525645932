"""Gemini, through Google's own SDK and the Developer API (not Vertex)."""

from __future__ import annotations

import copy
import json
import logging
import re
import warnings
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Any, ClassVar

from google import genai
from google.genai import types
from pydantic import ValidationError

from gapsmith.prompts.failures import FailureKind
from gapsmith.prompts.providers.access import GEMINI_ADDRESS, NO_KEY, Service
from gapsmith.prompts.providers.batching import MOST_PAGES, Batching, BatchLine, BatchLook, line_of
from gapsmith.prompts.providers.http import HttpProvider
from gapsmith.prompts.providers.wire import details_of, duration_s, limit_kind, short, told_count, with_schema
from gapsmith.prompts.request import CallRequest, ModelParameters, Reply
from gapsmith.prompts.usage import Usage
from gapsmith.templates import THINKING_TOKENS, ConfigError

_KEY = "key"
_NAME = re.compile(r"batches/[\w-]{1,200}")
_ENDED = {"SUCCEEDED", "FAILED", "CANCELLED", "EXPIRED", "PARTIALLY_SUCCEEDED"}
_RPC_NOT_DONE = (1, 4)
"""Codes of google.rpc: cancelled, deadline exceeded."""
_HTTP_OF_RPC: Mapping[Any, int] = {3: 400, 5: 404, 7: 403, 8: 429, 9: 400, 13: 500, 14: 503, 16: 401}
_MOST_NEW = 10
_THINKING_LEVELS = ("minimal", "low", "medium", "high")
_RECITED = {"RECITATION", "IMAGE_RECITATION"}
_CUT = {"MAX_TOKENS", "CONTINUATION", "OTHER", "MALFORMED_RESPONSE"}
_WHOLE = {"STOP", "FINISH_REASON_UNSPECIFIED", "none given"}
_BLOCKED = {
    "SAFETY",
    "BLOCKLIST",
    "PROHIBITED_CONTENT",
    "SPII",
    "IMAGE_SAFETY",
    "IMAGE_PROHIBITED_CONTENT",
    "MODEL_ARMOR",
}


class GeminiProvider(HttpProvider, Batching):
    """The key is in GOOGLE_API_KEY or GEMINI_API_KEY; the first one wins, as in Google's SDK."""

    name: ClassVar[str] = "gemini"
    paid: bool = True
    most_requests: ClassVar[int] = 10_000
    # The limit is 20 MB for the whole request. Larger batches would be uploaded, to a host that the server names.
    most_bytes: ClassVar[int] = 12_000_000
    api_version: str | None = "v1"
    example_model: ClassVar[str] = "gemini-2.5-pro"
    form_refusals: ClassVar[frozenset[int]] = frozenset({400})
    service: ClassVar[Service] = Service(
        title="Gemini",
        url="https://generativelanguage.googleapis.com/",
        url_variable=GEMINI_ADDRESS,
        key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        hint="Set GEMINI_API_KEY (or GOOGLE_API_KEY); make one at https://aistudio.google.com/api-keys",
    )

    def connect(self, key: str | None) -> None:
        """Build the SDK's client."""
        # The SDK would name the variables once more, and warn of every finish reason that is new to it, on stderr, in
        # the middle of a progress bar.
        logging.getLogger("google_genai").setLevel(logging.ERROR)
        warnings.filterwarnings("ignore", message=".* is not a valid ", category=UserWarning)
        self._client = genai.Client(
            vertexai=False,
            api_key=key or NO_KEY,
            http_options=types.HttpOptions(
                base_url=self.address or self.service.url,
                # Else the SDK takes it from a variable of the environment, and another SDK another one.
                api_version=self.api_version,
                timeout=int(self.timeout_s * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                # A client of ours also keeps the SDK from using aiohttp, which follows redirects, where that is installed.
                httpx_async_client=self.http,
                client_args={"follow_redirects": False},
            ),
        )

    def check(self, parameters: ModelParameters) -> None:
        """Refuse a way of thinking that Gemini does not know, and members of requests that are none of its."""
        _thinking(parameters)
        if parameters.api is not None:
            raise ConfigError("--api is for OpenAI's APIs", hint="Leave it out, or give --provider openai.")
        if parameters.extra_body is not None:
            raise ConfigError(
                "--extra-body is for servers that speak OpenAI's API", hint="Leave it out, or give --provider openai."
            )

    async def send(self, request: CallRequest, structure: str) -> types.GenerateContentResponse:
        """One `generateContent`."""
        return await self._client.aio.models.generate_content(
            model=self.model,
            contents=with_schema(request.prompt, request.schema, structure),
            config=self._config(request, structure),
        )

    async def stage(self, requests: Mapping[str, CallRequest]) -> list[types.InlinedRequest]:
        """The requests as they go into the batch."""
        staged = []
        for key, request in requests.items():
            structure = self.structure_of(request)
            contents = with_schema(request.prompt, request.schema, structure)
            config = self._config(request, structure)
            staged.append(types.InlinedRequest(contents=contents, config=config, metadata={_KEY: key}))
        return staged

    async def submit(self, tag: str, staged: list[types.InlinedRequest]) -> str:
        """One `batchGenerateContent` with everything in it."""
        source = types.BatchJobSource(inlined_requests=staged)
        config = types.CreateBatchJobConfig(display_name=tag)
        made = await self.told_document(lambda: self._client.aio.batches.create(model=self.model, src=source, config=config))
        return self._name_in(made)

    async def search(self, tag: str, since: datetime) -> str | None:
        """Page by page, to the end: nothing says in which order they come."""
        token: str | None = None
        for _ in range(MOST_PAGES):
            config = types.ListBatchJobsConfig(page_size=100, page_token=token)
            page = await self.told_document(partial(self._client.aio.batches.list, config=config))
            listed = page.get("operations")
            for one in listed if isinstance(listed, list) else []:
                if isinstance(one, dict) and _inner(one).get("displayName") == tag:
                    return self._name_in(one)
            token = page.get("nextPageToken") or None
            if not isinstance(token, str):
                return None
        raise self.failure(FailureKind.GARBLED, f"the list of batches has no end (since {since:%Y-%m-%d})")

    async def look(self, name: str) -> BatchLook:
        """By its state; the answers come along when it has ended."""
        batch = await self.told_document(lambda: self._client.aio.batches.get(name=name))
        inner = _inner(batch)
        state = str(inner.get("state") or "unknown").removeprefix("BATCH_STATE_").removeprefix("JOB_STATE_")
        stats = inner.get("batchStats")
        told = stats if isinstance(stats, dict) else {}
        error = batch.get("error")
        return BatchLook(
            status=short(state.lower(), self.secrets),
            ended=state in _ENDED,
            counts=f"{told.get('successfulRequestCount', 0)} of {told['requestCount']} answered"
            if "requestCount" in told
            else "",
            error=short(error.get("message") or "", self.secrets) if isinstance(error, dict) else "",
            results=_inlined(inner.get("output")) or _inlined(batch.get("response")),
        )

    async def lines(self, look: BatchLook) -> list[BatchLine]:
        """What came along with the last look."""
        return [self._line(line) for line in look.results]

    async def cancel(self, name: str) -> None:
        """What is done by then is charged and kept."""
        await self.exchanged(lambda: self._client.aio.batches.cancel(name=name))

    def _line(self, line: Any) -> BatchLine:
        raw = json.dumps(line, ensure_ascii=False).encode("utf-8", "backslashreplace")
        if not isinstance(line, dict):
            return line_of(None, raw, self.failure(FailureKind.GARBLED, "not an answer of this API"))
        metadata = line.get("metadata")
        key = metadata.get(_KEY) if isinstance(metadata, dict) else None
        return line_of(key, raw, self.reading(partial(self._found_in, line), raw))

    def _found_in(self, line: Mapping[str, Any]) -> Reply:
        response, error = line.get("response"), line.get("error")
        if isinstance(response, dict):
            return self.read(_response_of(response), self._ladder.current)
        told = error if isinstance(error, dict) else {}
        code = told.get("code")
        if code in _RPC_NOT_DONE:
            raise self.failure(FailureKind.NOT_DONE, told.get("message") or "")
        raise self.refusal(_HTTP_OF_RPC.get(code, 500), told, "")

    def _name_in(self, document: Mapping[str, Any]) -> str:
        name = document.get("name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            raise self.failure(FailureKind.GARBLED, f"no name in {json.dumps(document)}")
        return name

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aio.aclose()
        await super().close()
        self._client.close()

    def _config(self, request: CallRequest, structure: str) -> types.GenerateContentConfig:
        parameters = request.parameters
        values: dict[str, Any] = {
            "temperature": parameters.temperature,
            "seed": parameters.seed,
            "top_p": parameters.top_p,
            "service_tier": types.ServiceTier(parameters.tier) if parameters.tier else None,
            "max_output_tokens": parameters.max_output_tokens,
            "thinking_config": _thinking(parameters),
            "automatic_function_calling": types.AutomaticFunctionCallingConfig(disable=True),
        }
        if "automatic_continuation" in types.GenerateContentConfig.model_fields:
            # The SDK would send, and pay for, further requests of its own.
            values["automatic_continuation"] = False
        if request.schema is not None and structure != "prompt":
            values["response_mime_type"] = "application/json"
        if request.schema is not None and structure == "json_schema":
            values["response_json_schema"] = _ordered(request.schema)
        return types.GenerateContentConfig(**{name: value for name, value in values.items() if value is not None})

    def read(self, answer: types.GenerateContentResponse, structure: str) -> Reply:
        """The text of the first candidate, without thoughts."""
        response = answer
        usage = _usage(response.usage_metadata)
        details = details_of(self.secrets, model=response.model_version, structure=structure, response_id=response.response_id)
        told: dict[str, Any] = {"usage": usage, "details": details}
        feedback = response.prompt_feedback
        if feedback is not None and feedback.block_reason is not None:
            reason = str(getattr(feedback.block_reason, "value", feedback.block_reason))
            raise self.failure(
                FailureKind.SAFETY, f"the prompt was blocked: {reason}", finish_reason=f"blocked: {reason}", **told
            )
        if not response.candidates:
            raise self.failure(FailureKind.EMPTY, "no candidates", **told)
        candidate = response.candidates[0]
        finish = str(getattr(candidate.finish_reason, "value", candidate.finish_reason) or "none given")
        parts = (candidate.content.parts if candidate.content else None) or []
        text = "".join(part.text for part in parts if part.text and not part.thought)
        told |= {"reply": text, "finish_reason": finish}
        if finish in _RECITED:
            raise self.failure(FailureKind.RECITATION, candidate.finish_message or "", **told)
        if finish in _BLOCKED:
            raise self.failure(FailureKind.SAFETY, f"finish reason {finish}. {candidate.finish_message or ''}", **told)
        if not text.strip():
            raise self.failure(FailureKind.EMPTY, f"finish reason {finish}", **told)
        if finish in _CUT:
            raise self.failure(FailureKind.TRUNCATED, f"finish reason {finish}", **told)
        if finish not in _WHOLE:
            raise self.failure(FailureKind.ODD_ENDING, f"finish reason {finish}", **told)
        return Reply(text, finish, usage, details)

    def kind_of(self, status: int, error: Mapping[str, Any], message: str) -> FailureKind | None:
        """By the quota that is used up, or the reason that is given."""
        details = _details(error)
        if status == 429:
            quotas = " ".join(str(quota.get("quotaId", "")) for detail in details for quota in _violations(detail))
            # A quota per minute is told with its own name, and the general words then speak of billing and plans.
            return limit_kind(quotas.replace("PerDay", " per day ") or message)
        if any(detail.get("reason") == "API_KEY_INVALID" for detail in details):
            return FailureKind.BAD_KEY
        if "api key not valid" in message.casefold():
            return FailureKind.BAD_KEY
        return FailureKind.FORBIDDEN if error.get("status") == "FAILED_PRECONDITION" else None

    def wait_of(self, error: Mapping[str, Any]) -> float | None:
        """The retry delay among the details."""
        for detail in _details(error):
            if "retryDelay" in detail:
                return duration_s(str(detail["retryDelay"]))
        return None


def _thinking(parameters: ModelParameters) -> types.ThinkingConfig | None:
    wanted = parameters.thinking
    if wanted is None:
        return None
    if wanted.lstrip("-").isdigit():
        return types.ThinkingConfig(thinking_budget=THINKING_TOKENS.read(wanted, "--thinking"))
    if wanted.casefold() in _THINKING_LEVELS:
        return types.ThinkingConfig(thinking_level=types.ThinkingLevel(wanted.upper()))
    raise ConfigError(
        f"--thinking {wanted!r} is not known to gemini",
        hint=f"Give a number of tokens (0: none, -1: as the model likes), or one of: {', '.join(_THINKING_LEVELS)}.",
    )


def _inner(operation: Mapping[str, Any]) -> Mapping[str, Any]:
    inner = operation.get("metadata")
    return inner if isinstance(inner, dict) else {}


def _inlined(output: Any) -> tuple[Any, ...]:
    for _ in range(2):
        output = output.get("inlinedResponses") if isinstance(output, dict) else None
    return tuple(output) if isinstance(output, list) else ()


def _response_of(document: Mapping[str, Any]) -> types.GenerateContentResponse:
    # As everywhere in this SDK, what is new to it is left out.
    left = copy.deepcopy(document)
    for _ in range(_MOST_NEW):
        try:
            return types.GenerateContentResponse.model_validate(left)
        except ValidationError as error:
            new = [one["loc"] for one in error.errors() if one["type"] == "extra_forbidden"]
            if not new:
                raise
            for *way, name in new:
                place: Any = left
                for step in way:
                    place = place[step]
                del place[name]
    raise ValueError("too much of it is new")


def _ordered(schema: Any) -> Any:
    # Gemini sorts an object's keys by the alphabet unless it is told their order.
    if isinstance(schema, dict):
        ordered = {name: _ordered(value) for name, value in schema.items()}
        if isinstance(schema.get("properties"), dict):
            ordered["propertyOrdering"] = list(schema["properties"])
        return ordered
    return schema


def _details(error: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = error.get("details")
    return [detail for detail in found if isinstance(detail, dict)] if isinstance(found, list) else []


def _violations(detail: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = detail.get("violations")
    return [violation for violation in found if isinstance(violation, dict)] if isinstance(found, list) else []


def _usage(usage: types.GenerateContentResponseUsageMetadata | None) -> Usage:
    if usage is None or usage.prompt_token_count is None:
        return Usage()
    return Usage(
        input_tokens=told_count(usage.prompt_token_count),
        cached_tokens=told_count(usage.cached_content_token_count),
        output_tokens=told_count(usage.candidates_token_count or 0),
        thinking_tokens=told_count(usage.thoughts_token_count),
    )
