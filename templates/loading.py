"""From a TOML file to a `Paradigm`: read once, every reference checked, the errors with file, place and remedy."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from gapsmith.templates.boundary import text_of
from gapsmith.templates.digest import digest_of, form_of, predictions_of, words_of
from gapsmith.templates.errors import ConfigError, FilePlace, ParadigmError
from gapsmith.templates.file_errors import made_of, place_named
from gapsmith.templates.formula import DEFAULT_MEASURE, SENTENCE_PLACE, Formula, FormulaError, Operand, parse_formula
from gapsmith.templates.hashing import text_sha256
from gapsmith.templates.inflection import FORMS, NUMBER, OTHER_NAMES, derived_name, example_of
from gapsmith.templates.lexicon import FORM
from gapsmith.templates.model import (
    CRITICAL,
    ROLES,
    Choice,
    Condition,
    Constraint,
    Contrast,
    Criterion,
    Design,
    Factor,
    Paradigm,
    Region,
    Slot,
    SlotPart,
    Status,
)
from gapsmith.templates.pattern import expand_alternatives, slots_in, word_patterns
from gapsmith.templates.realisation import PUNCTUATION
from gapsmith.templates.spelling import nearest, no_such, taken_for

if TYPE_CHECKING:
    from gapsmith.templates.schema import ConstraintTable, ContrastTable, CriterionTable, ParadigmFile, RegionTable, SlotTable

T = TypeVar("T", bound=str)
_SIGN = {"negative": -1, "positive": 1, "exploratory": 0}
_PLACES = {
    CRITICAL: "the region in which a condition is measured",
    PUNCTUATION: "the final mark",
    SENTENCE_PLACE.name: "the whole sentence",
}
"""What formulas can name besides regions."""


def load_paradigm_file(path: Path) -> Paradigm:
    """The paradigm in a file. Raises `ParadigmError` naming the file and what in it is wrong."""
    try:
        text = text_of(path, "utf-8-sig")
    except FileNotFoundError:
        if path.is_symlink():
            what = f"is a link to {path.readlink()}, where there is no file"
            raise ParadigmError(f"{path}: {what}", hint="Mend the link, or take it out.") from None
        raise ParadigmError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ParadigmError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    return parse_paradigm(text, path=str(path))


def parse_paradigm(text: str, *, path: str = "", kept: bool = False) -> Paradigm:
    """The paradigm that a file's text describes; `path` only serves messages and the search for lexicons. Of a text that is `kept` with
    items, what an earlier version read is read as it was, also where it can hardly be meant."""

    # Imported here, since pydantic takes as long to load as the rest of the room together.
    from gapsmith.templates.schema import ParadigmFile

    def make(data: dict[str, Any]) -> Paradigm:
        raw = ParadigmFile.model_validate(data)
        try:
            if not kept:
                _expect_meant(raw)
            return _build(raw, text, path)
        except ParadigmError as error:
            error.place = error.place or place_named(error.message, data)
            raise

    return made_of(text, path or "paradigm", make, what="a paradigm file", error=ParadigmError, model=ParadigmFile)


@dataclass(frozen=True, slots=True)
class _Shape:
    """A condition before its texts are known."""

    name: str
    levels: tuple[str, ...]
    label: str

    def fits(self, key: str, chosen: tuple[str, ...]) -> int:
        """How many levels a key of ``when``, ``status`` or ``critical`` names, if all of them hold of this condition under
        these levels of the choices; the name of a condition that has no levels counts as one. 0 where it does not fit."""
        named = key.split("_")
        if set(named) <= {*self.levels, *chosen}:
            return len(named)
        if self.levels:
            return 0
        if key == self.name:
            return 1
        rest = key.removeprefix(f"{self.name}_")
        return 1 + len(rest.split("_")) if rest != key and set(rest.split("_")) <= set(chosen) else 0


def _build(raw: ParadigmFile, text: str, path: str) -> Paradigm:
    factors = _factors(raw)
    shapes = _shapes(raw, factors)
    names = [shape.name for shape in shapes]
    combinations = _combinations(raw, factors)
    given = raw.items == "given"
    _expect_materials(raw, given=given)
    if not raw.choices and not (given and not raw.status):
        _expect_same(raw.status, names, "status")
    regions = [Region(r.name, r.title or r.name, r.role) for r in raw.regions]
    _expect_region_roles(regions, given=given)
    _expect_unique([r.name for r in regions], "regions")
    for taken, what in _PLACES.items():
        if taken in {r.name for r in regions}:
            raise ParadigmError(
                f"`regions.{taken}`: no region can be called {taken!r}",
                hint=f"That name stands for {what}; give this one another.",
            )
    if raw.clause and raw.clause not in {region.name for region in regions}:
        known = [region.name for region in regions]
        raise _no_such(f"`clause`: there is no region {raw.clause!r}", "Regions", raw.clause, known)
    slots = _with_forms(raw, tuple(_slot(name, table.model_dump(exclude={"copies"})) for name, table in raw.slots.items()))
    _check_keys(raw, shapes, combinations)
    by_choice = {chosen: tuple(_condition(raw, shape, _held(raw, chosen)) for shape in shapes) for chosen in combinations}
    conditions = by_choice[combinations[0]]
    _check_slots(raw, slots, tuple(condition for found in by_choice.values() for condition in found))
    designs = tuple(_design(name, table.conditions, table.description, names) for name, table in raw.designs.items())
    _check_labels(designs)
    paradigm = Paradigm(
        name=raw.name,
        title=raw.title,
        version=raw.version,
        description=" ".join(raw.description.split()),
        source=raw.source,
        factors=factors,
        conditions=conditions,
        designs=designs,
        regions=tuple(regions),
        slots=slots,
        constraints=(
            *(_constraint(c, raw, n, [s.name for s in slots]) for n, c in enumerate(raw.constraints, 1)),
            *(Constraint("match", (s.form_of[0], s.name), (s.form_of[1], FORM)) for s in slots if s.form_of is not None),
        ),
        contrasts=tuple(_contrast(table, _Scope.of("contrasts", table, designs, conditions, regions)) for table in raw.contrasts),
        criteria=tuple(_criterion(table, _Scope.of("criteria", table, designs, conditions, regions)) for table in raw.criteria),
        final_punctuation=raw.final_punctuation,
        exhaustive=raw.items == "exhaustive",
        one_word_critical=raw.one_word_critical,
        clause=raw.clause,
        given=given,
        choices=tuple(Choice(name, table.levels, table.balance) for name, table in raw.choices.items()),
        form_digest=digest_of(form_of(raw)),
        predictions_digest=digest_of(predictions_of(raw)),
        own_words_digest=digest_of(words_of(raw)),
        digest=text_sha256(text),
        text=text,
        path=path,
    )
    _expect_unique([*(c.name for c in paradigm.contrasts), *(c.name for c in paradigm.criteria)], "contrasts and criteria")
    if not raw.choices:
        return paradigm
    return replace(paradigm, variants={chosen: _variant(paradigm, found) for chosen, found in by_choice.items()})


def _variant(paradigm: Paradigm, conditions: tuple[Condition, ...]) -> Paradigm:
    """The paradigm for one combination of choices: with its texts, and the slots and constraints that these show."""
    shown = {name for c in conditions for text in c.regions.values() for name in slots_in(text)}
    parents = {slot.form_of[0] for slot in paradigm.slots if slot.form_of is not None and slot.name in shown}
    slots = tuple(
        slot if slot.name in shown or slot.latent else replace(slot, latent=True)
        for slot in paradigm.slots
        if slot.latent or slot.name in shown or slot.name in parents
    )
    names = {slot.name for slot in slots}
    constraints = []
    for constraint in paradigm.constraints:
        own = tuple(name for name in constraint.slots if name in names)
        if constraint.kind == "distinct" and len(own) > 1:
            constraints.append(replace(constraint, slots=own))
        elif len(own) == len(constraint.slots):
            constraints.append(constraint)
    return replace(paradigm, choices=(), conditions=conditions, slots=slots, constraints=tuple(constraints))


def _held(raw: ParadigmFile, chosen: tuple[str, ...]) -> tuple[str, ...]:
    """Everything that can be named of a combination of choices, its levels first."""
    said = [table.held(level) for table, level in zip(raw.choices.values(), chosen, strict=True)]
    return (*chosen, *(name for held in said for name in held[1:]))


def _combinations(raw: ParadigmFile, factors: tuple[Factor, ...]) -> list[tuple[str, ...]]:
    taken = {level for factor in factors for level in factor.levels} | {factor.name for factor in factors}
    for name, table in raw.choices.items():
        if name in raw.slots or name in taken:
            raise ParadigmError(f"`choices.{name}`: a slot, factor or level is called so", hint="Give it another name.")
        for level in table.levels:
            _expect_level(level, f"choices.{name}")
            if level in taken:
                raise ParadigmError(f"`choices.{name}`: the level {level!r} is there twice", hint="Give it another name.")
            taken.add(level)
        named = {name for level in table.levels for name in table.held(level)[1:]}
        if doubled := sorted(named & taken):
            raise ParadigmError(f"`choices.{name}`: {doubled[0]!r} is named twice", hint="Give one of them another name.")
        taken |= named
    return list(product(*(table.levels for table in raw.choices.values())))


def _factors(raw: ParadigmFile) -> tuple[Factor, ...]:
    factors = []
    for name, table in raw.factors.items():
        levels = tuple(table.levels)
        for level in levels:
            _expect_level(level, f"factors.{name}")
        step = 1.0 / (len(levels) - 1)
        codes = {level: 0.5 - i * step for i, level in enumerate(levels)}
        factors.append(Factor(name, levels, dict(table.levels), codes))
    _expect_unique([level for f in factors for level in f.levels], "factors: levels")
    return tuple(factors)


def _expect_meant(raw: ParadigmFile) -> None:
    """Refuse what can be read and can hardly be meant: nobody would see it before there are items."""
    for name, table in raw.slots.items():
        _expect_words(name, table)
        _expect_forms(name, table)
    known = {*raw.slots, *(derived_name(name, form) for name, table in raw.slots.items() for form in FORMS.get(table.kind, ()))}
    for place, text in _texts(raw):
        found = re.findall(r"(\[|<)([a-z][a-z0-9_]*)(\]|>)", text)
        if wrong := next((own for own in found if own[1] in known), None):
            braced = re.sub(r"[\[<]([a-z][a-z0-9_]*)[\]>]", lambda own: f"{{{own[1]}}}" if own[1] in known else own[0], text)
            message = f"`{place}`: a slot stands between braces, {{{wrong[1]}}}, and not as {''.join(wrong)}"
            raise ParadigmError(message, instead=(text, braced))
    for number, constraint in enumerate(raw.constraints, 1):
        _expect_unique(constraint.distinct or (), f"constraints.{number}.distinct")
    for name, design in raw.designs.items():
        if not design.conditions:
            raise ParadigmError(f"`designs.{name}` has no condition", hint='Write conditions = "all", or the names of some.')


def _expect_words(name: str, table: SlotTable) -> None:
    """Each word of a slot is one or more words, no more than the slot may have, with brackets and what alternates in them."""
    for entry in table.words:
        if re.search(r"[()|]", re.sub(r"\([^()]*\)", "", entry)):
            plain = re.sub(r"[()]", "", entry)
            raise ParadigmError(
                f"`slots.{name}.words`: {entry!r} has a bracket without its other one, or | outside of brackets",
                hint="Alternatives stand between brackets: (a|b) to (c|d).",
                instead=(entry, f"({plain})" if "|" in plain else plain),
            )
        if not entry.strip():
            raise ParadigmError(f"`slots.{name}.words`: a word is empty", hint="Take it out; a slot has one word at least.")
        # What has its words put together by parts counts them there.
        longest = max((len(reading.split()) for reading in expand_alternatives(entry)), default=0)
        if longest > table.max_words:
            raise ParadigmError(
                f"`slots.{name}.words`: {entry!r} has {longest} words, and the slot may have {table.max_words}",
                hint=f"Say that there may be more: max_words = {longest}.",
                add=f"[slots.{name}]\nmax_words = {longest}",
            )


def _expect_forms(name: str, table: SlotTable) -> None:
    """The forms that a slot says of its words are those of their kind, and its words those that it has."""
    known = [*FORMS.get(table.kind, ()), NUMBER]
    words = [reading for entry in table.words for reading in expand_alternatives(entry)]
    for word, forms in table.forms.items():
        if table.words and word not in (*words, table.example):
            raise _no_such(f"`slots.{name}.forms`: {word!r} is no word of the slot", "Words", word, words)
        for form in forms:
            if form not in known:
                raise _no_such(f"`slots.{name}.forms.{word}`: a {table.kind} has no form {form!r}", "Forms", form, known)


def _expect_level(level: str, place: str) -> None:
    if not re.fullmatch(r"[a-z0-9]+", level):
        other = re.sub(r"[^a-z0-9]", "", level.casefold())
        raise ParadigmError(
            f"`{place}` level {level!r}: use small letters and digits only",
            hint="Levels are joined by _ to the names of conditions. "
            + (f"Call it {other}, here and wherever it is named." if other else "Give it another name."),
            instead=(level, other) if other else None,
        )


def _slot(name: str, table: Mapping[str, object]) -> Slot:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        other = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")
        raise ParadigmError(
            f"`slots.{name}`: use small letters, digits and _ in slot names",
            hint=f"Call it {other}, here and between braces: {{{other}}}." if re.match("[a-z]", other) else "",
            instead=(name, other) if re.match("[a-z]", other) else None,
        )
    fields = dict(table)
    offered = fields.pop("offered_by")
    words = fields.pop("words")
    closed = fields.pop("closed")
    assert isinstance(words, list)
    parts = fields.pop("parts")
    assert isinstance(closed, list)
    assert isinstance(parts, dict)
    expanded = tuple(reading for entry in words for reading in expand_alternatives(entry))
    _expect_unique(expanded, f"slots.{name}.words")
    return Slot(
        name=name,
        words=expanded,
        closed=tuple(closed),
        parts=_parts(name, parts, (*expanded, *closed)),
        offered_by=_pair(offered) if isinstance(offered, str) else None,
        **fields,  # type: ignore[arg-type]  # the keys are those of SlotTable, checked by pydantic
    )


def _parts(name: str, parts: Mapping[str, Mapping[str, str]], texts: Sequence[str]) -> tuple[SlotPart, ...]:
    """The parts of a slot's texts; each text that the file lists has one word of each, and each word is in one of them."""
    found = []
    for part, words in parts.items():
        if not re.fullmatch(r"[a-z][a-z0-9_]*", part):
            raise ParadigmError(f"`slots.{name}.parts.{part}`: use small letters, digits and _ in names of parts")
        own = SlotPart(f"{name}_{part}", tuple((word, tuple(expand_alternatives(said))) for word, said in words.items()))
        for text in texts:
            those = own.those_of(text)
            if len(those) != 1:
                has = f"has several of its words ({', '.join(those)})" if those else "has none of its words"
                raise ParadigmError(
                    f"`slots.{name}.parts.{part}`: {text!r} {has}",
                    hint='Give each text of the slot one word of each part: `word = "a text|* with these words"`; * stands for words.',
                )
        there = {word for text in texts for word in own.those_of(text)}
        if idle := [word for word in words if word not in there and texts]:
            raise ParadigmError(
                f"`slots.{name}.parts.{part}`: no text of the slot has the word {idle[0]!r}",
                hint=f"Take it out, or write the texts that have it as they stand in `slots.{name}.words`.",
            )
        found.append(own)
    return tuple(found)


