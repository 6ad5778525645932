"""What the providers that speak HTTP through an SDK share: one way to call, and one way to tell what went wrong."""

from __future__ import annotations

import asyncio
import re
from abc import abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gapsmith.prompts.failures import FailureKind, ProviderError
from gapsmith.prompts.providers.access import Service, open_access
from gapsmith.prompts.providers.base import Provider, ProviderOptions
from gapsmith.prompts.providers.exchange import MAX_BODY_BYTES, Exchange, open_client, watched
from gapsmith.prompts.providers.wire import StructureLadder, require_model, short, told_wait_s, transport_failure
from gapsmith.prompts.request import CallRequest, Reply

MAX_BATCH_BYTES = 512 * 2**20
"""The answers of a batch come in one piece."""

_NO_ROOM = re.compile(r"unavailable|capacity|overloaded|shed|preempt", re.IGNORECASE)
_TIER = re.compile(r"service.?tier|\bflex\b", re.IGNORECASE)
_KIND_BY_STATUS = {
    401: FailureKind.BAD_KEY,
    402: FailureKind.NO_FUNDS,
    403: FailureKind.FORBIDDEN,
    404: FailureKind.UNKNOWN_MODEL,
    408: FailureKind.TIMEOUT,
    409: FailureKind.SERVER_ERROR,
    425: FailureKind.SERVER_ERROR,
    499: FailureKind.TIMEOUT,
    504: FailureKind.TIMEOUT,
}


class HttpProvider(Provider):
    """A provider behind an SDK. The SDK forms requests and reads good answers; what failed is told from the HTTP itself,
    since an SDK may stumble over an answer in any way there is."""

    service: ClassVar[Service]
    example_model: ClassVar[str]
    form_refusals: ClassVar[frozenset[int]]
    """The statuses with which a server may refuse the form that was asked for."""

    def __init__(self, options: ProviderOptions) -> None:
        self.model = require_model(options.model, self.name, self.example_model)
        access = open_access(self.service, options)
        self.address, self.secrets, self.notes = access.address, access.secrets, access.notes
        self.timeout_s = options.timeout_s
        self.http = open_client(bare=access.bare)
        self._ladder = StructureLadder()
        self.connect(access.key)

    @abstractmethod
    def connect(self, key: str | None) -> None:
        """Build the SDK's client over `self.http`."""

    @abstractmethod
    async def send(self, request: CallRequest, structure: str) -> Any:
        """Send one request; what the SDK makes of the answer."""

    @abstractmethod
    def read(self, answer: Any, structure: str) -> Reply:
        """The reply in an answer. Raises `ProviderError` for one that is cut, empty or blocked."""

    @abstractmethod
    def kind_of(self, status: int, error: Mapping[str, Any], message: str) -> FailureKind | None:
        """What a refusal means, as far as this API has words of its own for it; None: go by the status."""

    def wait_of(self, error: Mapping[str, Any]) -> float | None:  # noqa: ARG002 - for those that tell it there
        """The wait that the body of a refusal asks for, in seconds."""
        return None

    async def call(self, request: CallRequest) -> Reply:
        """One request; sent again at once, with a looser form, where the server does not take the form."""
        while True:
            structure = self.structure_of(request)
            with watched() as exchange:
                try:
                    async with asyncio.timeout(self.timeout_s):
                        answer = await self.send(request, structure)
                    reply = self.read(answer, structure)
                    return replace(reply, body=exchange.body, details={**reply.details, **_tier(request, exchange)})
                except ProviderError as failure:
                    failure.body = exchange.body
                    failure.details = {**failure.details, **_tier(request, exchange)}
                    raise
                except Exception as error:
                    # Whatever an SDK raises: if the server answered, the answer tells what it is.
                    if request.schema is not None and self._refuses_form(exchange, structure):
                        continue
                    known = self._failure_behind(error, exchange, request, structure)
                    if known is None:
                        raise
                    known.body = exchange.body
                    raise known from None

    async def exchanged(self, work: Callable[[], Awaitable[object]], *, most_bytes: int = MAX_BODY_BYTES) -> Exchange:
        """One request that is not for an answer of the model, and what came back: a success, whatever the SDK made of it.
        Raises `ProviderError`."""
        with watched(most_bytes) as exchange:
            try:
                async with asyncio.timeout(self.timeout_s):
                    await work()
            except Exception as error:  # noqa: BLE001 - if the server answered, the answer tells what it is
                if not (exchange.whole and exchange.good):
                    known = self._failure_behind(error, exchange, None, "")
                    raise known or self.failure(FailureKind.INTERNAL, f"{type(error).__name__}: {error}") from None
        return exchange

    async def told_document(self, work: Callable[[], Awaitable[object]]) -> Mapping[str, Any]:
        """The JSON object that came back. Raises `ProviderError`, also where there is none."""
        exchange = await self.exchanged(work, most_bytes=MAX_BATCH_BYTES)
        document = exchange.document()
        if not isinstance(document, dict):
            garbled = self.failure(FailureKind.GARBLED, exchange.body_text())
            garbled.body = exchange.body
            raise garbled
        return document

    def structure_of(self, request: CallRequest) -> str:
        """How the form of the answer is asked for now."""
        return self._ladder.current if request.schema is not None else "prompt"

    def reading(self, read: Callable[[], Reply], raw: bytes) -> Reply | ProviderError:
        """A reply that came within something else, or why it is none."""
        try:
            return replace(read(), body=raw)
        except ProviderError as failure:
            return failure
        except Exception as error:  # noqa: BLE001 - an SDK may stumble over an answer in any way there is
            return self.failure(FailureKind.GARBLED, f"{len(raw)} bytes ({type(error).__name__})")

    def refusal(self, status: int, error: Mapping[str, Any], structure: str) -> ProviderError:
        """What a refusal of a single request means that came within something else."""
        message = str(error.get("message") or error.get("code") or "no reason given")
        kind = self.kind_of(status, error, message) or _kind_of_status(status)
        return self.failure(kind, message, status=status, details={"structure": structure})

    async def close(self) -> None:
        """Close the connections."""
        await self.http.aclose()

    def failure(self, kind: FailureKind, detail: object = "", **told: Any) -> ProviderError:
        """A failure of this provider, with the detail on one line and without keys."""
        return ProviderError(kind, short(detail, self.secrets), provider=self.name, **told)

    def _refuses_form(self, exchange: Exchange, structure: str) -> bool:
        if not exchange.whole or exchange.status not in self.form_refusals:
            return False
        error = _error_of(exchange)
        return self._ladder.refused(structure, f"{error.get('message', '')} {error.get('param', '')}")

    def _failure_behind(
        self, error: Exception, exchange: Exchange, request: CallRequest | None, structure: str
    ) -> ProviderError | None:
        if not exchange.whole or exchange.status is None:
            return transport_failure(error, self.name, self.secrets)
        details = {"structure": structure} if structure else {}
        if exchange.redirect is not None:
            return self.failure(FailureKind.REDIRECTED, exchange.redirect, status=exchange.status, details=details)
        if exchange.good:
            kind = exchange.headers.get("content-type", "no content type")
            detail = f"HTTP {exchange.status}, {kind}, {len(exchange.body or b'')} bytes ({type(error).__name__})"
            return self.failure(FailureKind.GARBLED, detail, details=details)
        said = _error_of(exchange)
        message = str(said.get("message") or exchange.body_text())
        wait_s = self.wait_of(said)
        if wait_s is None:
            wait_s = told_wait_s(exchange.headers, message)
        status = exchange.status
        kind_told = _kind_at_tier(request, status, message) or self.kind_of(status, said, message)
        kind = kind_told or _kind_of_status(status)
        return self.failure(kind, message, status=status, retry_after_s=wait_s, details=details)


