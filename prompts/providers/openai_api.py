"""OpenAI, and every server that speaks its chat API: vLLM, Ollama, LM Studio, llama.cpp and others, by base URL."""

from __future__ import annotations

import asyncio
from typing import Any, ClassVar

import openai

from prompts.failures import FailureKind, ProviderError
from prompts.providers.access import NO_KEY, Service, open_access, open_client, redirect_detail
from prompts.providers.base import Provider, ProviderOptions
from prompts.providers.wire import (
    StructureLadder,
    details_of,
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

__all__ = ["OpenAIProvider"]

_SERVICE = Service(
    title="OpenAI",
    url="https://api.openai.com/v1",
    url_variable="OPENAI_BASE_URL",
    key_variables=("OPENAI_API_KEY",),
    hint="Set OPENAI_API_KEY. For a server of your own, give its address with --base-url.",
)
_BLOCKED = {"CONTENT_FILTER", "SAFETY", "PROHIBITED_CONTENT", "BLOCKLIST", "SPII", "REFUSAL"}
_CUT = {"LENGTH", "MAX_TOKENS"}
_FORM_REFUSALS = {400, 404, 415, 422, 501}
_KIND_BY_STATUS = {
    401: FailureKind.BAD_KEY,
    402: FailureKind.NO_FUNDS,
    403: FailureKind.FORBIDDEN,
    404: FailureKind.UNKNOWN_MODEL,
    408: FailureKind.TIMEOUT,
    409: FailureKind.SERVER_ERROR,
    425: FailureKind.SERVER_ERROR,
    504: FailureKind.TIMEOUT,
}
_KIND_BY_CODE = {
    "invalid_api_key": FailureKind.BAD_KEY,
    "insufficient_quota": FailureKind.NO_FUNDS,
    "billing_hard_limit_reached": FailureKind.NO_FUNDS,
    "model_not_found": FailureKind.UNKNOWN_MODEL,
    "content_filter": FailureKind.SAFETY,
    "content_policy_violation": FailureKind.SAFETY,
}


class OpenAIProvider(Provider):
    """The key is in OPENAI_API_KEY and is needed only for OpenAI itself; OPENAI_BASE_URL names another server."""

    name: ClassVar[str] = "openai"
    paid: ClassVar[bool] = True

    def __init__(self, options: ProviderOptions) -> None:
        self._model = require_model(options.model, self.name, "gpt-5.4-mini")
        access = open_access(_SERVICE, options)
        self.address, self.secrets, self.notes = access.address, access.secrets, access.notes
        self._timeout_s = options.timeout_s
        self._ladder = StructureLadder()
        self._client = openai.AsyncOpenAI(
            api_key=access.key or NO_KEY,
            base_url=access.address or _SERVICE.url,
            max_retries=0,
            timeout=options.timeout_s,
            http_client=open_client(bare=not options.send_key),
        )

    def check(self, parameters: ModelParameters) -> None:
        """Refuse a number of thinking tokens, which this API does not take."""
        if parameters.thinking is not None and parameters.thinking.lstrip("-").isdigit():
            raise ConfigError(
                f"--thinking {parameters.thinking}: this API takes no number of tokens",
                hint="Give a word that the model knows, such as minimal, low, medium or high.",
            )

    async def call(self, request: CallRequest) -> Reply:
        """One chat completion; sent again at once, with a looser form, where the server does not know the form."""
        while True:
            structure = self._ladder.current if request.schema is not None else "prompt"
            try:
                async with asyncio.timeout(self._timeout_s):
                    completion = await self._client.chat.completions.create(**self._arguments(request, structure))
            except openai.APIStatusError as error:
                about_form = request.schema is not None and error.status_code in _FORM_REFUSALS
                if about_form and self._ladder.refused(structure, f"{error.message} {error.param or ''}"):
                    continue
                raise self._status_failure(error, structure) from None
            except (openai.APIConnectionError, TimeoutError) as error:
                failure = transport_failure(error, self.name, self.secrets)
                assert failure is not None
                raise failure from None
            except (openai.APIResponseValidationError, ValueError) as error:
                raise self._failure(
                    FailureKind.UNKNOWN_MODEL, f"the address answers with something else: {error}"
                ) from None
            return self._reply(completion, structure)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.close()

    def _arguments(self, request: CallRequest, structure: str) -> dict[str, Any]:
        parameters = request.parameters
        arguments: dict[str, Any] = {
            "model": self._model,
            "messages": [{"role": "user", "content": with_schema(request.prompt, request.schema, structure)}],
            "temperature": parameters.temperature,
            "seed": parameters.seed,
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

    def _reply(self, completion: Any, structure: str) -> Reply:
        # Servers that only resemble OpenAI's leave fields out, so nothing is taken for granted here.
        if isinstance(completion, str):
            detail = f"the address answers with something else: {completion[:120]}"
            raise self._failure(FailureKind.UNKNOWN_MODEL, detail)
        usage = _usage(getattr(completion, "usage", None))
        details = details_of(
            self.secrets,
            model=getattr(completion, "model", None),
            structure=structure,
            response_id=getattr(completion, "id", None),
            system_fingerprint=getattr(completion, "system_fingerprint", None),
        )
        choices = getattr(completion, "choices", None) or []
        complaint = (getattr(completion, "model_extra", None) or {}).get("error")
        if not choices and complaint:
            raise self._failure(FailureKind.SERVER_ERROR, complaint, usage=usage, details=details)
        message = getattr(choices[0], "message", None) if choices else None
        finish = str((getattr(choices[0], "finish_reason", None) if choices else None) or "none given")
        text = _text(getattr(message, "content", None))
        refusal = getattr(message, "refusal", None)
        told: dict[str, Any] = {"finish_reason": finish, "usage": usage, "details": details}
        told["reply"] = text or refusal
        if finish.upper() in _BLOCKED or refusal:
            raise self._failure(FailureKind.SAFETY, refusal or f"finish reason {finish}", **told)
        if finish.upper() == "RECITATION":
            raise self._failure(FailureKind.RECITATION, **told)
        if finish.upper() in _CUT:
            raise self._failure(FailureKind.TRUNCATED, **told)
        if not text.strip():
            raise self._failure(FailureKind.EMPTY, **told)
        return Reply(text, finish, usage, details)

    def _status_failure(self, error: openai.APIStatusError, structure: str) -> ProviderError:
        message, status = error.message, error.status_code
        redirect = redirect_detail(error.response)
        if redirect is not None:
            return self._failure(FailureKind.REDIRECTED, redirect, status=status)
        wait_s = told_wait_s(error.response.headers, message)
        kind = _KIND_BY_CODE.get(error.code or "") or _KIND_BY_CODE.get(error.type or "")
        if kind is None and status == 429:
            kind = limit_kind(message, wait_s)
        if kind is None:
            kind = _KIND_BY_STATUS.get(status, FailureKind.SERVER_ERROR if status >= 500 else FailureKind.BAD_REQUEST)
        return self._failure(kind, message, status=status, retry_after_s=wait_s, details={"structure": structure})

    def _failure(self, kind: FailureKind, detail: object = "", **told: Any) -> ProviderError:
        return ProviderError(kind, short(detail, self.secrets), provider=self.name, **told)


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "".join(part.get("text") or "" for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _usage(usage: Any) -> Usage:
    if usage is None:
        return Usage()
    written, details = getattr(usage, "completion_tokens", None), getattr(usage, "completion_tokens_details", None)
    thinking = getattr(details, "reasoning_tokens", None)
    prompt_details = getattr(usage, "prompt_tokens_details", None)
    return Usage(
        input_tokens=getattr(usage, "prompt_tokens", None),
        cached_tokens=getattr(prompt_details, "cached_tokens", None),
        output_tokens=None if written is None else max(0, written - (thinking or 0)),
        thinking_tokens=thinking,
    )
