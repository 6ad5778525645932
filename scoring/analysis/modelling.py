"""Mixed models over the items of a bank: the frame that a formula is about, the model that a design calls for, and both for R."""

from __future__ import annotations

import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, TypeVar

import numpy as np

from gapsmith.bank import Bank, ItemFilter, StoredItem, find_items
from gapsmith.scoring.analysis.contrasts import closed_slots
from gapsmith.scoring.analysis.names import item_names
from gapsmith.scoring.analysis.results import Analysis, ContrastResult
from gapsmith.scoring.analysis.scorers import find_scorer
from gapsmith.scoring.analysis.selecting import left_out_by_decisions
from gapsmith.scoring.frame_wish import FrameWish
from gapsmith.scoring.long_frame import factor_columns
from gapsmith.scoring.observations import ItemKey, Observations, UnigramSource, WordsRead, observe, words_read
from gapsmith.stats import (
    LEAST_DF,
    DoubleBar,
    FormulaComparison,
    MixedFit,
    ModelFormulaError,
    RMaterial,
    SlotUse,
    compare_mixed,
    count_variances,
    default_formula,
    distinct,
    export_r,
    fit_mixed,
    kind_columns,
    parse_formula,
    reduce_mixed,
    word_slots,
)
from gapsmith.templates import (
    CRITICAL_PLACE,
    DEFAULT_MEASURE,
    MEASURES,
    ConfigError,
    Measure,
    Paradigm,
    find_convention,
    listed,
)

OBSERVATIONS, ALL_ROWS = "observations", "all"
"""What a row of a mixed model is: an observation, or an item's sentence, whatever it repeats."""
NOT_READ = "(not read)"
"""The word of a slot that a sentence does not have before it is measured."""
_READ = "_read"
_MOST_NAMED = 8
_FEW_WORDS = 3
"""With fewer words nothing is known of how words vary."""
AUTO = "auto"
"""The formula that stands for the one that the design calls for."""
CORRECT = "correct"
"""The response of a logistic model: 1 where an item's value has the sign that is expected, 0 where it has not."""
_OF_DESIGN = (CORRECT, "surprisal", "value", "contrast", "condition", "dataset", "model")
_OWN = ("surprisal", "value", "critical_word", "condition", "item", "dataset", "model")


@dataclass(frozen=True)
class ModelFrame:
    """The columns that a formula can name, all of one length."""

    columns: Mapping[str, list[Any]]
    levels: Mapping[str, tuple[str, ...]]
    """The levels of the factors in the order of the design."""
    default: str | None
    """What the design calls for; None where nothing could be grouped."""
    notes: tuple[str, ...] = ()
    shared: bool = False
    """Whether some observation belongs to several items, so that ``item`` has no levels."""
    slots: tuple[str, ...] = ()
    """The slots whose words are a sample by the rule of `gapsmith.stats.word_model`; no slope by them is left out by a test."""
    scorer: int | None = None
    """Whose numbers they are, where it is one scorer's."""
    about: str = ""
    """What the measure is, and by whom, in a line."""
    designed: tuple[str, ...] = ()
    """The columns that the design has, whatever the items."""


