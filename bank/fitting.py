"""How the sentences of a file are those of one paradigm, and the items that they are there; `choosing` says of which one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from gapsmith.bank.formats.draft import slug
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet, Json, raw_of
from gapsmith.bank.formats.grouping import cell_text, in_file_order
from gapsmith.bank.formats.predictions import SuitePrediction, predictions_of
from gapsmith.bank.formats.source import NOTHING_KEPT
from gapsmith.bank.records import NewItem
from gapsmith.templates import (
    Alignment,
    Design,
    FormatError,
    Paradigm,
    ParadigmError,
    RegionSpan,
    Sentence,
    Source,
    align,
    count,
    realise,
    settled_slots,
    unreadable,
)

_TRIED = 40
"""So many items are read back to find out whether a paradigm makes the sentences of a file."""
_ENOUGH = 0.5


@dataclass(frozen=True, slots=True)
class Fit:
    """How the labels of a file are those of a paradigm."""

    paradigm: Paradigm
    conditions: Mapping[str, str]
    """The file's label of each condition to its name in the paradigm."""
    regions: Mapping[str, str]
    """The file's name of each region to its name in the paradigm."""
    design: Design | None
    """The smallest design that has all these conditions; None where the file has slots."""

    @property
    def is_template(self) -> bool:
        """Whether the paradigm makes its sentences of slots, so that they can be read back."""
        return not self.paradigm.given

    @property
    def labels(self) -> dict[str, str]:
        """The label under which the file has each condition; the first of several."""
        labels: dict[str, str] = {}
        for label, condition in self.conditions.items():
            labels.setdefault(condition, label)
        return labels


@dataclass(frozen=True, slots=True)
class Unread:
    """An item whose sentences are not all read back into slots, and why the first of them is not."""

    label: str
    line: int
    condition: str
    why: str


def fit_set(found: ForeignSet, paradigm: Paradigm, file: str) -> Fit:
    """How the file's labels are the paradigm's. Raises `FormatError` with the line for a label, region or slot that the
    paradigm does not have, for two labels of one item that mean one condition, and for a second sentence type."""
    fit = _fit_labels(found, paradigm, file)
    if second := _second_type(found, paradigm):
        value, line = second
        _refuse(
            found,
            file,
            line,
            f"a second sentence_type, {value!r}",
            "A file holds items of one paradigm; split it by this column.",
        )
    return fit


def _fit_labels(found: ForeignSet, paradigm: Paradigm, file: str) -> Fit:
    if not found.conditions:
        _check_slots(found, paradigm, file)
        return Fit(paradigm, {}, {}, None)
    conditions = {}
    for label in found.conditions:
        condition = paradigm.resolve_label(label)
        if condition is None:
            known = "; ".join(f"{d.name}: {', '.join(d.labels)}" for d in paradigm.designs)
            _refuse(
                found,
                file,
                found.line_of(label),
                f"{paradigm.name} has no condition {label!r}",
                f"Labels that are understood: {known}.",
            )
        conditions[label] = condition
    _check_one_label_each(found, conditions, file)
    regions: dict[str, str] = {}
    for region in found.regions:
        name = _region(paradigm, region.name)
        if name is None:
            known = ", ".join(r.name for r in paradigm.regions) or "none"
            _refuse(
                found,
                file,
                0,
                f"{paradigm.name} has no region {region.name!r}",
                f"Its regions: {known}. Where neither --paradigm nor sentence_type names one, a paradigm with the file's own "
                "regions is found or drafted.",
            )
        if (other := next((file_name for file_name, taken in regions.items() if taken == name), None)) is not None:
            _refuse(
                found,
                file,
                0,
                f"the regions {other!r} and {region.name!r} would be one region of {paradigm.name}, {name}",
                "Call one of them otherwise, or import the file without --paradigm.",
            )
        regions[region.name] = name
    return Fit(paradigm, conditions, regions, _design(paradigm, set(conditions.values()), file))


