"""Model formulas in R's notation: what is written becomes terms, in R's order.

``response ~ fixed terms + (terms | group)``. Between terms ``+ - : * / ^ %in%`` are R's operators (Wilkinson & Rogers 1973);
inside a function's parentheses they are arithmetic. ``1``, ``0`` and ``-1`` set the intercept. In ``(x || g)`` nothing is
correlated (`gapsmith.stats.design` says what that is for a factor); a group may be ``a:b`` or ``a/b``. Names with other characters stand
between backticks.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import reduce

FUNCTIONS = ("I", "log", "log2", "log10", "log1p", "exp", "sqrt", "abs", "scale", "center", "C", "factor", "cbind")
"""The functions a formula may call; what they do is in `gapsmith.stats.design`."""


class ModelFormulaError(ValueError):
    """A formula that cannot be read, or names something that is not there."""


@dataclass(frozen=True, slots=True)
class Expression:
    """A name, a number or a call, as written: `text` is its canonical spelling."""

    kind: str
    """``name``, ``number``, ``call`` (`value` is the function) or an operator."""
    value: str
    parts: tuple[Expression, ...] = ()

    @property
    def text(self) -> str:
        """The expression in one spelling, so that equal expressions are one variable."""
        if self.kind in {"name", "number"}:
            return self.value
        if self.kind == "call":
            return f"{self.value}({', '.join(part.text for part in self.parts)})"
        if len(self.parts) == 1:
            return f"-{_wrapped(self.parts[0])}"
        return f" {self.value} ".join(_wrapped(part) for part in self.parts)

    def names(self) -> Iterator[str]:
        """The columns it is computed from."""
        if self.kind == "name":
            yield self.value
        parts = self.parts[:1] if self.kind == "call" and self.value == "C" else self.parts
        for part in parts:
            yield from part.names()


def _wrapped(part: Expression) -> str:
    return f"({part.text})" if part.kind == "operator" else part.text


@dataclass(frozen=True, slots=True)
class Terms:
    """The terms of one side of a formula: R's ``terms`` object."""

    intercept: bool
    terms: tuple[tuple[str, ...], ...]
    """By degree, then as written; the variables of a term in the order in which the formula first names them."""
    variables: dict[str, Expression]
    """By their text, in the order in which they are first named."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A random term: the terms whose coefficients vary, and the columns whose combinations are the levels."""

    terms: Terms
    group: tuple[str, ...]
    double: bool = False
    """Whether it is written with ``||``: nothing that varies is correlated."""

    @property
    def name(self) -> str:
        """The grouping factor as written, ``item`` or ``item:word``."""
        return ":".join(self.group)


@dataclass(frozen=True, slots=True)
class ModelFormula:
    """A formula that was read."""

    text: str
    response: Expression
    fixed: Terms
    random: tuple[Bars, ...]
    written_fixed: str
    """The response and the fixed terms as they are written."""

    def columns(self) -> tuple[str, ...]:
        """Every column of the data that it needs, in the order of their first use."""
        sides = [self.fixed, *(bars.terms for bars in self.random)]
        used = [self.response, *(expression for side in sides for expression in side.variables.values())]
        names = [name for expression in used for name in expression.names()]
        return tuple(dict.fromkeys([*names, *(name for bars in self.random for name in bars.group)]))


_TOKEN = re.compile(
    r"\s*(?:(?P<number>\d+\.?\d*(?:[eE][-+]?\d+)?)|`(?P<quoted>[^`]+)`|(?P<name>[^\W\d_]\w*(?:\.\w+)*)"
    r"|(?P<operator>\|\||\*\*|%in%|[-+*/^:~|(),]))"
)
_BINDING = {"+": 1, "-": 1, "*": 2, "/": 2, "%in%": 3, ":": 4, "^": 6}
_MOST_PARENTHESES = 100
"""More than any model needs, and few enough for Python to read one inside the other."""
_UNARY = 5
"""R binds a unary minus tighter than a colon and looser than a power."""


