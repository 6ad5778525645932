"""Which items and contrasts an analysis is about, and the version of the paradigm that they are read with: the only place that
decides it from what was asked. What lacks values or a context is left out later, in `run`, and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from gapsmith.bank import Bank, ItemFilter, ItemStatus, StoredItem
from gapsmith.scoring.analysis.names import label
from gapsmith.scoring.analysis.results import AnalysisOptions
from gapsmith.scoring.copies import name_order
from gapsmith.scoring.observations import APPROVED, NO_CALIBRATION
from gapsmith.stats import Restriction
from gapsmith.templates import (
    MEASURES,
    SENTENCE_PLACE,
    ConfigError,
    Contrast,
    Criterion,
    GapsmithError,
    Paradigm,
    Place,
    find_convention,
    nearest,
    or_equal,
    to_add,
    turned,
)


@dataclass(frozen=True, slots=True)
class Chosen:
    """The items of one paradigm that are analysed, among those they were chosen from."""

    paradigm: Paradigm
    """As it stands today: its predictions are those that are tested."""
    where: str
    """Where it was found; see `gapsmith.bank.paradigms.Current`."""
    contrasts: tuple[Contrast, ...]
    """Those that are tested, by the measure that the options name, where they name one."""
    criteria: tuple[Criterion, ...]
    selection: ItemFilter
    """The items that they were chosen from, whatever was decided of them."""
    items: tuple[StoredItem, ...]
    """Those of `selection`."""
    picked: tuple[StoredItem, ...]
    """Those that are analysed."""
    forms: Mapping[int, Paradigm]
    """The form that the items were made with, by paradigm id, under today's predictions."""
    attributes: Mapping[str, str] = field(default_factory=dict)
    """Which attributes or words were asked for."""
    decided: frozenset[int] = frozenset()
    """The items that may be analysed by what was decided of them: all of them, or the approved ones."""
    n_calibrating: int = 0
    """Calibration items, which are not among `items`."""
    hidden: frozenset[int] = frozenset()
    """The items of which others have said something that the reader may not see (`gapsmith.bank.seeing`): those of them that are analysed
    go through the analysis without their names."""
    by_total_only: bool = False
    """Whether the reader may not know which items are analysed: where any are `hidden` and not all are analysed whatever was decided."""
    example: StoredItem | None = None
    """What is shown where the reader may know of none that it is analysed: the first of all items, whatever was decided of them."""

    @property
    def restrictions(self) -> tuple[Restriction, ...]:
        """Why not all of the paradigm's items, or of the data set's, are analysed: each takes over what the one before it has left."""
        n_items, n_decided = len(self.items), sum(item.id in self.decided for item in self.items)
        where = " and ".join(f"{name} = {value}" for name, value in self.attributes.items())
        every = (
            Restriction("calibration", n_items + self.n_calibrating, self.n_calibrating, NO_CALIBRATION),
            Restriction("decision", n_items, n_items - n_decided, APPROVED),
            Restriction("where", n_decided, n_decided - len(self.picked), where),
        )
        return tuple(one for one in every if one.n_out)

    @property
    def asked_for(self) -> list[StoredItem]:
        """The items with the attributes and words that were asked for, whatever was decided of them."""
        return [item for item in self.items if _is_wanted(item, self.attributes)]

    @property
    def texts(self) -> list[str]:
        """The different texts that are analysed, in the items' order."""
        return list(dict.fromkeys(sentence.text for item in self.picked for sentence in item.sentences))


