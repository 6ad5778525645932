"""Event loops: what asks providers runs in one of its own, wherever it is called from."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """What `asyncio.run` does, also where an event loop is running already, as in a notebook: that one waits, as it does for any
    call that takes long, and goes on afterwards.

    It is the same thread all the time, since a connection to a bank is its thread's alone."""
    try:
        outer = asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    task = asyncio.current_task(outer)
    if task is not None:
        asyncio.tasks._leave_task(outer, task)
    asyncio._set_running_loop(None)
    try:
        return asyncio.run(work)
    finally:
        asyncio.set_event_loop(outer)
        asyncio._set_running_loop(outer)
        if task is not None:
            asyncio.tasks._enter_task(outer, task)