def sentence_frame(
    bank: Bank,
    selection: ItemFilter,
    wish: FrameWish,
    unigrams: UnigramSource | None = None,
    *,
    rows: str = OBSERVATIONS,
    named: bool = True,
) -> ModelFrame:
    """One row per distinct observation of each condition at its critical region, under the model that is wished for, else
    the one that measured most.

    Columns: ``surprisal`` (the measure; also ``value``), ``item``, ``dataset``, ``condition``, ``critical_word``, ``model``, the
    factors and their codes ``FACTOR_code`` (``factor_FACTOR`` where another column is called so), and by their own names the
    items' attributes and the words that were read (slots, or regions where items have none), where no other column has the name.
    Where a slot stands in some conditions only before what is measured, its word is ``(not read)`` in the others, and ``SLOT_read``
    is 1 or 0: ``(0 + SLOT_read | SLOT)`` is an intercept of the words where they are read.
    A value is the mean over the items that share its observation; a column in which these differ has nothing there. Items that
    share every observation are one item. Where some observation belongs to several items, `item` has no levels: the fitting library
    takes one item a row, and no memberships in several with weights (Browne, Goldstein & Rasbash 2001). With `rows` ``all`` there is
    a row for each item and condition, as published analyses have it, and repeats are counted. `unigrams` is what SLOR takes away;
    where words are not `named`, notes do without them. Raises `GapsmithError`.
    """
    source = find_items(bank, selection)
    paradigm = source.common()
    conditions = source.design(wish.design).conditions
    taken, notes = find_scorer(bank, source.texts(conditions), wish.model, scorer_id=wish.scorer, convention=wish.convention)
    by = MEASURES.find((wish.measures[:1] or (DEFAULT_MEASURE,))[0])
    chance = unigrams(taken) if by.needs_unigrams and unigrams is not None else None
    items = list(bank.items.iterate(selection))
    paradigm = bank.datasets.measured_together(paradigm, source.datasets)
    table = observe(bank, items, paradigm, taken, unigrams=chance, convention=find_convention(wish.convention))
    notes += unigrams.notes if unigrams is not None else ()
    notes += [f"{own}." for own in left_out_by_decisions(bank, selection)]
    measured = [own for own in paradigm.conditions if own.name in conditions and own.critical is not None]
    if not measured:
        raise ConfigError(
            f"no condition of {paradigm.name} has a critical region, so there is nothing to model",
            hint=f"Name it for each condition under [critical] in the file of {paradigm.name}.",
        )
    words = words_read(table.items, paradigm, [(own.name, CRITICAL_PLACE) for own in measured])
    names = [factor.name for factor in paradigm.factors]
    here = factor_columns(names, _OWN, ())
    made = _Made(table, items, paradigm, words, len(source.datasets) > 1, rows == ALL_ROWS)
    for condition in measured:
        own: dict[str, Any] = {"condition": condition.name, "model": taken.model}
        for factor, level in zip(paradigm.factors, condition.levels, strict=True):
            own |= dict(zip(here[factor.name], (level, factor.codes[level]), strict=True))
        made.add(condition.name, own, by, corrected=wish.corrected)
    idle = [name for name in names if made.is_idle(name)]
    if rows != ALL_ROWS:
        made.merge([column for name in idle for column in here[name]])
    notes += made.notes()
    columns = _columns(made.rows)
    for name in [name for name in columns if name.endswith(_READ) and set(columns[name]) == {1}]:
        # Where every row has a word there is nothing to tell.
        del columns[name]
    levels = {here[f.name][0]: f.levels for f in paradigm.factors if here[f.name][0] in columns}
    default: str | None = None
    for name in idle:
        notes.append(
            f"{name} makes no difference up to what is measured: conditions that differ in it alone are one observation"
            + (", and it is no column." if rows != ALL_ROWS else ".")
        )
    varying = [name for name in names if name not in idle and len(set(columns[here[name][0]])) > 1]
    slots, held, lacking = _words_by_rule(made, words, closed_slots(paradigm), columns, notes)
    of_words = [*held, *(use.name for use in lacking)]
    kinds, said, _ = kind_columns(words.rows, of_words)
    # Copies leave no more between items than one of them.
    *_, left = kind_columns(made.different(words.rows), of_words)
    for use in lacking:
        held += made.held(use, words.rows, columns, notes, named=named)
    of_rows = {name: made.of_rows(numbers) for name, numbers in kinds.items() if name not in columns}
    if kinds and left < LEAST_DF:
        notes.append(
            f"Some items lack slots that others have, and to hold the {len(kinds) + 1} kinds fixed leaves {max(left, 0)} degrees of freedom "
            f"between the items, where {LEAST_DF} are needed: the model does not tell the kinds apart, and weights effects by how many items of "
            "each there are. More items, or items of one kind, mend that."
        )
    elif kinds and len(of_rows) == len(kinds) and all(None not in numbers for numbers in of_rows.values()):
        notes.append(
            f"Some items lack slots that others have. {_named(list(kinds))}: fixed, so that effects are weighted {said}."
        )
        columns |= of_rows
        held += kinds
    elif kinds:
        notes.append(
            "Some items lack slots that others have, and share observations with these: the model does not tell them apart."
        )
    two = all(len(set(columns[here[name][0]])) == 2 for name in varying)
    factors = [here[name][1 if two else 0] for name in varying]
    if not names and len(set(columns["condition"])) > 1:
        # Conditions that are not crossed of factors are the levels of one.
        factors = ["condition"]
        levels["condition"] = tuple(condition.name for condition in measured)
    try:
        default = default_formula(
            columns,
            factors=factors,
            slots=slots,
            held=held,
            item=None if made.shared else "item",
            read={name: f"{name}{_READ}" for name in slots if f"{name}{_READ}" in columns},
            structure="uncorrelated",
        )
    except ModelFormulaError as error:
        notes.append(f"No model is proposed: {error}.")
    designed = tuple(column for both in here.values() for column in both)
    convention = wish.convention + (", word boundaries corrected" if wish.corrected else "")
    about = f"{by.title} ({by.unit}) at the critical region of each condition; model {taken.model}, convention {convention}"
    return ModelFrame(columns, levels, default, tuple(notes), made.shared, tuple(slots), taken.id, about, designed)


