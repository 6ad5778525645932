"""The formulas of contrasts and criteria: read into a small tree, evaluated over numbers by (condition, place).

    formula := or;  or := and {"|" and};  and := cmp {"&" cmp};  cmp := sum [("<"|">"|"=") sum]
    sum  := ["+"|"-"] prod {("+"|"-") prod}
    prod := [num ["/" num] ["*"]] atom
    atom := name ["@" place] | "(" place ";" "%" name "%" ")" | "(" or ")" | "[" or "]" | num
    place := ident | number | "*" | "sentence" | "punctuation" | "critical" | "next(" place ")" | "from(" place ")"

A formula without a comparison is a **contrast**: a weighted sum of measures, a number per item. One with a comparison is a
**criterion**: true or false per item. ``a`` alone is measured at its critical region. Names of other characters than
letters, digits and ``_`` (and names of digits only) stand between per cent signs: ``%+filler -gap%@object``. A number before
a name is a weight (``1/2 a``, ``2*a``); ``2a`` is a name. ``(6;%a%)`` and ``(*;%a%)`` are how SyntaxGym's suites write
``a@6`` and ``a@sentence`` (Gauthier, Hu, Wilcox, Qian & Levy 2020, "SyntaxGym: an online platform for targeted evaluation of
language models", ACL demonstrations); ``*`` is the sentence, measured as a whole.

Comparisons hold up to `TOLERANCE`: numbers that close are equal, and neither is then less than the other.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Final, Literal, NoReturn, TypeAlias

from gapsmith.templates.errors import ParadigmError

TOLERANCE: Final = 1e-9
DEFAULT_MEASURE = "sum"
"""The measure of a contrast or criterion that names none: the surprisal of a stretch is the sum over its tokens."""

_MOST_BRACKETS = 50
_PLAIN_NAME = re.compile(r"(?!\d+\Z)\w+")


class Empty(Enum):
    """What a lookup answers for a region that is declared and holds nothing, under a measure that adds up tokens."""

    EMPTY = "empty"


EMPTY: Final = Empty.EMPTY


@dataclass(frozen=True, slots=True)
class Place:
    """Where a sentence is measured: a region by name or number, the sentence, the final mark, the critical region.

    `steps` counts the ``next( )`` around it: the next region, and so on, that is not empty. `onwards` is for ``from( )``: from
    the beginning of that region to the end of the last one, the final mark left out."""

    name: str
    steps: int = 0
    onwards: bool = False

    def __str__(self) -> str:
        inner = "next(" * self.steps + quoted(self.name, digits=True) + ")" * self.steps
        return f"from({inner})" if self.onwards else inner


SENTENCE_PLACE: Final = Place("sentence")
CRITICAL_PLACE: Final = Place("critical")


@dataclass(frozen=True, slots=True)
class Operand:
    """The measure of one condition at one place. `at` is the character of the formula where it stands."""

    condition: str
    place: Place
    at: int = field(default=0, compare=False)

    def __str__(self) -> str:
        where = "" if self.place == CRITICAL_PLACE else f"@{self.place}"
        return quoted(self.condition) + where


@dataclass(frozen=True, slots=True)
class Number:
    """A constant; never negative, a minus is a `Negation`."""

    value: Fraction

    def __str__(self) -> str:
        return str(self.value)


@dataclass(frozen=True, slots=True)
class Scaled:
    """A weight times something."""

    weight: Fraction
    part: Numeric

    def __str__(self) -> str:
        inner = str(self.part) if isinstance(self.part, Operand) else f"({self.part})"
        return f"{self.weight} * {inner}"


@dataclass(frozen=True, slots=True)
class Negation:
    """A part of a sum that is taken away."""

    part: Numeric

    def __str__(self) -> str:
        return f"-{_bracketed(self.part)}"


@dataclass(frozen=True, slots=True)
class Sum:
    """Two or more parts added; those that are taken away are `Negation`s."""

    parts: tuple[Numeric, ...]

    def __str__(self) -> str:
        text = str(self.parts[0]) if not isinstance(self.parts[0], Sum) else _bracketed(self.parts[0])
        for part in self.parts[1:]:
            sign, inner = ("-", part.part) if isinstance(part, Negation) else ("+", part)
            text += f" {sign} {_bracketed(inner)}"
        return text


Numeric: TypeAlias = Operand | Number | Scaled | Negation | Sum


@dataclass(frozen=True, slots=True)
class Comparison:
    """Whether a number is less than, greater than, or equal to another."""

    relation: Literal["<", ">", "="]
    left: Numeric
    right: Numeric

    def __str__(self) -> str:
        return f"{self.left} {self.relation} {self.right}"


@dataclass(frozen=True, slots=True)
class Junction:
    """Two or more criteria, all of which (``&``) or one of which (``|``) must hold."""

    kind: Literal["&", "|"]
    parts: tuple[Truth, ...]

    def __str__(self) -> str:
        return f" {self.kind} ".join(f"({part})" if isinstance(part, Junction) else str(part) for part in self.parts)


Truth: TypeAlias = Comparison | Junction
Node: TypeAlias = Numeric | Truth

Lookup: TypeAlias = Callable[[str, Place], "float | Empty | None"]
"""(condition, place) to the number measured there, `EMPTY`, or None where it is undefined."""


@dataclass(frozen=True, slots=True)
class Term:
    """One term of a contrast: ``weight * measure(condition, place)``."""

    weight: Fraction
    condition: str
    place: Place = CRITICAL_PLACE


class FormulaError(ParadigmError):
    """A formula cannot be read; the message shows the character."""

    def __init__(self, text: str, at: int, what: str, *, hint: str = "") -> None:
        line = text.replace("\t", " ").replace("\n", " ")
        super().__init__(
            f"the formula cannot be read at character {at + 1}: {what}\n  {line}\n  {' ' * at}^",
            hint=hint or "Write it like: a - b, or 1/2 a@object - 1/2 b@object, or (6;%a%) > (6;%b%).",
        )
        self.at = at
        """The character, counted from 0."""


@dataclass(frozen=True)
class Formula:
    """A formula that was read. `text` is as it was written; ``str()`` gives the one way of writing it."""

    text: str = field(compare=False)
    root: Node

    def __str__(self) -> str:
        return str(self.root)

    @cached_property
    def is_criterion(self) -> bool:
        """Whether it is true or false of an item; else it is a number."""
        return isinstance(self.root, Comparison | Junction)

    @cached_property
    def operands(self) -> tuple[Operand, ...]:
        """Every (condition, place) that it names, once each, in order."""
        return tuple(dict.fromkeys(_operands(self.root)))

    @cached_property
    def difference(self) -> tuple[tuple[tuple[Fraction, Operand], ...], Fraction] | None:
        """The left side minus the right side of a criterion that is one comparison: the weight of each operand, and the constant. None
        for every other formula."""
        if not isinstance(self.root, Comparison):
            return None
        parts = [*_flat(self.root.left, Fraction(1)), *_flat(self.root.right, Fraction(-1))]
        constant = sum((weight * part.value for weight, part in parts if isinstance(part, Number)), Fraction(0))
        return tuple((weight, part) for weight, part in parts if isinstance(part, Operand)), constant

    @cached_property
    def terms(self) -> tuple[Term, ...]:
        """The contrast as a weighted sum, terms of one condition and place put together, in order of appearance.

        Raises `FormulaError` for a criterion, for a constant that does not cancel, and where nothing is left."""
        if isinstance(self.root, Comparison | Junction):
            raise FormulaError(self.text, 0, "a contrast is a sum of measures and compares nothing")
        weights: dict[tuple[str, Place], Fraction] = {}
        constant = Fraction(0)
        for weight, part in _flat(self.root, Fraction(1)):
            if isinstance(part, Number):
                constant += weight * part.value
            else:
                key = part.condition, part.place
                weights[key] = weights.get(key, Fraction(0)) + weight
        if constant:
            raise FormulaError(self.text, 0, f"a contrast adds up measures; what is the {constant} that is left over?")
        terms = tuple(Term(weight, *key) for key, weight in weights.items() if weight)
        if not terms:
            raise FormulaError(self.text, 0, "all terms cancel, so it is 0 for every item")
        return terms


def weighted_sum(terms: Sequence[Term], show: Callable[[Term], str] | None = None) -> str:
    """The terms as a formula writes them: ``1/2 a@object - b``. `show` writes a term without its weight."""
    text = ""
    for term in terms:
        sign = "- " if term.weight < 0 else "+ " if text else ""
        size = "" if abs(term.weight) == 1 else f"{abs(term.weight)} "
        shown = show(term) if show is not None else str(Operand(term.condition, term.place))
        text += f"{' ' if text else ''}{sign}{size}{shown}"
    return text


def quoted(name: str, *, digits: bool = False) -> str:
    """A name as a formula writes it: between per cent signs where it is more than letters, digits and ``_``.

    `digits` allows a name of digits only, which is a region's number."""
    plain = _PLAIN_NAME.fullmatch(name) or (digits and name.isdecimal() and name.isascii())
    return name if plain else f"%{name}%"


