"""Scoring on the machines of a Ray cluster: one model per actor, requests in shards that keep shared beginnings together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gapsmith.bank import Tokens
from gapsmith.parsing import Cluster
from gapsmith.scoring.lm.encoding import merged
from gapsmith.scoring.lm.engine import Engine, Request
from gapsmith.scoring.lm.errors import ModelError
from gapsmith.scoring.lm.opening import open_engine
from gapsmith.scoring.lm.slabs import slabs

SHARD = 2**17
"""Characters of a shard: some thousand sentences, so that the last shards keep no machine waiting for long."""


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
        """`address` and `workers` are those of `gapsmith.parsing.Cluster`; `options` those of `open_engine`.

        Raises `ConfigError` where Ray is not installed, and what `open_engine` raises.
        """
        self._cluster = Cluster(address, workers=workers)
        self._options = options
        # Here for the tokenizer and the identity only: its weights are never loaded.
        self._here: Engine = open_engine(**options, notice=notice)
        self._notice, self._said = notice, set[str]()
        self._there: Mapping[str, Any] | None = None
        self.model, self.revision = self._here.model, self._here.revision

    @property
    def identity(self) -> Mapping[str, Any]:
        """See `Engine.identity`."""
        return self._here.identity

    @property
    def provenance(self) -> Mapping[str, Any]:
        """See `Engine.provenance`: that of the machine that answered last."""
        return {**(self._there or self._here.provenance), "on": "ray", "ray": self._cluster.version}

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """See `Engine.pieces`."""
        return self._here.pieces(ids)

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """See `Engine.score`; a chunk is a shard. Raises `ModelError` where a shard fails on every try."""
        shards = list(slabs(merged(requests), SHARD))
        for answer in self._cluster.done(_Scorer, (self._options,), "score", shards, self._failed):
            yield self._checked(*answer)

    def _failed(self, said: str) -> ModelError:
        return ModelError(
            f"scoring {self.model} on Ray failed: {said}",
            hint="See that the model is in reach of every machine of the cluster. What is scored so far is kept.",
        )

    def _checked(
        self, identity: Mapping[str, Any], provenance: Mapping[str, Any], said: Sequence[str], tokens: list[Tokens]
    ) -> list[Tokens]:
        self._there = provenance
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
        return tokens