def _named(names: Sequence[str]) -> str:
    """Columns by name; of many that are numbered, the first and the last."""
    return listed(names) if len(names) <= _MOST_NAMED else f"{names[0]} to {names[-1]}"


def _words_by_rule(
    made: _Made, words: WordsRead, closed: Collection[str], columns: Mapping[str, list[Any]], notes: list[str]
) -> tuple[list[str], list[str], list[SlotUse]]:
    """The slots whose words are a sample, those whose words are fixed, and of these the ones that some items lack, as the test of a
    contrast has them."""
    random, held, lacking = [], [], []
    for use in word_slots(made.different(words.rows), closed):
        if use.name not in columns or use.use == "left out":
            continue
        if use.use == "random":
            random.append(use.name)
        elif f"{use.name}{_READ}" not in columns:
            held.append(use.name)
        elif made.is_read_wherever_there(use.name, words.rows):
            lacking.append(use)
        elif use.n_words >= _FEW_WORDS:
            # Fixed where some conditions have none of them, they could not be told from these conditions.
            random.append(use.name)
            notes.append(f"{use.named} has {use.n_words} words and is not read in all conditions: they are random in the model.")
        else:
            notes.append(f"{use.named} has {use.n_words} words and is not read in all conditions: the model leaves them out.")
    return random, held, lacking


