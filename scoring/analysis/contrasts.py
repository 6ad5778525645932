"""One contrast over the items: its values, its tests and what they say of the prediction. The only place that decides what a
contrast's test says of it (`judge`)."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from gapsmith.scoring.analysis.aliasing import changes_together, part_plans
from gapsmith.scoring.analysis.results import (
    AnalysisOptions,
    Conclusion,
    ContrastPart,
    ContrastResult,
)
from gapsmith.scoring.observations import Observations, PredictedValues, contrast_values, words_read
from gapsmith.stats import (
    Absence,
    Alternative,
    Presence,
    Result,
    WordTest,
    accuracy,
    check_alternative,
    evidence_of_absence,
    one_sample_t,
    sign_flip_test,
    word_test,
)
from gapsmith.stats import wilcoxon_signed_rank as wilcoxon
from gapsmith.templates import MEASURES, Contrast, Paradigm

WORDS_REPEAT = "Words repeat over the items, which this takes for independent."


def analyze_contrast(paradigm: Paradigm, table: Observations, contrast: Contrast, options: AnalysisOptions) -> ContrastResult:
    """Everything about one contrast but the correction for several tests, which needs the others."""
    found = values_of(table, contrast, options)
    data, seen = found.numbers, found.observations
    alternative = alternative_of(contrast, options)
    ttest = one_sample_t(data, alternative=alternative, confidence=options.confidence, observations=seen, effect_interval=True)
    words, rows = _words(paradigm, contrast, found, alternative, options)
    over_items = beside_words(ttest, words)
    main = over_items if words.these is None else words.these
    rng = np.random.default_rng([options.seed, zlib.crc32(contrast.name.encode())])
    return ContrastResult(
        contrast=contrast,
        alternative=alternative,
        n_items=len(data),
        n_undefined=sum(undefined.count for undefined in found.undefined),
        undefined=found.undefined,
        n_distinct=len(set(seen)),
        n_overlapping=found.n_overlapping,
        values=found.by_item,
        reasons=found.reasons_by_item,
        evidence=found.evidence_by_item,
        restrictions=found.restrictions,
        ttest=over_items,
        p_holm=None,
        family="",
        wilcoxon=beside_words(wilcoxon(data, alternative=alternative, observations=seen), words),
        permutation=beside_words(
            sign_flip_test(data, rng=rng, alternative=alternative, n_permutations=options.permutations, observations=seen), words
        ),
        accuracy=beside_words(_accuracy(data, contrast, options, seen), words),
        verdict=judge(main, contrast.expected, main.p, options, unlike=found.n_unlike > 0),
        together=changes_together(paradigm, contrast, found.given),
        n_unlike=found.n_unlike,
        paths=_paths(paradigm, table, contrast, options),
        words=words,
        word_rows=found.words_by_item(rows),
        n_straddling=found.n_straddling,
        n_other_words=found.n_other_words,
        n_other_lengths=found.n_other_lengths,
    )


def alternative_of(contrast: Contrast, options: AnalysisOptions) -> Alternative:
    """The side that is looked at: what the options say, else the contrast."""
    if options.alternative == "expected":
        return {-1: "less", 0: "two-sided", 1: "greater"}[contrast.expected]  # type: ignore[return-value]  # each is one
    return check_alternative(options.alternative or contrast.alternative)


def values_of(table: Observations, contrast: Contrast, options: AnalysisOptions) -> PredictedValues:
    """The contrast's value for every item that it is about, by the measure of the options, else its own. Raises `ConfigError`
    where the measure is not there."""
    return contrast_values(table, contrast, MEASURES.find(options.measure or contrast.measure), corrected=options.corrected)


def _words(
    paradigm: Paradigm,
    contrast: Contrast,
    found: PredictedValues,
    alternative: Alternative,
    options: AnalysisOptions,
    *,
    others: bool = True,
) -> tuple[WordTest, tuple[Mapping[str, str], ...]]:
    """The test that the words of the items allow, and those words, one mapping for each value."""
    items = [found.given.items[position] for position in found.having]
    words = words_read(items, paradigm, [(term.condition, term.place) for term in contrast.terms])
    if words.kind == "unknown":
        return WordTest("unknown"), words.rows
    test = word_test(
        found.numbers,
        words.rows,
        closed=closed_slots(paradigm),
        parts=slot_parts(paradigm),
        observations=found.observations,
        alternative=alternative,
        confidence=options.confidence,
        others=others,
    )
    return test, words.rows


def closed_slots(paradigm: Paradigm) -> frozenset[str]:
    """The slots, and the parts of slots, whose words are all there are."""
    return frozenset(name for slot in paradigm.slots if slot.closed for name in (slot.name, *(part.name for part in slot.parts)))


def slot_parts(paradigm: Paradigm) -> dict[str, tuple[str, ...]]:
    """The slots that the texts of a slot are built of, for those whose parts are told."""
    return {slot.name: tuple(part.name for part in slot.parts) for slot in paradigm.slots if slot.parts}


def beside_words(own: Result, words: WordTest) -> Result:
    """What takes items for independent, with what the words say of that: where they repeat, no verdict rests on it."""
    if words.kind == "unknown":
        return replace(own, scope="over items; which words they have is not known")
    if not words.repeats:
        return replace(own, scope=words.by_number) if words.kinds else own
    note = words.why if words.kind == "described" else WORDS_REPEAT
    return replace(
        own,
        scope=", ".join(filter(None, ("these words taken as given", words.by_number))),
        notes=(*own.notes, note),
        interpretable=False,
    )


_BY_DELTA: Mapping[Presence, Conclusion] = {
    "present, below δ": Conclusion.SMALL,
    "opposite": Conclusion.OPPOSITE,
    "absent": Conclusion.ABSENT,
    "undecided": Conclusion.UNDECIDED,
}


def judge(
    test: Result,
    expected: int,
    p: float | None,
    options: AnalysisOptions,
    absence: Absence | None = None,
    *,
    fixed: bool = False,
    p_both: float | None = None,
    unlike: bool = False,
) -> Conclusion:
    """What a test says of a prediction, at alpha = 1 - confidence; `p` is the test's own or the corrected one. Where it was said what
    size matters, `absence` tells what is absent from what is undecided, if that was `fixed` before items were scored, and `p_both`, that of
    the test of both sides, what is the opposite. Where `unlike` words are compared in any item, the value also
    holds how frequent and how long these are, and there is no verdict.

    A one-sided test speaks for its own side only: it finds the mean there, or finds nothing. So an alternative that
    looks away from the expected sign can say that the effect is the opposite, and never that it is as expected.
    """
    if test.p is None or test.estimate is None:
        return Conclusion.UNDEFINED
    if not test.interpretable:
        return Conclusion.DESCRIBED
    if unlike:
        return Conclusion.UNLIKE
    if p is None:
        return Conclusion.DESCRIBED
    if absence is not None:
        found = absence.presence(test, p, 1 - options.confidence, p_both=p_both)
        # That an effect is on the other side needs no δ.
        if found in _BY_DELTA and (fixed or found == "opposite"):
            return _BY_DELTA[found]
    if p >= 1 - options.confidence:
        return Conclusion.NO_EVIDENCE
    sign = {"greater": 1, "less": -1}.get(test.alternative, 1 if test.estimate > 0 else -1)
    if expected == 0:
        return Conclusion.ABOVE if sign > 0 else Conclusion.BELOW
    return Conclusion.AS_EXPECTED if sign == expected else Conclusion.OPPOSITE


def absence_of(result: ContrastResult, test: Result) -> Absence | None:
    """What a test of a contrast says against an effect of its δ; None where it has none, or nothing may be concluded."""
    delta = result.contrast.delta
    return None if delta is None else evidence_of_absence(test, delta, side=result.contrast.expected)


def judge_result(
    result: ContrastResult, test: Result, p: float | None, options: AnalysisOptions, *, p_both: float | None = None
) -> Conclusion:
    """What a test of a contrast says of what was expected of it and of its δ; see `judge`."""
    return judge(
        test,
        result.contrast.expected,
        p,
        options,
        absence_of(result, test),
        fixed=result.delta_fixed,
        p_both=p_both,
        unlike=result.n_unlike > 0,
    )


def _accuracy(
    data: np.typing.NDArray[np.float64], contrast: Contrast, options: AnalysisOptions, seen: Sequence[Hashable]
) -> Result:
    direction = -1 if contrast.expected < 0 else 1
    return accuracy(data, direction=direction, ties=options.ties, confidence=options.confidence, observations=seen)


def _paths(
    paradigm: Paradigm, table: Observations, contrast: Contrast, options: AnalysisOptions
) -> tuple[tuple[ContrastPart, ...], ...]:
    """The contrast taken apart, where it changes two factors together and the items have the conditions in between."""
    paths = []
    for plans in part_plans(paradigm, contrast):
        parts = []
        for plan in plans:
            found = values_of(table, plan.contrast, options)
            data = found.numbers
            if data.size == 0:
                return ()
            over_items = one_sample_t(data, confidence=options.confidence, observations=found.observations)
            words, _ = _words(paradigm, plan.contrast, found, "two-sided", options, others=False)
            share = beside_words(_accuracy(data, contrast, options, found.observations), words)
            over_items = beside_words(over_items, words)
            parts.append(ContrastPart(plan, over_items, words.these or over_items, share))
        paths.append(tuple(parts))
    return tuple(paths)
