"""From a TOML file to a `Paradigm`: read once, every reference checked, the errors with file, place and remedy."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from templates.digest import digest_of, form_of, predictions_of, words_of
from templates.errors import ParadigmError
from templates.model import (
    CRITICAL,
    ROLES,
    Choice,
    Condition,
    Constraint,
    Contrast,
    Design,
    Factor,
    Paradigm,
    Region,
    Slot,
    Status,
    Term,
)
from templates.pattern import expand_alternatives, slots_in, word_patterns
from templates.realise import PUNCTUATION

if TYPE_CHECKING:
    from pydantic import ValidationError

    from templates.schema import ConstraintTable, ParadigmFile

__all__ = ["load_paradigm_file", "parse_paradigm"]

_TERM = re.compile(r"([+-]?)\s*([A-Za-z0-9_]+)(?:@([a-z][a-z0-9_]*))?\s*")
T = TypeVar("T", bound=str)
_SIGN = {"negative": -1, "positive": 1, "exploratory": 0}


def load_paradigm_file(path: Path) -> Paradigm:
    """The paradigm in a file. Raises `ParadigmError` naming the file and what in it is wrong."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise ParadigmError(f"{path}: there is no such file") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ParadigmError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    return parse_paradigm(text, path=str(path))


def parse_paradigm(text: str, *, path: str = "") -> Paradigm:
    """The paradigm that a file's text describes; `path` only serves messages and the search for lexicons."""
    # Imported here, since pydantic takes as long to load as the rest of the room together.
    from pydantic import ValidationError

    from templates.schema import ParadigmFile

    where = path or "paradigm"
    try:
        raw = ParadigmFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise ParadigmError(f"{where}: not valid TOML: {error}") from None
    except ValidationError as error:
        raise ParadigmError(f"{where}: {_first_problems(error)}") from None
    try:
        return _build(raw, text, path)
    except ParadigmError as error:
        raise ParadigmError(f"{where}: {error.message}", hint=error.hint) from None


def _first_problems(error: ValidationError) -> str:
    lines = []
    for problem in error.errors()[:5]:
        place = ".".join(str(part) for part in problem["loc"]) or "file"
        message = problem["msg"].removeprefix("Value error, ")
        if problem["type"] == "extra_forbidden":
            message = "is not a key that a paradigm file has here; check the spelling"
        lines.append(f"`{place}` {message}")
    return "; ".join(lines)


def _build(raw: ParadigmFile, text: str, path: str) -> Paradigm:
    factors = _factors(raw)
    names = ["_".join(levels) for levels in product(*(f.levels for f in factors))]
    combinations = _combinations(raw, factors)
    if not raw.choices:
        _expect_same(raw.status, names, "status")
    regions = [Region(r.name, r.title or r.name, r.role) for r in raw.regions]
    _expect_unique([r.name for r in regions], "regions")
    for taken, what in ((CRITICAL, "the region in which a condition is measured"), (PUNCTUATION, "the final mark")):
        if taken in {r.name for r in regions}:
            raise ParadigmError(
                f"`regions`: no region can be called {taken!r}",
                hint=f"That name stands for {what}; give this one another.",
            )
    slots = tuple(_slot(name, table.model_dump()) for name, table in raw.slots.items())
    _check_levels(raw)
    by_choice = {
        chosen: tuple(_condition(raw, factors, name.split("_"), name, chosen) for name in names)
        for chosen in combinations
    }
    conditions = by_choice[combinations[0]]
    _check_slots(slots, tuple(condition for found in by_choice.values() for condition in found))
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
        constraints=tuple(_constraint(c, raw) for c in raw.constraints),
        contrasts=tuple(_contrast(raw, i, designs, regions) for i in range(len(raw.contrasts))),
        final_punctuation=raw.final_punctuation,
        exhaustive=raw.items == "exhaustive",
        one_word_critical=raw.one_word_critical,
        choices=tuple(Choice(name, table.levels) for name, table in raw.choices.items()),
        form_digest=digest_of(form_of(raw)),
        predictions_digest=digest_of(predictions_of(raw)),
        own_words_digest=digest_of(words_of(raw)),
        digest=hashlib.sha256(text.encode()).hexdigest(),
        text=text,
        path=path,
    )
    _expect_unique([c.name for c in paradigm.contrasts], "contrasts")
    if not raw.choices:
        return paradigm
    return replace(paradigm, variants={chosen: _variant(paradigm, found) for chosen, found in by_choice.items()})


def _variant(paradigm: Paradigm, conditions: tuple[Condition, ...]) -> Paradigm:
    """The paradigm for one combination of choices: with its texts, and the slots and constraints that these show."""
    shown = {name for c in conditions for text in c.regions.values() for name in slots_in(text)}
    slots = tuple(slot for slot in paradigm.slots if slot.latent or slot.name in shown)
    names = {slot.name for slot in slots}
    return replace(
        paradigm,
        choices=(),
        conditions=conditions,
        slots=slots,
        constraints=tuple(c for c in paradigm.constraints if names.issuperset(c.slots)),
    )


