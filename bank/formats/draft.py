"""A paradigm file for sentences that someone brings: what the file says, in the form that a linguist can go on writing."""

from __future__ import annotations

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from gapsmith.bank.formats.foreign import BAD, GOOD, ForeignSet
from gapsmith.bank.formats.predictions import RESERVED, predictions_of
from gapsmith.templates import PREFERRED_BY, FormatError, criterion, preferences

_BETWEEN = r"[\s_,;/|.]+"
"""What stands between the pieces of a label."""


@dataclass(frozen=True, slots=True)
class ParadigmDraft:
    """The text of a paradigm file, and what a person should look at in it."""

    name: str
    text: str
    conditions: Mapping[str, str]
    """The file's label of each condition to its name in the paradigm."""
    regions: Mapping[str, str]
    """The file's name of each region to its name in the paradigm."""
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Factor:
    name: str
    levels: Mapping[str, str]
    """Level to the piece of the label that shows it."""


def draft_paradigm(found: ForeignSet, *, name: str | None = None, file: str = "", critical: Sequence[str] = ()) -> ParadigmDraft:
    """A paradigm without slots for the sentences of a file: its conditions, as factors where the labels are made of levels,
    its regions, its predictions as criteria. `critical` says where conditions are measured, as ``--critical`` does; what it names and
    the file does not have is left to who asked to refuse.

    Raises `FormatError` where the file holds slots instead of sentences."""
    if not found.conditions:
        raise FormatError(
            f"{file or found.name}: holds slots and no sentences, so there is nothing to draft a paradigm from",
            hint="Name the paradigm that the slots are of: --paradigm NAME.",
        )
    _check_labels(found, file or found.name)
    own_name = name or slug(found.name, set()) or "drafted"
    if found.factors and (factors := _said_factors(found)):
        conditions = _names_of_levels(found, factors)
    else:
        factors = _factors(found.conditions)
        conditions = _condition_names(found.conditions, factors)
    regions: dict[str, str] = {}
    for region in found.regions:
        regions[region.name] = _unique(slug(region.name, RESERVED) or "region", set(regions.values()) | RESERVED)
    notes: list[str] = []
    lines = [
        *_head(found, own_name, file),
        *_condition_tables(found, conditions, factors),
        *_status(found, conditions, notes),
        *_regions(regions),
        *_critical(found, conditions, regions, _said_critical(critical, conditions, regions), notes),
        *_designs(conditions),
        *_criteria(found, conditions, regions, factors, notes),
    ]
    return ParadigmDraft(own_name, "\n".join(lines) + "\n", conditions, regions, tuple(notes))


def slug(text: str, taken: frozenset[str] | set[str]) -> str:
    """The text as a name: small letters, digits and ``_``, beginning with a letter; with ``_2`` behind where it is taken.
    Empty where nothing is left."""
    plain = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", plain).casefold()
    name = re.sub(r"[^a-z0-9]+", "_", spaced).strip("_")
    if name and not name[0].isalpha():
        name = f"x_{name}"
    return _unique(name, taken) if name else ""


def _unique(name: str, taken: frozenset[str] | set[str]) -> str:
    found, count = name, 1
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    return found


def _factors(labels: Sequence[str]) -> tuple[_Factor, ...]:
    """The factors that the labels are made of; none where they are not all the combinations of their pieces."""
    pieces = [re.split(_BETWEEN, label.strip()) for label in labels]
    width = len(pieces[0])
    if width < 2 or any(len(piece_list) != width for piece_list in pieces):
        return ()
    levels = [list(dict.fromkeys(piece_list[place] for piece_list in pieces)) for place in range(width)]
    if any(len(level) < 2 for level in levels) or set(map(tuple, pieces)) != set(product(*levels)):
        return ()
    taken: set[str] = set()
    names: set[str] = set()
    factors = []
    shared = _in_several(levels)
    for number, alternatives in enumerate(levels, 1):
        made = {}
        stem = slug(_common(alternatives), names)
        name = stem if len(stem) > 2 else _unique(f"factor_{number}", names)
        names.add(name)
        for piece in alternatives:
            level = _level(piece)
            if not level:
                return ()
            if shared.intersection(map(_level, alternatives)):
                level = _of_factor(name, level)
            # A level that is called as another piece is would be what that piece means in a file.
            level = _unique_level(level, taken | {_folded(other) for other in alternatives if other != piece})
            taken.add(level)
            made[level] = piece
        factors.append(_Factor(name, made))
    return tuple(factors)


