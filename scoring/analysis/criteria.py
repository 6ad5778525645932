"""How often each criterion holds: true or false of every item, and a share with its interval."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence

from gapsmith.scoring.analysis.measured import MeasuredItem
from gapsmith.scoring.analysis.results import (
    AnalysisOptions,
    CriterionResult,
    ItemKey,
    ObservedValue,
    SyntaxGymReading,
    Undefined,
    observed_in,
)
from gapsmith.scoring.item_values import ItemValues
from gapsmith.stats import Result, distinct, wilson_interval
from gapsmith.templates import MEASURES, SENTENCE_PLACE, AttributeValue, Criterion, Place


def analyze_criteria(
    items: Sequence[MeasuredItem], criteria: Sequence[Criterion], options: AnalysisOptions
) -> list[CriterionResult]:
    """Every criterion over the items, in their order. Raises `ConfigError` where a measure is not there."""
    return [analyze_criterion(items, criterion, options) for criterion in criteria]


def analyze_criterion(items: Sequence[MeasuredItem], criterion: Criterion, options: AnalysisOptions) -> CriterionResult:
    """One criterion over those of the items whose attributes meet its `where`."""
    formula, by = criterion.formula, MEASURES.find(options.measure or criterion.measure)
    holds: dict[ItemKey, bool] = {}
    having: dict[ItemKey, ObservedValue] = {}
    undefined: Counter[tuple[str, str]] = Counter()
    why: dict[ItemKey, str] = {}
    otherwise: dict[Hashable, bool] = {}
    differing: list[ItemKey] = []
    lacking: dict[ItemKey, str] = {}
    straddling = 0
    operands = [(operand.condition, operand.place) for operand in formula.operands]
    chosen = [item for item in items if meets(item.item.attributes, criterion.where)]
    for item in chosen:
        own = item.values(by, corrected=options.corrected)
        outcome = own.outcome(formula)
        if outcome.syntaxgym is not None:
            otherwise[_texts(own, operands), bool(outcome.syntaxgym)] = bool(outcome.syntaxgym)
        elif outcome.holds is not None:
            lacking[item.key] = next(iter(own.unread_regions(formula)), "it has no value")
        if outcome.differs:
            differing.append(item.key)
        if outcome.holds is None:
            operand, value = own.undefined(formula)[0]
            reason = value.reason or "it has no value"
            undefined[str(operand), reason] += 1
            why[item.key] = f"{operand}: {reason}"
            continue
        holds[item.key] = bool(outcome.holds)
        values = [own.value(*operand) for operand in operands]
        straddling += any(value.n_straddling for value in values)
        # Of an empty region nothing was read.
        there = [
            (operand, value.number)
            for operand, value in zip(operands, values, strict=True)
            if value.n_tokens and value.number is not None
        ]
        having[item.key] = ObservedValue(
            tuple(number for _, number in there),
            tuple(own.read_up_to(*operand) for operand, _ in there),
            tuple(part for operand in operands if operand[0] in own.texts for part in own.whole(*operand)),
            own.elsewhere,
            own.by_whole_text,
        )
    seen = observed_in(list(having.values()))
    # Two truths of one reading, a hair apart, are two observations.
    observed = {key: (own, truth) for own, (key, truth) in zip(seen, holds.items(), strict=True)}
    whole = any(operand.place == SENTENCE_PLACE for operand in formula.operands)
    reasons = [Undefined(place, reason, count) for (place, reason), count in undefined.most_common()]
    return CriterionResult(
        criterion,
        _share(criterion, holds, observed, sum(undefined.values()), _nothing(items, chosen, criterion), options),
        holds,
        tuple(reasons),
        why,
        straddling,
        having,
        observed,
        SyntaxGymReading(len(otherwise), sum(otherwise.values()), tuple(differing), lacking) if whole else None,
    )


def _texts(values: ItemValues, operands: Sequence[tuple[str, Place]]) -> Hashable:
    """The sentences that a formula names, each behind its context."""
    return tuple(values.whole(*operand) for operand in operands if operand[0] in values.texts)


def meets(attributes: Mapping[str, AttributeValue], where: Mapping[str, AttributeValue]) -> bool:
    """Whether an item's attributes have the values asked for. A file's columns are text, so what is written alike is alike."""
    return all(name in attributes and _alike(attributes[name], wanted) for name, wanted in where.items())


def _alike(own: AttributeValue, wanted: AttributeValue) -> bool:
    return own == wanted or str(own).casefold() == str(wanted).casefold()


def _nothing(items: Sequence[MeasuredItem], chosen: Sequence[MeasuredItem], criterion: Criterion) -> str:
    """Why no item has a truth value, if none has."""
    if chosen or not items:
        return "no item has a value for everything that it compares"
    wanted = " and ".join(f"{name} = {value}" for name, value in criterion.where.items())
    return f"no item has {wanted}"


def _share(
    criterion: Criterion,
    holds: Mapping[ItemKey, bool],
    observed: Mapping[ItemKey, tuple[object, ...]],
    n_undefined: int,
    nothing: str,
    options: AnalysisOptions,
) -> Result:
    given = distinct([float(truth) for truth in holds.values()], [observed[key] for key in holds])
    successes = int(given.values.sum())
    return Result(
        test="share of items",
        design=criterion.design,
        contrast=criterion.name,
        estimate=successes / given.n if given.n else None,
        ci=wilson_interval(successes, given.n, confidence=options.confidence) if given.n else None,
        n=given.n,
        n_given=given.n_given,
        n_undefined=n_undefined,
        confidence=options.confidence,
        undefined=None if given.n else nothing,
        interpretable=given.n > 0,
    )
