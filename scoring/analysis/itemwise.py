"""A comparison item by item: what each item has in two runs of one comparison, and the difference."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from gapsmith.bank import NAMING
from gapsmith.scoring.analysis.comparing import ComparedRun, RunComparison, RunPair, criterion_of, run_pairs
from gapsmith.scoring.observations import ItemKey, PairedSide, Pairing


@dataclass(frozen=True, slots=True)
class ItemPair:
    """One contrast or criterion of one item in two runs; of the same sentences in two data sets."""

    contrast: str
    """The name of the contrast or criterion."""
    measure: str
    """Of both runs; with ``|`` between them where each has its own convention."""
    first: str
    """What the first run is called where it differs from the second: a model, a data set or a context."""
    second: str
    axis: str
    """How they differ: ``model``, ``dataset`` or ``context``."""
    about: tuple[tuple[str, str], ...]
    """What they have in common, by axis, where the comparison has several of it."""
    keys: tuple[ItemKey | None, ItemKey | None]
    """The item in the first and in the second run, which are one unless data sets are compared; None where it has no value."""
    values: tuple[float | None, float | None]
    """In the first and in the second run; None where it has none there. A criterion has none."""
    expected: int
    """The predicted sign; 0 where there is none."""
    text: str
    """Its first sentence."""
    holds: tuple[bool | None, bool | None] | None = None
    """Whether a criterion is true of it in the first and in the second run; None for contrasts."""

    @property
    def key(self) -> ItemKey:
        """The item; in the first run where that has it."""
        found = self.keys[0] or self.keys[1]
        assert found is not None
        return found

    @property
    def difference(self) -> float | None:
        """Second minus first."""
        first, second = self.values
        return None if first is None or second is None else second - first

    @property
    def as_expected(self) -> tuple[bool | None, bool | None]:
        """Whether each value has the predicted sign, or a criterion holds; None where there is no value or nothing predicted."""
        if self.holds is not None:
            return self.holds
        first, second = (None if value is None or not self.expected else value * self.expected > 0 for value in self.values)
        return first, second


def item_pairs(found: RunComparison) -> Iterator[ItemPair]:
    """Every item that either of two compared runs has a value for, by contrast and criterion: models and revisions against the
    first one, contexts against none, data sets against the first one by what was read, so that an item is the same wherever
    it has the same sentences."""
    several = [axis for axis in found.varying if axis != "revision"]
    for pair in run_pairs(found.runs):
        about = tuple((name, pair.first.place(name)) for name in several if name in pair.shared)
        for name in (*found.contrasts, *found.criteria):
            one, two = _had(pair.first, name), _had(pair.other, name)
            if one is not None and two is not None:
                yield from _pairs(pair, about, (one, two))


_NAMELESS: Mapping[str, str | None] = dict.fromkeys(NAMING)


def item_pair_rows(found: RunComparison) -> Iterator[dict[str, Any]]:
    """`item_pairs` as plain values, for a table."""
    names = {key: named for run in found.runs for key, named in run.analysis.names.items()}
    for own in item_pairs(found):
        about = dict(own.about)
        first, second = own.as_expected
        one, two = own.keys
        yield {
            "paradigm": found.paradigm.name,
            "contrast": own.contrast,
            "measure": own.measure,
            "compared": own.axis,
            "first": own.first,
            "second": own.second,
            **{name: about.get(name, "") for name in ("model", "dataset", "context", "group")},
            "item_dataset": own.key.dataset,
            "item": own.key.label,
            "second_item": f"{two.dataset}/{two.label}" if one and two and one != two else "",
            "first_value": own.values[0],
            "second_value": own.values[1],
            "difference": own.difference,
            "first_as_expected": first,
            "second_as_expected": second,
            "text": own.text,
            **names.get(own.key, _NAMELESS),
        }


@dataclass(frozen=True, slots=True)
class _Had:
    """What a run has of a contrast or criterion."""

    name: str
    measure: str
    expected: int
    values: Mapping[ItemKey, float]
    """Of the measure, or 1 and 0 for true and false."""
    evidence: Mapping[ItemKey, int]
    is_criterion: bool


def _had(run: ComparedRun, name: str) -> _Had | None:
    for result in run.analysis.contrasts:
        if result.contrast.name == name:
            own = result.contrast
            return _Had(
                name, run.analysis.measured_as(own.measure), own.expected, result.values, result.evidence, is_criterion=False
            )
    found = criterion_of(run, name)
    if found is None:
        return None
    return _Had(name, run.analysis.measured_as(found.criterion.measure), 0, found.holds, found.evidence, is_criterion=True)


def _pairs(pair: RunPair, about: tuple[tuple[str, str], ...], results: tuple[_Had, _Had]) -> Iterator[ItemPair]:
    one, two = results
    if one.measure != two.measure:
        one = replace(one, measure=f"{one.measure} | {two.measure}")
    texts = {**pair.other.analysis.texts, **pair.first.analysis.texts}
    left, right = (PairedSide(own.values, own.evidence) for own in results)
    pairing = Pairing(left, right, pair.on)
    partners = pairing.partners
    for key, value in one.values.items():
        other = partners.get(key)
        yield _pair(pair, about, one, (key, other), (value, two.values[other] if other else None), texts)
    for key in pairing.alone[1]:
        yield _pair(pair, about, one, (None, key), (None, two.values[key]), texts)


def _pair(
    pair: RunPair,
    about: tuple[tuple[str, str], ...],
    result: _Had,
    keys: tuple[ItemKey | None, ItemKey | None],
    values: tuple[float | None, float | None],
    texts: dict[ItemKey, str],
) -> ItemPair:
    key = keys[0] or keys[1]
    text = texts.get(key, "") if key is not None else ""
    if not result.is_criterion:
        return ItemPair(result.name, result.measure, *pair.names, pair.axis, about, keys, values, result.expected, text)
    first, second = (None if value is None else bool(value) for value in values)
    return ItemPair(result.name, result.measure, *pair.names, pair.axis, about, keys, (None, None), 0, text, (first, second))