def _in_several(levels: Iterable[Sequence[str]]) -> frozenset[str]:
    """The names of levels that more than one factor would have."""
    times = Counter(level for own in levels for level in {_level(piece) for piece in own})
    return frozenset(level for level, n in times.items() if n > 1)


def _of_factor(factor: str, level: str) -> str:
    """A level by what its factor is called as well, ``subjsg``; names of levels have no underscore."""
    return f"{factor.replace('_', '')}{level}"


def _said_factors(found: ForeignSet) -> tuple[_Factor, ...]:
    """The factors that have a column each, called by its heading; none where the file lacks some of their combinations."""
    if set(found.levels.values()) != set(product(*found.factors.values())) or any(len(own) < 2 for own in found.factors.values()):
        return ()
    names: set[str] = set()
    taken: set[str] = set()
    factors = []
    shared = _in_several(found.factors.values())
    for number, (heading, levels) in enumerate(found.factors.items(), 1):
        bare_heading = re.sub(r"(?:^|_)(?:condition|cond|factor)(?=_|$)", "", slug(heading, set())).strip("_")
        name = _unique(bare_heading or slug(heading, set()) or f"factor_{number}", names)
        names.add(name)
        made: dict[str, str] = {}
        for piece in levels:
            bare = _level(piece)
            if bare in ("p", "m") and bare != slug(piece, set()):
                # A sign alone says nothing without its factor: pfiller, mfiller.
                bare = f"{bare}{name.replace('_', '')}"
            elif not bare or bare.isdecimal() or shared.intersection(map(_level, levels)):
                bare = _of_factor(name, bare)
            level = _unique_level(bare or f"level{len(made) + 1}", taken)
            taken.add(level)
            made[level] = piece
        factors.append(_Factor(name, made))
    return tuple(factors)


def _names_of_levels(found: ForeignSet, factors: Sequence[_Factor]) -> dict[str, str]:
    called = [{piece: level for level, piece in factor.levels.items()} for factor in factors]
    return {
        label: "_".join(own[piece] for own, piece in zip(called, found.levels[label], strict=True)) for label in found.conditions
    }


def _folded(label: str) -> str:
    """A label as files of a paradigm are understood: whatever its case and spaces."""
    return label.casefold().replace(" ", "")


def _check_labels(found: ForeignSet, file: str) -> None:
    """Two labels that no file of the paradigm could tell apart are refused."""
    first: dict[str, str] = {}
    for label in found.conditions:
        other = first.setdefault(_folded(label), label)
        if other != label:
            places = [f" ({found.place_unit} {line})" if line else "" for line in map(found.line_of, (other, label))]
            raise FormatError(
                f"{file}: the labels {other!r}{places[0]} and {label!r}{places[1]} differ in case or spaces only",
                hint="Write them alike if they mean one condition; else give one of them another name.",
            )


def _level(piece: str) -> str:
    sign = {"+": "p", "-": "m", "−": "m", "–": "m", "±": ""}.get(piece[:1], "")
    return sign + slug(piece, set()).replace("_", "")


def _unique_level(level: str, taken: set[str]) -> str:
    found, count = level, 1
    while found in taken:
        count += 1
        found = f"{level}{count}"
    return found


def _common(pieces: Sequence[str]) -> str:
    """The piece, without its sign, that all pieces hold: ``gap`` of ``nogap`` and ``gap``; empty where there is none."""
    bare = (piece.strip("+-−–±") for piece in pieces)
    return next((stem for stem in bare if stem and all(stem in piece for piece in pieces)), "")


def _condition_names(labels: Sequence[str], factors: Sequence[_Factor]) -> dict[str, str]:
    if factors:
        levels = [{piece: level for level, piece in factor.levels.items()} for factor in factors]
        return {
            label: "_".join(level_of[piece] for level_of, piece in zip(levels, re.split(_BETWEEN, label.strip()), strict=True))
            for label in labels
        }
    names: dict[str, str] = {}
    for number, label in enumerate(labels, 1):
        # A name that is another label would be what that label means in a file.
        taken = {*names.values(), *(_folded(other) for other in labels if other != label)}
        names[label] = _unique(slug(label, set()) or f"condition_{number}", taken)
    return names


