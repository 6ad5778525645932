"""A Ray cluster, or the Ray of this machine: who works there, and work in parts of which a machine's loss loses none.

Ray is an extra (``pip install 'gapsmith[ray]'``). Its usage statistics are off unless the user has said otherwise.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from gapsmith.templates import ConfigError, GapsmithError

AHEAD = 2
"""Parts that an actor has at a time, so that it never waits for the next one."""

RESTARTS = 3
"""How often an actor that died is started again, and a part that it lost is tried again."""

Part = TypeVar("Part")


class Cluster:
    """Where work goes. Raises `ConfigError` where Ray is not installed; nothing is started before there is work."""

    def __init__(self, address: str | None = None, *, workers: int | None = None) -> None:
        """`address` of a running cluster; None starts Ray on this machine. `workers` is the number of actors: one per GPU of the cluster
        unless it is given, one per processor where there is none."""
        try:
            self._ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise ConfigError("Ray is not installed", hint="Install it: pip install 'gapsmith[ray]'") from error
        self._address, self._workers = address, workers

    @property
    def version(self) -> str:
        """Ray's own."""
        return str(self._ray.__version__)

    def done(
        self, worker: type, made_of: Sequence[Any], method: str, parts: Sequence[Part], failed: Callable[[str], GapsmithError]
    ) -> Iterator[Any]:
        """What `method` of a `worker` says of each part, as it comes. Each actor makes one worker of `made_of`; `failed` makes an error of
        what Ray says where a part fails on every try. Raises that, and `ConfigError` where there is no Ray at the address."""
        waiting = list(parts)
        if not waiting:
            return
        self._connect()
        n_gpus = int(self._ray.cluster_resources().get("GPU", 0))
        actor = self._ray.remote(worker).options(
            max_restarts=RESTARTS, max_task_retries=RESTARTS, **({"num_gpus": 1} if n_gpus else {"num_cpus": 1})
        )
        n_actors = self._workers or int(n_gpus or self._ray.cluster_resources().get("CPU", 1))
        actors = [actor.remote(*made_of) for _ in range(min(n_actors, len(waiting)))]
        running: dict[Any, Any] = {}
        try:
            for _ in range(AHEAD):
                for one in actors:
                    if waiting:
                        running[getattr(one, method).remote(waiting.pop(0))] = one
            while running:
                (ended, *_), _ = self._ray.wait(list(running), num_returns=1)
                one = running.pop(ended)
                found = self._answer(ended, failed)
                if waiting:
                    running[getattr(one, method).remote(waiting.pop(0))] = one
                yield found
        finally:
            for one in actors:
                self._ray.kill(one)

    def _answer(self, reference: Any, failed: Callable[[str], GapsmithError]) -> Any:
        errors: Any = importlib.import_module("ray.exceptions")
        try:
            return self._ray.get(reference)
        except errors.RayError as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            raise failed(lines[-1].strip() if lines else type(error).__name__) from error

    def _connect(self) -> None:
        if self._ray.is_initialized():
            return
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            local = {} if self._address else {"include_dashboard": False}
            self._ray.init(address=self._address, log_to_driver=False, logging_level="ERROR", **local)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ConfigError(
                f"there is no Ray at {self._address or 'this machine'}: {str(error).splitlines()[0]}",
                hint="Start one with `ray start --head`, or leave the address out to run on this machine.",
            ) from error


def cluster_at(place: str, what: str) -> str | None:
    """The address in ``ray`` (None: this machine) or ``ray=ADDRESS``. Raises `ConfigError` for another place to do `what`."""
    kind, _, address = place.partition("=")
    if kind != "ray":
        raise ConfigError(f"there is no place {place!r} to {what} on", hint="Say --on ray or --on ray=ADDRESS.")
    return address or None
