"""What the providers that speak HTTP have in common: waits, broken connections and forms of answer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

import httpx2

from gapsmith.prompts.failures import FailureKind, ProviderError
from gapsmith.prompts.scrubbing import scrub, visible
from gapsmith.templates import ConfigError

_DETAIL_CHARS = 400
_AGAIN_IN = re.compile(r"(?:try again|retry) in (?P<text>(?:[\d.]+\s*(?:ms|[hms]))+)", re.IGNORECASE)
_DURATION = re.compile(r"([\d.]+)\s*(ms|[hms])")
_SECONDS = {"h": 3600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_PER_DAY = re.compile(r"per[ _-]?day|daily|\bRPD\b|\bTPD\b", re.IGNORECASE)


class StructureLadder:
    """How an answer's form is asked for, from strict to loose, remembered for the server that the provider talks to.

    A server that refuses one way is asked in the next one from then on; in the last one, the form is only described
    in the prompt and checked when the answer is read."""

    STEPS = ("json_schema", "json_object", "prompt")

    def __init__(self) -> None:
        self._step = 0

    @property
    def current(self) -> str:
        """The way to ask now."""
        return self.STEPS[self._step]

    def refused(self, structure: str, complaint: str) -> bool:
        """The server said no to a request of this form. True: it was because of the form, and there is a looser one."""
        about_form = re.search(r"response_?format|response_?mime|schema|json|structured|grammar|guided", complaint, re.I)
        step = self.STEPS.index(structure)
        if not about_form or step == len(self.STEPS) - 1:
            return False
        self._step = max(self._step, step + 1)
        return True


def with_schema(prompt: str, schema: Mapping[str, Any] | None, structure: str) -> str:
    """The prompt, with the schema written out where the server does not take it as a parameter."""
    if schema is None or structure == "json_schema":
        return prompt
    return f"{prompt}\nThe JSON must fit this schema:\n{json.dumps(schema, ensure_ascii=False)}\n"


def require_model(model: str | None, provider: str, example: str) -> str:
    """The model, or `ConfigError`: which one wrote the items is part of the result, so there is no default."""
    if not model:
        raise ConfigError(
            f"provider {provider!r} needs the name of a model",
            hint=f"Give it with --model, e.g. --model {example}, or set provider_model in gapsmith.toml.",
        )
    return model


def short(text: object, secrets: tuple[str, ...]) -> str:
    """A provider's words on one line, without keys, cut where they go on and on."""
    line = visible(" ".join(scrub(str(text), secrets).split()))
    return line if len(line) <= _DETAIL_CHARS else f"{line[:_DETAIL_CHARS]} …"


def details_of(secrets: tuple[str, ...], **told: object) -> dict[str, str]:
    """What is known about an answer, by name; without keys, and without what the provider did not tell."""
    return {name: short(value, secrets) for name, value in told.items() if value}


def told_wait_s(headers: Mapping[str, str], message: str) -> float | None:
    """The wait that a server asks for, in seconds: in its headers, or in words; None where it asks for none."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        if value:
            try:
                return max(0.0, float(value) * unit)
            except ValueError:
                return _until(value)
    match = _AGAIN_IN.search(message)
    return duration_s(match["text"]) if match else None


def duration_s(text: str) -> float | None:
    """Seconds in ``34s``, ``1m30s`` or ``250ms``; None where there is no such thing."""
    parts = _DURATION.findall(text)
    try:
        return sum(float(number) * _SECONDS[unit] for number, unit in parts) if parts else None
    except ValueError:
        return None


def limit_kind(message: str) -> FailureKind:
    """Whether a rate limit passes soon, or not today, by the server's words. The wait that it asks for may say so as well:
    `ProviderError` sees to that."""
    return FailureKind.DAILY_QUOTA if _PER_DAY.search(message) else FailureKind.MINUTE_LIMIT


def transport_failure(error: BaseException, provider: str, secrets: tuple[str, ...]) -> ProviderError | None:
    """The failure behind an error of the HTTP client, under whatever an SDK wraps around it; None for an error of
    another kind."""
    found: BaseException | None = error
    while found is not None:
        if isinstance(found, httpx2.ConnectError | httpx2.ConnectTimeout):
            return ProviderError(FailureKind.CONNECTION, short(found, secrets), unsent=True, provider=provider)
        if isinstance(found, httpx2.TimeoutException | TimeoutError):
            return ProviderError(FailureKind.TIMEOUT, provider=provider)
        if isinstance(found, httpx2.TransportError):
            return ProviderError(FailureKind.CONNECTION, short(found, secrets), provider=provider)
        found = found.__cause__
    return None


def told_count(value: object) -> int | None:
    """A count of tokens that a server tells, or None where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def _until(http_date: str) -> float | None:
    try:
        then = parsedate_to_datetime(http_date)
    except ValueError:
        return None
    return max(0.0, (then - datetime.now(UTC)).total_seconds()) if then.tzinfo else None