def _head(found: ForeignSet, name: str, file: str) -> Iterator[str]:
    yield f"name = {_toml(name)}"
    yield f"title = {_toml(found.name if found.name.strip() else name)}"
    yield f"description = {_toml(f'Drafted from {file}.' if file else 'Drafted from a file.')}"
    yield 'items = "given"  # sentences come from files; there are no slots to fill'
    yield 'final_punctuation = ""'


def _condition_tables(found: ForeignSet, conditions: Mapping[str, str], factors: Sequence[_Factor]) -> Iterator[str]:
    if factors:
        for factor in factors:
            yield ""
            yield f"[factors.{factor.name}]"
            pairs = ", ".join(f"{level} = {_toml(piece)}" for level, piece in factor.levels.items())
            yield f"levels = {{ {pairs} }}"
        return
    yield ""
    yield "[conditions]  # name = how it is shown"
    for label in found.conditions:
        yield f"{conditions[label]} = {_toml(label)}"


def _status(found: ForeignSet, conditions: Mapping[str, str], notes: list[str]) -> Iterator[str]:
    yield ""
    unknown = [label for label in found.conditions if label not in found.expected]
    if unknown:
        notes.append("[status]: say what a native speaker says of each condition (ok, ? or *)")
        yield "# What a native speaker is expected to say. Take the # away and write one of the three in place of the words."
    yield "# [status]" if unknown else "[status]"
    for label in found.conditions:
        # What is not known has no value that could be taken over unread.
        said = found.expected.get(label, "ok or ? or *")
        yield f"{'# ' if unknown else ''}{conditions[label]} = {_toml(said)}"


def _regions(regions: Mapping[str, str]) -> Iterator[str]:
    for title, name in regions.items():
        yield ""
        yield "[[regions]]"
        yield f"name = {_toml(name)}"
        if title != name:
            yield f"title = {_toml(title)}"


def _said_critical(said: Sequence[str], conditions: Mapping[str, str], regions: Mapping[str, str]) -> dict[str, str]:
    """Condition to the region in which it is measured, as it was said, by the paradigm's names."""
    names = {name: name for name in conditions.values()} | {**conditions}
    known = {name: name for name in regions.values()} | {**regions}
    found: dict[str, str] = {}
    for entry in said:
        condition, equals, region = (part.strip() for part in entry.rpartition("="))
        if region in known and (not equals or condition in names):
            found |= dict.fromkeys([names[condition]] if equals else conditions.values(), known[region])
    return found


def _critical(
    found: ForeignSet, conditions: Mapping[str, str], regions: Mapping[str, str], said: Mapping[str, str], notes: list[str]
) -> Iterator[str]:
    if not regions:
        return
    known = next((name for name in ("word", "critical_token", "critical") if name in regions and _names_it(found, name)), None)
    measured = {name: said.get(name, regions[known] if known is not None else "") for name in conditions.values()}
    open_ones = [label for label, name in conditions.items() if not measured[name]]
    yield ""
    if open_ones:
        notes.append(
            "[critical]: say in which region each condition is measured"
            if len(open_ones) == len(conditions)
            else f"[critical]: say in which region {', '.join(conditions[label] for label in open_ones)} is measured"
        )
        yield "# Where each condition is measured when a formula names no region. Take the # away and write a region in place of"
        yield f"# the words; there are: {', '.join(regions.values())}."
    yield "# [critical]" if len(open_ones) == len(conditions) else "[critical]"
    for label, name in conditions.items():
        if measured[name]:
            yield f"{name} = {_toml(measured[name])}"
        else:
            empty = [regions[region] for region in _empty_in(found, label)]
            beside = f"  # empty there: {', '.join(empty)}" if empty else ""
            yield f'# {name} = "which region"{beside}'


def _names_it(found: ForeignSet, region: str) -> bool:
    """Whether the file itself says that this region is the critical one: BLiMP's word, the token of a tuple."""
    return bool(found.expected) if region == "word" else found.shape == "tuples"


