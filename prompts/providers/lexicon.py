"""The embedded provider: words from the paradigm's own lists, drawn with a seed, with no network."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import ClassVar

from gapsmith.prompts.providers.base import Provider, ProviderOptions
from gapsmith.prompts.request import CallRequest, Mode, Reply
from gapsmith.templates import expand, sample


class LexiconProvider(Provider):
    """Answers as a model would, with a JSON list of slot values. Equal options give equal answers at equal offsets."""

    name: ClassVar[str] = "lexicon"
    paid: bool = False
    finite: ClassVar[bool] = True
    modes: ClassVar[frozenset[Mode]] = frozenset({Mode.SLOTS})

    def __init__(self, options: ProviderOptions) -> None:
        self._options = options
        self._visible = options.paradigm.filled
        self._stream: Iterator[Mapping[str, str]] = iter(())
        self._position = -1

    async def call(self, request: CallRequest) -> Reply:
        """`n_items` fillings from `offset` on; ``exhausted`` where the lists give fewer."""
        fillings = self._take(request.offset, request.n_items)
        items = [{name: filling[name] for name in self._visible if name in filling} for filling in fillings]
        reason = "stop" if len(items) == request.n_items else "exhausted"
        return Reply(json.dumps({"items": items}, ensure_ascii=False), finish_reason=reason)

    def _take(self, offset: int, count: int) -> list[Mapping[str, str]]:
        if offset < self._position or self._position < 0:
            options = self._options
            if options.exhaustive:
                self._stream = expand(options.paradigm)
            else:
                self._stream = sample(options.paradigm, options.seed, options.band)
            self._position = 0
        skipped = sum(1 for _ in islice(self._stream, offset - self._position))
        fillings = list(islice(self._stream, count))
        self._position += skipped + len(fillings)
        return fillings
