"""From the bank to an `Analysis`: which items, which scorer, every contrast, every region."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gapsmith.bank import NO_CONTEXT, Bank, Namings, Scorer, StoredItem, unknown_words
from gapsmith.scoring.analysis.account import account_for
from gapsmith.scoring.analysis.caveats import caveats_of
from gapsmith.scoring.analysis.contrasts import analyze_contrast, values_of
from gapsmith.scoring.analysis.criteria import analyze_criteria
from gapsmith.scoring.analysis.families import corrected_results
from gapsmith.scoring.analysis.planned import check_plan, fixed_before, newest_plan, under_plan
from gapsmith.scoring.analysis.ratings import rated_scales
from gapsmith.scoring.analysis.regions import condition_means, contrast_region_means, region_differences, region_means
from gapsmith.scoring.analysis.results import Analysis, AnalysisOptions, ContrastResult, ItemSelection, UnknownWords, WordsLeft
from gapsmith.scoring.analysis.scorers import describe_scorer, find_scorer
from gapsmith.scoring.analysis.selecting import Chosen, choose, first_of_form
from gapsmith.scoring.analysis.set_aside import compare_kept_with_all
from gapsmith.scoring.analysis.words import word_differences, word_means
from gapsmith.scoring.contexts import StepContexts
from gapsmith.scoring.copies import wording
from gapsmith.scoring.observations import ByItem, ItemKey, Observations, ObservedSentence, observe
from gapsmith.scoring.withheld import expect_to_tell_scored
from gapsmith.stats import Restriction, complete_cases
from gapsmith.templates import (
    CRITICAL_PLACE,
    DEFAULT_MEASURE,
    MEASURES,
    Contrast,
    Criterion,
    GapsmithError,
    Paradigm,
    Unigrams,
    find_convention,
)


def analyze(
    bank: Bank,
    paradigm: str,
    *,
    model: str | None = None,
    scorer_id: int | None = None,
    options: AnalysisOptions | None = None,
    unigrams: Callable[[Scorer], Unigrams | str] | None = None,
) -> Analysis:
    """Every contrast and criterion of the paradigm over its items, under one scorer.

    `model` names the scorer's model as it was given to ``gapsmith score``, `scorer_id` a scorer of the
    bank; with neither the scorer that measured most of the items is taken, the newest of several, and `notes` says so.
    Items are the approved ones unless `options` asks for all; status, critical regions and contrasts are those of the
    paradigm's file as it stands today, matched by the names of conditions and regions. `unigrams` gives the table that SLOR
    takes away, or why there is none, and is asked where a measure needs it.

    Raises `BankError` for a paradigm without items, `ConfigError` for an unknown model, scorer, design, contrast or
    data set, and `GapsmithError` where no item is approved or nothing has been scored.
    """
    asked = options or AnalysisOptions()
    return analyze_chosen(bank, choose(bank, paradigm, asked), asked, model=model, scorer_id=scorer_id, unigrams=unigrams)


def analyze_chosen(
    bank: Bank,
    chosen: Chosen,
    options: AnalysisOptions,
    *,
    model: str | None = None,
    scorer_id: int | None = None,
    unigrams: Callable[[Scorer], Unigrams | str] | None = None,
    contexts: StepContexts | None = None,
) -> Analysis:
    """The analysis of items that have been chosen with the same options; of those that have a context there, where `contexts` is
    given. Raises as `analyze` does."""
    before = chosen.restrictions
    if contexts is not None:
        n_chosen, chosen = len(chosen.picked), _having_context(chosen, contexts)
        if n_out := n_chosen - len(chosen.picked):
            # Behind no context the items are those that have one elsewhere, so that both sides are the same.
            which = f"with a context in {contexts.label}" if contexts.step.number else "with a context to compare with"
            before = (*before, Restriction("context", n_chosen, n_out, which))
    scorer, notes = find_scorer(
        bank, chosen.texts, model, scorer_id=scorer_id, everything=options.all_items, convention=options.convention
    )
    if options.all_items:
        names = [contexts.name] if contexts is not None and contexts.name else []
        expect_to_tell_scored(bank, [scorer.id], chosen.selection, "--all", contexts=names)
    chance = unigrams(scorer) if unigrams is not None and _needs_unigrams(chosen, options) else None
    everything, n_unscored = _observed(bank, chosen, scorer, contexts, chance, options)
    ids = frozenset(item.id for item in chosen.picked)
    table = everything.subset(
        [n for n, row in enumerate(everything.items) if row.item is not None and row.item.id in ids],
        *before,
    )
    if options.complete:
        table, notes = _complete(table, chosen.contrasts, options, notes)
        ids = frozenset(row.item.id for row in table.items if row.item is not None)
        chosen = replace(chosen, picked=tuple(item for item in chosen.picked if item.id in ids))
    planned = newest_plan(bank, chosen.paradigm.name)
    tested = chosen.contrasts if planned is None else under_plan(chosen.contrasts, planned[0])
    fixed = fixed_before(bank, chosen.paradigm.name, tested, chosen.picked)
    results = [
        replace(_told(analyze_contrast(chosen.paradigm, table, contrast, options), chosen), delta_fixed=contrast.name in fixed)
        for contrast in tested
    ]
    omitted = tuple(
        result.contrast.name for result in results if result.n_items == 0 and _lacks_conditions(table, result.contrast)
    )
    kept = [result for result in results if result.contrast.name not in omitted]
    (corrected,), _ = corrected_results([(kept, options)], plans=[None if planned is None else planned[0].n_scored > 0])
    kept = list(corrected)
    contrasts = [result.contrast for result in kept]
    example = _example(chosen)
    conditions = condition_means(chosen.paradigm, table, options, contrasts)
    of_all = condition_means(chosen.paradigm, table, options)
    analysis = Analysis(
        paradigm=chosen.paradigm,
        scorer_id=scorer.id,
        scorer=scorer,
        provenance=tuple(bank.scores.provenance(scorer.id)),
        requests=tuple(bank.scores.requests(scorer.id)),
        options=options,
        items=_describe(bank, chosen, scorer, table, n_unscored, options, critical=_at_critical(contrasts, chosen.criteria)),
        contrasts=tuple(kept),
        criteria=tuple(analyze_criteria(chosen.paradigm, table, chosen.criteria, options)),
        omitted=omitted,
        conditions=conditions,
        ratings=rated_scales(bank, chosen.paradigm.name, chosen.picked, of_all, options),
        regions=region_means(chosen.paradigm, table, options.confidence) if options.by_region else (),
        contrast_regions=contrast_region_means(chosen.paradigm, table, contrasts, options) if options.by_region else (),
        differences=region_differences(chosen.paradigm, table, contrasts, options) if options.by_region else (),
        comparisons=compare_kept_with_all(chosen.paradigm, everything, ids, kept, options),
        account=account_for(bank, chosen.selection, chosen.items, ids, chosen.hidden, None if planned is None else planned[0].at),
        caveats=(),
        example=example,
        words=word_means(chosen.paradigm, table, example, options) if options.by_word else (),
        word_differences=word_differences(table, contrasts, example, options) if options.by_word else (),
        names=_names(table),
        texts=_first_texts(table, chosen),
        notes=(*_about_file(chosen), *notes, *_about_others(bank, chosen)),
        revision_name=bank.scores.revision_name(scorer),
        context=contexts.label if contexts is not None else "",
        context_length=contexts.mean_length if contexts is not None else None,
    )
    words = [dict(item.slots) for item in chosen.picked if item.slots is not None]
    if planned is not None:
        analysis = replace(analysis, plan=check_plan(bank, analysis, chosen.picked, *planned))
    return replace(analysis, caveats=caveats_of(analysis, words))


def _having_context(chosen: Chosen, contexts: StepContexts) -> Chosen:
    items = tuple(item for item in chosen.items if item.id in contexts.contexts)
    picked = tuple(item for item in chosen.picked if item.id in contexts.contexts)
    if not picked:
        raise GapsmithError(
            f"No item that would be analysed has a context in {contexts.label}.",
            hint="`gapsmith context list` shows the sets; draw one for these items.",
        )
    return replace(chosen, items=items, picked=picked)


def _observed(
    bank: Bank,
    chosen: Chosen,
    scorer: Scorer,
    contexts: StepContexts | None,
    unigrams: Unigrams | str | None,
    options: AnalysisOptions,
) -> tuple[Observations, int]:
    """Every item behind its own context, in the items' order, and how many texts of the analysed ones have no score there."""
    table = observe(
        bank,
        chosen.items,
        chosen.paradigm,
        scorer,
        contexts=contexts,
        unigrams=unigrams,
        convention=find_convention(options.convention),
        roles=options.roles,
    )
    picked = {item.id for item in chosen.picked}
    asked, scored = set[tuple[int, str] | str](), set[tuple[int, str] | str]()
    for row in table.items:
        assert row.item is not None
        if row.item.id not in picked:
            continue
        context = NO_CONTEXT if contexts is None else contexts.contexts[row.item.id]
        for sentence in row.item.sentences:
            own = row.sentences.get(sentence.condition)
            one = sentence.text if contexts is None else (context, sentence.text)
            asked.add(one)
            if isinstance(own, ObservedSentence) and own.measured is not None:
                scored.add(one)
    if contexts is not None and not scored:
        flag = " --all" if options.all_items else ""
        raise GapsmithError(
            f"None of these items has been scored by {describe_scorer(scorer)} behind {contexts.label}.",
            hint=f"Run `gapsmith score --model {scorer.model}{flag} --contexts {contexts.name or 'NAME'}`.",
        )
    return table, len(asked) - len(scored)


