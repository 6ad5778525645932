"""Several paradigms of a bank under one scorer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bank import Bank, ItemFilter
from scoring.analysis.results import Analysis, AnalysisOptions
from scoring.analysis.run import analyze, chosen_contrasts, find_scorer
from templates.errors import ConfigError, GapsmithError, ParadigmError

__all__ = ["Analyses", "analyze_all"]


@dataclass(frozen=True, slots=True)
class Analyses:
    """The analyses that could be made, and why the others could not."""

    analyses: tuple[Analysis, ...]
    left_out: tuple[tuple[str, GapsmithError], ...]
    """Paradigm name and error."""
    notes: tuple[str, ...]
    """What to tell the user about choices that were made for them."""


def analyze_all(
    bank: Bank,
    paradigms: Sequence[str] = (),
    *,
    model: str | None = None,
    preferred: str | None = None,
    options: AnalysisOptions | None = None,
) -> Analyses:
    """Analyse these paradigms, or all that have items, each under the same scorer.

    `model` must be met; `preferred` is taken if it has scored any of the items, else the newest scorer is. A paradigm
    that was asked for by name raises its error; of all the others, those that cannot be analysed are left out with it,
    unless that leaves none. Raises `GapsmithError`.
    """
    chosen = options or AnalysisOptions()
    names = list(dict.fromkeys(paradigms)) or bank.paradigms.names()
    if not names:
        raise GapsmithError(
            "There are no items here yet.", hint="Make some with `gapsmith generate` or `gapsmith import`."
        )
    left_out: list[tuple[str, GapsmithError]] = []
    if paradigms:
        for name in names:
            bank.paradigms.newest(name)
    else:
        names, left_out = _with_contrasts(bank, names, chosen)
    scorer_id, notes = _scorer(bank, names, model, preferred)
    analyses = []
    for name in names:
        try:
            analyses.append(analyze(bank, name, scorer_id=scorer_id, options=chosen))
        except ConfigError:
            raise
        except GapsmithError as error:
            if paradigms or len(names) == 1:
                raise
            left_out.append((name, error))
    if not analyses:
        raise left_out[-1][1]
    return Analyses(tuple(analyses), tuple(left_out), tuple(notes))


def _with_contrasts(
    bank: Bank, names: Sequence[str], options: AnalysisOptions
) -> tuple[list[str], list[tuple[str, GapsmithError]]]:
    """Of the paradigms that nobody named, those that have the design and the contrasts asked for."""
    kept: list[str] = []
    left_out: list[tuple[str, GapsmithError]] = []
    for name in names:
        try:
            chosen_contrasts(bank.paradigms.newest(name), options)
            if options.dataset is None or options.dataset in bank.items.datasets(name):
                kept.append(name)
        except (ParadigmError, ConfigError) as error:
            left_out.append((name, error))
    if not kept:
        if left_out:
            raise left_out[0][1]
        raise ConfigError(f"No paradigm has a data set {options.dataset!r}.", hint=f"Paradigms: {', '.join(names)}.")
    return kept, left_out


def _scorer(bank: Bank, names: Sequence[str], model: str | None, preferred: str | None) -> tuple[int, list[str]]:
    """One scorer for all of the paradigms: the newest that has measured any of their sentences."""
    texts = [s.text for name in names for item in bank.items.iterate(ItemFilter(paradigm=name)) for s in item.sentences]
    scored = {settings.model for _, settings in bank.scores.scorers()}
    if model is None and preferred in scored:
        try:
            scorer_id, _, notes = find_scorer(bank, texts, preferred)
        except GapsmithError:
            pass
        else:
            return scorer_id, notes
    scorer_id, _, notes = find_scorer(bank, texts, model)
    return scorer_id, notes
