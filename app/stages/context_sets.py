"""What stands before items when they are scored: drawn once, and kept under a name."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gapsmith.app.chosen import scoring
from gapsmith.app.context_studies import sample_of_running_text
from gapsmith.app.listed import Listed
from gapsmith.app.requests.base import Unset, said, said_or_none
from gapsmith.app.requests.behind import AddContexts, DrawContexts, ListContexts, ShowContexts
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.looking import look_or_say
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.bank import Bank, ContextSet, ItemFilter, naming
from gapsmith.scoring import (
    ContextPlan,
    ContextSource,
    Counter,
    Drawn,
    Member,
    Perturbation,
    draw_contexts,
    keep_texts,
    read_lines,
    read_running,
    steps_of,
    tells_no_items,
)
from gapsmith.scoring.lm import token_counter
from gapsmith.templates import ConfigError, bytes_of


@dataclass(frozen=True, slots=True)
class ContextSetRow:
    """A context set, with how it was drawn."""

    name: str
    items: int
    """Items that have contexts in it."""
    sampler: Mapping[str, Any]
    request: Mapping[str, Any] | None
    """By which request; None where that is not known."""


class ContextSets(Listed[ContextSetRow]):
    """The context sets there are."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class ContextsShown:
    """How a set was drawn, and contexts of its items."""

    request: ShowContexts
    name: str
    sampler: Mapping[str, Any]
    """How it was drawn."""
    asked: Mapping[str, Any] | None
    """By which request; None where that is not known."""
    items: tuple[Mapping[str, Any], ...]
    """Of each item its data set, id, uid, digest of its texts, and contexts: target, draw, number, tokens, sentences."""

    def as_data(self) -> dict[str, Any]:
        """The same as JSON takes it."""
        return {"name": self.name, "sampler": dict(self.sampler), "request": self.asked, "items": list(self.items)}


def add(workspace: Workspace, request: AddContexts, services: Services = QUIET) -> Drawn:
    """Raises `ConfigError` for a name that is taken by other contexts, and `GapsmithError` where there are no items."""
    selection = selection_of(workspace.bank, request)
    called, count, window = counting(workspace, said_or_none(request.model), services)
    texts = read_lines(request.file)
    drawn = keep_texts(
        workspace.bank,
        request.name,
        [" ".join(texts)] if request.running else texts,
        selection,
        count,
        tokenizer=called,
        everything=request.everything,
        about=about_file(request.file, 1 if request.running else len(texts)),
    )
    for line in drawn_in_words(drawn, called, window):
        services.note(line)
    return drawn


def list_sets(workspace: Workspace, request: ListContexts, _services: Services = QUIET) -> ContextSets:
    """Oldest first."""
    contexts = workspace.bank.contexts
    return ContextSets(
        request,
        tuple(
            ContextSetRow(own.name, len({item for item, _ in contexts.assigned(own.id)}), _how(workspace.bank, own), own.request)
            for own in contexts.sets()
        ),
    )


def _how(bank: Bank, drawn: ContextSet) -> dict[str, Any]:
    """How a set was drawn; to one who may not know for which items, neither the values of an attribute that these have nor the last one."""
    if tells_no_items(bank, drawn):
        return dict(drawn.sampler)
    hidden = {"last", *(("from",) if "suites" in drawn.sampler else ())}
    return {key: value for key, value in drawn.sampler.items() if key not in hidden}


def show(workspace: Workspace, request: ShowContexts, services: Services = QUIET) -> ContextsShown:
    """Of a set that was drawn for approved items, and from them, nothing is shown to who may not know which these are. Raises
    `GapsmithError` where there is no such set, or it has no context for the item, or it would tell which items calibrate."""
    bank, most = workspace.bank, said_or_none(request.limit)
    tells = bank.gate.tells_origins
    found = bank.contexts.find(request.name)
    if not tells:
        _expect_to_tell_no_origins(bank, found)
    shown: list[dict[str, Any]] = []
    how = {key: value for key, value in _how(bank, found).items() if key != "steps" and value is not None}
    assigned, lengths = bank.contexts.assigned(found.id), bank.contexts.lengths(found.id)
    if not tells_no_items(bank, found):
        look_or_say(bank, ItemFilter(ids=tuple({own for own, _ in assigned})), services, look=False)
        return ContextsShown(request, request.name, how, found.request, ())
    items = [bank.items.get(item) for item in dict.fromkeys(own for own, _ in assigned)]
    for stored in items if tells else sorted(items, key=lambda one: one.label):
        if not isinstance(request.item, Unset) and stored.label != request.item:
            continue
        if most is not None and len(shown) == most:
            break
        contexts = [
            {
                "target": step.target,
                "draw": step.draw,
                "number": own,
                "tokens": lengths.get(own),
                "sentences": bank.contexts.sentences(own),
            }
            for step in steps_of(found)[1:]
            if (own := assigned.get((stored.id, step.number))) is not None
        ]
        shown.append({"dataset": stored.dataset if tells else None, "item": stored.label, **naming(stored), "contexts": contexts})
    if not isinstance(request.item, Unset) and not shown:
        raise ConfigError(f"{request.name} has no context for an item {request.item!r}", hint="`gapsmith show` lists ids.")
    return ContextsShown(request, request.name, how, found.request, tuple(shown))