def _combinations(raw: ParadigmFile, factors: tuple[Factor, ...]) -> list[tuple[str, ...]]:
    taken = {level for factor in factors for level in factor.levels} | {factor.name for factor in factors}
    for name, table in raw.choices.items():
        if name in raw.slots or name in taken:
            raise ParadigmError(f"`choices.{name}`: a slot, factor or level is called so", hint="Give it another name.")
        for level in table.levels:
            if not re.fullmatch(r"[a-z0-9]+", level):
                raise ParadigmError(f"`choices.{name}` level {level!r}: use small letters and digits only")
            if level in taken:
                raise ParadigmError(
                    f"`choices.{name}`: the level {level!r} is there twice", hint="Give it another name."
                )
            taken.add(level)
    return list(product(*(table.levels for table in raw.choices.values())))


def _factors(raw: ParadigmFile) -> tuple[Factor, ...]:
    factors = []
    for name, table in raw.factors.items():
        levels = tuple(table.levels)
        for level in levels:
            if "_" in level or not re.fullmatch(r"[a-z0-9]+", level):
                raise ParadigmError(f"`factors.{name}` level {level!r}: use small letters and digits only")
        step = 1.0 / (len(levels) - 1)
        codes = {level: 0.5 - i * step for i, level in enumerate(levels)}
        factors.append(Factor(name, levels, dict(table.levels), codes))
    _expect_unique([level for f in factors for level in f.levels], "factors: levels")
    return tuple(factors)


def _slot(name: str, table: Mapping[str, object]) -> Slot:
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
        raise ParadigmError(f"`slots.{name}`: use small letters, digits and _ in slot names")
    fields = dict(table)
    offered = fields.pop("offered_by")
    words = fields.pop("words")
    closed = fields.pop("closed")
    assert isinstance(words, list)
    assert isinstance(closed, list)
    expanded = tuple(reading for entry in words for reading in expand_alternatives(entry))
    _expect_unique(expanded, f"slots.{name}.words")
    return Slot(
        name=name,
        words=expanded,
        closed=tuple(closed),
        offered_by=_pair(offered) if isinstance(offered, str) else None,
        **fields,  # type: ignore[arg-type]  # the keys are those of SlotTable, checked by pydantic
    )


def _pair(reference: str) -> tuple[str, str]:
    slot, _, column = reference.partition(".")
    return slot, column


def _condition(
    raw: ParadigmFile, factors: tuple[Factor, ...], levels: list[str], name: str, chosen: tuple[str, ...]
) -> Condition:
    known = [*levels, *chosen]
    texts = {r.name: _text_for(r.name, r.text, r.when, known) for r in raw.regions}
    critical = _most_specific("critical", raw.critical, known)
    status = _most_specific("status", raw.status, known)
    if status is None:
        raise ParadigmError(f"`status` says nothing for {' '.join(known)}")
    if critical is None:
        raise ParadigmError(f"`critical` says nothing for the condition {name}")
    if critical not in texts:
        raise ParadigmError(f"`critical`: there is no region {critical!r}", hint=f"Regions: {', '.join(texts)}")
    if not texts[critical]:
        raise ParadigmError(
            f"`critical`: region {critical!r} is empty in the condition {name}, so nothing can be measured"
        )
    label = " ".join(f.labels[level] for f, level in zip(factors, levels, strict=True))
    return Condition(name, tuple(levels), Status(status), label, critical, texts)


def _text_for(name: str, text: str | None, when: Mapping[str, str], levels: list[str]) -> str:
    chosen = _most_specific(f"regions.{name}.when", when, levels)
    if chosen is None:
        chosen = text
    if chosen is None:
        raise ParadigmError(
            f"`regions.{name}`: no text for the condition {'_'.join(levels)}", hint="Add it under `when`."
        )
    word_patterns(chosen)
    return " ".join(chosen.split())


def _most_specific(place: str, table: Mapping[str, T], levels: list[str]) -> T | None:
    """The entry whose levels all hold and that names most of them; two equally specific ones are an error."""
    best: list[tuple[int, T]] = []
    for key, value in table.items():
        named = key.split("_")
        if set(named) <= set(levels):
            best.append((len(named), value))
    if not best:
        return None
    best.sort(key=lambda entry: -entry[0])
    if len(best) > 1 and best[0][0] == best[1][0]:
        raise ParadigmError(f"`{place}`: two entries fit the condition {'_'.join(levels)} equally well")
    return best[0][1]


def _check_levels(raw: ParadigmFile) -> None:
    levels = {level for f in raw.factors.values() for level in f.levels}
    levels |= {level for c in raw.choices.values() for level in c.levels}
    for table, place in [(r.when, f"regions.{r.name}.when") for r in raw.regions] + [(raw.critical, "critical")]:
        for key in table:
            if unknown := [part for part in key.split("_") if part not in levels]:
                raise ParadigmError(
                    f"`{place}`: {unknown[0]!r} is no level", hint=f"Levels: {', '.join(sorted(levels))}"
                )


