"""From the bank to an `Analysis`: which items, which scorer, every contrast, every region."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bank import Bank, TokenScores
from scoring.analysis.account import account_for
from scoring.analysis.caveats import caveats_of
from scoring.analysis.cells import Cell, ItemCells, cells_of
from scoring.analysis.compare import kept_against_all
from scoring.analysis.contrasts import analyze_contrast, with_holm
from scoring.analysis.regions import region_differences, region_means
from scoring.analysis.results import Analysis, AnalysisOptions, ItemSelection
from scoring.analysis.scorers import find_scorer
from scoring.analysis.selecting import Chosen, choose, reads_alike
from templates.model import Contrast

__all__ = ["analyze", "analyze_chosen"]


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
    bank; with neither the scorer that measured most of the items is taken, the newest of several, and `notes` says so.
    Items are the approved ones unless `options` asks for all; contrasts are those of the version of the paradigm that
    the newest of these items was made with.

    Raises `BankError` for a paradigm without items, `ConfigError` for an unknown model, scorer, design, contrast or
    data set, and `GapsmithError` where no item is approved, nothing has been scored, or a contrast has another formula
    or critical region for some of the items.
    """
    asked = options or AnalysisOptions()
    return analyze_chosen(bank, choose(bank, paradigm, asked), asked, model=model, scorer_id=scorer_id)


def analyze_chosen(
    bank: Bank, chosen: Chosen, options: AnalysisOptions, *, model: str | None = None, scorer_id: int | None = None
) -> Analysis:
    """The analysis of items that have been chosen with the same options. Raises as `analyze` does."""
    taken, scorer, notes = find_scorer(bank, chosen.texts, model, scorer_id=scorer_id)
    scores = bank.scores.get(taken, [sentence.text for item in chosen.items for sentence in item.sentences])
    everything = cells_of(chosen.items, chosen.versions, scores)
    ids = frozenset(item.id for item in chosen.picked)
    cells = [entry for entry in everything if entry.item.id in ids]
    results = [analyze_contrast(chosen.paradigm, cells, contrast, options) for contrast in chosen.contrasts]
    omitted = tuple(
        result.contrast.name for result in results if result.n_items == 0 and _lacks_cells(cells, result.contrast)
    )
    kept = [result for result in results if result.contrast.name not in omitted]
    if options.holm:
        kept = with_holm(kept, options)
    contrasts = [result.contrast for result in kept]
    analysis = Analysis(
        paradigm=chosen.paradigm,
        scorer_id=taken,
        scorer=scorer,
        options=options,
        items=_describe(chosen, scores, options),
        contrasts=tuple(kept),
        omitted=omitted,
        regions=region_means(chosen.paradigm, cells, options.confidence),
        differences=region_differences(chosen.paradigm, cells, contrasts, options.confidence),
        comparisons=kept_against_all(_comparable(chosen, everything, contrasts), ids, kept),
        account=account_for(bank, chosen.selection, chosen.items, ids),
        caveats=(),
        example=next(i for i in chosen.picked if chosen.versions[i.paradigm_id] == chosen.paradigm),
        texts={entry.key: entry.item.sentences[0].text for entry in cells if entry.item.sentences},
        notes=tuple(notes),
    )
    words = [dict(item.slots) for item in chosen.picked if item.slots is not None]
    return replace(analysis, caveats=caveats_of(analysis, words))


def _comparable(chosen: Chosen, items: Sequence[ItemCells], contrasts: Sequence[Contrast]) -> list[ItemCells]:
    """The items for which these contrasts measure what they measure for the items that are analysed."""
    alike = {
        paradigm_id
        for paradigm_id, version in chosen.versions.items()
        if not any(reads_alike(contrast, chosen.paradigm, version) for contrast in contrasts)
    }
    return [entry for entry in items if entry.item.paradigm_id in alike]


def _lacks_cells(items: Sequence[ItemCells], contrast: Contrast) -> bool:
    """Whether no item has a sentence in every condition of the contrast."""
    conditions = {term.condition for term in contrast.terms}
    return not any(all(isinstance(item.cells.get(name), Cell) for name in conditions) for item in items)


def _describe(chosen: Chosen, scores: Mapping[str, TokenScores], options: AnalysisOptions) -> ItemSelection:
    texts = chosen.texts
    homes: defaultdict[frozenset[tuple[str, str]], set[str]] = defaultdict(set)
    for item in chosen.picked:
        homes[frozenset((sentence.condition, sentence.text) for sentence in item.sentences)].add(item.dataset)
    return ItemSelection(
        all_items=options.all_items,
        n_selected=len(chosen.picked),
        n_total=len(chosen.items),
        by_status=dict(sorted(Counter(item.status for item in chosen.items).items())),
        n_cells=sum(len(item.sentences) for item in chosen.picked),
        n_distinct_texts=len(texts),
        n_unscored=sum(text not in scores for text in texts),
        versions=dict(Counter(chosen.versions[item.paradigm_id].digest for item in chosen.picked)),
        datasets=tuple(dict.fromkeys(item.dataset for item in chosen.items)),
        by_dataset=dict(Counter(item.dataset for item in chosen.picked)),
        n_repeated=sum(len(names) > 1 for names in homes.values()),
    )
