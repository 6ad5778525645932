"""Pacing: requests and tokens per minute, and a pause for everybody when the provider asks one of us to wait."""

from __future__ import annotations

import asyncio

from aiolimiter import AsyncLimiter

_BURST_PART = 8


class RateGate:
    """Every attempt at a call passes through here before it is sent.

    Requests are spaced evenly, ``60 / rpm`` seconds apart. Tokens flow out of a leaky bucket that holds one eighth of
    a minute's worth (or one call, where that is more), at a rate that keeps every 60 seconds within `tpm`."""

    def __init__(self, *, rpm: float | None = None, tpm: float | None = None, tokens_per_call: int = 0) -> None:
        self._requests = AsyncLimiter(1, 60.0 / rpm) if rpm else None
        self._tokens: AsyncLimiter | None = None
        if tpm:
            burst = min(max(tpm / _BURST_PART, float(tokens_per_call), 1.0), tpm)
            # A window of 60 s sees the bucket's content and what leaks in; half of tpm leaks at the very least.
            leak_per_s = max(tpm - burst, tpm / 2) / 60.0
            self._tokens = AsyncLimiter(burst, burst / leak_per_s)
        self._resume_at = 0.0

    def pause(self, seconds: float) -> None:
        """Let nobody through for so long."""
        self._resume_at = max(self._resume_at, asyncio.get_running_loop().time() + seconds)

    async def enter(self, tokens: int) -> None:
        """Wait for a place for one request of about `tokens` tokens."""
        loop = asyncio.get_running_loop()
        while (wait := self._resume_at - loop.time()) > 0:
            await asyncio.sleep(wait)
        if self._tokens is not None:
            await self._tokens.acquire(min(float(tokens), self._tokens.max_rate))
        if self._requests is not None:
            await self._requests.acquire()