def choose(bank: Bank, paradigm: str, options: AnalysisOptions, *, datasets: Sequence[str] = ()) -> Chosen:
    """The items and contrasts that the options ask for; of several data sets, where `datasets` names some.

    Raises `BankError` for a paradigm without items, `ConfigError` for an unknown data set, design, contrast or measure, and
    `GapsmithError` where no item is approved.
    """
    current = bank.paradigms.current(paradigm)
    if not bank.items.datasets(paradigm):
        bank.paradigms.newest(paradigm)
    if options.dataset is not None:
        bank.datasets.expect([options.dataset], [paradigm])
    bank.datasets.expect(datasets, [paradigm])
    selection = ItemFilter(paradigm=paradigm, dataset=options.dataset, datasets=tuple(datasets), in_results=not options.all_items)
    wanted = selection if options.all_items else replace(selection, standing=(ItemStatus.APPROVED,))
    ids = set(bank.items.ids(wanted))
    # Where all are analysed, that an item is among them says nothing.
    hidden = frozenset(bank.gate.hidden(selection))
    n_calibrating = bank.items.count(replace(selection, in_results=False)) - bank.items.count(selection)
    if n_calibrating and not bank.gate.may_tell_calibration:
        # Names of the others would tell which items calibrate.
        hidden = frozenset(bank.items.ids(selection))
    found = tuple(bank.items.iterate(selection))
    by_total_only = bool(hidden) and not options.all_items
    items = _unnamed(found, hidden & ids) if by_total_only else found
    picked = tuple(item for item in items if item.id in ids and _is_wanted(item, options.where))
    measured = bank.datasets.measured_together(current.paradigm, (item.dataset for item in items))
    contrasts, criteria = measured_by(options, *chosen_predictions(measured, options))
    if not picked and options.where:
        said = " and ".join(f"{name} = {value}" for name, value in options.where.items())
        raise GapsmithError(f"No item of {paradigm} that would be analysed has {said}.", hint="Leave --where out.")
    if not picked:
        raise _nothing_approved(bank, selection, paradigm)
    every = found
    if by_total_only and n_calibrating:
        # That an item is passed over would tell that it calibrates.
        every = tuple(bank.items.iterate(replace(selection, in_results=False)))
    forms = {own: bank.paradigms.reading(own) for own in {item.paradigm_id for item in every}}
    known = any(item.id not in hidden for item in picked)
    return Chosen(
        measured,
        current.where,
        tuple(contrasts),
        tuple(criteria),
        selection,
        items,
        picked,
        forms,
        options.where,
        frozenset(ids),
        n_calibrating=n_calibrating,
        hidden=hidden,
        by_total_only=by_total_only,
        example=first_of_form(every, forms, current.paradigm) if by_total_only and not known else None,
    )


def first_of_form(items: Iterable[StoredItem], forms: Mapping[int, Paradigm], paradigm: Paradigm) -> StoredItem:
    """The item of the first name that has the form of today's file; where none has, of all."""
    ordered = sorted(items, key=lambda item: name_order(item.label, item.dataset))
    alike = (item for item in ordered if forms[item.paradigm_id].form_digest == paradigm.form_digest)
    return next(alike, ordered[0])


def left_out_by_decisions(bank: Bank, selection: ItemFilter) -> tuple[Restriction, ...]:
    """How many items a selection leaves out since they are not approved."""
    n_items = bank.items.count(replace(selection, standing=(), statuses=()))
    n_out = n_items - bank.items.count(selection)
    return (Restriction("decision", n_items, n_out, APPROVED),) if n_out else ()


def _unnamed(items: Iterable[StoredItem], hidden: frozenset[int]) -> tuple[StoredItem, ...]:
    """The items, those of which the reader may not know that they are approved without their names."""
    numbers: Counter[str] = Counter()
    made = []
    for item in items:
        if item.id in hidden:
            numbers[item.dataset] += 1
            item = replace(item, label=f"left out {numbers[item.dataset]}")
        made.append(item)
    return tuple(made)


def chosen_predictions(paradigm: Paradigm, options: AnalysisOptions) -> tuple[list[Contrast], list[Criterion]]:
    """The contrasts and criteria that the options ask for, in the paradigm's order. Raises `ConfigError`."""
    every: list[Contrast | Criterion] = [*paradigm.contrasts, *paradigm.criteria]
    if not every:
        raise ConfigError(
            f"{paradigm.name} defines no contrasts and no criteria, so there is nothing to test.",
            hint=f"Add lines such as these to {paradigm.path or 'its file'}:\n{to_add(paradigm)}",
        )
    if options.design is not None:
        paradigm.design(options.design)
    wanted = [_prediction(paradigm, every, name) for name in options.contrasts] or every
    found = [one for one in every if one in wanted and options.design in (None, one.design)]
    if not found:
        raise ConfigError(
            f"{paradigm.name} has no contrast or criterion in the design {options.design!r} among those asked for.",
            hint=f"It has: {', '.join(f'{one.name} ({one.design})' for one in every)}.",
        )
    return [one for one in found if isinstance(one, Contrast)], [one for one in found if isinstance(one, Criterion)]


