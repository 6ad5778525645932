"""The only place that knows by which request something is stored: whoever carries one out says it once, and rows that are made
meanwhile keep it.

Runs have it in their parameters, blocks of scores in their provenance, context sets in how they were drawn, actions in their
first event; of lints it is kept by the moment of the lint. A bank that older releases filled has none.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from gapsmith.bank.connection import Db, canonical

REQUEST = "request"
"""The member of what is stored that says stage, version and digest of the request, and the request itself as TOML."""
_LINT = "lint "
"""What the property is called, before the moment of a lint."""

_carried_out: ContextVar[Mapping[str, Any] | None] = ContextVar("the request that is carried out", default=None)


@contextmanager
def carrying_out(request: Mapping[str, Any] | None) -> Iterator[None]:
    """What is stored meanwhile, in this thread and the tasks that it starts, is stored by this request, or by none."""
    token = _carried_out.set(request)
    try:
        yield
    finally:
        _carried_out.reset(token)


def with_request(said: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the request that is carried out now, if one is; what names a request already keeps that one."""
    request = _carried_out.get()
    return dict(said) if request is None or REQUEST in said else {**said, REQUEST: dict(request)}


def without_request(said: Mapping[str, Any]) -> dict[str, Any]:
    """The same without the request by which it was stored."""
    return {name: value for name, value in said.items() if name != REQUEST}


def request_in_words(request: Mapping[str, Any] | None) -> str:
    """Stage, version and digest in a line, as pages and listings show them; “not known” where nothing was kept."""
    return f"{request['stage']}, version {request['version']}, digest {request['digest']}" if request else "not known"


def request_line() -> str:
    """What a page says of the request by which it is made; empty where it is made by none."""
    request = _carried_out.get()
    return f"Made by the request {request_in_words(request)}." if request is not None else ""


def request_mark() -> dict[str, Any]:
    """The same for a file that programs read: the member `REQUEST` with stage, version and digest; nothing where it is made by
    none."""
    request = _carried_out.get()
    return {} if request is None else {REQUEST: {name: value for name, value in request.items() if name != "toml"}}


def keep_of_lint(db: Db, at: str) -> None:
    """Keep the request of the lint of that moment. Call it within a transaction."""
    request = _carried_out.get()
    if request is not None:
        db.execute("INSERT OR REPLACE INTO property (name, value) VALUES (?, ?)", (_LINT + at, canonical(request)))


def forget_lints(db: Db) -> None:
    """Forget the requests of lints of which nothing is left; it looks at every item that was linted. Call it within a transaction."""
    db.execute(
        "DELETE FROM property WHERE substr(name, 1, ?) = ? AND substr(name, ?) NOT IN (SELECT at FROM lint_state)",
        (len(_LINT), _LINT, len(_LINT) + 1),
    )


def request_of_lint(db: Db, at: str) -> Mapping[str, Any] | None:
    """The request of the lint of that moment; None where it is not known."""
    kept = db.property(_LINT + at)
    found: Mapping[str, Any] | None = None if kept is None else json.loads(kept)
    return found
