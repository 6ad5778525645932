"""The bodies and status codes of the two APIs, as far as gapsmith reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gapsmith.prompts.fake.behaviour import Behaviour

THINKING_TOKENS = 64

_GEMINI_FINISH = {
    Behaviour.TRUNCATED: "MAX_TOKENS",
    Behaviour.SAFETY: "SAFETY",
    Behaviour.RECITATION: "RECITATION",
}
_OPENAI_FINISH = {
    Behaviour.TRUNCATED: "length",
    Behaviour.SAFETY: "content_filter",
    Behaviour.PROMPT_BLOCKED: "SAFETY",
    Behaviour.RECITATION: "RECITATION",
}
_SILENT = {Behaviour.SAFETY, Behaviour.RECITATION, Behaviour.PROMPT_BLOCKED}

_GEMINI_ERRORS: Mapping[Behaviour, tuple[int, str, str]] = {
    Behaviour.MINUTE_LIMIT: (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan."),
    Behaviour.DAILY_QUOTA: (429, "RESOURCE_EXHAUSTED", "You exceeded your current quota, please check your plan."),
    Behaviour.NO_FUNDS: (402, "FAILED_PAYMENT", "Payment is required."),
    Behaviour.BAD_KEY: (400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    Behaviour.FORBIDDEN: (403, "PERMISSION_DENIED", "The caller does not have permission."),
    Behaviour.UNKNOWN_MODEL: (404, "NOT_FOUND", "models/nothing is not found for API version v1beta."),
    Behaviour.BAD_REQUEST: (400, "INVALID_ARGUMENT", "temperature must be in the range [0.0, 2.0]."),
    Behaviour.NO_JSON_SCHEMA: (400, "INVALID_ARGUMENT", "response_json_schema is not supported by this model."),
    Behaviour.NO_STRUCTURE: (400, "INVALID_ARGUMENT", "response_mime_type application/json is not supported."),
    Behaviour.SERVER_ERROR: (500, "INTERNAL", "An internal error has occurred."),
    Behaviour.OVERLOADED: (503, "UNAVAILABLE", "The model is overloaded. Please try again later."),
}
_OPENAI_ERRORS: Mapping[Behaviour, tuple[int, str, str]] = {
    Behaviour.MINUTE_LIMIT: (429, "rate_limit_exceeded", "Rate limit reached on requests per min (RPM)."),
    Behaviour.DAILY_QUOTA: (429, "rate_limit_exceeded", "Rate limit reached on requests per day (RPD)."),
    Behaviour.NO_FUNDS: (429, "insufficient_quota", "You exceeded your current quota, please check your plan."),
    Behaviour.BAD_KEY: (401, "invalid_api_key", "Incorrect API key provided."),
    Behaviour.FORBIDDEN: (403, "unsupported_country_region_territory", "Country not supported."),
    Behaviour.UNKNOWN_MODEL: (404, "model_not_found", "The model `nothing` does not exist."),
    Behaviour.BAD_REQUEST: (400, "unsupported_value", "'temperature' does not support 0.2 with this model."),
    Behaviour.NO_JSON_SCHEMA: (400, "invalid_request", "'response_format.type' must be 'json_object' or 'text'."),
    Behaviour.NO_STRUCTURE: (422, "invalid_request", "response_format: extra fields not permitted"),
    Behaviour.SERVER_ERROR: (500, "server_error", "The server had an error."),
    Behaviour.OVERLOADED: (503, "overloaded", "The engine is currently overloaded."),
}


def prompt_of(body: Mapping[str, Any]) -> str:
    """The prompt in a request of either API."""
    if "input" in body:
        return str(body["input"])
    if "messages" in body:
        return "\n".join(str(message.get("content", "")) for message in body["messages"])
    parts = [part for content in body.get("contents", []) for part in content.get("parts", [])]
    return "\n".join(str(part.get("text", "")) for part in parts)


def asked_structure(body: Mapping[str, Any]) -> str:
    """``json_schema``, ``json_object`` or ``prompt``: how a request asks for the form of its answer."""
    if "input" in body:
        return str(((body.get("text") or {}).get("format") or {}).get("type", "prompt"))
    if "messages" in body:
        return str((body.get("response_format") or {}).get("type", "prompt"))
    config = body.get("generationConfig", {})
    if "responseJsonSchema" in config or "responseSchema" in config:
        return "json_schema"
    return "json_object" if config.get("responseMimeType") == "application/json" else "prompt"


def gemini_error(behaviour: Behaviour, wait_s: float) -> tuple[int, dict[str, Any]] | None:
    """Status and body of an error of the Gemini API, or None where this behaviour is no error."""
    if behaviour not in _GEMINI_ERRORS:
        return None
    code, status, message = _GEMINI_ERRORS[behaviour]
    details: list[dict[str, Any]] = []
    if code == 429:
        per = "Day" if behaviour is Behaviour.DAILY_QUOTA else "Minute"
        quota = {"quotaId": f"GenerateRequestsPer{per}PerProjectPerModel-FreeTier", "quotaValue": "5"}
        details = [
            {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [quota]},
            {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": f"{wait_s:g}s"},
        ]
    if behaviour is Behaviour.BAD_KEY:
        details = [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}]
    return code, {"error": {"code": code, "message": message, "status": status, "details": details}}


def openai_error(behaviour: Behaviour) -> tuple[int, dict[str, Any]] | None:
    """Status and body of an error of the OpenAI API, or None where this behaviour is no error."""
    if behaviour not in _OPENAI_ERRORS:
        return None
    status, code, message = _OPENAI_ERRORS[behaviour]
    return status, {"error": {"message": message, "type": "error", "param": None, "code": code}}


def gemini_answer(text: str, prompt: str, model: str, behaviour: Behaviour) -> dict[str, Any]:
    """The body of a `generateContent` answer."""
    usage = {"promptTokenCount": len(prompt) // 4, "totalTokenCount": (len(prompt) + len(text)) // 4}
    if behaviour is Behaviour.PROMPT_BLOCKED:
        return {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": usage}
    parts = [{"text": "Let me think.", "thought": True}]
    if behaviour not in _SILENT and text:
        parts.append({"text": text})
    candidate = {
        "content": {"parts": parts, "role": "model"},
        "finishReason": _GEMINI_FINISH.get(behaviour, "STOP"),
        "index": 0,
    }
    usage |= {"candidatesTokenCount": len(text) // 4, "thoughtsTokenCount": THINKING_TOKENS}
    return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": model, "responseId": "fake-1"}


def openai_answer(text: str, prompt: str, model: str, behaviour: Behaviour) -> dict[str, Any]:
    """The body of a chat completion."""
    written = len(text) // 4 + THINKING_TOKENS
    message = {"role": "assistant", "content": None if behaviour in _SILENT else text, "refusal": None}
    return {
        "id": "chatcmpl-fake",
        "object": "chat.completion",
        "created": 0,
        "model": model,
        "system_fingerprint": "fp_fake",
        "choices": [{"index": 0, "message": message, "finish_reason": _OPENAI_FINISH.get(behaviour, "stop")}],
        "usage": {
            "prompt_tokens": len(prompt) // 4,
            "completion_tokens": written,
            "total_tokens": len(prompt) // 4 + written,
            "completion_tokens_details": {"reasoning_tokens": THINKING_TOKENS},
        },
    }


def response_answer(text: str, prompt: str, model: str, behaviour: Behaviour) -> dict[str, Any]:
    """The body of an answer of the Responses API."""
    written = len(text) // 4 + THINKING_TOKENS
    blocked = behaviour in _SILENT
    said = {"type": "refusal", "refusal": "I cannot."} if blocked else {"type": "output_text", "text": text}
    message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [said]}
    cut = behaviour is Behaviour.TRUNCATED
    return {
        "id": "resp_fake",
        "object": "response",
        "created_at": 0,
        "model": model,
        "status": "incomplete" if cut else "completed",
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "output": [{"type": "reasoning", "id": "rs_1", "summary": []}, *([message] if text or blocked else [])],
        "usage": {
            "input_tokens": len(prompt) // 4,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": written,
            "output_tokens_details": {"reasoning_tokens": THINKING_TOKENS},
            "total_tokens": len(prompt) // 4 + written,
        },
    }