class _Made:
    """The rows of a frame, condition by condition."""

    def __init__(
        self,
        table: Observations,
        items: Sequence[StoredItem],
        paradigm: Paradigm,
        words: WordsRead,
        several: bool,
        everything: bool,
    ) -> None:
        self.rows: list[dict[str, Any]] = []
        self.shared = False
        self._table, self._items, self._paradigm = table, items, paradigm
        self._known = words.kind != "unknown"
        self._slots = dict.fromkeys(name for row in words.rows for name in row)
        keys = [ItemKey(item.dataset, item.label) for item in items]
        names = item_names(dict.fromkeys(keys), several=several)
        self._names = [names[key] for key in keys]
        self._everything = everything
        self._given = 0
        self._read: list[set[int]] = [set() for _ in items]
        self._members: list[list[int]] = []
        self._observations: list[int] = []
        """Of each row; 0 where it has no value."""
        self._columns: dict[str, Any] = {}
        """What was read in each condition, by item."""

    def add(self, condition: str, about: Mapping[str, Any], by: Measure, *, corrected: bool) -> None:
        """The rows of a condition, in the order of its observations; what has no value comes last."""
        column = self._table.column(condition, CRITICAL_PLACE, by, corrected=corrected)
        self._columns[condition] = column.observation
        there = self._table.sentence_numbers(condition) >= 0
        by_observation: dict[int, list[int]] = {}
        without: list[list[int]] = []
        for position in np.flatnonzero(there).tolist():
            observation = int(column.observation[position])
            if not observation:
                without.append([position])
                continue
            by_observation.setdefault(observation, []).append(position)
            self._read[position].add(observation)
        ordered = [by_observation[observation] for observation in sorted(by_observation)]
        if self._everything:
            ordered = [[position] for position in np.flatnonzero(column.observation).tolist()]
        self._given += int(there.sum())
        read = words_read(self._table.items, self._paradigm, [(condition, CRITICAL_PLACE)]).rows
        for members in (*ordered, *without):
            known = column.observation[members[0]] != 0
            value = float(distinct(column.value[members], [0] * len(members)).values[0]) if known else None
            texts = [self._table.sentence(position, condition) for position in members]
            start, end = column.spans[members[0]].tolist()
            word = texts[0].text[start:end] if texts[0] is not None and start >= 0 else ""
            entry = {"surprisal": value, "value": value, "critical_word": word, **about}
            entry["dataset"] = _agreed([self._items[position].dataset for position in members])
            rest = [{**self._items[position].attributes, **self._words(read[position])} for position in members]
            for name in dict.fromkeys(name for own in rest for name in own):
                entry.setdefault(name, _agreed([own.get(name) for own in rest]))
            self.rows.append(entry)
            self._members.append(members)
            self._observations.append(int(column.observation[members[0]]))

    def merge(self, without: Sequence[str]) -> None:
        """Take the columns of factors that make no difference away, and let each observation that is then there twice be one row."""
        if not without:
            return
        first: dict[tuple[int, int], int] = {}
        rows: list[dict[str, Any]] = []
        members: list[list[int]] = []
        for row, own, observation in zip(self.rows, self._members, self._observations, strict=True):
            kept = {name: value for name, value in row.items() if name not in without}
            # What has no value is no observation, and stays as it is.
            key = (observation, own[0]) if observation else (0, -len(rows) - 1)
            if key in first:
                rows[first[key]]["condition"] = None
                continue
            first[key] = len(rows)
            rows.append(kept)
            members.append(own)
        self.rows, self._members = rows, members

    def different(self, rows: Sequence[Mapping[str, str]]) -> list[Mapping[str, str]]:
        """Of what there is by item, what belongs to items that do not share all that was read for them: the first of those."""
        first: dict[frozenset[int], Mapping[str, str]] = {}
        for read, row in zip(self._read, rows, strict=True):
            if read:
                first.setdefault(frozenset(read), row)
        return list(first.values())

    def of_rows(self, numbers: Sequence[float]) -> list[float | None]:
        """What there is by item, by row; None where items that share an observation differ."""
        return [_agreed([numbers[position] for position in members]) for members in self._members]

    def is_read_wherever_there(self, slot: str, rows: Sequence[Mapping[str, str]]) -> bool:
        """Whether each item that has the slot has it before what is measured in all its conditions; `rows` has the words by item."""
        return all(
            row[f"{slot}{_READ}"] == int(bool(rows[position].get(slot)))
            for row, members in zip(self.rows, self._members, strict=True)
            for position in members
        )

    def held(
        self, use: SlotUse, rows: Sequence[Mapping[str, str]], columns: dict[str, list[Any]], notes: list[str], *, named: bool
    ) -> list[str]:
        """Add the columns of fixed words that some items lack, sum coded and 0 for these; their names."""
        *coded, last = use.words
        found = {}
        for number, word in enumerate(coded, 1):
            own = [(row.get(use.name) == word) - float(row.get(use.name) == last) for row in rows]
            found[f"{use.name}_{number}"] = self.of_rows(own)
        if any(name in columns or None in own for name, own in found.items()):
            notes.append(
                f"{use.named} has {use.n_words} words, which some items lack, and there is no telling which word a row has: the model leaves "
                "them out."
            )
            return []
        if found:
            which = ", ".join(f"{name} {word}" for name, word in zip(found, coded, strict=True))
            said = f" ({which}; the last is {last})" if named else ""
            notes.append(f"{use.named}: {use.n_words} fixed words, sum coded, 0 for items that lack it{said}.")
        columns |= found
        return list(found)

    def is_idle(self, factor: str) -> bool:
        """Whether conditions that differ in that factor alone are one observation in each item that has both."""
        place = [own.name for own in self._paradigm.factors].index(factor)
        found = False
        for one, other in combinations(self._columns, 2):
            levels = [self._paradigm.condition_by_name[name].levels for name in (one, other)]
            if [at for at, pair in enumerate(zip(*levels, strict=True)) if pair[0] != pair[1]] != [place]:
                continue
            first, second = self._columns[one], self._columns[other]
            both = (first != 0) & (second != 0)
            if np.any(first[both] != second[both]):
                return False
            found = found or bool(np.any(both))
        return found

    def notes(self) -> list[str]:
        """Fill in the items, and say what became of what several have."""
        named = dict(enumerate(self._names))
        known = {position: frozenset(read) for position, read in enumerate(self._read) if read}
        names = named if self._everything else named | _as_one(known, named)
        belonging = [{names[position] for position in members} for members in self._members]
        self.shared = any(len(those) > 1 for those in belonging)
        for entry, those in zip(self.rows, belonging, strict=True):
            entry["item"] = None if self.shared else next(iter(those))
        n_read = len({observation for read in self._read for observation in read})
        return _said_of_rows(self.rows, belonging, self._given, n_read, everything=self._everything, known_words=self._known)

    def _words(self, read: Mapping[str, str]) -> dict[str, str | int]:
        """Each slot's word as this sentence has it up to where it is measured, and whether it has one there."""
        found: dict[str, str | int] = {}
        for name in self._slots:
            found[name] = read.get(name) or NOT_READ
            found[f"{name}{_READ}"] = int(bool(read.get(name)))
        return found


