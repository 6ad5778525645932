"""What a result hangs on: the same contrasts without outliers, without one item or word, under another measure or other items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from gapsmith.bank import Bank, Scorer
from gapsmith.scoring.analysis.contrasts import beside_words, closed_slots, judge_result, slot_parts
from gapsmith.scoring.analysis.names import item_names
from gapsmith.scoring.analysis.results import (
    Analysis,
    AnalysisOptions,
    Conclusion,
    ContrastResult,
)
from gapsmith.scoring.analysis.run import analyze_chosen
from gapsmith.scoring.analysis.selecting import choose
from gapsmith.scoring.copies import name_order
from gapsmith.scoring.observations import Grouping, ItemKey
from gapsmith.stats import Result, leave_one_out, one_sample_t, outliers, word_test
from gapsmith.templates import DEFAULT_MEASURE, GAPSMITH, MEASURES, GapsmithError, Paradigm, Unigrams

_MOST_ITEMS = 1_000
"""With more items than this, leaving out one of them says nothing and takes long."""
_RULES = {"sd": "2.5 SD from the mean", "mad": "3 MAD from the median", "iqr": "1.5 IQR beyond the quartiles"}


@dataclass(frozen=True, slots=True)
class Variant:
    """One contrast computed in another way."""

    contrast: str
    what: str
    """What is different, in words; ``as analysed`` for the one that the others are held against."""
    result: Result
    verdict: Conclusion
    turns: bool
    """Whether it says something else than the analysis."""


@dataclass(frozen=True, slots=True)
class Sensitivity:
    """Every contrast of an analysis in every other way that the bank allows."""

    analysis: Analysis
    variants: tuple[Variant, ...]
    not_tried: tuple[str, ...]
    """What could not be tried, and why; whole sentences."""


def sensitivity(
    bank: Bank,
    paradigm: str,
    *,
    model: str | None = None,
    scorer_id: int | None = None,
    options: AnalysisOptions | None = None,
    unigrams: Callable[[Scorer], Unigrams | str] | None = None,
) -> Sensitivity:
    """Each contrast again: without values that three rules call outliers; without the item, and the word of each slot, whose
    absence moves the mean furthest, or, where no words repeat, turns the verdict; by the mean over tokens instead of the sum, or
    the other way; with the mass of word boundaries moved; under the same model with or without a beginning-of-sequence token; over
    all items instead of the approved ones, or the other way. Verdicts are not corrected for several tests. Raises as
    `gapsmith.scoring.analysis.analyze` does.
    """
    asked = replace(options or AnalysisOptions(), holm=False, by_region=False)
    chosen = choose(bank, paradigm, asked)
    base = analyze_chosen(bank, chosen, asked, model=model, scorer_id=scorer_id, unigrams=unigrams).for_reader()
    slots = {ItemKey(i.dataset, i.label): chosen.paradigm.in_parts(i.slots or {}) for i in chosen.picked}
    found: list[Variant] = []
    not_tried: list[str] = []
    if base.by_total_only:
        # Each difference to the whole is the value of what is left out.
        not_tried.append("Leaving out outliers, one item or one word: that would tell which items others approved.")
    others = list(_others(bank, paradigm, base, asked, not_tried, unigrams))
    for result in base.contrasts:
        found.append(_variant(result, "as analysed", result, asked))
        if result.values:
            found += _without_outliers(result, chosen.paradigm, asked)
            found += _left_out(result, slots, chosen.paradigm, asked)
        for what, other in others:
            again = next((own for own in other.contrasts if own.contrast.name == result.contrast.name), None)
            if again is not None:
                found.append(_variant(result, what, again, asked))
    if base.items.n_selected > _MOST_ITEMS:
        not_tried.append(f"Leaving out one item: {base.items.n_selected:,} items are too many for one to matter.")
    return Sensitivity(base, tuple(found), tuple(not_tried))


def _variant(base: ContrastResult, what: str, other: ContrastResult, options: AnalysisOptions) -> Variant:
    verdict = judge_result(other, other.main, other.main.p, options)
    test = replace(other.main, restrictions=other.restrictions)
    return Variant(base.contrast.name, what, test, verdict, verdict is not base.verdict)


def _tested(base: ContrastResult, what: str, test: Result, options: AnalysisOptions) -> Variant:
    verdict = judge_result(base, test, test.p, options)
    own = replace(test, restrictions=base.restrictions)
    return Variant(base.contrast.name, what, own, verdict, verdict is not base.verdict)


def _once(base: ContrastResult) -> list[ItemKey]:
    """An item for each observation, by which it is called: of several the one whose name is first."""
    ordered = sorted(base.values, key=lambda key: name_order(key.label, key.dataset))
    return [keys[0] for keys in Grouping(("evidence",)).split(ordered, lambda key, _: base.evidence[key]).values()]


def _again(base: ContrastResult, paradigm: Paradigm, keys: Sequence[ItemKey], options: AnalysisOptions) -> Result:
    """The test of the contrast over some of its items: by their words where these are known, else a t test."""
    values, seen = [base.values[key] for key in keys], [base.evidence[key] for key in keys]
    test = one_sample_t(values, alternative=base.alternative, confidence=options.confidence, observations=seen)
    if base.words.kind == "unknown":
        return beside_words(test, base.words)
    words = word_test(
        values,
        [base.word_rows[key] for key in keys],
        closed=closed_slots(paradigm),
        parts=slot_parts(paradigm),
        observations=seen,
        alternative=base.alternative,
        confidence=options.confidence,
        others=False,
    )
    return words.these or beside_words(test, words)


def _without_outliers(base: ContrastResult, paradigm: Paradigm, options: AnalysisOptions) -> Iterator[Variant]:
    keys = _once(base)
    values = [base.values[key] for key in keys]
    for rule, words in _RULES.items():
        far = set(outliers(values, rule=rule))  # type: ignore[arg-type]  # the keys are the rules
        kept = [key for position, key in enumerate(keys) if position not in far]
        test = _again(base, paradigm, kept, options)
        yield _tested(base, f"without {len(far)} beyond {words}", test, options)


def _left_out(
    base: ContrastResult, slots: dict[ItemKey, dict[str, str]], paradigm: Paradigm, options: AnalysisOptions
) -> Iterator[Variant]:
    # Without an item and with its copy nothing would move.
    keys = _once(base)
    if len(keys) > _MOST_ITEMS:
        return
    values, seen = [base.values[key] for key in keys], [base.evidence[key] for key in keys]
    columns: list[tuple[str, Sequence[str]]] = [("item", list(item_names(keys, several=True).values()))]
    for slot in dict.fromkeys(name for key in keys for name in slots[key]):
        words = [slots[key].get(slot, "") for key in keys]
        if 1 < len(set(words)) < len(words):
            columns.append((slot, words))
    for what, names in columns:
        found = leave_one_out(values, names, alternative=base.alternative, alpha=1 - options.confidence, observations=seen)
        if found.most is None:
            continue
        moved = f"without {what} {found.most}, which moves it most"
        if base.words.repeats:
            # A model of words for each item and each word would take long; the one that moves the mean most is looked at.
            kept = [key for key, name in zip(keys, names, strict=True) if name != found.most]
            yield _tested(base, moved, _again(base, paradigm, kept, options), options)
            continue
        yield _tested(base, moved, found.without[found.most], options)
        others = (_tested(base, f"without {what} {name}", test, options) for name, test in found.without.items())
        yield from (own for own in others if own.turns and not own.what.endswith(f" {found.most}"))


def _other_boundaries(base: Analysis, asked: AnalysisOptions) -> list[tuple[str, AnalysisOptions, Scorer]]:
    """The mass of word boundaries the other way, which only our own convention moves."""
    if asked.convention != GAPSMITH:
        return []
    what = "word boundaries not corrected" if asked.corrected else "corrected for word boundaries"
    return [(what, replace(asked, corrected=not asked.corrected), base.scorer)]


def _others(
    bank: Bank,
    paradigm: str,
    base: Analysis,
    asked: AnalysisOptions,
    not_tried: list[str],
    unigrams: Callable[[Scorer], Unigrams | str] | None,
) -> Iterator[tuple[str, Analysis]]:
    """The analysis again under other options or scorers."""
    other = "mean" if asked.measure in (None, DEFAULT_MEASURE) else DEFAULT_MEASURE
    ways: list[tuple[str, AnalysisOptions, Scorer]] = [
        (MEASURES[other].title, replace(asked, measure=other), base.scorer),
        *_other_boundaries(base, asked),
        (
            "approved items only" if asked.all_items else "all items",
            replace(asked, all_items=not asked.all_items),
            base.scorer,
        ),
    ]
    like = {name: value for name, value in base.scorer.identity.items() if not name.startswith("bos")}
    for scorer in bank.scores.scorers():
        own = {name: value for name, value in scorer.identity.items() if not name.startswith("bos")}
        if scorer.id != base.scorer_id and own == like and scorer.revision == base.scorer.revision:
            # What begins otherwise is made by our convention, whose tables say how it begins.
            ways.append((f"scored with BOS policy {scorer.bos!r}", replace(asked, convention=GAPSMITH), scorer))
    if not any(what.startswith("scored with") for what, _, _ in ways):
        flag = "--no-bos" if base.scorer.bos == "bos" else "--bos"
        not_tried.append(f"The other BOS policy: `gapsmith score --model {base.scorer.model} {flag}` has not been run.")
    for what, options, scorer in ways:
        try:
            chosen = choose(bank, paradigm, options)
            analysis = analyze_chosen(bank, chosen, options, scorer_id=scorer.id, unigrams=unigrams)
        except GapsmithError as error:
            not_tried.append(f"{what[0].upper()}{what[1:]}: {error.message}")
            continue
        if any(result.values for result in analysis.contrasts):
            yield what, analysis.for_reader()
        else:
            reasons = [why.reason for result in analysis.contrasts for why in result.undefined]
            not_tried.append(f"{what[0].upper()}{what[1:]}: {reasons[0] if reasons else 'nothing has a value'}.")
