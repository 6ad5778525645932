"""The Responses API of OpenAI, and of servers that have it too: one request, one answer, nothing kept there."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gapsmith.prompts.providers.wire import told_count, with_schema
from gapsmith.prompts.request import CallRequest
from gapsmith.prompts.usage import Usage

RESPONSES = "responses"
"""As ``--api`` names it."""

_REASONS = {"max_output_tokens": "max_tokens", "content_filter": "content_filter"}


def response_arguments(model: str, request: CallRequest, structure: str) -> dict[str, Any]:
    """The members of a request. It is stateless: the service is told to keep nothing of it."""
    parameters = request.parameters
    form: dict[str, Any] | None = None
    if request.schema is not None and structure == "json_schema":
        form = {"type": "json_schema", "name": "item_sets", "strict": True, "schema": request.schema}
    elif request.schema is not None and structure == "json_object":
        form = {"type": "json_object"}
    arguments: dict[str, Any] = {
        "model": model,
        "input": with_schema(request.prompt, request.schema, structure),
        "store": False,
        "temperature": parameters.temperature,
        "top_p": parameters.top_p,
        "service_tier": parameters.tier,
        "max_output_tokens": parameters.max_output_tokens,
        "reasoning": {"effort": parameters.thinking} if parameters.thinking else None,
        "text": {"format": form} if form else None,
        "extra_body": json.loads(parameters.extra_body) if parameters.extra_body else None,
    }
    return {name: value for name, value in arguments.items() if value is not None}


def is_response(answer: Any) -> bool:
    """Whether an answer is one of this API."""
    return getattr(answer, "object", None) == "response"


def answer_in(answer: Any) -> tuple[str, str | None]:
    """The text of all messages in the answer, without reasoning, and the refusal where there is one."""
    text, refusal = "", None
    output = getattr(answer, "output", None)
    for one in output if isinstance(output, list) else ():
        content = getattr(one, "content", None)
        if getattr(one, "type", None) != "message" or not isinstance(content, list):
            continue
        for part in content:
            said = getattr(part, "text", None)
            text += said if getattr(part, "type", None) == "output_text" and isinstance(said, str) else ""
            if getattr(part, "type", None) == "refusal":
                refusal = str(getattr(part, "refusal", "") or "refused")
    return text, refusal


def finish_of(answer: Any) -> str:
    """Why the answer ended, in the words of the chat API where that has them."""
    status = str(getattr(answer, "status", None) or "none given")
    reason = getattr(getattr(answer, "incomplete_details", None), "reason", None)
    if status == "incomplete" and reason:
        return _REASONS.get(str(reason), str(reason))
    return "stop" if status == "completed" else status


def response_usage(usage: Any) -> Usage:
    """Its tokens; the thinking is told within the output."""
    if usage is None:
        return Usage()
    written = told_count(getattr(usage, "output_tokens", None))
    thinking = told_count(getattr(getattr(usage, "output_tokens_details", None), "reasoning_tokens", None))
    return Usage(
        input_tokens=told_count(getattr(usage, "input_tokens", None)),
        cached_tokens=told_count(getattr(getattr(usage, "input_tokens_details", None), "cached_tokens", None)),
        output_tokens=None if written is None else max(0, written - (thinking or 0)),
        thinking_tokens=thinking,
    )


def complaint_in(answer: Any) -> Mapping[str, Any]:
    """What the server says went wrong while it answered; empty where it says nothing."""
    error = getattr(answer, "error", None)
    if error is None:
        return {}
    return {"code": getattr(error, "code", None), "message": getattr(error, "message", None)}