def _kind_of_status(status: int) -> FailureKind:
    return _KIND_BY_STATUS.get(status, FailureKind.SERVER_ERROR if status >= 500 else FailureKind.BAD_REQUEST)


def _tier(request: CallRequest, exchange: Exchange) -> dict[str, str]:
    # The cost goes by the tier that served the request, which need not be the one that was asked for.
    if request.parameters.tier is None:
        return {}
    document = exchange.document()
    body = document if isinstance(document, dict) else {}
    usage = body.get("usageMetadata")
    inner = usage.get("serviceTier") if isinstance(usage, dict) else None
    told = exchange.headers.get("x-gemini-service-tier") or body.get("service_tier") or inner
    return {"tier": told.casefold()[:40]} if isinstance(told, str) else {}


def _kind_at_tier(request: CallRequest | None, status: int, message: str) -> FailureKind | None:
    if request is None or request.parameters.tier is None:
        return None
    if status in (503, 529) or (status == 429 and _NO_ROOM.search(message)):
        return FailureKind.NO_CAPACITY
    return FailureKind.NO_SUCH_TIER if status in (400, 404, 422) and _TIER.search(message) else None


def _error_of(exchange: Exchange) -> Mapping[str, Any]:
    document = exchange.document()
    if isinstance(document, list) and len(document) == 1:
        document = document[0]
    if not isinstance(document, dict):
        return {}
    inner = document.get("error", document)
    return inner if isinstance(inner, dict) else {"message": inner}