def _needs_unigrams(chosen: Chosen, options: AnalysisOptions) -> bool:
    own = [*(one.measure for one in chosen.contrasts), *(one.measure for one in chosen.criteria)]
    return any(MEASURES.find(name).needs_unigrams for name in (*own, options.measure or DEFAULT_MEASURE))


def _complete(
    table: Observations, contrasts: Sequence[Contrast], options: AnalysisOptions, notes: Sequence[str]
) -> tuple[Observations, list[str]]:
    """The items that have a value for every contrast that any of them has a value for, and what is said of the others."""
    columns: dict[str, list[float | None]] = {}
    for contrast in contrasts:
        found = values_of(table, contrast, options).by_item
        if found:
            columns[contrast.name] = [found.get(key) for key in table.keys]
    kept = complete_cases(columns)
    if not kept.kept:
        raise GapsmithError(
            "No item has a value for every contrast.", hint="Leave --complete out, or name fewer with --contrast."
        )
    if not kept.n_dropped:
        return table, list(notes)
    lacking = ", ".join(f"{name} {number:,}" for name, number in kept.lacking.items() if number)
    said = (
        f"Complete cases only: {kept.n_dropped:,} of {len(table):,} items lack a value for a contrast ({lacking}) and were "
        "left out of all."
    )
    of_these = Restriction("complete", len(table), kept.n_dropped, "with a value for every contrast")
    return table.subset(kept.kept, of_these), [*notes, said]