@dataclass(frozen=True, slots=True)
class FitByWords:
    """A paradigm that makes sentences of a file."""

    fit: Fit
    share: float
    """Of the items that were tried, how many read back whole, from 0 to 1."""
    why: str


def fits_by_words(found: ForeignSet, paradigms: Iterable[Paradigm], file: str) -> tuple[list[FitByWords], list[str]]:
    """The paradigms that make sentences of the file's items, the best first, and of those that have its conditions and do not
    why not.

    One that makes sentences of slots may fit where at least half of the first 40 items read back; only one of which all items of the file
    do is certain. One that only names conditions and regions never does: nothing tells its sentences from others, so that
    somebody has to name it."""
    fits: list[FitByWords] = []
    reasons: list[tuple[float, str]] = []
    for paradigm in paradigms:
        if paradigm.given:
            continue
        try:
            fit = _fit_labels(found, paradigm, file)
        except _TwoLabelsError as error:
            reasons.append((1.0, f"{paradigm.name} is not taken: {error.said}"))
            continue
        except (FormatError, ParadigmError):
            if said := _but_for_one_label(found, paradigm, file):
                reasons.append((1.0, said))
            continue
        second = _second_type(found, paradigm)
        if not found.conditions and second is None:
            fits.append(FitByWords(fit, 1.0, "all slots of the file are slots of it"))
            continue
        every = [item for item in found.items if item.sentences]
        tried = every[:_TRIED]
        seen, unread = _first_unread(fit, tried)
        if not unread and len(tried) < len(every):
            # Only what holds for all of them is certain.
            tried = every
            seen, unread = _first_unread(fit, tried)
        share = 1 - len(unread) / len(tried) if tried else 1.0
        if share >= _ENOUGH and second is not None:
            said = (
                f"the items read as sentences of {paradigm.name}, but {found.place_unit} {second[1]} has a second sentence_type, "
                f"{second[0]!r}, and a file holds items of one paradigm: correct it, or split the file by this column"
            )
            reasons.append((share, said))
        elif share >= _ENOUGH:
            first = "" if len(tried) == len(found.items) else "the first "
            read = len(tried) - len(unread)
            fits.append(FitByWords(fit, share, f"{read:,} of {first}{count(len(tried), 'item')} read as sentences of it"))
        elif unread:
            said = (
                f"{paradigm.name} has these conditions, but {len(unread)} of the first {seen} items do not read as "
                f"its sentences: item {unread[0].label}, {unread[0].condition}: {unread[0].why}"
            )
            reasons.append((share, said))
    reasons.sort(key=lambda reason: -reason[0])
    if len(reasons) > 1:
        # That others make other sentences is no news, unless one makes some of these.
        told = [said for share, said in reasons[:1] if share > 0]
        others = len(reasons) - len(told)
        more = f"{count(others, 'paradigm')} here {'has' if others == 1 else 'have'} these conditions and {'makes' if others == 1 else 'make'}"
        rest = told or [f"{more} other sentences (-p NAME: in which word)"]
    else:
        rest = [said for _, said in reasons]
    # Of several that fit alike the workspace's own come first: they come last among those that are tried.
    fits.reverse()
    best = sorted(fits, key=lambda one: -one.share)
    return best, rest


def has_just_these(found: ForeignSet, paradigm: Paradigm, file: str) -> Fit | None:
    """How the file's labels are the paradigm's, where its conditions and regions are the file's and no more; else None."""
    try:
        fit = _fit_labels(found, paradigm, file)
    except (FormatError, ParadigmError):
        return None
    if {c.name for c in paradigm.conditions} != set(fit.conditions.values()):
        return None
    return fit if {region.name for region in paradigm.regions} == set(fit.regions.values()) else None