def _check_slots(slots: tuple[Slot, ...], conditions: tuple[Condition, ...]) -> None:
    used = {name for c in conditions for text in c.regions.values() for name in slots_in(text)}
    known = {s.name for s in slots}
    if missing := sorted(used - known):
        raise ParadigmError(f"`regions` use the slot {missing[0]!r}, which has no [slots.{missing[0]}] table")
    earlier: set[str] = set()
    for slot in slots:
        if not slot.latent and slot.name not in used:
            raise ParadigmError(
                f"`slots.{slot.name}` is used by no region",
                hint="Remove it, or set latent = true if it only couples others.",
            )
        if slot.role and slot.role not in ROLES:
            raise ParadigmError(
                f"`slots.{slot.name}.role`: there is no role {slot.role!r}", hint=f"Roles: {', '.join(ROLES)}, or none."
            )
        if slot.latent and slot.name in used:
            raise ParadigmError(f"`slots.{slot.name}` is latent, but a region shows it")
        if slot.offered_by and slot.offered_by[0] not in known:
            raise ParadigmError(f"`slots.{slot.name}.offered_by`: there is no slot {slot.offered_by[0]!r}")
        if slot.offered_by and slot.offered_by[0] not in earlier:
            raise ParadigmError(
                f"`slots.{slot.name}.offered_by`: {slot.offered_by[0]!r} comes later in the file",
                hint="Words are chosen in the order of the slots; put it before this one.",
            )
        earlier.add(slot.name)


def _constraint(table: ConstraintTable, raw: ParadigmFile) -> Constraint:
    columns: tuple[str, ...] = ()
    if table.distinct is not None:
        kind, names = "distinct", tuple(table.distinct)
    else:
        kind = "match" if table.match is not None else "sample"
        pairs = [_pair(reference) for reference in table.match or table.sample or ()]
        names, columns = tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
        if not all(columns):
            raise ParadigmError(f"`constraints.{kind}` needs two references like noun.kind")
        if names[0] == names[1]:
            raise ParadigmError(f"`constraints.{kind}` is about two slots, and names {names[0]!r} twice")
    if unknown := [name for name in names if name not in raw.slots]:
        raise ParadigmError(f"`constraints.{kind}`: there is no slot {unknown[0]!r}")
    return Constraint(kind, names, columns)


def _design(name: str, conditions: str | Mapping[str, str], description: str, names: list[str]) -> Design:
    labels = {own: own for own in names} if isinstance(conditions, str) else dict(conditions)
    for own in labels.values():
        if own not in names:
            raise ParadigmError(
                f"`designs.{name}`: there is no condition {own!r}", hint=f"Conditions: {', '.join(names)}"
            )
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


def _contrast(raw: ParadigmFile, index: int, designs: tuple[Design, ...], regions: list[Region]) -> Contrast:
    table = raw.contrasts[index]
    design = next((d for d in designs if d.name == table.design), None)
    if design is None:
        raise ParadigmError(f"`contrasts.{table.name}`: there is no design {table.design!r}")
    names = {r.name for r in regions} | {CRITICAL}
    terms = _terms(table.formula, table.name)
    for term in terms:
        if term.condition not in design.conditions:
            raise ParadigmError(
                f"`contrasts.{table.name}`: design {design.name} has no condition {term.condition!r}",
                hint=f"Conditions: {', '.join(design.conditions)}",
            )
        if term.region not in names:
            raise ParadigmError(f"`contrasts.{table.name}`: there is no region {term.region!r}")
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
    )


def _terms(formula: str, name: str) -> tuple[Term, ...]:
    terms: list[Term] = []
    position = 0
    text = formula.strip()
    while position < len(text):
        match = _TERM.match(text, position)
        if match is None or (terms and not match.group(1)):
            raise ParadigmError(
                f"`contrasts.{name}.formula`: cannot read {text[position:]!r}",
                hint="Write it like: a_b - c_d@region + e_f",
            )
        terms.append(Term(-1 if match.group(1) == "-" else 1, match.group(2), match.group(3) or CRITICAL))
        position = match.end()
    return tuple(terms)


def _expect_unique(names: Iterable[str], place: str) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise ParadigmError(f"`{place}`: {name!r} is there twice")
        seen.add(name)


def _expect_same(given: Mapping[str, object], names: list[str], place: str) -> None:
    if missing := [name for name in names if name not in given]:
        raise ParadigmError(f"`{place}` says nothing for {', '.join(missing)}")
    if extra := [name for name in given if name not in names]:
        raise ParadigmError(f"`{place}`: there is no condition {extra[0]!r}", hint=f"Conditions: {', '.join(names)}")