def _example(chosen: Chosen) -> StoredItem:
    """The item whose sentences are shown: of the first name, and analysed, as far as that tells its reader nothing."""
    if chosen.example is not None:
        return chosen.example
    told = [item for item in chosen.picked if item.id not in chosen.hidden]
    return first_of_form(told or chosen.items, chosen.forms, chosen.paradigm)


def _told(result: ContrastResult, chosen: Chosen) -> ContrastResult:
    """The contrast as far as its words tell the reader nothing of single items."""
    if not chosen.by_total_only:
        return result
    paths = tuple(tuple(replace(part, test=replace(part.test, scope="")) for part in path) for path in result.paths)
    return replace(result, words=result.words.without_words(), paths=paths)


def _names(table: Observations) -> Mapping[ItemKey, Mapping[str, str]]:
    """What names each item in files."""
    there = [(place, row.item) for place, row in enumerate(table.items) if row.item is not None]
    return ByItem(table.names, np.array([place for place, _ in there], dtype=np.intp), Namings(item for _, item in there))


def _first_texts(table: Observations, chosen: Chosen) -> Mapping[ItemKey, str]:
    """A sentence of each item that has any."""
    there = [(place, row.item) for place, row in enumerate(table.items) if row.item is not None and row.item.sentences]
    texts = ["left out" if chosen.by_total_only and item.id in chosen.hidden else item.sentences[0].text for _, item in there]
    return ByItem(table.names, np.array([place for place, _ in there], dtype=np.intp), texts)