def other_gaps(found: ForeignSet, fit: Fit, there: Iterable[Sequence[Sentence]]) -> list[str]:
    """Which regions are empty in a condition of the file and not in that of the items `there`, or the other way round, in most
    items of each: where the gap lies elsewhere, the same names mean other things. Empty where they agree, and where nothing can
    be compared."""
    names = [region.name for region in fit.paradigm.regions]
    here = _emptiness(
        (
            (fit.conditions[s.condition], {fit.regions[span.name]: span.start == span.end for span in s.spans or ()})
            for item in found.items
            for s in item.sentences
            if s.spans is not None
        ),
        names,
    )
    of_items = _emptiness(
        (
            (s.condition, {span.name: span.start == span.end for span in s.regions})
            for sentences in there
            for s in sentences
            if s.regions is not None
        ),
        names,
    )
    said = []
    for (condition, region), (empty, number) in here.items():
        of_those = of_items.get((condition, region))
        if of_those is not None and (2 * empty - number) * (2 * of_those[0] - of_those[1]) < 0:
            there_too = f"{of_those[0]:,} of {of_those[1]:,} there"
            said.append(f"{region} is empty in {condition} in {empty:,} of {number:,} here and in {there_too}")
    return said


def _emptiness(
    sentences: Iterable[tuple[str, Mapping[str, bool]]], regions: Sequence[str]
) -> dict[tuple[str, str], tuple[int, int]]:
    """For each condition and region, in how many sentences it is empty or missing, and of how many."""
    found: dict[tuple[str, str], tuple[int, int]] = {}
    for condition, of_sentence in sentences:
        for region in regions:
            empty, number = found.get((condition, region), (0, 0))
            found[condition, region] = empty + of_sentence.get(region, True), number + 1
    return found


def _but_for_one_label(found: ForeignSet, paradigm: Paradigm, file: str) -> str:
    """What to say of a paradigm that the items are of, were it not for one of several labels, which may be misspelt."""
    unknown = [label for label in found.conditions if paradigm.resolve_label(label) is None]
    if paradigm.given or len(unknown) != 1 or len(found.conditions) < 3:
        return ""
    items = (replace(item, sentences=tuple(s for s in item.sentences if s.condition not in unknown)) for item in found.items)
    known = tuple(label for label in found.conditions if label not in unknown)
    fits, _ = fits_by_words(replace(found, items=tuple(items), conditions=known), [paradigm], file)
    if not fits:
        return ""
    line = found.line_of(unknown[0])
    where = f" ({found.place_unit} {line})" if line else ""
    return f"the items read as sentences of {paradigm.name}, but it has no condition {unknown[0]!r}{where}"


def _first_unread(fit: Fit, tried: Sequence[ForeignItem]) -> tuple[int, list[Unread]]:
    """Those that do not read back, and how many were looked at: no more than it takes to see that too few will."""
    unread: list[Unread] = []
    for seen, item in enumerate(tried, 1):
        failure = _read(fit, item)[1]
        if failure is not None:
            unread.append(failure)
        if 1 - len(unread) / len(tried) < _ENOUGH:
            return seen, unread
    return len(tried), unread


def new_items(
    found: ForeignSet, fit: Fit, *, dataset: str, file: str, progress: Callable[[int], None]
) -> tuple[tuple[NewItem, ...], tuple[Unread, ...]]:
    """The items as the bank takes them: with slots where their sentences read back, else with the regions that the file gives,
    else without, each sentence as it stands; and those that do not read back. Word limits that are made for generation do not
    bind.

    Raises `FormatError` with the line for slots that make no sentences. `progress` is told how many items are done."""
    lines = _need_lines(found)
    labels = fit.labels
    items: list[NewItem] = []
    unread: list[Unread] = []
    for number, item in enumerate(found.items, 1):
        if item.slots is not None:
            items.append(_from_slots(fit.paradigm, item, dataset, file))
        else:
            slots, failure = _read(fit, item) if fit.is_template else (None, None)
            if failure is not None:
                unread.append(failure)
            why = failure.why if failure is not None else "its file does not say where regions lie"
            items.append(
                NewItem(
                    slots,
                    tuple(_sentence(fit, sentence, slots, why) for sentence in item.sentences),
                    item.label,
                    dataset,
                    fit.design.conditions if fit.design is not None else None,
                    _attributes(fit.paradigm, slots, item.attributes),
                    raw_of(_relabelled(item, fit, labels), lines=lines),
                )
            )
        if number % 1000 == 0:
            progress(number)
    return tuple(items), tuple(unread)