def _with_forms(raw: ParadigmFile, slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """The slots, and behind each that says its kind those of its forms that regions show."""
    texts = [text for region in raw.regions for text in (region.text or "", *region.when.values())]
    used = {name for text in texts for name in slots_in(text)}
    found: list[Slot] = []
    for slot in slots:
        forms = [
            form for form in FORMS.get(slot.kind, ()) if (own := derived_name(slot.name, form)) in used and own not in raw.slots
        ]
        # A noun that is shown in the plural only is chosen all the same, by its singular.
        found.append(replace(slot, latent=True) if forms and slot.name not in used else slot)
        for form in forms:
            found.append(
                Slot(
                    derived_name(slot.name, form),
                    f"{slot.description}: the same as {slot.name}, {FORMS[slot.kind][form]}",
                    example=example_of(slot, form),
                    offered_by=(slot.name, form),
                    max_words=slot.max_words,
                    role=slot.role,
                    form_of=(slot.name, form),
                )
            )
    return tuple(found)


def _pair(reference: str) -> tuple[str, str]:
    slot, _, column = reference.partition(".")
    return slot, column


def _shapes(raw: ParadigmFile, factors: tuple[Factor, ...]) -> list[_Shape]:
    if bool(factors) == bool(raw.conditions):
        both = "both of them" if factors else "neither"
        raise ParadigmError(
            f"the conditions are the combinations of [factors] or those of [conditions], and the file has {both}",
            hint='Write [factors.NAME] with levels = { a = "as shown", b = "as shown" }, or [conditions] with a = "as shown".',
        )
    shapes = [_Shape(name, (), " ".join(label.split()) or name) for name, label in raw.conditions.items()]
    for shape in shapes:
        if not re.fullmatch(r"[a-z][a-z0-9_]*", shape.name):
            raise ParadigmError(f"`conditions.{shape.name}`: use small letters, digits and _, a letter first")
    for levels in product(*(f.levels for f in factors)) if factors else ():
        label = " ".join(f.labels[level] for f, level in zip(factors, levels, strict=True))
        shapes.append(_Shape("_".join(levels), levels, label))
    return shapes


def _expect_region_roles(regions: Sequence[Region], *, given: bool) -> None:
    allowed = ("frame", "filler", "gap", *(ROLES if given else ()))
    for region in regions:
        if region.role not in allowed:
            what = " of regions; give it to the slot" if region.role in ROLES else ""
            message = f"`regions.{region.name}.role`: there is no role {region.role!r}{what}"
            raise _no_such(message, "Roles", region.role, allowed)


def _expect_materials(raw: ParadigmFile, *, given: bool) -> None:
    """What only sentences that someone brings can do without: regions, their texts, expectations. These have no slots."""
    if given and raw.slots:
        name = next(iter(raw.slots))
        raise ParadigmError(
            f'`slots.{name}`: with items = "given" the sentences come from files, and no slot is filled',
            hint='Take the slots out; or write items = "sampled" and give every region its text.',
        )
    if given:
        return
    remedy = 'Add it; only a paradigm with items = "given", whose sentences come from files, can do without.'
    for table in ("regions", "status", "critical"):
        if not getattr(raw, table):
            raise ParadigmError(f"`{table}` is missing", hint=remedy)
    for region in raw.regions:
        if region.text is None and not region.when:
            raise ParadigmError(
                f"`regions.{region.name}` has no `text` (the same everywhere) and no `when` (by level)",
                hint=remedy,
                add=f'[[regions]]\nname = "{region.name}"\ntext = "…"',
            )


def _condition(raw: ParadigmFile, shape: _Shape, chosen: tuple[str, ...]) -> Condition:
    given = raw.items == "given"
    known = " ".join([*(shape.levels or (shape.name,)), *chosen])
    texts = {}
    for region in raw.regions:
        text = _text_for(region, shape, chosen)
        if text is not None:
            texts[region.name] = text
        elif not given:
            raise ParadigmError(
                f"`regions.{region.name}`: no text for the condition {known.replace(' ', '_')}",
                hint="Add it under `when`.",
                add=_with_entry("when", region.when, _lacking(raw, region.when, shape)),
            )
    critical = _most_specific("critical", raw.critical, shape, chosen)
    status = _most_specific("status", raw.status, shape, chosen)
    if status is None and (raw.status or not given):
        raise ParadigmError(
            f"`status` says nothing for {known}", add=f'[status]\n{known.replace(" ", "_")} = "…"  # "ok", "?" or "*"'
        )
    if critical is None and not given:
        raise ParadigmError(
            f"`critical` says nothing for the condition {shape.name}",
            hint=f"Say in which region it is measured: {', '.join(region.name for region in raw.regions)}.",
            add=f'[critical]\n{_lacking(raw, raw.critical, shape)} = "…"',
        )
    if critical is not None and critical not in (regions := [r.name for r in raw.regions]):
        key = next(key for key, own in raw.critical.items() if own == critical)
        raise _no_such(f"`critical`: there is no region {critical!r}", "Regions", critical, regions, place=("critical", key))
    if critical is not None and texts.get(critical) == "":
        raise ParadigmError(f"`critical`: region {critical!r} is empty in the condition {shape.name}, so nothing can be measured")
    return Condition(shape.name, shape.levels, Status(status) if status else None, shape.label, critical, texts)


def _no_such(message: str, what: str, wanted: str, known: Iterable[str], *, place: FilePlace = ()) -> ConfigError:
    """For a name that is not there, with those that are; `place` is where it stands, where the message does not begin with that."""
    return no_such(message, what, wanted, known, place=place, kind=ParadigmError)


def _lacking(raw: ParadigmFile, table: Mapping[str, object], shape: _Shape) -> str:
    """The key under which a table would say something of a condition: its level of the factor whose levels are keys there, else its name."""
    for factor in raw.factors.values():
        if table and set(table) <= set(factor.levels):
            return next((level for level in shape.levels if level in factor.levels), shape.name)
    return shape.name


def _with_entry(name: str, table: Mapping[str, str], key: str) -> str:
    entries = ", ".join([*(f"{own} = {json.dumps(text, ensure_ascii=False)}" for own, text in table.items()), f'{key} = "…"'])
    return f"{name} = {{ {entries} }}"


def _text_for(region: RegionTable, shape: _Shape, chosen: tuple[str, ...]) -> str | None:
    found = _most_specific(f"regions.{region.name}.when", region.when, shape, chosen)
    place = f"regions.{region.name}.{'text' if found is None else 'when'}"
    if found is None:
        found = region.text
    if found is None:
        return None
    try:
        word_patterns(found)
    except ParadigmError as error:
        raise ParadigmError(f"`{place}`: {error.message}", hint=error.hint, instead=_with_braces(found)) from None
    return " ".join(found.split())


def _with_braces(text: str) -> tuple[str, str] | None:
    """A text whose slots are not written as slots are, and as they are; None where that does not help."""
    signs = str.maketrans("-.", "  ")
    other = re.sub(r"\{+([^{}]*)\}+", lambda own: f"{{{'_'.join(own[1].casefold().translate(signs).split())}}}", text)
    other = other.replace("{slots_", "{").replace("{slot_", "{")
    other = re.sub(r"\{([a-z][a-z0-9_]*)(?![a-z0-9_}])", r"{\1}", other)
    other = re.sub(r"(?<![a-z0-9_{])([a-z][a-z0-9_]*)\}", r"{\1}", other)
    return (text, other) if other != text else None


def _most_specific(place: str, table: Mapping[str, T], shape: _Shape, chosen: tuple[str, ...]) -> T | None:
    """The entry whose levels all hold and that names most of them; two equally specific ones are an error."""
    best = [(fit, value) for key, value in table.items() if (fit := shape.fits(key, chosen))]
    if not best:
        return None
    best.sort(key=lambda entry: -entry[0])
    if len(best) > 1 and best[0][0] == best[1][0]:
        named = "_".join([*(shape.levels or (shape.name,)), *chosen])
        raise ParadigmError(f"`{place}`: two entries fit the condition {named} equally well")
    return best[0][1]


def _check_keys(raw: ParadigmFile, shapes: list[_Shape], combinations: list[tuple[str, ...]]) -> None:
    """Every key of ``when``, ``critical`` and ``status`` means a condition or levels that there are."""
    levels = {level for f in raw.factors.values() for level in f.levels}
    levels |= {name for c in raw.choices.values() for level in c.levels for name in c.held(level)}
    tables: list[tuple[Mapping[str, object], str, FilePlace]] = [
        (r.when, f"regions.{r.name}.when", ("regions", n, "when")) for n, r in enumerate(raw.regions)
    ]
    for table, place, at in [*tables, (raw.critical, "critical", ("critical",)), (raw.status, "status", ("status",))]:
        for key in table:
            if raw.conditions:
                if not any(shape.fits(key, _held(raw, chosen)) for shape in shapes for chosen in combinations):
                    known = [*raw.conditions, *sorted(levels)]
                    raise _no_such(f"`{place}`: there is no condition {key!r}", "Conditions", key, known, place=(*at, key))
            elif unknown := [part for part in key.split("_") if part not in levels]:
                error = _no_such(f"`{place}`: {unknown[0]!r} is no level", "Levels", unknown[0], sorted(levels), place=(*at, key))
                if error.instead is not None:
                    error.instead = (key, "_".join(error.instead[1] if part == unknown[0] else part for part in key.split("_")))
                raise error


def _check_slots(raw: ParadigmFile, slots: tuple[Slot, ...], conditions: tuple[Condition, ...]) -> None:
    used = {name for c in conditions for text in c.regions.values() for name in slots_in(text)}
    known = {s.name for s in slots}
    forms = {derived_name(s.name, form): s for s in slots for form in FORMS.get(s.kind, ())}
    for place, text in _texts(raw):
        for name in slots_in(text):
            if name in used - known:
                raise _no_slot(name, place, slots, [*(s.name for s in slots), *forms])
    earlier: set[str] = set()
    _expect_unique([*known, *(part.name for slot in slots for part in slot.parts)], "slots and their parts (SLOT_PART)")
    for slot in slots:
        if not slot.latent and slot.name not in used:
            raise _unused(raw, slot)
        if slot.role and slot.role not in ROLES:
            message = f"`slots.{slot.name}.role`: there is no role {slot.role!r}"
            if slot.role in ("frame", "filler", "gap"):
                raise ParadigmError(f"{message} of slots; give it to the region", hint=f"Roles: {', '.join(ROLES)}.")
            raise _no_such(message, "Roles", slot.role, ROLES)
        if slot.latent and slot.name in used:
            raise ParadigmError(f"`slots.{slot.name}` is latent, but a region shows it")
        if slot.offered_by and slot.offered_by[0] not in known:
            message = f"`slots.{slot.name}.offered_by`: there is no slot {slot.offered_by[0]!r}"
            raise _no_such(message, "Slots", slot.offered_by[0], [name for name in known if name != slot.name])
        if slot.offered_by and slot.offered_by[0] not in earlier:
            raise ParadigmError(
                f"`slots.{slot.name}.offered_by`: {slot.offered_by[0]!r} comes later in the file",
                hint="Words are chosen in the order of the slots; put it before this one.",
            )
        earlier.add(slot.name)


def _texts(raw: ParadigmFile) -> Iterator[tuple[str, str]]:
    """The texts of the regions, each with its place."""
    for region in raw.regions:
        if region.text is not None:
            yield f"regions.{region.name}.text", region.text
        for text in region.when.values():
            yield f"regions.{region.name}.when", text


def _no_slot(name: str, place: str, slots: Iterable[Slot], known: Sequence[str]) -> ParadigmError:
    """For a slot that a region shows and that has no table."""
    message = f"`{place}`: there is no slot {name!r}, and no [slots.{name}] table"
    base, _, form = name.rpartition("_")
    said = derived_name(base, OTHER_NAMES.get(form, form))
    meant = said if said in known else nearest(name, known)
    of = {derived_name(s.name, form): (s, kind) for s in slots for kind, own in FORMS.items() for form in own if not s.kind}
    if name in of:
        slot, kind = of[name]
        return ParadigmError(
            message,
            hint=f"A form of {slot.name} is there where the slot says of which kind its words are.",
            add=f'[slots.{slot.name}]\nkind = "{kind}"',
        )
    return ParadigmError(
        message,
        hint=f"{f'Did you mean {meant}? ' if meant else ''}Slots and their forms: {', '.join(dict.fromkeys(known))}. Each word between"
        " braces is one, and has a table of its own.",
        instead=(name, meant) if meant else None,
        add=f'[slots.{name}]\ndescription = "…"\nwords = ["…", "…"]',
    )


def _unused(raw: ParadigmFile, slot: Slot) -> ParadigmError:
    """For a slot that no region shows; where one has its name without braces, that is said."""
    names = [slot.name, *(derived_name(slot.name, form) for form in FORMS.get(slot.kind, ()))]
    for place, text in _texts(raw):
        if found := re.search(
            rf"[(<\[$@%&]?(?<![\w{{])(?:{'|'.join(sorted(names, key=len, reverse=True))})(?![\w}}])[)>\]]?", text
        ):
            name = found[0].strip("()[]<>$@%&")
            return ParadigmError(
                f"`{place}`: {found[0]} is a word here; the slot stands between braces, {{{name}}}, and `slots.{slot.name}` is used by"
                " no region",
                instead=(found[0], f"{{{name}}}"),
            )
    return ParadigmError(
        f"`slots.{slot.name}` is used by no region", hint="Remove it, or set latent = true if it only couples others."
    )


def _constraint(table: ConstraintTable, raw: ParadigmFile, number: int, known: list[str]) -> Constraint:
    columns: tuple[str, ...] = ()
    if table.agree is not None:
        kind, names, columns = "match", tuple(table.agree), (NUMBER, NUMBER)
        for name in names:
            slot = raw.slots.get(name)
            if slot is not None and not slot.kind and slot.lexicon is None:
                raise ParadigmError(
                    f"`constraints.{number}.agree`: nothing says which number the words of {name!r} have",
                    hint=f'Say of which kind they are:\n[slots.{name}]\nkind = "noun"   # or "verb", "determiner"\nor take them from a '
                    "word list with a column `number`.",
                )
    elif table.distinct is not None:
        kind, names = "distinct", tuple(table.distinct)
    else:
        kind = "match" if table.match is not None else "sample"
        pairs = [_pair(reference) for reference in table.match or table.sample or ()]
        names, columns = tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
        if not all(columns):
            raise ParadigmError(f"`constraints.{number}.{kind}` needs two references like noun.kind")
        if names[0] == names[1]:
            raise ParadigmError(f"`constraints.{number}.{kind}` is about two slots, and names {names[0]!r} twice")
    if unknown := [name for name in names if name not in known]:
        raise _no_such(
            f"`constraints.{number}.{'agree' if table.agree else kind}`: there is no slot {unknown[0]!r}",
            "Slots",
            unknown[0],
            known,
        )
    return Constraint(kind, names, columns)


def _design(name: str, conditions: str | Mapping[str, str], description: str, names: list[str]) -> Design:
    labels = {condition: condition for condition in names} if isinstance(conditions, str) else dict(conditions)
    for condition in labels.values():
        if condition not in names:
            message = f"`designs.{name}`: there is no condition {condition!r}"
            raise _no_such(message, "Conditions", condition, names, place=("designs", name, "conditions"))
    _expect_unique(list(labels.values()), f"designs.{name}")
    return Design(name, labels, description)


def _check_labels(designs: tuple[Design, ...]) -> None:
    meant: dict[str, str] = {name: name for design in designs for name in design.labels.values()}
    for design in designs:
        for label, name in design.labels.items():
            folded = label.casefold().replace(" ", "")
            if meant.setdefault(folded, name) != name:
                raise ParadigmError(
                    f"`designs.{design.name}`: the label {label!r} already means {meant[folded]}",
                    hint="A label means one condition in the whole file, so that files can be read back.",
                )


@dataclass(frozen=True, slots=True)
class _Scope:
    """What the formula of one contrast or criterion can name."""

    place: str
    """Where it stands in the file."""
    design: Design
    conditions: Mapping[str, Condition]
    regions: tuple[str, ...]

    @classmethod
    def of(
        cls,
        kind: str,
        table: ContrastTable | CriterionTable,
        designs: tuple[Design, ...],
        conditions: tuple[Condition, ...],
        regions: list[Region],
    ) -> _Scope:
        """Raises `ParadigmError` for a design or measure that there is not."""
        place = f"{kind}.{table.name}"
        design = next((d for d in designs if d.name == table.design), None)
        if design is None:
            names = [d.name for d in designs]
            raise _no_such(f"`{place}.design`: there is no design {table.design!r}", "Designs", table.design, names)
        if table.measure != DEFAULT_MEASURE:
            # Imported here, since numpy takes longer to load than a paradigm file to read.
            from gapsmith.templates.measures import MEASURES

            try:
                MEASURES.find(table.measure)
            except ConfigError as error:
                meant = taken_for(table.measure, MEASURES)
                raise ParadigmError(f"`{place}.measure`: {error.message}", hint=error.hint, instead=meant) from None
        return cls(place, design, {c.name: c for c in conditions}, tuple(r.name for r in regions))

    def read(self, text: str) -> Formula:
        """The formula, everything that it names being there. Raises `ParadigmError`."""
        try:
            return self._read(text)
        except ParadigmError as error:
            other = self._meant(text)
            with suppress(ParadigmError):
                if other != text and self._read(other):
                    error.instead = (text, other)
            raise

    def _read(self, text: str) -> Formula:
        try:
            formula = parse_formula(text)
        except FormulaError as error:
            raise ParadigmError(f"`{self.place}.formula`: {error.message}", hint=error.hint) from None
        for operand in formula.operands:
            self._check(operand)
        return formula

    def _meant(self, text: str) -> str:
        """A formula with the signs of a keyboard, and the names that its names are taken for."""
        known = [*self.design.labels.values(), *(c for c in self.conditions if c in self.design.conditions)]

        def name(found: re.Match[str]) -> str:
            own, _, place = (found[0] if found[0].count(".") else found[0].replace("@", ".")).partition(".")
            if own not in known and all(part in known for part in own.split("-")):
                return found[0]
            said = own if own in known else nearest(self.design.labels.get(own, own), known) or own
            where = [*self.regions, *_PLACES]
            return f"{said}@{place if place in where else nearest(place, where) or place}" if place else said

        for own in sorted(known, key=len, reverse=True):
            text = re.sub(rf"(?<![\w@]){own.replace('_', '[ _-]')}(?![\w-])", own, text)
        for sign, plain in (
            (" minus ", " - "),
            (" plus ", " + "),
            ("–", "-"),
            ("—", "-"),
            ("−", "-"),
            ("×", "*"),
            ("·", "*"),
            ("≤", "<="),
            ("≥", ">="),
        ):
            text = text.replace(sign, plain)
        text = text + ")" * (text.count("(") - text.count(")"))
        return re.sub(r"[A-Za-z][\w-]*(?:[@.][A-Za-z]\w*)?", name, text)

    def _check(self, operand: Operand) -> None:
        if (meant := self.design.labels.get(operand.condition)) is not None and operand.condition not in self.design.conditions:
            raise ParadigmError(
                f"`{self.place}.formula`: design {self.design.name} has no condition {operand.condition!r}: that is what files call {meant!r}",
                hint=f"Formulas take the names of conditions: {', '.join(self.design.conditions)}",
                instead=(operand.condition, meant),
            )
        if operand.condition not in self.design.conditions:
            raise _no_such(
                f"`{self.place}.formula`: design {self.design.name} has no condition {operand.condition!r}",
                "Conditions",
                operand.condition,
                self.design.conditions,
            )
        name = operand.place.name
        if name not in self.regions and name not in _PLACES:
            known = [*self.regions, *_PLACES]
            raise _no_such(f"`{self.place}.formula`: there is no region {name!r}", "Regions", name, known)
        if name == CRITICAL and self.conditions[operand.condition].critical is None:
            raise ParadigmError(
                f"`{self.place}.formula`: {operand} is measured in its critical region, and [critical] says none",
                hint=f"Name a region, as in {operand.condition}@sentence, or say under [critical] where it is measured.",
            )


def _contrast(table: ContrastTable, scope: _Scope) -> Contrast:
    formula = scope.read(table.formula)
    if formula.is_criterion:
        raise ParadigmError(
            f"`{scope.place}.formula`: the formula compares, so it is true or false of an item",
            hint="Put it under [[criteria]], without `expected`.",
        )
    try:
        terms = formula.terms
    except FormulaError as error:
        raise ParadigmError(f"`{scope.place}.formula`: {error.message}", hint=error.hint) from None
    return Contrast(
        name=table.name,
        title=table.title or table.name,
        terms=terms,
        design=table.design,
        expected=_SIGN[table.expected],
        alternative=table.alternative,
        shares_critical=table.shares_critical,
        kind=table.kind,
        where=table.where,
        measure=table.measure,
        family=table.family,
        delta=table.delta,
    )


def _criterion(table: CriterionTable, scope: _Scope) -> Criterion:
    formula = scope.read(table.formula)
    if not formula.is_criterion:
        raise ParadigmError(
            f"`{scope.place}.formula`: the formula compares nothing, so it is a number for each item",
            hint="Put it under [[contrasts]], with `expected`; or compare with <, > or =.",
        )
    return Criterion(table.name, table.title or table.name, formula, table.design, table.measure, table.where)


def _expect_unique(names: Iterable[str], place: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ParadigmError(f"`{place}`: {name!r} is there twice")
        seen.add(name)


def _expect_same(given: Mapping[str, object], names: list[str], place: str) -> None:
    missing = [name for name in names if name not in given]
    extra = [name for name in given if name not in names]
    if missing and not (extra and taken_for(extra[0], missing)):
        lines = "\n".join(f'{name} = "…"  # "ok", "?" or "*"' for name in missing)
        raise ParadigmError(f"`{place}` says nothing for {', '.join(missing)}", add=f"[{place}]\n{lines}")
    if extra:
        raise _no_such(f"`{place}`: there is no condition {extra[0]!r}", "Conditions", extra[0], names, place=(place, extra[0]))
