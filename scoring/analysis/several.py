"""Several paradigms of a bank under one scorer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import Bank, Scorer
from gapsmith.scoring.analysis.families import corrected_together
from gapsmith.scoring.analysis.results import Analysis, AnalysisOptions
from gapsmith.scoring.analysis.run import analyze_chosen
from gapsmith.scoring.analysis.scorers import find_scorer
from gapsmith.scoring.analysis.selecting import Chosen, choose
from gapsmith.templates import MEASURES, ConfigError, GapsmithError, Unigrams

LeftOut = list[tuple[str, GapsmithError]]


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
    scorer_id: int | None = None,
    preferred: str | None = None,
    options: AnalysisOptions | None = None,
    unigrams: Callable[[Scorer], Unigrams | str] | None = None,
    datasets: Sequence[str] = (),
) -> Analyses:
    """Analyse these paradigms, or all that have items, each under the same scorer; with `datasets`, each of these sets by itself.

    `model` and `scorer_id` must be met; `preferred` is taken if it has scored any of the items that are analysed, else
    the scorer that measured most of them is. A paradigm that was asked for by name raises its error; of all the others,
    those that cannot be analysed are left out with it, unless that leaves none. Raises `GapsmithError`.
    """
    asked = options or AnalysisOptions()
    names = list(dict.fromkeys(paradigms)) or bank.paradigms.names()
    if not names:
        raise GapsmithError("There are no items here yet.", hint="Make some with `gapsmith generate` or `gapsmith import`.")
    if asked.measure is not None:
        # Of no paradigm would an unknown one be right, whatever else is wrong with them.
        MEASURES.find(asked.measure)
    if datasets:
        return _apart(bank, paradigms, datasets, asked, model, scorer_id=scorer_id, preferred=preferred, unigrams=unigrams)
    left_out: LeftOut = []
    if paradigms:
        chosen = [choose(bank, name, asked) for name in names]
    else:
        chosen, left_out = _choose_any(bank, names, asked)
    taken, notes = _scorer(bank, chosen, model, scorer_id=scorer_id, preferred=preferred, options=asked)
    analyses = []
    for one in chosen:
        try:
            analyses.append(analyze_chosen(bank, one, asked, scorer_id=taken, unigrams=unigrams))
        except GapsmithError as error:
            if paradigms or len(chosen) == 1:
                raise
            left_out.append((one.paradigm.name, error))
    about = [note for analysis in analyses for note in analysis.notes]
    return Analyses(corrected_together(analyses), tuple(left_out), tuple(dict.fromkeys([*notes, *about])))


def _apart(
    bank: Bank,
    paradigms: Sequence[str],
    datasets: Sequence[str],
    asked: AnalysisOptions,
    model: str | None,
    *,
    scorer_id: int | None,
    preferred: str | None,
    unigrams: Callable[[Scorer], Unigrams | str] | None,
) -> Analyses:
    """An analysis for each data set of each paradigm that has items in it; one that cannot be analysed is left out with its error,
    unless that leaves none. Raises `GapsmithError`."""
    bank.datasets.expect(datasets, paradigms)
    chosen: list[tuple[Chosen, AnalysisOptions]] = []
    left_out: LeftOut = []
    errors: list[GapsmithError] = []
    for name in list(dict.fromkeys(paradigms)) or bank.paradigms.names():
        here = bank.items.datasets(name)
        for dataset in dict.fromkeys(own for own in datasets if own in here):
            own = replace(asked, dataset=dataset)
            try:
                chosen.append((choose(bank, name, own), own))
            except GapsmithError as error:
                left_out.append((f"{name}, data set {dataset}", error))
                errors.append(error)
    if not chosen:
        raise errors[0]
    taken, notes = _scorer(bank, [one for one, _ in chosen], model, scorer_id=scorer_id, preferred=preferred, options=asked)
    analyses = []
    for one, own in chosen:
        try:
            found = analyze_chosen(bank, one, own, scorer_id=taken, unigrams=unigrams)
        except GapsmithError as error:
            left_out.append((f"{one.paradigm.name}, data set {own.dataset}", error))
            errors.append(error)
            continue
        analyses.append(replace(found, apart=True))
    if not analyses:
        raise errors[0]
    about = [note for analysis in analyses for note in analysis.notes]
    return Analyses(corrected_together(analyses), tuple(left_out), tuple(dict.fromkeys([*notes, *about])))


def _choose_any(bank: Bank, names: Sequence[str], options: AnalysisOptions) -> tuple[list[Chosen], LeftOut]:
    """The items of those paradigms, which nobody named, that have what the options ask for; the others' errors."""
    chosen: list[Chosen] = []
    left_out: LeftOut = []
    for name in names:
        if options.dataset is not None and options.dataset not in bank.items.datasets(name):
            continue
        try:
            chosen.append(choose(bank, name, options))
        except GapsmithError as error:
            left_out.append((name, error))
    if chosen:
        return chosen, left_out
    if not left_out:
        bank.datasets.expect([options.dataset] if options.dataset is not None else [])
        raise ConfigError(f"no item is in data set {options.dataset!r}")
    # A paradigm that lacks the contrast asked for is not in the way of one whose items only have to be approved.
    errors = [error for _, error in left_out]
    raise next((error for error in errors if not isinstance(error, ConfigError)), errors[0])


def _scorer(
    bank: Bank,
    chosen: Sequence[Chosen],
    model: str | None,
    *,
    scorer_id: int | None,
    preferred: str | None,
    options: AnalysisOptions,
) -> tuple[int, list[str]]:
    """One scorer for all of the paradigms, and what to say about it."""
    texts = [text for one in chosen for text in one.texts]
    everything = options.all_items
    models = {scorer.model for scorer in bank.scores.scorers()}
    if model is None and scorer_id is None and preferred in models:
        try:
            taken, notes = find_scorer(bank, texts, preferred, everything=everything, convention=options.convention)
        except GapsmithError:
            # Its scores are of other items; what is preferred is no reason to have no answer.
            pass
        else:
            return taken.id, notes
    taken, notes = find_scorer(bank, texts, model, scorer_id=scorer_id, everything=everything, convention=options.convention)
    return taken.id, notes