_Item = TypeVar("_Item", bound=Hashable)


def _as_one(read: Mapping[_Item, frozenset[Any]], names: Mapping[_Item, str]) -> dict[_Item, str]:
    """What items are called: those that share all that was read for them by the first of their names."""
    first: dict[frozenset[Any], str] = {}
    for item in sorted(read, key=lambda item: names[item], reverse=True):
        first[read[item]] = names[item]
    return {item: first[own] for item, own in read.items()}


def _said_of_rows(
    rows: Sequence[object], belonging: Sequence[set[str]], n_given: int, n_read: int, *, everything: bool, known_words: bool
) -> list[str]:
    """What a reader has to know of rows that stand for several items."""
    found = []
    if everything and n_read < n_given:
        found.append(
            f"All {n_given:,} rows are counted, as published analyses do, though they repeat {n_read:,} distinct observations: "
            "p values are too small."
        )
    elif len(rows) < n_given:
        found.append(f"{n_given:,} rows give {len(rows):,} distinct observations; each counts once.")
    n_shared = sum(len(those) > 1 for those in belonging)
    if n_shared:
        found.append(
            f"{n_shared:,} of {len(rows):,} observations belong to several items, so item is no grouping factor; the "
            f"{'words' if known_words else 'columns'} that items share can be."
        )
    return found


def _agreed(values: Sequence[Any]) -> Any:
    """What all have; None where they differ."""
    return values[0] if all(value == values[0] for value in values) else None


def item_frame(chosen: Iterable[StoredItem], analyses: Iterable[Analysis], *, rows: str = OBSERVATIONS) -> ModelFrame:
    """One row per distinct observation of each contrast with an expected sign: ``correct`` (1 or 0), ``value``, ``contrast``,
    ``item``, ``dataset``, ``model``, and the attributes, slots and parts of slots of the `chosen` items by their own names.

    What several items share is a row as in `sentence_frame`, by the same rules; so is `rows`."""
    items = {ItemKey(item.dataset, item.label): item for item in chosen}
    several = len({key.dataset for key in items}) > 1
    made = _ItemRows(item_names(items, several=several), everything=rows == ALL_ROWS)
    for analysis in analyses:
        for result in analysis.contrasts:
            if result.contrast.expected:
                made.add(analysis, result, items)
    if not made.rows:
        raise ConfigError(f"no contrast here has an expected sign, so nothing is {CORRECT}", hint="Name one with --contrast.")
    notes = made.notes()
    return ModelFrame(_columns(made.rows), {}, None, tuple(notes), shared=made.shared)