def measured_by(
    options: AnalysisOptions, contrasts: Sequence[Contrast], criteria: Sequence[Criterion]
) -> tuple[list[Contrast], list[Criterion]]:
    """Contrasts and criteria as they are measured: by the measure that was asked for, else whole sentences by that of the convention; equal
    sentences are counted as the convention counts them."""
    convention = find_convention(options.convention)

    def by(own: str, places: Iterable[Place]) -> str:
        whole = convention.whole if all(place == SENTENCE_PLACE for place in places) else None
        return options.measure or whole or own

    found = [contrast_by(by(one.measure, (term.place for term in one.terms)), one) for one in contrasts]
    counted = [criterion_by(by(one.measure, (own.place for own in one.formula.operands)), one) for one in criteria]
    if convention.ties == "good":
        counted = [replace(one, formula=or_equal(one.formula)) for one in counted]
    return found, counted


def contrast_by(measure: str, contrast: Contrast) -> Contrast:
    """The contrast by another measure than its own. Where that one grows as its own falls, as log-probability does with
    surprisal, what was expected below 0 is expected above it, and a one-sided test looks there."""
    if measure == contrast.measure:
        return contrast
    # In another unit its δ says nothing.
    if _alike(measure, contrast.measure):
        return replace(contrast, measure=measure, delta=None)
    other = {"greater": "less", "less": "greater"}.get(contrast.alternative, contrast.alternative)
    return replace(contrast, measure=measure, expected=-contrast.expected, alternative=other, delta=None)


def criterion_by(measure: str, criterion: Criterion) -> Criterion:
    """The criterion by another measure than its own, its comparisons turned where that one grows as its own falls."""
    formula = criterion.formula if _alike(measure, criterion.measure) else turned(criterion.formula)
    return replace(criterion, measure=measure, formula=formula)


def _alike(one: str, other: str) -> bool:
    """Whether two measures grow together."""
    return MEASURES.find(one).higher_is_better == MEASURES.find(other).higher_is_better


def _is_wanted(item: StoredItem, where: Mapping[str, str]) -> bool:
    return all(value_of(item, name) == value for name, value in where.items())


def value_of(item: StoredItem, name: str) -> str | None:
    """An attribute of the item, or else its word in the slot of that name, as text; None where it has neither."""
    found = item.attributes.get(name, (item.slots or {}).get(name))
    return None if found is None else str(found)


def _prediction(paradigm: Paradigm, every: Sequence[Contrast | Criterion], asked: str) -> Contrast | Criterion:
    """The contrast or criterion of that name, or with that label in tables, whatever the case. Raises `ConfigError`."""
    wanted = asked.strip().casefold()
    matches = (
        [one for one in every if one.name == asked],
        [one for one in every if one.name.casefold() == wanted],
        [one for one in every if label(one).casefold() == wanted],
    )
    for found in matches:
        if len(found) == 1:
            return found[0]
    shown = {name.casefold(): name for one in every for name in (label(one), one.name)}
    close = nearest(wanted, shown)
    known = ", ".join(one.name if label(one) == one.name else f"{one.name} ({label(one)})" for one in every)
    raise ConfigError(
        f"{paradigm.name} has no contrast {asked!r}. It has: {known}",
        hint=f"Did you mean {shown[close]}?" if close is not None else "Leave --contrast out for all of them.",
    )


def _nothing_approved(bank: Bank, selection: ItemFilter, paradigm: str) -> GapsmithError:
    left_out = bank.gate.left_out(selection)
    counts = bank.items.count_by_status(selection)
    stand = ", ".join(f"{count:,} {status.value}" for status, count in counts.items())
    return GapsmithError(
        f"No item of {paradigm} is approved ({stand}).",
        hint=f"{left_out} Decide with `gapsmith decide` or `gapsmith review`, or analyse every item with --all.".strip(),
    )