def evaluate(formula: Formula, lookup: Lookup) -> float | bool | None:
    """A contrast's number or a criterion's truth for the item behind `lookup`; None where something it needs is undefined.

    A region that is declared and empty counts as 0 inside a criterion and makes a contrast undefined."""
    values: dict[tuple[str, Place], float] = {}
    for operand in formula.operands:
        found = lookup(operand.condition, operand.place)
        if found is EMPTY and formula.is_criterion:
            found = 0.0
        if found is None or isinstance(found, Empty):
            return None
        values[operand.condition, operand.place] = found
    if isinstance(formula.root, Comparison | Junction):
        return _holds(formula.root, values)
    return _number(formula.root, values)


def both_sentence_readings(
    formula: Formula, lookup: Lookup, regions: Callable[[str], Sequence[Place]]
) -> tuple[float | bool | None, float | bool | None]:
    """The formula's outcome as it is here, and as SyntaxGym computes it.

    For SyntaxGym ``*`` is the sum over a condition's regions of the metric of each region, so that with the metric mean it is
    a sum of means; here it is the metric over all tokens of the sentence. With the metric sum the two agree wherever the
    regions cover the sentence. `regions` gives a condition's regions in order.
    """

    def as_syntaxgym(condition: str, place: Place) -> float | Empty | None:
        if place != SENTENCE_PLACE:
            return lookup(condition, place)
        total = 0.0
        for region in regions(condition):
            value = lookup(condition, region)
            if value is None:
                return None
            total += 0.0 if isinstance(value, Empty) else value
        return total

    return evaluate(formula, lookup), evaluate(formula, as_syntaxgym)


