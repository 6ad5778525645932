"""From the bank to an `Analysis`: which items, which scorer, every contrast, every region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bank import Bank, ItemFilter, ItemStatus, ScorerSettings, StoredItem, TokenScores
from scoring.analysis.account import account_for
from scoring.analysis.caveats import caveats_of
from scoring.analysis.cells import Cell, ItemCells, cells_of
from scoring.analysis.compare import kept_against_all
from scoring.analysis.contrasts import analyze_contrast, with_holm
from scoring.analysis.regions import region_differences, region_means
from scoring.analysis.results import Analysis, AnalysisOptions, ItemSelection
from templates.errors import ConfigError, GapsmithError
from templates.model import Contrast, Paradigm

__all__ = ["analyze", "chosen_contrasts", "describe_scorer", "find_scorer"]


def analyze(
    bank: Bank,
    paradigm: str,
    *,
    model: str | None = None,
    scorer_id: int | None = None,
    options: AnalysisOptions | None = None,
) -> Analysis:
    """Every contrast of the paradigm over its items, under one scorer.

    `model` names the scorer's model as it was given to ``gapsmith score``, `scorer_id` a scorer of the
    bank; with neither the newest scorer that has measured any of the items is taken, and `notes` says so.
    Items are the approved ones unless `options` asks for all.

    Raises `BankError` for a paradigm without items, `ConfigError` for an unknown model, design, contrast or
    data set, and `GapsmithError` where no item is approved or nothing has been scored.
    """
    chosen = options or AnalysisOptions()
    newest = bank.paradigms.newest(paradigm)
    contrasts = chosen_contrasts(newest, chosen)
    selection = _selection(bank, paradigm, chosen)
    items = list(bank.items.iterate(selection))
    picked = [item for item in items if chosen.all_items or item.status is ItemStatus.APPROVED]
    if not picked:
        raise _nothing_approved(bank, selection, paradigm)
    texts = list(dict.fromkeys(sentence.text for item in picked for sentence in item.sentences))
    chosen_id, scorer, notes = find_scorer(bank, texts, model, scorer_id=scorer_id)
    scores = bank.scores.get(chosen_id, [sentence.text for item in items for sentence in item.sentences])
    versions = {item.paradigm_id: bank.paradigms.load(item.paradigm_id) for item in items}
    everything = cells_of(items, versions, scores)
    ids = frozenset(item.id for item in picked)
    cells = [entry for entry in everything if entry.item.id in ids]
    results = [analyze_contrast(newest, cells, contrast, chosen) for contrast in contrasts]
    omitted = tuple(
        result.contrast.name for result in results if result.n_items == 0 and _lacks_cells(cells, result.contrast)
    )
    kept = [result for result in results if result.contrast.name not in omitted]
    if chosen.holm:
        kept = with_holm(kept, chosen)
    analysis = Analysis(
        paradigm=newest,
        scorer_id=chosen_id,
        scorer=scorer,
        options=chosen,
        items=_describe(items, picked, versions, scores, chosen),
        contrasts=tuple(kept),
        omitted=omitted,
        regions=region_means(newest, cells, chosen.confidence),
        differences=region_differences(newest, cells, [result.contrast for result in kept], chosen.confidence),
        comparisons=kept_against_all(everything, ids, kept),
        account=account_for(bank, selection, items, ids),
        caveats=(),
        example=picked[0],
        texts={entry.key: entry.item.sentences[0].text for entry in cells if entry.item.sentences},
        notes=tuple(notes),
    )
    words = [dict(item.slots) for item in picked if item.slots is not None]
    return replace(analysis, caveats=caveats_of(analysis, words))


def chosen_contrasts(paradigm: Paradigm, options: AnalysisOptions) -> list[Contrast]:
    """The contrasts that the options ask for, in the paradigm's order. Raises `ConfigError`."""
    if not paradigm.contrasts:
        raise ConfigError(
            f"{paradigm.name} defines no contrasts, so there is nothing to test.",
            hint="Add [[contrasts]] to its file; `gapsmith paradigm show subject_pg` shows some.",
        )
    if options.design is not None:
        paradigm.design(options.design)
    wanted = [paradigm.contrast(name) for name in options.contrasts] or list(paradigm.contrasts)
    found = [c for c in paradigm.contrasts if c in wanted and options.design in (None, c.design)]
    if not found:
        raise ConfigError(
            f"{paradigm.name} has no contrast in the design {options.design!r} among those asked for.",
            hint=f"Its contrasts: {', '.join(f'{c.name} ({c.design})' for c in paradigm.contrasts)}.",
        )
    return found


