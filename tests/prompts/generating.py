"""Helpers of the generation tests."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from gapsmith.app.generation import carry_out
from gapsmith.bank import Bank, ItemFilter, StoredItem
from gapsmith.prompts import CallRequest, GenerationOutcome, Order, Prepared, Provider, ProviderOptions, Reply, RunCounts, prepare
from gapsmith.prompts.fake import FakeServer

KEY = "AIzaSyTestTestTestTestTestTestTestTest9"
"""Looks like a key, and must turn up nowhere."""

ENVIRONMENT = {"GEMINI_API_KEY": KEY, "OPENAI_API_KEY": KEY}


class EchoProvider(Provider):
    """The smallest provider there can be."""

    name = "mine"
    paid = False

    def __init__(self, options: ProviderOptions) -> None:
        self.options = options

    async def call(self, request: CallRequest) -> Reply:
        """The prompt itself."""
        return Reply(request.prompt)


class Notes:
    """An observer that remembers."""

    def __init__(self, on_progress: Callable[[RunCounts], None] = lambda _: None) -> None:
        self.lines: list[str] = []
        self._on_progress = on_progress

    def progress(self, tally: RunCounts) -> None:
        """Pass it on."""
        self._on_progress(tally)

    def note(self, message: str) -> None:
        """Remember it."""
        self.lines.append(message)


class SmallDisk:
    """A disk that can be filled: SQLite says "database or disk is full" to the connections that a bank hands out."""

    def __init__(self, bank: Bank, monkeypatch: pytest.MonkeyPatch) -> None:
        self._full = threading.Event()
        self._monkeypatch = monkeypatch
        monkeypatch.setattr(bank, "another", lambda: self._watched(Bank.open(bank.path)))

    def fill(self) -> None:
        """Fill it, from the next transaction on."""
        self._full.set()

    def _watched(self, writer: Bank) -> Bank:
        transaction = writer.transaction

        @contextmanager
        def watched() -> Iterator[None]:
            if self._full.is_set():
                pages = writer.db.execute("PRAGMA page_count").fetchone()[0]
                writer.db.execute(f"PRAGMA max_page_count = {pages}")
            with transaction():
                yield

        self._monkeypatch.setattr(writer, "transaction", watched)
        return writer


def prepare_http(order: Order, bank: Bank, fake: FakeServer) -> Prepared:
    """An order, ready to run against the stand-in server."""
    from dataclasses import replace

    url = fake.url if order.provider == "gemini" else fake.openai_url
    aimed = replace(order, base_url=url, model=order.model or "fake-model")
    return prepare(aimed, bank, workspace=None, environment=ENVIRONMENT)


def generate(order: Order, bank: Bank, fake: FakeServer | None = None, notes: Notes | None = None) -> GenerationOutcome:
    """Run an order to its end."""
    if fake is None:
        prepared = prepare(order, bank, workspace=None, environment={})
    else:
        prepared = prepare_http(order, bank, fake)
    return carry_out(prepared, bank, notes)


def stored(bank: Bank) -> list[StoredItem]:
    """Every item of the bank."""
    return list(bank.items.iterate(ItemFilter()))


def texts(items: Sequence[StoredItem]) -> list[tuple[str, ...]]:
    """The sentences of items."""
    return [tuple(sentence.text for sentence in item.sentences) for item in items]


def as_json(items: Any) -> str:
    """An answer in slot mode."""
    return json.dumps({"items": items})
