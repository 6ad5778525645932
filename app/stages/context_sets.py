"""What stands before items when they are scored: drawn once, and kept under a name."""

from __future__ import annotations

import hashlib
from pathlib import Path

from gapsmith.app.chosen import scoring
from gapsmith.app.context_studies import sample_of_running_text
from gapsmith.app.requests.base import said, said_or_none
from gapsmith.app.requests.behind import DrawContexts
from gapsmith.app.services import QUIET, Services
from gapsmith.app.stages.selecting import selection_of
from gapsmith.app.workspace import Workspace
from gapsmith.scoring import (
    ContextSource,
    Counter,
    Drawn,
    Member,
    Perturbation,
    Plan,
    draw_contexts,
    read_lines,
    read_running,
)
from gapsmith.scoring.lm import token_counter
from gapsmith.templates import ConfigError


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
    plan = Plan(
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
    digest = hashlib.blake2b(file.read_bytes(), digest_size=16).hexdigest()
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