class _Reader:
    """Reads a formula token by token."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = list(_tokens(text))
        self.position = 0

    def peek(self) -> str:
        """The next operator, or the kind of the next token; ``end`` after the last."""
        if self.position == len(self.tokens):
            return "end"
        kind, value = self.tokens[self.position]
        return value if kind == "operator" else kind

    def take(self) -> tuple[str, str]:
        self.position += 1
        return self.tokens[self.position - 1]

    def expect(self, wanted: str) -> None:
        if self.peek() != wanted:
            self.fail(f"{wanted!r} is missing")
        self.position += 1

    def fail(self, what: str) -> None:
        where = "at its end" if self.peek() == "end" else f"before {self.tokens[self.position][1]!r}"
        raise ModelFormulaError(f"the formula {self.text!r} cannot be read: {what} {where}")

    def expression(self, least: int = 0) -> Expression:
        """A run of operators that bind at least as tightly as `least`."""
        left = self._unary()
        while (operator := {"**": "^"}.get(self.peek(), self.peek())) in _BINDING and _BINDING[operator] > least:
            self.position += 1
            # A power binds to the right, everything else to the left.
            right = self.expression(_BINDING[operator] - (operator == "^"))
            left = Expression("operator", ":" if operator == "%in%" else operator, (left, right))
        return left

    def _unary(self) -> Expression:
        if self.peek() == "-":
            self.position += 1
            return Expression("operator", "-", (self.expression(_UNARY),))
        if self.peek() == "+":
            self.position += 1
            return self.expression(_UNARY)
        return self._primary()

    def _primary(self) -> Expression:
        next_kind = self.peek()
        if next_kind == "(":
            self.position += 1
            inner = self.expression()
            if self.peek() in {"|", "||"}:
                bar = self.take()[1]
                inner = Expression("bars", bar, (inner, self.expression()))
            self.expect(")")
            return inner
        if next_kind == "number":
            return Expression("number", self.take()[1])
        if next_kind not in {"name", "quoted"}:
            self.fail("a name is missing")
        kind, name = self.take()
        if kind == "name" and self.peek() == "(":
            return self._call(name)
        return Expression("name", name)

    def _call(self, function: str) -> Expression:
        if function not in FUNCTIONS:
            raise ModelFormulaError(
                f"{function}() in {self.text!r} is none of the functions of a formula ({', '.join(FUNCTIONS)}); "
                "add a column with its values and name that"
            )
        self.expect("(")
        parts = [self.expression()]
        while self.peek() == ",":
            self.position += 1
            parts.append(self.expression())
        self.expect(")")
        return Expression("call", function, tuple(parts))


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    position = 0
    while text[position:].strip():
        found = _TOKEN.match(text, position)
        if found is None:
            raise ModelFormulaError(f"the formula {text!r} cannot be read from {text[position:].strip()[:20]!r} on")
        kind = str(found.lastgroup)
        yield kind, found.group(kind)
        position = found.end()


def parse_formula(text: str) -> ModelFormula:
    """Read a formula. Raises FormulaError saying what is wrong and where."""
    if text.count("(") > _MOST_PARENTHESES:
        raise ModelFormulaError(f"a formula with {text.count('('):,} parentheses is not read; {_MOST_PARENTHESES} are the most")
    reader = _Reader(text)
    response = reader.expression()
    reader.expect("~")
    right = reader.expression()
    if reader.peek() != "end":
        reader.fail("it ends too early")
    parts = list(_summands(right))
    bars = [(sign, part) for sign, part in parts if part.kind == "bars"]
    if any(sign < 0 for sign, _ in bars):
        raise ModelFormulaError(f"a random term cannot be subtracted in {text!r}; leave it out")
    plain = [(sign, part) for sign, part in parts if part.kind != "bars"]
    random = tuple(term for _, part in bars for term in _random(part))
    _check_repeated(random)
    return ModelFormula(text, response, _terms(plain), random, _without_bars(text))


def _without_bars(text: str) -> str:
    """A formula that can be read, without its random terms: each is added, with its own parentheses."""
    starts: list[int] = []
    spans: list[tuple[int, int]] = []
    inside_quotes = False
    for position, sign in enumerate(text):
        inside_quotes ^= sign == "`"
        if inside_quotes:
            continue
        if sign == "(":
            starts.append(position)
        elif sign == ")":
            start = starts.pop()
            if "|" in text[start:position] and not any(a <= start and position <= b for a, b in spans):
                spans.append((start, position + 1))
    for start, end in reversed(spans):
        before, after = text[:start].rstrip(), text[end:].strip()
        joined = before[:-1].rstrip() if before.endswith("+") else before
        text = f"{joined} {after}".strip() if not joined.endswith("~") else f"{joined} {after.removeprefix('+').strip() or '1'}"
    return text.strip()


def _check_repeated(random: Iterable[Bars]) -> None:
    """No coefficient varies by one grouping factor in two terms: nothing could tell its two variances apart."""
    seen: set[tuple[frozenset[str], tuple[str, ...]]] = set()
    for bars in random:
        for term in (*([()] if bars.terms.intercept else []), *bars.terms.terms):
            key = (frozenset(bars.group), term)
            if key in seen:
                what = ":".join(term) or "the intercept"
                raise ModelFormulaError(
                    f"{what} varies by {bars.name} in two random terms; write (0 + … | {bars.name}) in one of them"
                )
            seen.add(key)


def _summands(node: Expression, sign: int = 1) -> Iterator[tuple[int, Expression]]:
    """What is added and subtracted at the top."""
    if node.kind == "operator" and node.value in "+-":
        if len(node.parts) == 2:
            yield from _summands(node.parts[0], sign)
        yield from _summands(node.parts[-1], -sign if node.value == "-" else sign)
    else:
        yield sign, node


def _terms(parts: Iterable[tuple[int, Expression]]) -> Terms:
    """R's terms of a sum."""
    variables: dict[str, Expression] = {}
    intercept = True
    found: dict[frozenset[str], None] = {}
    for sign, part in parts:
        if part.kind == "number":
            if part.value not in {"0", "1"}:
                raise ModelFormulaError(f"the number {part.value} is no term: only 0 and 1 stand alone, for the intercept")
            intercept = (part.value == "1") == (sign > 0)
            continue
        for term in _expand(part, variables):
            if not term:
                intercept = sign > 0
            elif sign > 0:
                found.setdefault(term)
            else:
                found.pop(term, None)
    order = {name: position for position, name in enumerate(variables)}
    terms = sorted((tuple(sorted(term, key=order.__getitem__)) for term in found), key=len)
    used = {name for term in terms for name in term}
    return Terms(intercept, tuple(terms), {name: expression for name, expression in variables.items() if name in used})