def _about_others(bank: Bank, chosen: Chosen) -> list[str]:
    """That what others decided is left out, where it is."""
    said = bank.gate.left_out(chosen.selection)
    return [f"{said} The approved items are analysed all the same, by total only: no item or word is named."] if said else []


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


def _lacks_conditions(table: Observations, contrast: Contrast) -> bool:
    """Whether no item has a sentence in every condition of the contrast."""
    numbers = [table.sentence_numbers(term.condition) >= 0 for term in contrast.terms]
    return not np.logical_and.reduce(numbers).any()


def _unknown(table: Observations, scorer: Scorer) -> tuple[UnknownWords, ...]:
    """The items in which the model read words that it does not know."""
    number = scorer.unknown_id
    found = []
    for row in table.items if number is not None else ():
        counts: Counter[str] = Counter()
        for own in row.sentences.values():
            if isinstance(own, ObservedSentence) and own.measured is not None:
                counts.update(unknown_words(own.measured, number))
        if counts:
            found.append(UnknownWords(row.key.dataset, row.key.label, dict(counts.most_common())))
    return tuple(found)


def _describe(
    bank: Bank,
    chosen: Chosen,
    scorer: Scorer,
    table: Observations,
    n_unscored: int,
    options: AnalysisOptions,
    *,
    critical: bool,
) -> ItemSelection:
    texts = chosen.texts
    by_dataset = dict(sorted(Counter(item.dataset for item in chosen.picked).items()))
    pooled = [one for one in bank.datasets.all(chosen.paradigm.name) if one.name in by_dataset]
    told = {one.name: said for one in pooled if (said := bank.datasets.told(one, critical=critical))}
    return ItemSelection(
        all_items=options.all_items,
        n_selected=len(chosen.picked),
        n_total=len(chosen.items),
        by_status=dict(sorted(Counter(item.status for item in chosen.items if item.id not in chosen.hidden).items())),
        n_sentences=sum(len(item.sentences) for item in chosen.picked),
        n_distinct_texts=len(texts),
        n_unscored=n_unscored,
        versions=dict(Counter(chosen.forms[item.paradigm_id].form_digest for item in chosen.picked)),
        datasets=tuple(sorted({item.dataset for item in chosen.items})),
        by_dataset=by_dataset,
        told=told,
        restrictions=table.before,
        n_repeated=_in_several(chosen.picked) if len(by_dataset) > 1 else 0,
        unknown=_unknown(table, scorer),
        words_left=_words_left(chosen),
    )


def _at_critical(contrasts: Sequence[Contrast], criteria: Sequence[Criterion]) -> bool:
    """Whether anything is measured at a critical region, so that it matters who said which one that is."""
    places = [term.place for contrast in contrasts for term in contrast.terms]
    places += [operand.place for criterion in criteria for operand in criterion.formula.operands]
    return CRITICAL_PLACE in places


def _in_several(items: Sequence[StoredItem]) -> int:
    """How many different items more than one data set has with the very same sentences."""
    homes: dict[Hashable, str] = {}
    found: set[Hashable] = set()
    for item in items:
        own = wording(item)
        if homes.setdefault(own, item.dataset) != item.dataset:
            found.add(own)
    return len(found)


def _words_left(chosen: Chosen) -> tuple[WordsLeft, ...]:
    """The slots, and parts of slots, of which items that were left out had words that no analysed item has."""
    before, after = (_words(chosen.paradigm, items) for items in (chosen.asked_for, chosen.picked))
    counts = [WordsLeft(slot, len(after.get(slot, ())), len(words)) for slot, words in before.items()]
    return tuple(own for own in counts if own.n_left < own.n_all)


def _words(paradigm: Paradigm, items: Sequence[StoredItem]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for item in items:
        for slot, word in paradigm.in_parts(item.slots or {}).items():
            if word:
                found.setdefault(slot, set()).add(word)
    return found