@lru_cache(maxsize=1024)
def parse_formula(text: str) -> Formula:
    """Read a formula. Raises `FormulaError`, which points at the character that cannot be read."""
    return Formula(text, _Reader(text).formula())


def renamed(formula: Formula, conditions: Mapping[str, str], places: Mapping[str, str]) -> Formula:
    """The formula with other names for conditions and regions; names that are not in the tables stay."""
    root = _renamed(formula.root, conditions, places)
    return Formula(str(root), root)


def or_equal(formula: Formula) -> Formula:
    """A criterion whose comparisons hold of equal numbers, too: ``a < b`` is ``a < b | a = b``."""
    root = _or_equal(formula.root) if isinstance(formula.root, Comparison | Junction) else formula.root
    return Formula(str(root), root)


def turned(formula: Formula) -> Formula:
    """A criterion for a measure that grows where the one that it was written for falls: ``a < b`` is ``a > b``."""
    root = _turned(formula.root) if isinstance(formula.root, Comparison | Junction) else formula.root
    return Formula(str(root), root)


def _bracketed(part: Numeric) -> str:
    return f"({part})" if isinstance(part, Sum | Negation) else str(part)


def _operands(node: Node) -> Iterator[Operand]:
    match node:
        case Operand():
            yield node
        case Number():
            return
        case Scaled(part=part) | Negation(part=part):
            yield from _operands(part)
        case Sum(parts=parts):
            for numeric in parts:
                yield from _operands(numeric)
        case Junction(parts=truths):
            for truth in truths:
                yield from _operands(truth)
        case Comparison(left=left, right=right):
            yield from _operands(left)
            yield from _operands(right)