def _read(fit: Fit, item: ForeignItem) -> tuple[Mapping[str, str] | None, Unread | None]:
    """The slots that the item's sentences settle, and which of them does not follow from these, if one does not, and why."""
    first: dict[str, str] = {}
    lines: dict[str, int] = {}
    for sentence in item.sentences:
        condition = fit.conditions[sentence.condition]
        if condition not in first:
            first[condition], lines[condition] = sentence.text, sentence.line
    slots = settled_slots(fit.paradigm, first, limited=False)
    if slots is not None:
        odd = [name for name, text in first.items() if align(fit.paradigm, name, text, slots, Source.IMPORTED).regions is None]
        if not odd:
            return slots, None
        first = {name: first[name] for name in (*odd, *(name for name in first if name not in odd))}
    condition, why = unreadable(fit.paradigm, first)
    return slots, Unread(item.label, lines.get(condition, 0), condition, why)


def _sentence(fit: Fit, sentence: ForeignSentence, slots: Mapping[str, str] | None, why: str) -> Sentence:
    condition = fit.conditions[sentence.condition]
    spans = sentence.spans
    if spans is not None:
        spans = tuple(RegionSpan(fit.regions[span.name], span.start, span.end) for span in spans)
    if slots:
        aligned = align(fit.paradigm, condition, sentence.text, slots, Source.IMPORTED)
        if spans is None or aligned.regions == spans:
            return aligned
    if spans is not None:
        return Sentence(condition, sentence.text, spans, Source.IMPORTED, Alignment.GIVEN)
    return Sentence(condition, sentence.text, None, Source.IMPORTED, why=why)


def _from_slots(paradigm: Paradigm, item: ForeignItem, dataset: str, file: str) -> NewItem:
    assert item.slots is not None
    try:
        sentences = realise(paradigm, item.slots)
    except ParadigmError as error:
        raise FormatError(f"{file}, line {item.line}: {error.message}", hint=f"{error.hint} {NOTHING_KEPT}") from None
    attributes = _attributes(paradigm, item.slots, item.attributes)
    return NewItem(item.slots, sentences, item.label, dataset, None, attributes, raw_of(item))


def _attributes(paradigm: Paradigm, slots: Mapping[str, str] | None, given: Mapping[str, Json]) -> dict[str, Json]:
    """The file's attributes, and those of the item's choices; a cell that says what a choice says gets its type."""
    of_choices = paradigm.attributes_of(slots)
    return {
        **{
            name: of_choices[name] if name in of_choices and cell_text(of_choices[name]) == value else value
            for name, value in given.items()
        },
        **{name: value for name, value in of_choices.items() if name not in given},
    }


def _relabelled(item: ForeignItem, fit: Fit, labels: Mapping[str, str]) -> ForeignItem:
    """The item with the paradigm's names of regions, and its label kept with a sentence where the file has several for its
    condition: what is needed to write it again."""
    if not fit.regions and len(labels) == len(fit.conditions):
        return item
    sentences = []
    for sentence in item.sentences:
        written = sentence.written
        if written is None and labels[fit.conditions[sentence.condition]] != sentence.condition:
            written = sentence.condition
        regions = sentence.regions
        if regions is not None:
            regions = tuple(replace(region, name=fit.regions[region.name]) for region in regions)
        sentences.append(replace(sentence, written=written, regions=regions))
    return replace(item, sentences=tuple(sentences))


def _need_lines(found: ForeignSet) -> bool:
    """Whether the rows of the file are in another order than item by item."""
    pairs = [(item.label, n) for item in found.items for n, _ in enumerate(item.sentences)]
    ordered = in_file_order(found.items)
    if len({s.line for _, s in ordered}) < len(ordered):
        return False  # sentences that share lines, such as the members of a pair, have no order of their own
    position = {id(s): key for (key, s) in zip(pairs, (s for i in found.items for s in i.sentences), strict=True)}
    return [position[id(sentence)] for _, sentence in ordered] != pairs


