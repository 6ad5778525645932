"""Retries by rule, and requests and tokens per minute, on a clock that jumps instead of waiting."""

from __future__ import annotations

import asyncio
import math
import selectors
from collections.abc import Awaitable, Callable, Coroutine
from itertools import pairwise
from typing import Any

import pytest

from gapsmith.prompts import RULES, Action, FailureKind, ProviderError, Reply
from gapsmith.prompts.failures import MAX_WAIT_S
from gapsmith.prompts.limits import RateGate
from gapsmith.prompts.retry import Answer, answer_or_failure

pytestmark = pytest.mark.fast


class _JumpingSelector(selectors.SelectSelector):
    """Moves the clock on where a real one would sleep."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> Any:
        ready = super().select(0)
        if not ready and timeout is not None:
            # Like a real clock, this one never quite stands still.
            self.now += max(timeout, 1e-6)
        return ready


class JumpingLoop(asyncio.SelectorEventLoop):
    """An event loop whose time passes only by waiting."""

    def __init__(self) -> None:
        self._jumping = _JumpingSelector()
        super().__init__(self._jumping)

    def time(self) -> float:
        """Seconds since the loop began."""
        return self._jumping.now


def on_jumping_clock(work: Callable[[], Coroutine[Any, Any, Any]]) -> Any:
    with asyncio.Runner(loop_factory=JumpingLoop) as runner:
        return runner.run(work())


def now() -> float:
    return asyncio.get_running_loop().time()


def sends(*outcomes: ProviderError | Reply) -> tuple[Callable[[int], Awaitable[Reply]], list[float]]:
    """A `send` that ends in these ways one after the other (the last one for ever), and the times of its attempts."""
    times: list[float] = []

    async def send(attempt: int) -> Reply:
        times.append(now())
        outcome = outcomes[min(attempt, len(outcomes)) - 1]
        if isinstance(outcome, ProviderError):
            raise outcome
        return outcome

    return send, times


def ask(send: Callable[[int], Awaitable[Reply]], **named: Any) -> Answer:
    async def work() -> Answer:
        return await answer_or_failure(send, stopping=asyncio.Event(), **named)

    answer = on_jumping_clock(work)
    assert isinstance(answer, Answer)
    return answer


RETRIED = [kind for kind in FailureKind if RULES[kind].action is Action.RETRY and kind is not FailureKind.NOT_DONE]
NOT_RETRIED = [kind for kind in FailureKind if kind not in RETRIED]
"""What a batch did not come to is asked for by the next go, not by this one."""


@pytest.mark.parametrize("kind", RETRIED)
def test_what_may_pass_is_tried_as_often_as_its_rule_says(kind: FailureKind) -> None:
    send, times = sends(ProviderError(kind))
    answer = ask(send)
    assert answer.reply is None
    assert answer.failure is not None
    assert answer.failure.kind is kind
    assert answer.attempts == len(times) == RULES[kind].attempts > 1
    assert answer.unanswered == (len(times) if RULES[kind].may_be_paid else 0)
    waits = [later - earlier for earlier, later in pairwise(times)]
    for n, wait in enumerate(waits):
        doubled = min(RULES[kind].first_wait_s * 2**n, 60.0)
        assert 0.74 * doubled <= wait <= 1.26 * doubled


@pytest.mark.parametrize("kind", NOT_RETRIED)
def test_what_does_not_pass_is_tried_once(kind: FailureKind) -> None:
    send, times = sends(ProviderError(kind))
    answer = ask(send)
    assert answer.attempts == len(times) == 1
    assert answer.failure is not None


def test_the_server_s_own_wait_wins() -> None:
    send, times = sends(ProviderError(FailureKind.MINUTE_LIMIT, retry_after_s=42.0), Reply("fine"))
    heard: list[float] = []
    answer = ask(send, on_wait=lambda _, seconds: heard.append(seconds))
    assert answer.reply == Reply("fine")
    assert answer.failure is None
    assert answer.attempts == 2
    assert 42.0 <= times[1] - times[0] < 43.0
    assert heard == pytest.approx([times[1] - times[0]])


@pytest.mark.parametrize("told", [61.0, MAX_WAIT_S])
def test_the_server_s_own_wait_is_kept_even_where_it_is_longer_than_ours(told: float) -> None:
    """Our own waits end at a minute; who is told to wait longer and does not is refused again, and may be shut out."""
    send, times = sends(ProviderError(FailureKind.MINUTE_LIMIT, retry_after_s=told), Reply("fine"))
    assert ask(send).reply == Reply("fine")
    assert told <= times[1] - times[0] < told + 1.0


@pytest.mark.parametrize("kind", RETRIED)
@pytest.mark.parametrize("told", [MAX_WAIT_S + 1.0, 86_400.0, math.inf])
def test_a_wait_that_is_too_long_is_never_begun(kind: FailureKind, told: float) -> None:
    send, times = sends(ProviderError(kind, status=503, retry_after_s=told), Reply("never"))
    heard: list[float] = []
    answer = ask(send, on_wait=lambda _, seconds: heard.append(seconds))
    assert len(times) == answer.attempts == 1
    assert heard == []
    assert answer.failure is not None
    assert answer.failure.kind is FailureKind.DAILY_QUOTA
    assert answer.failure.retry_after_s == told
    assert answer.unanswered == RULES[kind].may_be_paid, "what was perhaps paid for stays so"


@pytest.mark.parametrize("kind", [kind for kind in FailureKind if kind not in RETRIED and kind is not FailureKind.NOT_DONE])
def test_what_no_wait_mends_keeps_its_kind_whatever_wait_is_told(kind: FailureKind) -> None:
    assert ProviderError(kind, retry_after_s=86_400.0).kind is kind


def test_another_failure_is_met_by_its_own_rule() -> None:
    send, _ = sends(ProviderError(FailureKind.SERVER_ERROR), ProviderError(FailureKind.BAD_KEY), Reply("never"))
    answer = ask(send)
    assert answer.attempts == 2
    assert answer.failure is not None
    assert answer.failure.kind is FailureKind.BAD_KEY


def test_a_failure_of_ours_is_not_swallowed() -> None:
    async def send(_: int) -> Reply:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        ask(send)


def test_stopping_ends_the_wait_and_begins_no_other_attempt() -> None:
    send, times = sends(ProviderError(FailureKind.MINUTE_LIMIT, retry_after_s=100.0))

    async def work() -> tuple[Answer, float]:
        stopping = asyncio.Event()
        asyncio.get_running_loop().call_later(3.0, stopping.set)
        return await answer_or_failure(send, stopping=stopping), now()

    answer, ended = on_jumping_clock(work)
    assert len(times) == 1
    assert answer.failure is not None
    assert ended == pytest.approx(3.0, rel=0.01)


def test_no_further_attempt_where_it_may_not_be_paid_for() -> None:
    send, times = sends(ProviderError(FailureKind.TIMEOUT))
    answer = ask(send, may_try_again=lambda _: False)
    assert len(times) == 1
    assert answer.failure is not None


def passes(gate: RateGate, n: int, tokens: int = 1) -> list[float]:
    """When so many calls get through."""

    async def one() -> float:
        await gate.enter(tokens)
        return now()

    async def work() -> list[float]:
        return sorted(await asyncio.gather(*(one() for _ in range(n))))

    times = on_jumping_clock(work)
    assert isinstance(times, list)
    return times


def most_in_a_minute(times: list[float], tokens: int = 1) -> int:
    return max(sum(start <= t < start + 60.0 - 1e-6 for t in times) * tokens for start in times)


@pytest.mark.parametrize("rpm", [1, 7, 60, 600])
def test_no_minute_sees_more_requests_than_allowed(rpm: int) -> None:
    times = passes(RateGate(rpm=rpm), 2 * rpm + 3)
    assert most_in_a_minute(times) <= rpm
    assert times[-1] == pytest.approx(60.0 * (2 * rpm + 2) / rpm, rel=0.05)


@pytest.mark.parametrize(("tpm", "tokens"), [(1_000, 10), (1_000, 400), (60_000, 1_500)])
def test_no_minute_sees_more_tokens_than_allowed(tpm: int, tokens: int) -> None:
    times = passes(RateGate(tpm=tpm, tokens_per_call=tokens), 4 * tpm // tokens, tokens)
    assert most_in_a_minute(times, tokens) <= tpm * 1.001


def test_a_call_larger_than_the_limit_still_gets_through() -> None:
    assert len(passes(RateGate(tpm=100, tokens_per_call=5_000), 3, 5_000)) == 3


def test_without_limits_nobody_waits() -> None:
    assert max(passes(RateGate(), 50)) < 0.01


def test_a_pause_holds_everybody() -> None:
    gate = RateGate()

    async def work() -> float:
        gate.pause(30.0)
        await gate.enter(1)
        return now()

    assert on_jumping_clock(work) >= 30.0