def _expand(node: Expression, variables: dict[str, Expression]) -> list[frozenset[str]]:
    """The terms that an expression stands for, each a set of variables; new variables are added to `variables`."""
    if node.kind in {"name", "call"}:
        variables.setdefault(node.text, node)
        return [frozenset([node.text])]
    if node.kind == "number" and node.value == "1":
        return [frozenset()]
    if node.kind == "operator" and len(node.parts) == 2:
        left = _expand(node.parts[0], variables)
        if node.value == "^":
            return _power(left, node.parts[1])
        right = _expand(node.parts[1], variables)
        combine: dict[str, Callable[[], list[frozenset[str]]]] = {
            "+": lambda: left + right,
            "-": lambda: [term for term in left if term not in right],
            ":": lambda: _product(left, right),
            "*": lambda: left + right + _product(left, right),
            "/": lambda: left + _product([frozenset().union(*left)], right),
        }
        return _once(combine[node.value]())
    if node.kind == "bars":
        raise ModelFormulaError(f"a random term stands alone, as in '+ (1 | item)', not inside {node.text!r}")
    raise ModelFormulaError(f"{node.text!r} is no term of a model; arithmetic goes inside I(), as in I({node.text})")


def _once(terms: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    return list(dict.fromkeys(terms))


def _product(left: Iterable[frozenset[str]], right: Iterable[frozenset[str]]) -> list[frozenset[str]]:
    second = list(right)
    return _once(first | other for first in left for other in second)


def _power(terms: list[frozenset[str]], exponent: Expression) -> list[frozenset[str]]:
    """All products of up to that many of the terms."""
    if exponent.kind != "number" or not exponent.value.isdigit() or not 1 <= int(exponent.value) <= 9:
        raise ModelFormulaError(f"the power {exponent.text!r} must be a whole number from 1 to 9; arithmetic goes inside I()")
    return reduce(lambda so_far, _: _once([*so_far, *_product(so_far, terms)]), range(int(exponent.value) - 1), terms)


def _random(node: Expression) -> Iterator[Bars]:
    """The random terms that one pair of parentheses stands for."""
    left, right = node.parts
    terms = _terms(_summands(left))
    if not terms.intercept and not terms.terms:
        raise ModelFormulaError(f"nothing varies in the random term ({left.text} {node.value} {right.text})")
    for group in _groups(right):
        yield Bars(terms, group, double=node.value == "||")


def split_bars(bars: Bars) -> Iterator[Bars]:
    """The terms of ``(x || g)`` each by itself: ``(1 | g) + (0 + x | g)``, as lme4 reads it."""
    if bars.terms.intercept:
        yield Bars(Terms(True, (), {}), bars.group)
    for term in bars.terms.terms:
        yield Bars(Terms(False, (term,), {name: bars.terms.variables[name] for name in term}), bars.group)


def quoted(name: str) -> str:
    """A column's name as a formula writes it."""
    return name if name.replace("_", "").replace(".", "").isalnum() and name[0].isalpha() else f"`{name}`"


def _groups(node: Expression) -> list[tuple[str, ...]]:
    """The grouping factors: ``a:b`` is one, ``a/b`` is a and a:b."""
    if node.kind == "name":
        return [(node.value,)]
    if node.kind == "operator" and node.value in ":/" and len(node.parts) == 2:
        left, right = (_groups(part) for part in node.parts)
        if node.value == ":" and len(left) == len(right) == 1:
            return [tuple(dict.fromkeys(left[0] + right[0]))]
        if node.value == "/":
            return [*left, *(tuple(dict.fromkeys(left[-1] + nested)) for nested in right)]
    raise ModelFormulaError(f"the grouping factor {node.text!r} must be a column, a:b or a/b")