def _empty_in(found: ForeignSet, label: str) -> list[str]:
    """The regions without words in most sentences of a condition: where its gap may be."""
    times: dict[str, int] = {}
    number = 0
    for item in found.items:
        for sentence in item.sentences:
            if sentence.condition == label and sentence.regions is not None:
                number += 1
                there = {region.name for region in sentence.regions if region.start < region.end}
                for region in found.regions:
                    times[region.name] = times.get(region.name, 0) + (region.name not in there)
    return [region.name for region in found.regions if 2 * times.get(region.name, 0) > number]


def _designs(conditions: Mapping[str, str]) -> Iterator[str]:
    yield ""
    if all(label == name for label, name in conditions.items()):
        yield "[designs.all]"
        yield 'conditions = "all"'
        return
    yield "[designs.all.conditions]  # label in files = condition"
    for label, name in conditions.items():
        yield f"{_toml(label)} = {_toml(name)}"


def _criteria(
    found: ForeignSet, conditions: Mapping[str, str], regions: Mapping[str, str], factors: Sequence[_Factor], notes: list[str]
) -> Iterator[str]:
    expected = {conditions[label]: found.expected.get(label, "") for label in found.conditions}
    pairs = preferences(expected, _levels(found, conditions, factors))
    if not pairs and {GOOD, BAD} <= set(found.conditions):
        pairs = [(conditions[GOOD], conditions[BAD])]
    predictions = list(predictions_of(found, conditions, regions))
    is_said = any(one.formula is not None for one in predictions) and not {GOOD, BAD} <= set(found.conditions)
    labels = {name: slug(label, set()) or name for label, name in conditions.items()}
    # As the file calls its conditions, where that tells them apart: shorter than what names of levels add.
    shown = labels if len(set(labels.values())) == len(labels) else {name: name for name in labels}
    for good, bad in [] if is_said else pairs:
        for behind, by in PREFERRED_BY:
            name = f"preferred{behind}" if len(pairs) == 1 else f"{shown[good]}_over_{shown[bad]}{behind}"
            yield ""
            yield from criterion(name, good, bad, by)
    if not pairs and not predictions:
        notes.append("[[criteria]]: nothing is tested yet; say there which of two sentences is the more probable one")
        yield ""
        yield "# What is tested: write two of the conditions in place of the words, and take the # away. There are:"
        yield f"# {', '.join(conditions.values())}."
        yield from (f"# {line}" for line in criterion("preferred", "which condition", "which other one"))
    for prediction in predictions:
        if prediction.formula is None:
            notes.append(f"{prediction.name} is left out: {prediction.why}")
            yield from _left_out(prediction.name, prediction.text, prediction.why)
            continue
        exploratory = not prediction.formula.is_criterion
        table = "contrasts" if exploratory else "criteria"
        yield from _entry(table, prediction.name, str(prediction.formula), prediction.measure, exploratory=exploratory)


def _levels(found: ForeignSet, conditions: Mapping[str, str], factors: Sequence[_Factor]) -> dict[str, tuple[str, ...]] | None:
    """Of each condition the level of each factor; None where there are no factors."""
    if not factors:
        return None
    if found.levels:
        return {conditions[label]: found.levels[label] for label in found.conditions}
    return {conditions[label]: tuple(re.split(_BETWEEN, label.strip())) for label in found.conditions}


def _entry(table: str, name: str, formula: str, measure: str, *, exploratory: bool = False) -> Iterator[str]:
    yield ""
    yield f"[[{table}]]"
    yield f"name = {_toml(name)}"
    yield f"formula = {_toml(formula)}"
    yield f"measure = {_toml(measure)}"
    if exploratory:
        yield 'expected = "exploratory"'
    yield 'design = "all"'


def _left_out(name: str, formula: str, why: str) -> Iterator[str]:
    yield ""
    yield f"# {name}: {_comment(formula)}"
    yield f"# is left out: {_comment(why)}"


def _comment(text: str) -> str:
    return "".join(character if character.isprintable() else " " for character in text)


def _toml(text: str) -> str:
    # JSON's strings are TOML's basic strings; what cannot be seen is written by its number, the same in every editor.
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(character if character.isprintable() else f"\\U{ord(character):08X}" for character in quoted)
