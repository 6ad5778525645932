"""From the bank to an `Analysis`: which items, which scorer, every contrast, every region."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from bank import Bank, StoredItem, Tokens
from scoring.analysis.account import account_for
from scoring.analysis.caveats import caveats_of
from scoring.analysis.compare import compare_kept_with_all
from scoring.analysis.contrasts import analyze_contrast, with_holm
from scoring.analysis.criteria import analyze_criteria
from scoring.analysis.measured import MeasuredItem, MeasuredSentence, measured_items
from scoring.analysis.regions import region_differences, region_means
from scoring.analysis.results import Analysis, AnalysisOptions, ItemSelection
from scoring.analysis.scorers import find_scorer
from scoring.analysis.selecting import Chosen, choose
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
    """Every contrast and criterion of the paradigm over its items, under one scorer.

    `model` names the scorer's model as it was given to ``gapsmith score``, `scorer_id` a scorer of the
    bank; with neither the scorer that measured most of the items is taken, the newest of several, and `notes` says so.
    Items are the approved ones unless `options` asks for all; status, critical regions and contrasts are those of the
    paradigm's file as it stands today, matched by the names of conditions and regions.

    Raises `BankError` for a paradigm without items, `ConfigError` for an unknown model, scorer, design, contrast or
    data set, and `GapsmithError` where no item is approved or nothing has been scored.
    """
    asked = options or AnalysisOptions()
    return analyze_chosen(bank, choose(bank, paradigm, asked), asked, model=model, scorer_id=scorer_id)


def analyze_chosen(
    bank: Bank, chosen: Chosen, options: AnalysisOptions, *, model: str | None = None, scorer_id: int | None = None
) -> Analysis:
    """The analysis of items that have been chosen with the same options. Raises as `analyze` does."""
    scorer, notes = find_scorer(bank, chosen.texts, model, scorer_id=scorer_id)
    scores = bank.scores.get(scorer.id, [sentence.text for item in chosen.items for sentence in item.sentences])
    everything = measured_items(chosen.items, chosen.paradigm, chosen.forms, scores)
    ids = frozenset(item.id for item in chosen.picked)
    measured = [entry for entry in everything if entry.item.id in ids]
    results = [analyze_contrast(chosen.paradigm, measured, contrast, options) for contrast in chosen.contrasts]
    omitted = tuple(
        result.contrast.name
        for result in results
        if result.n_items == 0 and _lacks_conditions(measured, result.contrast)
    )
    kept = [result for result in results if result.contrast.name not in omitted]
    if options.holm:
        kept = with_holm(kept, options)
    contrasts = [result.contrast for result in kept]
    analysis = Analysis(
        paradigm=chosen.paradigm,
        scorer_id=scorer.id,
        scorer=scorer,
        provenance=tuple(bank.scores.provenance(scorer.id)),
        options=options,
        items=_describe(chosen, scores, options),
        contrasts=tuple(kept),
        criteria=tuple(analyze_criteria(measured, chosen.criteria, options)),
        omitted=omitted,
        regions=region_means(chosen.paradigm, measured, options.confidence),
        differences=region_differences(chosen.paradigm, measured, contrasts, options.confidence),
        comparisons=compare_kept_with_all(everything, ids, kept),
        account=account_for(bank, chosen.selection, chosen.items, ids),
        caveats=(),
        example=_example(chosen),
        texts={entry.key: entry.item.sentences[0].text for entry in measured if entry.item.sentences},
        notes=(*_about_file(chosen), *notes),
    )
    words = [dict(item.slots) for item in chosen.picked if item.slots is not None]
    return replace(analysis, caveats=caveats_of(analysis, words))


def _example(chosen: Chosen) -> StoredItem:
    """The first item that has the form of today's file; where none has, the first one."""
    form = chosen.paradigm.form_digest
    alike = (item for item in chosen.picked if chosen.forms[item.paradigm_id].form_digest == form)
    return next(alike, chosen.picked[0])


def _about_file(chosen: Chosen) -> list[str]:
    """What to say of where the predictions come from, and of items that were made with another form."""
    said = []
    name = chosen.paradigm.name
    if chosen.where == "bank":
        said.append(f"The file of {name} is not there any more; its contrasts are those that the bank kept.")
    other = sum(chosen.forms[i.paradigm_id].form_digest != chosen.paradigm.form_digest for i in chosen.picked)
    if other:
        those = "1 item was" if other == 1 else f"{other:,} items were"
        said.append(
            f"{those} made with another form of {name} than its file has now; conditions and regions are matched by name "
            f"(`gapsmith paradigm diff {name}`)."
        )
    return said


def _lacks_conditions(items: Sequence[MeasuredItem], contrast: Contrast) -> bool:
    """Whether no item has a sentence in every condition of the contrast."""
    conditions = {term.condition for term in contrast.terms}
    return not any(all(isinstance(item.sentences.get(name), MeasuredSentence) for name in conditions) for item in items)


def _describe(chosen: Chosen, scores: Mapping[str, Tokens], options: AnalysisOptions) -> ItemSelection:
    texts = chosen.texts
    homes: defaultdict[frozenset[tuple[str, str]], set[str]] = defaultdict(set)
    for item in chosen.picked:
        homes[frozenset((sentence.condition, sentence.text) for sentence in item.sentences)].add(item.dataset)
    return ItemSelection(
        all_items=options.all_items,
        n_selected=len(chosen.picked),
        n_total=len(chosen.items),
        by_status=dict(sorted(Counter(item.status for item in chosen.items).items())),
        n_sentences=sum(len(item.sentences) for item in chosen.picked),
        n_distinct_texts=len(texts),
        n_unscored=sum(text not in scores for text in texts),
        versions=dict(Counter(chosen.forms[item.paradigm_id].form_digest for item in chosen.picked)),
        datasets=tuple(dict.fromkeys(item.dataset for item in chosen.items)),
        by_dataset=dict(Counter(item.dataset for item in chosen.picked)),
        n_repeated=sum(len(names) > 1 for names in homes.values()),
    )