class _ItemRows:
    """The rows of a frame of items' values, contrast by contrast."""

    def __init__(self, names: Mapping[ItemKey, str], *, everything: bool) -> None:
        self.rows: list[dict[str, Any]] = []
        self.shared = False
        self._names, self._everything = names, everything
        self._restrictions: list[str] = []
        self._read: dict[ItemKey, set[tuple[int, str, int]]] = {key: set() for key in names}
        self._members: list[list[ItemKey]] = []

    def add(self, analysis: Analysis, result: ContrastResult, items: Mapping[ItemKey, StoredItem]) -> None:
        """The rows of a contrast, in the order of what its values were computed from."""
        having: dict[int, list[ItemKey]] = {}
        self._restrictions += [f"{result.contrast.name}: {own}." for own in result.restrictions]
        for key in sorted(result.values):
            having.setdefault(result.evidence[key], []).append(key)
            self._read[key].add((analysis.scorer_id, result.contrast.name, result.evidence[key]))
        ordered = [having[evidence] for evidence in sorted(having)]
        if self._everything:
            ordered = [[key] for members in ordered for key in members]
        for members in ordered:
            value = float(distinct([result.values[key] for key in members], [0] * len(members)).values[0])
            entry: dict[str, Any] = {
                CORRECT: int(value * result.contrast.expected > 0),
                "value": value,
                "contrast": result.contrast.name,
                "item": None,
                "dataset": _agreed([key.dataset for key in members]),
                "model": analysis.scorer.model,
            }
            rest = [[items[key].attributes, analysis.paradigm.in_parts(items[key].slots or {})] for key in members]
            for name in dict.fromkeys(name for own in rest for some in own for name in some if name not in entry):
                entry[name] = _agreed([attributes.get(name, slots.get(name)) for attributes, slots in rest])
            self.rows.append(entry)
            self._members.append(members)

    def notes(self) -> list[str]:
        """Fill in the items, and say what became of what several have."""
        known = {key: frozenset(read) for key, read in self._read.items() if read}
        names = {key: self._names[key] for key in known} if self._everything else _as_one(known, self._names)
        belonging = [{names[key] for key in members} for members in self._members]
        self.shared = any(len(those) > 1 for those in belonging)
        for entry, those in zip(self.rows, belonging, strict=True):
            entry["item"] = None if self.shared else next(iter(those))
        n_given = sum(map(len, self._members))
        n_read = len({one for read in known.values() for one in read})
        said = _said_of_rows(self.rows, belonging, n_given, n_read, everything=self._everything, known_words=True)
        return [*self._restrictions, *said]


@dataclass(frozen=True, slots=True, kw_only=True)
class Modelling:
    """How a formula becomes a model."""

    double_bar: DoubleBar = "contrasts"
    reduce: bool | None = None
    """Whether random slopes that the data do not call for are left out; None: of what the design calls for, and of no other formula."""

    def reduces(self, formula: str) -> bool:
        """Whether random slopes of that formula are left out."""
        return formula == AUTO if self.reduce is None else self.reduce


def columns_of_items(formula: str, frame: ModelFrame) -> list[str]:
    """The columns of its response and coefficients that single items have, such as their words: all but numbers of the model and what the
    design, or the data sets, say. Raises `ConfigError` for a formula that cannot be read."""
    chosen = _chosen(formula, frame)
    try:
        read = parse_formula(chosen)
    except ModelFormulaError as error:
        raise ConfigError(f"the model {chosen!r} cannot be read: {error}", hint=_hint(frame)) from None
    designed = {*_OF_DESIGN, *frame.designed}
    sides = [read.fixed, *(bars.terms for bars in read.random)]
    used = [read.response, *(expression for side in sides for expression in side.variables.values())]
    return [name for expression in used for name in expression.names() if name not in designed]


