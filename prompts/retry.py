"""The only place that sends the same call again, by the rule of the failure."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from tenacity import AsyncRetrying, RetryCallState, retry_if_exception

from gapsmith.prompts.failures import Action, ProviderError
from gapsmith.prompts.request import Reply
from gapsmith.prompts.usage import Usage

_LONGEST_OWN_WAIT_S = 60.0


@dataclass(frozen=True, slots=True)
class Answer:
    """How a call ended: with a reply, or with the failure of its last attempt."""

    reply: Reply | None
    failure: ProviderError | None
    attempts: int
    unanswered: int
    """Attempts that ended without an answer although the provider may have worked on them."""
    latency_ms: int | None
    """Of the last attempt; None where nobody waited for it."""
    earlier: tuple[ProviderError, ...] = ()
    """How the attempts before the last one failed."""

    @property
    def text(self) -> str | None:
        """What came, whole or not; None where nothing did."""
        if self.reply is not None:
            return self.reply.text
        return self.failure.reply if self.failure is not None else None

    @property
    def finish_reason(self) -> str | None:
        """In the provider's words; None where it gave none."""
        came = self.reply or self.failure
        return came.finish_reason if came is not None else None

    @property
    def usage(self) -> Usage:
        """The tokens that the provider told."""
        came = self.reply or self.failure
        return came.usage if came is not None else Usage()


async def answer_or_failure(
    send: Callable[[int], Awaitable[Reply]],
    *,
    stopping: asyncio.Event,
    on_wait: Callable[[ProviderError, float], None] = lambda *_: None,
    may_try_again: Callable[[ProviderError], bool] = lambda _: True,
) -> Answer:
    """Send a call until it is answered or its failure's rule says enough.

    `send` gets the number of the attempt, from 1. `on_wait` hears of each wait before it begins. No attempt begins
    once `stopping` is set, nor where `may_try_again` says no."""
    attempts = unanswered = 0
    failures: list[ProviderError] = []
    started = time.monotonic()

    async def attempt() -> Reply:
        nonlocal attempts, unanswered, started
        attempts += 1
        started = time.monotonic()
        try:
            return await send(attempts)
        except ProviderError as failure:
            unanswered += failure.may_be_paid
            failures.append(failure)
            raise

    def again(error: BaseException) -> bool:
        return (
            isinstance(error, ProviderError)
            and error.rule.action is Action.RETRY
            and not stopping.is_set()
            and attempts < error.rule.attempts
            and may_try_again(error)
        )

    def enough(state: RetryCallState) -> bool:
        return stopping.is_set() or state.attempt_number >= _failure(state).rule.attempts

    async def sleep(seconds: float) -> None:
        try:
            await asyncio.wait_for(stopping.wait(), seconds)
        except TimeoutError:
            return

    def tell(state: RetryCallState) -> None:
        on_wait(_failure(state), state.upcoming_sleep)

    retrying = AsyncRetrying(
        retry=retry_if_exception(again),
        stop=enough,
        wait=_wait,
        before_sleep=tell,
        sleep=sleep,
        reraise=True,
    )
    reply: Reply | None = None
    failure: ProviderError | None = None
    try:
        async for trial in retrying:
            if stopping.is_set() and failure is not None:
                break
            with trial:
                try:
                    reply = await attempt()
                except ProviderError as error:
                    failure = error
                    raise
                failure = None
    except ProviderError as error:
        failure = error
    latency = round((time.monotonic() - started) * 1000)
    earlier = tuple(failures if reply is not None else failures[:-1])
    return Answer(reply, failure, attempts, unanswered, latency, earlier)


def _failure(state: RetryCallState) -> ProviderError:
    error = state.outcome.exception() if state.outcome else None
    assert isinstance(error, ProviderError)
    return error


def _wait(state: RetryCallState) -> float:
    # The server's own word comes first; else the wait doubles, with a quarter of chance so that calls spread out.
    failure = _failure(state)
    if failure.retry_after_s is not None:
        return failure.retry_after_s + random.uniform(0.0, 0.25)
    doubled = failure.rule.first_wait_s * 2.0 ** (state.attempt_number - 1)
    return min(doubled, _LONGEST_OWN_WAIT_S) * random.uniform(0.75, 1.25)
