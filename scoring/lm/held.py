"""An engine of an installed package, held to what an engine promises."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from gapsmith.bank import Tokens
from gapsmith.scoring.lm.engine import Engine, Request
from gapsmith.templates import Plugin, a_kind

_MEMBERS = ("model", "revision", "identity", "provenance", "pieces", "score")


class HeldEngine:
    """Another engine, whose errors and whose answers that are none become faults of its package. See `Engine`."""

    def __init__(self, engine: Engine, plugin: Plugin) -> None:
        """Raises `PluginError` where it is no engine."""
        self._engine, self._plugin = engine, plugin
        with plugin.at_work(": what it opens cannot be asked what it is"):
            lacking = [name for name in _MEMBERS if not hasattr(engine, name)]
        if lacking:
            raise plugin.fault(f": opens {a_kind(engine)}, which lacks {', '.join(lacking)} and so is no engine")

    @property
    def model(self) -> str:
        """See `Engine.model`."""
        return self._word("model")

    @property
    def revision(self) -> str:
        """See `Engine.revision`."""
        return self._word("revision")

    @property
    def identity(self) -> Mapping[str, Any]:
        """See `Engine.identity`; with the names of engine and model, so that no other's values are taken for its own even
        where the package keeps too little in it."""
        return {**self._record("identity"), "engine": self._plugin.name, "called": self.model}

    @property
    def provenance(self) -> Mapping[str, Any]:
        """See `Engine.provenance`."""
        return self._record("provenance")

    def pieces(self, ids: Sequence[int]) -> tuple[str, ...]:
        """See `Engine.pieces`."""
        with self._plugin.at_work(": pieces failed"):
            return tuple(self._engine.pieces(ids))

    def score(self, requests: Sequence[Request]) -> Iterator[list[Tokens]]:
        """See `Engine.score`. What was not asked for, and what comes twice or never, is a fault of the engine."""
        wanted = {(request.context, request.text) for request in requests}
        scored = self._plugin.held_each(self._engine.score, "score", "a list of Tokens", _is_chunk)
        for chunk in scored(requests):
            for tokens in chunk:
                if (tokens.context, tokens.text) not in wanted:
                    raise self._plugin.fault(f": score gave a text that was not asked for, or gave it twice: {tokens.text!r}")
                wanted.remove((tokens.context, tokens.text))
            yield chunk
        if wanted:
            raise self._plugin.fault(f": score gave no tokens of {min(wanted)[1]!r}")

    def _word(self, name: str) -> str:
        with self._plugin.at_work(f": its {name} cannot be read"):
            found: object = getattr(self._engine, name)
        if not isinstance(found, str) or not found:
            raise self._plugin.fault(f": its {name} is {found!r}, not a word")
        return found

    def _record(self, name: str) -> Mapping[str, Any]:
        with self._plugin.at_work(f": its {name} is nothing that JSON takes"):
            found: Mapping[str, Any] = dict(getattr(self._engine, name))
            json.dumps(found, allow_nan=False)
        return found


def _is_chunk(given: object) -> bool:
    return isinstance(given, list | tuple) and all(isinstance(tokens, Tokens) for tokens in given)
