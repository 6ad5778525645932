"""Gemini, through Google's own SDK and the Developer API (not Vertex)."""

from __future__ import annotations

import asyncio
import json
import logging
from typing import Any, ClassVar

import httpx2
from google import genai
from google.genai import errors, types
from pydantic import ValidationError

from prompts.failures import FailureKind, ProviderError
from prompts.providers.access import NO_KEY, Service, open_access, open_client, redirect_detail
from prompts.providers.base import Provider, ProviderOptions
from prompts.providers.wire import (
    StructureLadder,
    details_of,
    duration_s,
    limit_kind,
    require_model,
    short,
    told_wait_s,
    transport_failure,
    with_schema,
)
from prompts.request import CallRequest, ModelParameters, Reply
from prompts.usage import Usage
from templates.errors import ConfigError

__all__ = ["GeminiProvider"]

_SERVICE = Service(
    title="Gemini",
    url="https://generativelanguage.googleapis.com/",
    url_variable="GOOGLE_GEMINI_BASE_URL",
    key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
    hint="Set GEMINI_API_KEY (or GOOGLE_API_KEY); make one at https://aistudio.google.com/api-keys",
)
_THINKING_LEVELS = ("minimal", "low", "medium", "high")
_KIND_BY_STATUS = {
    401: FailureKind.BAD_KEY,
    402: FailureKind.NO_FUNDS,
    403: FailureKind.FORBIDDEN,
    404: FailureKind.UNKNOWN_MODEL,
    408: FailureKind.TIMEOUT,
    499: FailureKind.TIMEOUT,
    504: FailureKind.TIMEOUT,
}
_RECITED = {"RECITATION", "IMAGE_RECITATION"}
_CUT = {"MAX_TOKENS", "CONTINUATION", "OTHER", "MALFORMED_RESPONSE"}
_WHOLE = {"STOP", "FINISH_REASON_UNSPECIFIED"}


