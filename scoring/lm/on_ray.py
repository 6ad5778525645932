"""Scoring on the machines of a Ray cluster: one model per actor, requests in shards that keep shared beginnings together.

Ray is an extra (``pip install 'gapsmith[ray]'``). Its usage statistics are off unless the user has said otherwise.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gapsmith.bank import Tokens
from gapsmith.scoring.lm.encoding import merged
from gapsmith.scoring.lm.engine import Engine, Request
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.opening import open_engine
from gapsmith.scoring.lm.slabs import slabs
from gapsmith.templates import ConfigError

SHARD = 2**17
"""Characters of a shard: some thousand sentences, so that the last shards keep no machine waiting for long."""

AHEAD = 2
"""Shards that an actor has at a time, so that it never waits for the next one."""

RESTARTS = 3
"""How often an actor that died is started again, and a shard that it lost is tried again."""


class _Scorer:
    """What runs on each machine."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        self.said: list[str] = []
        self.engine = open_engine(**options, notice=self.said.append)

    def score(self, requests: list[Request]) -> tuple[dict[str, Any], dict[str, Any], list[str], list[Tokens]]:
        """Identity, provenance, notices and the tokens of a shard."""
        tokens = [tokens for chunk in self.engine.score(requests) for tokens in chunk]
        return dict(self.engine.identity), dict(self.engine.provenance), self.said, tokens


class RayEngine:
    """Scores on Ray; values are those of the engine that `options` open, up to rounding.

    The model must be in reach of every machine under the same name. A machine that dies is replaced, and what it had
    not handed over is scored again.
    """

    def __init__(
        self,
        address: str | None = None,
        *,
        workers: int | None = None,
        notice: Callable[[str], None],
        **options: Any,
    ) -> None:
        """`address` of a running cluster; None starts Ray on this machine. `workers` is the number of actors: one per GPU
        of the cluster unless it is given, one per processor where there is none. `options` are those of `open_engine`.

        Raises `ConfigError` where Ray is not installed, and what `open_engine` raises.
        """
        try:
            self._ray: Any = importlib.import_module("ray")
        except ImportError as error:
            raise ConfigError("Ray is not installed", hint="Install it: pip install 'gapsmith[ray]'") from error
        self._options = options
        # Here for the tokenizer and the identity only: its weights are never loaded.
        self._here: Engine = open_engine(**options, notice=notice)
        self._notice, self._said = notice, set[str]()
        self._address, self._workers = address, workers
        self._there: Mapping[str, Any] | None = None
        self.model, self.revision = self._here.model, self._here.revision

    @property
    def identity(self) -> Mapping[str, Any]:
        """See `Engine.identity`."""
        return self._here.identity

    @property
    def provenance(self) -> Mapping[str, Any]:
        """See `Engine.provenance`: that of the machine that answered last."""
        return {**(self._there or self._here.provenance), "on": "ray", "ray": self._ray.__version__}

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """See `Engine.pieces`."""
        return self._here.pieces(ids)

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """See `Engine.score`; a chunk is a shard. Raises `ModelError` where a shard fails on every try."""
        self._connect()
        actor = self._ray.remote(_Scorer).options(
            max_restarts=RESTARTS, max_task_retries=RESTARTS, **({"num_gpus": 1} if self._n_gpus() else {"num_cpus": 1})
        )
        n_actors = self._workers or int(self._n_gpus() or self._ray.cluster_resources().get("CPU", 1))
        shards = list(slabs(merged(requests), SHARD))
        actors = [actor.remote(self._options) for _ in range(min(n_actors, len(shards)))]
        running: dict[Any, Any] = {}
        try:
            for _ in range(AHEAD):
                for one in actors:
                    if shards:
                        running[one.score.remote(shards.pop(0))] = one
            while running:
                (done, *_), _ = self._ray.wait(list(running), num_returns=1)
                one = running.pop(done)
                tokens = self._answer(done)
                if shards:
                    running[one.score.remote(shards.pop(0))] = one
                yield tokens
        finally:
            for one in actors:
                self._ray.kill(one)

    def _answer(self, reference: Any) -> list[Tokens]:
        errors: Any = importlib.import_module("ray.exceptions")
        try:
            identity, self._there, said, tokens = self._ray.get(reference)
        except errors.RayError as error:
            lines = [line for line in str(error).splitlines() if line.strip()]
            raise ModelError(
                f"scoring {self.model} on Ray failed: {lines[-1].strip() if lines else type(error).__name__}",
                hint="See that the model is in reach of every machine of the cluster. What is scored so far is kept.",
            ) from error
        if identity != self.identity:
            other = next(name for name in {**identity, **self.identity} if identity.get(name) != self.identity.get(name))
            raise ModelError(
                f"a machine of the cluster has another {self.model}: its {other} differs",
                hint="Put the same files on every machine, or name a commit with --revision.",
            )
        for message in said:
            if message not in self._said:
                self._said.add(message)
                self._notice(message)
        kept: list[Tokens] = tokens
        return kept

    def _connect(self) -> None:
        if self._ray.is_initialized():
            return
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        try:
            local = {} if self._address else {"include_dashboard": False}
            self._ray.init(address=self._address, log_to_driver=False, logging_level="ERROR", **local)
        except (ConnectionError, RuntimeError, ValueError) as error:
            raise ModelError(
                f"there is no Ray at {self._address or 'this machine'}: {str(error).splitlines()[0]}",
                hint="Start one with `ray start --head`, or leave the address out to run on this machine.",
            ) from error

    def _n_gpus(self) -> int:
        return int(self._ray.cluster_resources().get("GPU", 0))