def find_scorer(
    bank: Bank, texts: Sequence[str], model: str | None, *, scorer_id: int | None = None
) -> tuple[int, ScorerSettings, list[str]]:
    """The scorer to take for these texts: the newest by that model that measured any; and what to say about
    the choice.

    Raises `ConfigError` for a model that has scored nothing here, `GapsmithError` where none has scored
    these texts.
    """
    scorers = [(own, settings) for own, settings in bank.scores.scorers() if scorer_id in (None, own)]
    names = list(dict.fromkeys(settings.model for _, settings in scorers))
    if model is not None and model not in names:
        known = f"Models with scores here: {', '.join(names)}." if names else "No model has scored anything here yet."
        raise ConfigError(f"There are no scores by {model!r}.", hint=f"{known} Run `gapsmith score --model {model}`.")
    wanted = list(dict.fromkeys(texts))
    having = [
        (own, settings)
        for own, settings in reversed(scorers)
        if model in (None, settings.model) and len(bank.scores.missing(own, wanted)) < len(wanted)
    ]
    if not having:
        who = f" by {model or names[0]}" if model or scorer_id else ""
        raise GapsmithError(
            f"None of these items has been scored{who}.", hint=f"Run `gapsmith score --model {model or 'gpt2'}` first."
        )
    notes = []
    if len(having) > 1:
        others = "; ".join(describe_scorer(other) for _, other in having[1:])
        notes.append(
            f"Several scorers measured these items; this is the newest, {describe_scorer(having[0][1])}. Others: {others}."
        )
    return *having[0], notes


def describe_scorer(settings: ScorerSettings) -> str:
    """A scorer in one phrase: model, revision, dtype, BOS policy."""
    revision = settings.revision.removeprefix("sha256:")[:12]
    return f"{settings.model} (revision {revision}, {settings.dtype}, {settings.bos})"


def _selection(bank: Bank, paradigm: str, options: AnalysisOptions) -> ItemFilter:
    if options.dataset is not None and options.dataset not in bank.items.datasets(paradigm):
        known = ", ".join(bank.items.datasets(paradigm))
        raise ConfigError(f"{paradigm} has no data set {options.dataset!r}.", hint=f"It has: {known}.")
    return ItemFilter(paradigm=paradigm, dataset=options.dataset)


def _nothing_approved(bank: Bank, selection: ItemFilter, paradigm: str) -> GapsmithError:
    counts = bank.items.count_by_status(selection)
    stand = ", ".join(f"{count:,} {status.value}" for status, count in counts.items())
    return GapsmithError(
        f"No item of {paradigm} is approved ({stand}).",
        hint="Decide with `gapsmith decide` or `gapsmith review`, or analyse every item with --all.",
    )


def _lacks_cells(items: Sequence[ItemCells], contrast: Contrast) -> bool:
    """Whether no item has a sentence in every condition of the contrast."""
    conditions = {term.condition for term in contrast.terms}
    return not any(all(isinstance(item.cells.get(name), Cell) for name in conditions) for item in items)


def _describe(
    items: Sequence[StoredItem],
    picked: Sequence[StoredItem],
    versions: Mapping[int, Paradigm],
    scores: Mapping[str, TokenScores],
    options: AnalysisOptions,
) -> ItemSelection:
    texts = {sentence.text for item in picked for sentence in item.sentences}
    return ItemSelection(
        all_items=options.all_items,
        n_selected=len(picked),
        n_total=len(items),
        by_status=dict(sorted(Counter(item.status for item in items).items())),
        n_cells=sum(len(item.sentences) for item in picked),
        n_distinct_texts=len(texts),
        n_unscored=sum(text not in scores for text in texts),
        versions=dict(Counter(versions[item.paradigm_id].digest for item in picked)),
    )