class GeminiProvider(Provider):
    """The key is in GOOGLE_API_KEY or GEMINI_API_KEY; the first one wins, as in Google's SDK."""

    name: ClassVar[str] = "gemini"
    paid: ClassVar[bool] = True

    def __init__(self, options: ProviderOptions) -> None:
        self._model = require_model(options.model, self.name, "gemini-2.5-pro")
        access = open_access(_SERVICE, options)
        self.address, self.secrets, self.notes = access.address, access.secrets, access.notes
        self._timeout_s = options.timeout_s
        self._ladder = StructureLadder()
        # The SDK would name the variables once more, on stderr, in the middle of a progress bar.
        logging.getLogger("google_genai").setLevel(logging.ERROR)
        self._http = open_client(bare=not options.send_key)
        self._client = genai.Client(
            vertexai=False,
            api_key=access.key or NO_KEY,
            http_options=types.HttpOptions(
                base_url=access.address or _SERVICE.url,
                timeout=int(options.timeout_s * 1000),
                retry_options=types.HttpRetryOptions(attempts=1),
                # A client of ours also keeps the SDK from using aiohttp, which follows redirects, where that is installed.
                httpx_async_client=self._http,
                client_args={"follow_redirects": False},
            ),
        )

    def check(self, parameters: ModelParameters) -> None:
        """Refuse a way of thinking that Gemini does not know."""
        _thinking(parameters)

    async def call(self, request: CallRequest) -> Reply:
        """One `generateContent`; sent again at once, with a looser form, where the model does not take the form."""
        while True:
            structure = self._ladder.current if request.schema is not None else "prompt"
            config = self._config(request, structure)
            prompt = with_schema(request.prompt, request.schema, structure)
            try:
                async with asyncio.timeout(self._timeout_s):
                    response = await self._client.aio.models.generate_content(
                        model=self._model, contents=prompt, config=config
                    )
            except errors.APIError as error:
                complaint = str(error.message or "")
                if error.code == 400 and request.schema is not None and self._ladder.refused(structure, complaint):
                    continue
                raise self._api_failure(error, structure) from None
            except (json.JSONDecodeError, ValidationError) as error:
                raise self._failure(
                    FailureKind.UNKNOWN_MODEL, f"the address answers with something else: {error}"
                ) from None
            except Exception as error:
                # The SDK lets the errors of its HTTP client through; what is none of them is raised again.
                failure = transport_failure(error, self.name, self.secrets)
                if failure is None:
                    raise
                raise failure from None
            return self._reply(response, structure)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aio.aclose()
        await self._http.aclose()
        self._client.close()

    def _config(self, request: CallRequest, structure: str) -> types.GenerateContentConfig:
        parameters = request.parameters
        values: dict[str, Any] = {
            "temperature": parameters.temperature,
            "seed": parameters.seed,
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

    def _reply(self, response: types.GenerateContentResponse, structure: str) -> Reply:
        usage = _usage(response.usage_metadata)
        details = details_of(
            self.secrets, model=response.model_version, structure=structure, response_id=response.response_id
        )
        told: dict[str, Any] = {"usage": usage, "details": details}
        feedback = response.prompt_feedback
        if feedback is not None and feedback.block_reason is not None:
            reason = str(getattr(feedback.block_reason, "value", feedback.block_reason))
            raise self._failure(
                FailureKind.SAFETY, f"the prompt was blocked: {reason}", finish_reason=f"blocked: {reason}", **told
            )
        if not response.candidates:
            raise self._failure(FailureKind.EMPTY, "no candidates", **told)
        candidate = response.candidates[0]
        finish = str(getattr(candidate.finish_reason, "value", candidate.finish_reason) or "none given")
        parts = (candidate.content.parts if candidate.content else None) or []
        text = "".join(part.text for part in parts if part.text and not part.thought)
        told |= {"reply": text, "finish_reason": finish}
        if finish in _RECITED:
            raise self._failure(FailureKind.RECITATION, candidate.finish_message or "", **told)
        if not text.strip() and finish in _WHOLE | _CUT | {"none given"}:
            raise self._failure(FailureKind.EMPTY, f"finish reason {finish}", **told)
        if finish in _CUT:
            raise self._failure(FailureKind.TRUNCATED, f"finish reason {finish}", **told)
        if finish not in _WHOLE | {"none given"}:
            detail = f"finish reason {finish}. {candidate.finish_message or ''}"
            raise self._failure(FailureKind.SAFETY, detail, **told)
        return Reply(text, finish, usage, details)

    def _api_failure(self, error: errors.APIError, structure: str) -> ProviderError:
        message, status = str(error.message or error), error.code
        redirect = redirect_detail(error.response) if isinstance(error.response, httpx2.Response) else None
        if redirect is not None:
            return self._failure(FailureKind.REDIRECTED, redirect, status=status)
        details = _details(error)
        reasons = {str(detail.get("reason", "")) for detail in details}
        wait_s = _retry_delay_s(details)
        if wait_s is None:
            headers = getattr(error.response, "headers", None) or {}
            wait_s = told_wait_s({str(k).lower(): str(v) for k, v in headers.items()}, message)
        if status == 429:
            quotas = " ".join(str(v.get("quotaId", "")) for d in details for v in d.get("violations", []))
            # A quota per minute is told with its own name, and the general words then speak of billing and plans.
            kind = limit_kind(quotas.replace("PerDay", " per day ") or message, wait_s)
        elif "API_KEY_INVALID" in reasons or "api key not valid" in message.casefold():
            kind = FailureKind.BAD_KEY
        elif error.status == "FAILED_PRECONDITION":
            kind = FailureKind.FORBIDDEN
        else:
            kind = _KIND_BY_STATUS.get(status, FailureKind.SERVER_ERROR if status >= 500 else FailureKind.BAD_REQUEST)
        return self._failure(kind, message, status=status, retry_after_s=wait_s, details={"structure": structure})

    def _failure(self, kind: FailureKind, detail: object = "", **told: Any) -> ProviderError:
        return ProviderError(kind, short(detail, self.secrets), provider=self.name, **told)


def _thinking(parameters: ModelParameters) -> types.ThinkingConfig | None:
    wanted = parameters.thinking
    if wanted is None:
        return None
    if wanted.lstrip("-").isdigit():
        return types.ThinkingConfig(thinking_budget=int(wanted))
    if wanted.casefold() in _THINKING_LEVELS:
        return types.ThinkingConfig(thinking_level=types.ThinkingLevel(wanted.upper()))
    raise ConfigError(
        f"--thinking {wanted!r} is not known to gemini",
        hint=f"Give a number of tokens (0: none, -1: as the model likes), or one of: {', '.join(_THINKING_LEVELS)}.",
    )


def _ordered(schema: Any) -> Any:
    # Gemini sorts an object's keys by the alphabet unless it is told their order.
    if isinstance(schema, dict):
        ordered = {name: _ordered(value) for name, value in schema.items()}
        if isinstance(schema.get("properties"), dict):
            ordered["propertyOrdering"] = list(schema["properties"])
        return ordered
    return schema


def _details(error: errors.APIError) -> list[dict[str, Any]]:
    body = error.details if isinstance(error.details, dict) else {}
    inner = body.get("error", body)
    found = inner.get("details", []) if isinstance(inner, dict) else []
    return [detail for detail in found if isinstance(detail, dict)]


def _retry_delay_s(details: list[dict[str, Any]]) -> float | None:
    for detail in details:
        if "retryDelay" in detail:
            return duration_s(str(detail["retryDelay"]))
    return None


def _usage(usage: types.GenerateContentResponseUsageMetadata | None) -> Usage:
    if usage is None or usage.prompt_token_count is None:
        return Usage()
    return Usage(
        input_tokens=usage.prompt_token_count,
        cached_tokens=usage.cached_content_token_count,
        output_tokens=usage.candidates_token_count or 0,
        thinking_tokens=usage.thoughts_token_count,
    )
