"""How often each criterion holds: true or false of every item, and a share with its interval."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from gapsmith.scoring.analysis.contrasts import WORDS_REPEAT, beside_words
from gapsmith.scoring.analysis.results import AnalysisOptions, CriterionResult, SyntaxGymReading
from gapsmith.scoring.observations import ByItem, ItemKey, Observations, Outcomes, outcomes, words_read
from gapsmith.stats import Result, WordTest, distinct, repeated_slots, wilson_interval
from gapsmith.templates import MEASURES, SENTENCE_PLACE, Criterion, Paradigm


def analyze_criteria(
    paradigm: Paradigm, table: Observations, criteria: Sequence[Criterion], options: AnalysisOptions
) -> list[CriterionResult]:
    """Every criterion over the items, in their order. Raises `ConfigError` where a measure is not there."""
    return [analyze_criterion(paradigm, table, criterion, options) for criterion in criteria]


def analyze_criterion(paradigm: Paradigm, table: Observations, criterion: Criterion, options: AnalysisOptions) -> CriterionResult:
    """One criterion over those of the items whose attributes meet its `where`."""
    by = MEASURES.find(options.measure or criterion.measure)
    found = outcomes(table, criterion.formula, by, where=criterion.where, corrected=options.corrected)
    own = found.values
    words, rows = _words(paradigm, criterion, found)
    whole = any(operand.place == SENTENCE_PLACE for operand in criterion.formula.operands)
    return CriterionResult(
        criterion,
        beside_words(_share(table, criterion, found, options), words),
        ByItem(own.given.names, own.having, own.numbers.astype(np.bool_)),
        own.undefined,
        own.reasons_by_item,
        own.n_straddling,
        own.evidence_by_item,
        own.restrictions,
        _as_syntaxgym(criterion, found) if whole else None,
        words,
        own.words_by_item(rows),
        own.n_other_words,
        own.n_other_lengths,
        {str(operand): ByItem(own.given.names, own.having, value[own.having]) for operand, value in found.measured.items()},
        _difference(criterion, found),
    )


def _difference(criterion: Criterion, found: Outcomes) -> Mapping[ItemKey, float]:
    if (parts := criterion.formula.difference) is None:
        return {}
    own = found.values
    weighted, constant = parts
    total = np.full(len(own.having), float(constant))
    for weight, operand in weighted:
        total += float(weight) * found.measured[operand][own.having]
    return ByItem(own.given.names, own.having, total)


def _words(paradigm: Paradigm, criterion: Criterion, found: Outcomes) -> tuple[WordTest, tuple[Mapping[str, str], ...]]:
    """Whether words repeat over the items, and those words, one mapping for each truth; a share has no model of them."""
    own = found.values
    items = [own.given.items[position] for position in own.having]
    words = words_read(items, paradigm, [(one.condition, one.place) for one in criterion.formula.operands])
    if words.kind == "unknown":
        return WordTest("unknown"), words.rows
    once = dict(zip(own.observations, words.rows, strict=True))
    repeat = repeated_slots(list(once.values()))
    return WordTest("described", why=WORDS_REPEAT) if repeat else WordTest("items"), words.rows


def _as_syntaxgym(criterion: Criterion, found: Outcomes) -> SyntaxGymReading:
    given = found.values.given
    conditions = dict.fromkeys(operand.condition for operand in criterion.formula.operands)
    seen: dict[Hashable, bool] = {}
    for position in np.flatnonzero(~np.isnan(found.syntaxgym)).tolist():
        # Items with the very sentences of another one are one.
        own = [given.sentence(position, condition) for condition in conditions]
        texts = tuple((one.text, one.measured.context) for one in own if one is not None and one.measured is not None)
        truth = bool(found.syntaxgym[position])
        seen[texts, truth] = truth
    differing = tuple(given.keys[position] for position in found.differing)
    return SyntaxGymReading(len(seen), sum(seen.values()), differing, found.lacking)


def _share(table: Observations, criterion: Criterion, found: Outcomes, options: AnalysisOptions) -> Result:
    given = distinct(found.values.numbers, found.values.observations)
    successes = int(given.values.sum())
    nothing = _nothing(table, found, criterion)
    return Result(
        test="share of items",
        design=criterion.design,
        contrast=criterion.name,
        estimate=successes / given.n if given.n else None,
        ci=wilson_interval(successes, given.n, confidence=options.confidence) if given.n else None,
        n=given.n,
        n_given=given.n_given,
        n_undefined=len(found.values.given) - given.n_given,
        confidence=options.confidence,
        undefined=None if given.n else nothing,
        interpretable=given.n > 0,
        unit="share",
        assumes=("observations are independent",),
        restrictions=found.values.restrictions,
    )


def _nothing(table: Observations, found: Outcomes, criterion: Criterion) -> str:
    """Why no item has a truth value, if none has."""
    if len(found.values.given) or not len(table):
        return "no item has a value for everything that it compares"
    return f"no item has {' and '.join(f'{name} = {value}' for name, value in criterion.where.items())}"