def _expect_to_tell_no_origins(bank: Bank, found: ContextSet) -> None:
    """Raise `BankError` for a set that tells its reader where items are from: by which have contexts in it and which have none, or by
    whose sentences stand in one's contexts."""
    drawn_from_items = found.sampler["type"] not in {ContextSource.UNRELATED.value, ContextSource.TEXTS.value}
    if drawn_from_items or not set(bank.items.ids()) <= {own for own, _ in bank.contexts.assigned(found.id)}:
        bank.gate.expect_to_tell_origins(f"which items have contexts in {found.name}, and which ones,")


def draw(workspace: Workspace, request: DrawContexts, services: Services = QUIET) -> Drawn:
    """Raises `ConfigError` for a name that is taken by contexts drawn otherwise, and `GapsmithError` where nothing can be drawn."""
    try:
        perturbation = Perturbation(request.perturb.strip().casefold())
    except ValueError:
        raise ConfigError(
            f"there is no perturbation {request.perturb!r}", hint=f"There are: {', '.join(Perturbation)}."
        ) from None
    selection = selection_of(workspace.bank, request)
    chosen = ContextSource(request.type)
    text = said(request.text, sample_of_running_text()) if chosen is ContextSource.UNRELATED else None
    called, count, window = counting(workspace, said_or_none(request.model), services)
    plan = ContextPlan(
        kind=chosen,
        member=Member(request.member),
        lengths=request.lengths,
        seed=request.seed,
        shared=said_or_none(request.shared_contexts),
        window=window,
        tokenizer=called,
        sources=request.from_suite,
        suites_by=request.suites_by,
        perturbation=perturbation,
    )
    texts = [] if text is None else read_lines(text) if request.lines else read_running(text)
    drawn = draw_contexts(
        workspace.bank,
        request.name,
        plan,
        selection,
        count,
        everything=request.everything,
        texts=texts,
        about={} if text is None else about_file(text, len(texts)),
    )
    for line in drawn_in_words(drawn, called, window):
        services.note(line)
    return drawn


def counting(workspace: Workspace, model: str | None, services: Services) -> tuple[str, Counter, int | None]:
    """The model's name, its counter of tokens, and its window. Loads no weights."""
    chosen = scoring(workspace.settings, model=model)
    window = chosen.open(notice=services.note).identity.get("window")
    return chosen.model, token_counter(chosen.model), window


def about_file(file: Path, n: int) -> dict[str, object]:
    """Where texts are from."""
    digest = hashlib.blake2b(bytes_of(file), digest_size=16).hexdigest()
    return {"source": {"file": file.name, "blake2b": digest, "texts": n}}


def drawn_in_words(drawn: Drawn, model: str, window: int | None) -> list[str]:
    """What was kept, in words."""
    bound = f"; the window of {model} is {window} tokens" if window is not None else ""
    lines = [f"{drawn.made.name}: {drawn.n_contexts:,} different contexts for {drawn.n_items:,} items{bound}"]
    for target, found in drawn.realised.items():
        mean = sum(found) / len(found) if found else 0.0
        lines.append(f"  to {target} tokens: {mean:.1f} on average, {min(found, default=0)} to {max(found, default=0)}")
    if drawn.left_out:
        lines.append(f"{drawn.left_out:,} times an item stands in a context itself; it is not scored in that one.")
    return [*lines, *drawn.notes, f"Score the items in them with `gapsmith score --contexts {drawn.made.name}`."]