def fit_formula(formula: str, frame: ModelFrame, how: Modelling = Modelling()) -> MixedFit:
    """The mixed model: logistic where the response is ``correct``. ``auto`` is what the design calls for. Raises `ConfigError`
    for a formula that cannot be read or a column that is not there, and for a model that the data do not allow."""
    chosen = _chosen(formula, frame)
    _refuse_shared(chosen, frame)
    try:
        if how.reduces(formula):
            keep = frame.slots if formula == AUTO else ()
            fit = reduce_mixed(
                chosen, frame.columns, levels=frame.levels, family=_family(chosen), double_bar=how.double_bar, keep=keep
            )
        else:
            fit = fit_mixed(chosen, frame.columns, levels=frame.levels, family=_family(chosen), double_bar=how.double_bar)
    except (ModelFormulaError, ValueError) as error:
        raise ConfigError(f"the model {chosen!r} cannot be fitted: {error}", hint=_hint(frame)) from None
    smaller = (
        (
            "The proposed model has no fit: name a smaller one with --formula, such as one with (1 | item) alone, or take more items.",
        )
        if formula == AUTO and fit.undefined is not None
        else ()
    )
    return replace(fit, notes=(*frame.notes, *fit.notes, *smaller))


def n_variances(formula: str, frame: ModelFrame, how: Modelling = Modelling()) -> int:
    """How many variances and covariances the fit of a formula searches: what its time hangs on. Raises as `fit_formula` does."""
    chosen = _chosen(formula, frame)
    try:
        return count_variances(chosen, frame.columns, levels=frame.levels, double_bar=how.double_bar)
    except (ModelFormulaError, ValueError) as error:
        raise ConfigError(f"the model {chosen!r} cannot be fitted: {error}", hint=_hint(frame)) from None


def compare_formulas(fits: Sequence[MixedFit], frame: ModelFrame, how: Modelling = Modelling()) -> FormulaComparison:
    """The models that were fitted to the frame, held against each other. Raises `ConfigError` where they cannot be."""
    formulas = [fit.expanded or fit.formula for fit in fits if fit.undefined is None]
    try:
        return compare_mixed(
            formulas,
            frame.columns,
            levels=frame.levels,
            family=_family(formulas[0]) if formulas else "gaussian",
            double_bar=how.double_bar,
        )
    except (ModelFormulaError, ValueError) as error:
        raise ConfigError(f"the models cannot be compared: {error}", hint="Ask for them one by one.") from None


def r_material(formula: str, frame: ModelFrame, how: Modelling = Modelling(), fit: MixedFit | None = None) -> RMaterial:
    """The same model as a script for R's lme4 and its data; `fit` is what `fit_formula` gave, where it is known. Raises as that does."""
    chosen = _chosen(formula, frame)
    _refuse_shared(chosen, frame)
    if how.reduces(formula):
        chosen = (fit or fit_formula(formula, frame, how)).expanded
    try:
        return export_r(chosen, frame.columns, levels=frame.levels, family=_family(chosen), double_bar=how.double_bar)
    except (ModelFormulaError, ValueError) as error:
        raise ConfigError(f"the model {chosen!r} cannot be written for R: {error}", hint=_hint(frame)) from None


def _refuse_shared(formula: str, frame: ModelFrame) -> None:
    """Refuse to group rows by items that share them."""
    if frame.shared and any("item" in re.split(r"\W+", group) for group in re.findall(r"\|([^)]*)\)", formula)):
        said = next((note for note in frame.notes if "no grouping factor" in note), "")
        raise ConfigError(
            f"the model {formula!r} groups by item. {said}",
            hint=f'Group by words, or count repeats as published analyses do: --rows all (in Python rows="all"). {_hint(frame)}',
        )


def _family(formula: str) -> Any:
    return "binomial" if formula.split("~")[0].strip() == CORRECT else "gaussian"


def _chosen(formula: str, frame: ModelFrame) -> str:
    if formula != AUTO:
        return formula
    if frame.default is None:
        raise ConfigError("the design calls for no mixed model", hint=" ".join(frame.notes) or "Write one with --formula.")
    return frame.default


def _hint(frame: ModelFrame) -> str:
    return f"Columns: {', '.join(frame.columns)}."


def _columns(rows: list[dict[str, Any]]) -> dict[str, list[Any]]:
    names = dict.fromkeys(name for row in rows for name in row)
    return {name: [row.get(name) for row in rows] for name in names}