def predictions_beyond(found: ForeignSet, fit: Fit) -> list[SuitePrediction]:
    """The file's predictions that the paradigm does not make: under another measure it is another one. Those that cannot be
    read are none of any paradigm."""
    paradigm = fit.paradigm
    criteria = {(str(criterion.formula), criterion.measure) for criterion in paradigm.criteria}
    contrasts = {(frozenset(contrast.terms), contrast.measure) for contrast in paradigm.contrasts}
    beyond = []
    for prediction in predictions_of(found, fit.conditions, fit.regions):
        formula, measure = prediction.formula, prediction.measure
        if formula is None:
            beyond.append(prediction)
        elif formula.is_criterion:
            if (str(formula), measure) not in criteria:
                beyond.append(prediction)
        elif (frozenset(formula.terms), measure) not in contrasts:
            beyond.append(prediction)
    return beyond


def _region(paradigm: Paradigm, name: str) -> str | None:
    known = [region.name for region in paradigm.regions]
    if name in known:
        return name
    # The words of a title say more than the name that is made of them, which may be another region's too.
    for region in paradigm.regions:
        if name == region.title:
            return region.name
    if (made := slug(name, set())) in known:
        return made
    return "punctuation" if name == "punctuation" and paradigm.final_punctuation else None


def _design(paradigm: Paradigm, conditions: set[str], file: str) -> Design | None:
    fitting = [design for design in paradigm.designs if conditions <= set(design.conditions)]
    if not fitting and paradigm.designs:
        raise ParadigmError(f"{file}: no design of {paradigm.name} holds all of {', '.join(sorted(conditions))}")
    return min(fitting, key=lambda design: len(design.labels)) if fitting else None


def _second_type(found: ForeignSet, paradigm: Paradigm) -> tuple[str, int] | None:
    """The second sentence type that a file names, and its line: its items are of one paradigm, where they are made of slots."""
    return None if paradigm.given else next(iter(list(found.types.items())[1:2]), None)


class _TwoLabelsError(FormatError):
    """An item has a condition under two labels. `said` is that without the file, behind the places where they are known."""

    def __init__(self, file: str, places: str, sentence: str, *, hint: str) -> None:
        super().__init__(f"{file}, {places}: {sentence}" if places else f"{file}: {sentence}", hint=hint)
        self.said = f"{places}: {sentence}" if places else sentence


def _check_one_label_each(found: ForeignSet, conditions: Mapping[str, str], file: str) -> None:
    """Two labels may mean one condition in two items, but one item that has both means two conditions by them."""
    if len(set(conditions.values())) == len(conditions):
        return
    for item in found.items:
        first: dict[str, ForeignSentence] = {}
        for sentence in item.sentences:
            condition = conditions[sentence.condition]
            other = first.setdefault(condition, sentence)
            if other.condition != sentence.condition:
                raise _TwoLabelsError(
                    file,
                    f"{found.place_unit}s {other.line} and {sentence.line}" if sentence.line else "",
                    f"item {item.label} has both {other.condition!r} and {sentence.condition!r}, which would "
                    f"be one condition, {condition}",
                    hint=f"Write them alike if they mean one condition; else call one of them otherwise. {NOTHING_KEPT}",
                )


def _check_slots(found: ForeignSet, paradigm: Paradigm, file: str) -> None:
    known: Sequence[str] = (*(choice.name for choice in paradigm.choices), *(s.name for s in paradigm.visible_slots))
    for item in found.items:
        if unknown := sorted(set(item.slots or ()) - set(known)):
            _refuse(
                found,
                file,
                item.line,
                f"{paradigm.name} has no slot {unknown[0]!r}",
                f"Slots: {', '.join(known) or 'none'}.",
            )


def _refuse(found: ForeignSet, file: str, line: int, message: str, hint: str) -> NoReturn:
    place = f"{file}, {found.place_unit} {line}" if line else file
    raise FormatError(f"{place}: {message}", hint=f"{hint} {NOTHING_KEPT}")