def _flat(node: Numeric, weight: Fraction) -> Iterator[tuple[Fraction, Operand | Number]]:
    match node:
        case Operand() | Number():
            yield weight, node
        case Scaled(weight=factor, part=part):
            yield from _flat(part, weight * factor)
        case Negation(part=part):
            yield from _flat(part, -weight)
        case Sum(parts=parts):
            for one in parts:
                yield from _flat(one, weight)


def _number(node: Numeric, values: dict[tuple[str, Place], float]) -> float:
    match node:
        case Operand(condition=condition, place=place):
            return values[condition, place]
        case Number(value=value):
            return float(value)
        case Scaled(weight=weight, part=part):
            return float(weight) * _number(part, values)
        case Negation(part=part):
            return -_number(part, values)
        case Sum(parts=parts):
            return sum(_number(part, values) for part in parts)


def _holds(node: Truth, values: dict[tuple[str, Place], float]) -> bool:
    if isinstance(node, Junction):
        together = all if node.kind == "&" else any
        return together(_holds(part, values) for part in node.parts)
    left, right = _number(node.left, values), _number(node.right, values)
    equal = abs(left - right) <= TOLERANCE
    if node.relation == "=":
        return equal
    return not equal and (left < right if node.relation == "<" else left > right)


class _Reader:
    """Reads one formula by recursive descent; `_at` is the character that comes next."""

    _SPACE = re.compile(r"\s*")
    _WORD = re.compile(r"\w+")
    _NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?(?!\w)")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._depth = 0

    def formula(self) -> Node:
        node = self._or()
        if not self._ended():
            self._refuse_rest()
        return node

    # ---- criteria

    def _or(self) -> Node:
        return self._junction("|", self._and)

    def _and(self) -> Node:
        return self._junction("&", self._comparison)

    def _junction(self, sign: Literal["&", "|"], part: Callable[[], Node]) -> Node:
        start = self._skip()
        first = part()
        if self._peek() != sign:
            return first
        parts = [self._truth(first, start)]
        while self._take(sign):
            start = self._skip()
            parts.append(self._truth(part(), start))
        return Junction(sign, tuple(parts))

    def _comparison(self) -> Node:
        start = self._skip()
        left = self._sum()
        relation = self._peek()
        if relation not in ("<", ">", "="):
            return left
        at = self._at
        self._at += 1
        if self._text[self._at : self._at + 1] in ("=", ">", "<"):
            self._fail(at, f"there is no {self._text[at : at + 2]!r}", hint="Comparisons are <, > and =.")
        number = self._numeric(left, start)
        start = self._skip()
        right = self._numeric(self._sum(), start)
        if self._peek() in ("<", ">", "="):
            self._fail(self._at, "a comparison has two sides", hint="Write a < b & b < c.")
        if relation == "<":
            return Comparison("<", number, right)
        return Comparison(">" if relation == ">" else "=", number, right)

    # ---- numbers

    def _sum(self) -> Node:
        self._take("+")
        start = self._skip()
        if self._take("-"):
            inner = self._skip()
            first: Node = Negation(self._numeric(self._product(), inner))
        else:
            first = self._product()
        if self._peek() not in ("+", "-"):
            return first
        parts = [self._numeric(first, start)]
        while (sign := self._peek()) in ("+", "-"):
            self._at += 1
            start = self._skip()
            part = self._numeric(self._product(), start)
            parts.append(Negation(part) if sign == "-" else part)
        return Sum(tuple(parts))

    def _product(self) -> Node:
        start = self._skip()
        number = self._NUMBER.match(self._text, start)
        if number is None:
            return self._atom()
        self._at = number.end()
        weight = Fraction(number.group())
        if self._take("/"):
            at = self._skip()
            divisor = self._NUMBER.match(self._text, at)
            if divisor is None:
                self._fail(at, "a weight is divided by a number, as in 1/2 a")
            if not Fraction(divisor.group()):
                self._fail(at, "a weight cannot be divided by 0")
            weight /= Fraction(divisor.group())
            self._at = divisor.end()
        if not self._take("*") and not self._atom_follows():
            return Number(weight)
        start = self._skip()
        if self._NUMBER.match(self._text, start):
            self._fail(start, "a weight stands before a condition, and this is another number")
        return Scaled(weight, self._numeric(self._atom(), start))

    def _atom_follows(self) -> bool:
        following = self._peek()
        return following in ("(", "[", "%") or self._WORD.match(self._text, self._at) is not None

    def _atom(self) -> Node:
        start = self._skip()
        opening = self._peek()
        if opening == "(" and (place := self._suite_place()) is not None:
            return self._suite_operand(start, place)
        if opening in ("(", "["):
            return self._brackets(start)
        if opening == "%" or self._WORD.match(self._text, start):
            condition = self._name("a condition")
            place = self._place() if self._take("@") else CRITICAL_PLACE
            return Operand(condition, place, start)
        return self._fail(start, "a condition is missing here" if self._ended() else f"{opening!r} has no place here")

    def _brackets(self, start: int) -> Node:
        closing = ")" if self._text[start] == "(" else "]"
        self._depth += 1
        if self._depth > _MOST_BRACKETS:
            self._fail(start, f"more than {_MOST_BRACKETS} brackets inside one another")
        self._at += 1
        node = self._or()
        if not self._take(closing):
            if self._ended():
                self._fail(start, f"this {self._text[start]!r} is never closed")
            self._refuse_rest(f"the bracket of character {start + 1} needs {closing!r} here")
        self._depth -= 1
        return node

    def _suite_place(self) -> Place | None:
        """The place in ``(place;``, read up to the semicolon; None, and nothing read, where this is another bracket."""
        here = self._at
        if self._text.find(";", here) < 0:
            return None
        self._at += 1
        try:
            place = self._place()
        except FormulaError:
            self._at = here
            return None
        if self._take(";"):
            return place
        self._at = here
        return None

    def _suite_operand(self, start: int, place: Place) -> Operand:
        if self._peek() != "%":
            self._fail(self._at, "the condition stands between per cent signs, as in (6;%name%)")
        condition = self._name("a condition")
        if not self._take(")"):
            self._fail(self._at, f"the bracket of character {start + 1} needs ')' here")
        return Operand(condition, place, start)

    def _place(self) -> Place:
        start = self._skip()
        if self._take("*"):
            return SENTENCE_PLACE
        for word in ("next", "from"):
            if not (self._text.startswith(word, start) and self._text[start + 4 :].lstrip().startswith("(")):
                continue
            self._depth += 1
            if self._depth > _MOST_BRACKETS:
                self._fail(start, f"more than {_MOST_BRACKETS} brackets inside one another")
            self._at = start + 4
            self._take("(")
            inner = self._place()
            if not self._take(")"):
                self._fail(self._at, f"{word}( needs ')' here")
            self._depth -= 1
            if inner.name in ("sentence", "punctuation") or inner.onwards:
                self._fail(start, f"nothing comes after the {'last region' if inner.onwards else inner.name}")
            return Place(inner.name, inner.steps + (word == "next"), onwards=word == "from")
        return Place(self._name("a region"))

    def _name(self, what: str) -> str:
        start = self._skip()
        if self._peek() == "%":
            end = self._text.find("%", start + 1)
            if end < 0:
                self._fail(start, "this % is never closed")
            name = " ".join(self._text[start + 1 : end].split())
            if not name:
                self._fail(start, "there is no name between the per cent signs")
            self._at = end + 1
            return name
        word = self._WORD.match(self._text, start)
        if word is None:
            self._fail(start, f"{what} is missing here")
        self._at = word.end()
        return word.group()

    # ---- characters

    def _skip(self) -> int:
        space = self._SPACE.match(self._text, self._at)
        assert space is not None  # it matches nothing at all, too
        self._at = space.end()
        return self._at

    def _peek(self) -> str:
        self._skip()
        return self._text[self._at : self._at + 1]

    def _take(self, sign: str) -> bool:
        if self._peek() != sign:
            return False
        self._at += 1
        return True

    def _ended(self) -> bool:
        return not self._peek()

    def _truth(self, node: Node, at: int) -> Truth:
        if isinstance(node, Comparison | Junction):
            return node
        return self._fail(at, "this is a number; & and | stand between comparisons")

    def _numeric(self, node: Node, at: int) -> Numeric:
        if isinstance(node, Comparison | Junction):
            return self._fail(at, "this is true or false; a number is needed here")
        return node

    def _refuse_rest(self, otherwise: str = "") -> None:
        here = self._text[self._at]
        if here in "−–—":
            self._fail(self._at, f"{here!r} is no minus sign", hint="Write - (the hyphen of the keyboard).")
        if here in "≤≥≠":
            self._fail(self._at, f"there is no {here!r}", hint="Comparisons are <, > and =.")
        if here == "*":
            self._fail(self._at, "a weight stands before what it multiplies, as in 1/2 * a")
        self._fail(
            self._at,
            otherwise or f"{here!r} has no place here",
            hint="Names with other characters than letters, digits and _ stand between per cent signs: %what-gap%@object.",
        )

    def _fail(self, at: int, what: str, *, hint: str = "") -> NoReturn:
        raise FormulaError(self._text, at, what, hint=hint)


def _or_equal(node: Truth) -> Truth:
    if isinstance(node, Junction):
        return replace(node, parts=tuple(_or_equal(part) for part in node.parts))
    return node if node.relation == "=" else Junction("|", (node, replace(node, relation="=")))


def _turned(node: Truth) -> Truth:
    if isinstance(node, Junction):
        return Junction(node.kind, tuple(_turned(part) for part in node.parts))
    relation: Mapping[Literal["<", ">", "="], Literal["<", ">", "="]] = {"<": ">", ">": "<", "=": "="}
    return Comparison(relation[node.relation], _negated_numbers(node.left), _negated_numbers(node.right))


def _negated_numbers(node: Numeric) -> Numeric:
    """Measures stay, since they have the other sign already; a constant gets it."""
    match node:
        case Operand():
            return node
        case Number(value=value):
            return Negation(node) if value else node
        case Negation(part=Number() as number):
            return number
        case Scaled(weight=weight, part=part):
            return Scaled(weight, _negated_numbers(part))
        case Negation(part=part):
            return Negation(_negated_numbers(part))
        case Sum(parts=parts):
            return Sum(tuple(_negated_numbers(part) for part in parts))


def _renamed(node: Node, conditions: Mapping[str, str], places: Mapping[str, str]) -> Node:
    def again(part: Numeric) -> Numeric:
        made = _renamed(part, conditions, places)
        assert not isinstance(made, Comparison | Junction)
        return made

    match node:
        case Operand(condition=condition, place=place, at=at):
            where = replace(place, name=places.get(place.name, place.name))
            return Operand(conditions.get(condition, condition), where, at)
        case Number():
            return node
        case Scaled(weight=weight, part=part):
            return Scaled(weight, again(part))
        case Negation(part=part):
            return Negation(again(part))
        case Sum(parts=parts):
            return Sum(tuple(again(part) for part in parts))
        case Comparison(relation=relation, left=left, right=right):
            return Comparison(relation, again(left), again(right))
        case Junction(kind=kind, parts=truths):
            made = tuple(_renamed(truth, conditions, places) for truth in truths)
            return Junction(kind, tuple(part for part in made if isinstance(part, Comparison | Junction)))
