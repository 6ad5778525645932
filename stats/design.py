"""From a formula and a table to numeric columns, the ones R's ``model.matrix`` makes.

A factor in a term is coded by contrasts where an earlier term holds the rest of that term, and by one column per level where none
does; without an intercept the first factor gets one column per level (R's rule; Chambers & Hastie 1992). So a model whose
interaction lacks its margins has all the columns that it has in R.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray

from gapsmith.stats.lmm import RandomTerm
from gapsmith.stats.model_formula import Bars, Expression, ModelFormula, ModelFormulaError, Terms, quoted, split_bars


class Frame(Protocol):
    """Columns by name, all of one length: a mapping of lists, or a pandas table."""

    def __getitem__(self, name: str, /) -> Any:
        """The values of a column."""

    def __contains__(self, name: object, /) -> bool:
        """Whether there is such a column."""

    def __iter__(self) -> Iterator[Any]:
        """The names of the columns."""


Coding = Literal["sum", "treatment"]
"""How the levels of a factor become columns. ``sum``: each level but the last against the mean of all levels (1 for the level,
-1 for the last). ``treatment``: each level but the first against the first (1 for the level)."""

DoubleBar = Literal["contrasts", "split"]
"""What ``(x || g)`` is where x is a factor. ``contrasts``: each column of its coding varies by itself, uncorrelated with all others.
``split``: lme4's reading; terms are uncorrelated, the levels of a factor are not."""

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Variable:
    """A variable with its values: numbers, or codes of levels."""

    text: str
    values: Array
    levels: tuple[str, ...] = ()
    """Empty for numbers."""
    coding: Coding = "treatment"


@dataclass(frozen=True, slots=True)
class _Table:
    """The columns that a formula names, and which of their rows are complete."""

    columns: Mapping[str, list[Any]]
    rows: list[int]

    def used(self, name: str) -> list[Any]:
        """The values of a column in the complete rows."""
        return [self.columns[name][row] for row in self.rows]


@dataclass(frozen=True, slots=True)
class ModelMatrices:
    """What a model is fitted to."""

    response: Array
    """Shape (n,); for counts (n, 2): successes and failures."""
    fixed: Array
    """Shape (n, p)."""
    fixed_names: tuple[str, ...]
    random: tuple[RandomTerm, ...]
    rows: tuple[int, ...]
    """The rows of the table that are complete, and so used."""
    n_undefined: int
    """Rows left out because a value in them is missing."""
    expanded: str
    """The formula with each random term by itself and a single bar."""
    sum_levels: Mapping[str, tuple[str, ...]]
    """The levels of each sum-coded factor among the fixed terms; the last has no column, its effect is minus the sum of the
    others'."""


def build_design(
    formula: ModelFormula,
    frame: Frame,
    *,
    coding: Coding | Mapping[str, Coding] = "sum",
    levels: Mapping[str, Sequence[str]] | None = None,
    double_bar: DoubleBar = "contrasts",
) -> ModelMatrices:
    """The columns of a model. Rows with a missing value in a column that the formula names are left out and counted.

    `coding` holds for all factors, or by the name of the variable. `levels` orders the levels of a column; otherwise they stand
    in the order of a pandas category or in the order of sorting. Raises FormulaError for a column that is not there, a factor
    with one level, a level that `levels` lacks, or a transform that gives no finite number.
    """
    columns, length = _columns(formula, frame, levels)
    rows = [row for row in range(length) if not any(is_missing(values[row]) for values in columns.values())]
    if not rows:
        raise ModelFormulaError(f"no row has a value in every column of {formula.text!r} ({', '.join(columns)})")
    table = _Table(columns, rows)
    orders = {
        name: levels_of(frame[name] if name in frame else columns[name], table.used(name), (levels or {}).get(name), name)
        for name in columns
    }

    def variables(terms: Terms) -> dict[str, _Variable]:
        return {text: _variable(expression, table, orders, coding) for text, expression in terms.variables.items()}

    fixed_variables = variables(formula.fixed)
    fixed_names, fixed = build_columns(formula.fixed, fixed_variables, len(rows))
    random = []
    for bars in formula.random:
        keys: tuple[Hashable, ...] = tuple(zip(*(map(str, table.used(name)) for name in bars.group), strict=True))
        random += [term for part in _parts(bars, double_bar) for term in _random(part, variables, len(rows), keys, double_bar)]
    random_part = " + ".join(term.written for term in random)
    return ModelMatrices(
        response=_response(formula.response, table),
        fixed=fixed,
        fixed_names=tuple(fixed_names),
        random=tuple(random),
        rows=tuple(rows),
        n_undefined=length - len(rows),
        expanded=f"{formula.written_fixed} + {random_part}" if random else formula.text,
        sum_levels={text: v.levels for text, v in fixed_variables.items() if v.levels and v.coding == "sum"},
    )


def _parts(bars: Bars, double_bar: DoubleBar) -> Iterable[Bars]:
    return split_bars(bars) if bars.double and double_bar == "split" else (bars,)


def _random(
    bars: Bars,
    variables: Callable[[Terms], dict[str, _Variable]],
    n: int,
    keys: tuple[Hashable, ...],
    double_bar: DoubleBar,
) -> Iterator[RandomTerm]:
    """The random term of single bars, or one for each column of double ones."""
    names, terms, matrix = _build(bars.terms, variables(bars.terms), n)
    group = ":".join(map(quoted, bars.group))
    if bars.double and double_bar == "contrasts":
        for position, (name, term) in enumerate(zip(names, terms, strict=True)):
            written = "1" if not term else f"0 + {_as_product(name, term)}"
            own = matrix[:, [position]]
            yield RandomTerm(bars.name, keys, (name,), own, f"({written} | {group})", term)
        return
    written = " + ".join(["1" if bars.terms.intercept else "0", *(":".join(map(_as_written, term)) for term in bars.terms.terms)])
    alone = bars.terms.terms[0] if len(bars.terms.terms) == 1 and not bars.terms.intercept else ()
    yield RandomTerm(bars.name, keys, tuple(names), matrix, f"({written} | {group})", alone)


def _as_product(name: str, term: Sequence[str]) -> str:
    """A column of a term as a formula writes it: a product of numbers and coded columns, these between backticks."""
    if len(term) == 1:
        return _as_written(name) if name == term[0] else f"`{name}`"
    parts, left = [], name
    for number, variable in enumerate(term):
        # A level may have any character in it, so the next variable says where this one ends.
        following = term[number + 1] if number + 1 < len(term) else None
        at = left.find(f":{following}", len(variable)) if following is not None else len(left)
        own = left[:at]
        parts.append(_as_written(own) if own == variable else f"`{own}`")
        left = left[at + 1 :]
    return ":".join(parts)


def _as_written(text: str) -> str:
    """A variable as a formula writes it: calls as they are, names between backticks where they need them."""
    return text if text.endswith(")") else quoted(text)


@dataclass(frozen=True, slots=True)
class CodedColumn:
    """A column of a factor's coding, named as coefficients are: ``filler[who]``, ``filler[who vs that]``, ``filler[=who]``."""

    name: str
    factor: str
    """The column of the table that it is made of."""
    level: str
    """Where it is 1."""
    against: str | None
    """Where it is -1, or, of a treatment, what 0 stands for; None where it is 0 everywhere else."""
    sum_coded: bool

    def value(self, given: Any) -> float | None:
        """Its number for a level; None for a missing one."""
        if is_missing(given):
            return None
        return 1.0 if str(given) == self.level else -1.0 if self.sum_coded and str(given) == self.against else 0.0


_CODED = re.compile(r"(?:(?:C|factor)\((?P<inner>[^,()]+).*\)|(?P<plain>.+?))\[(?P<only>=)?(?P<level>.+)\]")


def coded_column(name: str, frame: Frame, levels: Mapping[str, Sequence[str]] | None = None) -> CodedColumn | None:
    """The column of a factor's coding that is called so; None for a column of the table, and for what is neither."""
    found = None if name in frame else _CODED.fullmatch(name)
    if found is None:
        return None
    factor = (found["inner"] or found["plain"]).strip()
    if factor not in frame:
        return None
    values = [value for value in frame[factor] if not is_missing(value)]
    order = levels_of(frame[factor], values, (levels or {}).get(factor), factor)
    level, treated, _ = found["level"].rpartition(f" vs {order[0]}")
    if treated and level in order:
        return CodedColumn(name, factor, level, order[0], sum_coded=False)
    if found["level"] not in order:
        return None
    return CodedColumn(name, factor, found["level"], None if found["only"] else order[-1], sum_coded=not found["only"])


def _columns(formula: ModelFormula, frame: Frame, asked: Mapping[str, Sequence[str]] | None) -> tuple[dict[str, list[Any]], int]:
    """The columns that the formula names."""
    names = formula.columns()
    coded = {name: own for name in names if (own := coded_column(name, frame, asked)) is not None}
    absent = [name for name in names if name not in frame and name not in coded]
    if absent:
        raise ModelFormulaError(f"no column {absent[0]!r}; there are {', '.join(str(name) for name in frame)}")
    columns = {
        name: [coded[name].value(given) for given in frame[coded[name].factor]] if name in coded else list(frame[name])
        for name in names
    }
    lengths = {len(values) for values in columns.values()}
    if len(lengths) > 1:
        raise ModelFormulaError(f"the columns {', '.join(names)} are not of one length")
    return columns, lengths.pop()


def is_missing(value: Any) -> bool:
    """Whether a cell of a table has no value."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return True
    return isinstance(value, float | np.floating) and math.isnan(value)


def is_number(value: Any) -> bool:
    """Whether a cell is a number, which a truth value is not."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool | np.bool_)


def levels_of(column: Any, values: Sequence[Any], asked: Sequence[str] | None, name: str) -> tuple[str, ...]:
    """The levels that occur in `values`, in the order asked for, of the category, or of sorting; as text."""
    present = set(values)
    if asked is not None:
        unknown = sorted({str(value) for value in present} - {str(level) for level in asked})
        if unknown:
            raise ModelFormulaError(f"{name} has the level {unknown[0]!r}, which is none of {', '.join(map(str, asked))}")
        texts = {str(value) for value in present}
        return tuple(str(level) for level in asked if str(level) in texts)
    categories = getattr(getattr(column, "cat", None), "categories", None)
    if categories is not None:
        return tuple(str(level) for level in categories if level in present)
    if all(is_number(value) for value in present) or all(isinstance(value, bool | np.bool_) for value in present):
        return tuple(str(value) for value in sorted(present))
    return tuple(sorted({str(value) for value in present}))


def _variable(
    expression: Expression,
    table: _Table,
    orders: Mapping[str, tuple[str, ...]],
    coding: Coding | Mapping[str, Coding],
) -> _Variable:
    """A variable of the formula with its values."""
    as_factor = expression.kind == "call" and expression.value in {"C", "factor"}
    name = expression.value if expression.kind == "name" else expression.parts[0].text if as_factor else None
    if as_factor and expression.parts[0].kind != "name":
        raise ModelFormulaError(f"{expression.text}: only a column can be made a factor")
    if name is None or (not as_factor and all(is_number(value) for value in table.used(name))):
        return _Variable(expression.text, _numbers(expression, table))
    levels = orders[name]
    if len(levels) < 2:
        raise ModelFormulaError(f"the factor {name} has one level only ({levels[0]}); leave it out")
    chosen = coding if isinstance(coding, str) else coding.get(expression.text, coding.get(name, "sum"))
    if as_factor and expression.value == "C" and len(expression.parts) > 1:
        chosen = cast("Coding", expression.parts[1].text)
    if chosen not in get_args(Coding) or len(expression.parts) > 2:
        raise ModelFormulaError(f"{expression.text}: the coding {chosen!r} is none of {', '.join(get_args(Coding))}")
    index = {level: position for position, level in enumerate(levels)}
    codes = np.array([index[str(value)] for value in table.used(name)], dtype=np.float64)
    return _Variable(expression.text, codes, levels, chosen)


_ARITHMETIC: Mapping[str, Callable[[Array, Array], Array]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
}
_TRANSFORMS: Mapping[str, Callable[[Array], Array]] = {
    "I": lambda x: x,
    "log": np.log,
    "log2": np.log2,
    "log10": np.log10,
    "log1p": np.log1p,
    "exp": np.exp,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "center": lambda x: x - np.nanmean(x),
    "scale": lambda x: (x - np.nanmean(x)) / np.nanstd(x, ddof=1),
}


def _numbers(expression: Expression, table: _Table) -> Array:
    """The values of an arithmetic expression in the complete rows.

    It is computed over all rows, so that a mean that is taken off is that of the whole column, as in R. Raises FormulaError for
    words, and where a result is not finite.
    """
    with np.errstate(all="ignore"):
        everywhere = np.broadcast_to(_evaluate(expression, table), len(next(iter(table.columns.values()))))
    values = everywhere[table.rows].astype(np.float64)
    if not np.isfinite(values).all():
        position = int(np.flatnonzero(~np.isfinite(values))[0])
        from_values = ", ".join(f"{name} is {table.used(name)[position]}" for name in dict.fromkeys(expression.names()))
        raise ModelFormulaError(f"{expression.text} is {values[position]} where {from_values}")
    return values


def _evaluate(expression: Expression, table: _Table) -> Array:
    if expression.kind == "number":
        return np.array(float(expression.value))
    if expression.kind == "name":
        column = table.columns[expression.value]
        wrong = next((value for value in column if not (is_number(value) or is_missing(value))), None)
        if wrong is not None:
            raise ModelFormulaError(f"{expression.value} is no number ({wrong!r}), so it cannot be computed with")
        return np.array([math.nan if is_missing(value) else value for value in column], dtype=np.float64)
    parts = [_evaluate(part, table) for part in expression.parts]
    if expression.kind == "operator":
        if expression.value not in _ARITHMETIC:
            raise ModelFormulaError(f"{expression.text!r}: {expression.value!r} is no arithmetic")
        return -parts[0] if len(parts) == 1 else _ARITHMETIC[expression.value](parts[0], parts[1])
    if expression.value not in _TRANSFORMS:
        raise ModelFormulaError(f"{expression.text} has no numeric value here")
    if expression.value == "log" and len(parts) == 2:
        return np.asarray(np.log(parts[0]) / np.log(parts[1]))
    if len(parts) != 1:
        raise ModelFormulaError(f"{expression.text}: {expression.value}() takes one argument")
    return _TRANSFORMS[expression.value](parts[0])


def _response(expression: Expression, table: _Table) -> Array:
    """The response: numbers, or two columns of counts."""
    if expression.kind == "call" and expression.value == "cbind":
        if len(expression.parts) != 2:
            raise ModelFormulaError(f"{expression.text}: a response of counts is cbind(successes, failures)")
        return np.column_stack([_numbers(part, table) for part in expression.parts])
    if expression.kind == "name" and all(isinstance(value, bool | np.bool_) for value in table.used(expression.value)):
        return np.array([float(value) for value in table.used(expression.value)])
    return _numbers(expression, table)


def build_columns(terms: Terms, variables: Mapping[str, _Variable], n: int) -> tuple[list[str], Array]:
    """The columns of the terms, shape (n, columns), and their names."""
    names, _, columns = _build(terms, variables, n)
    return names, columns


def _build(terms: Terms, variables: Mapping[str, _Variable], n: int) -> tuple[list[str], list[tuple[str, ...]], Array]:
    """The columns of the terms, their names, and the term that each belongs to, none for the intercept."""
    names: list[str] = []
    columns: list[Array] = []
    of: list[tuple[str, ...]] = []
    if terms.intercept:
        names.append("(Intercept)")
        of.append(())
        columns.append(np.ones(n))
    full = _fully_coded(terms, variables)
    for position, term in enumerate(terms.terms):
        parts = [("", np.ones(n))]
        for name in term:
            coded = _coded(variables[name], full=(position, name) in full)
            # The first variable of a term varies fastest.
            parts = [(f"{before}:{text}" if before else text, left * right) for text, right in coded for before, left in parts]
        names += [text for text, _ in parts]
        columns += [values for _, values in parts]
        of += [term] * len(parts)
    return names, of, np.column_stack(columns) if columns else np.zeros((n, 0))


def _fully_coded(terms: Terms, variables: Mapping[str, _Variable]) -> set[tuple[int, str]]:
    """The factors, by term, that get one column per level."""
    found = set()
    for position, term in enumerate(terms.terms):
        for name in term:
            rest = set(term) - {name}
            if variables[name].levels and rest and not any(rest <= set(earlier) for earlier in terms.terms[:position]):
                found.add((position, name))
    if not terms.intercept:
        factors = ((position, name) for position, term in enumerate(terms.terms) for name in term if variables[name].levels)
        found |= {first for first in [next(factors, None)] if first is not None}
    return found


def _coded(variable: _Variable, *, full: bool) -> list[tuple[str, Array]]:
    """The columns of one variable, with their names."""
    if not variable.levels:
        return [(variable.text, variable.values)]
    is_level = [(variable.values == position).astype(np.float64) for position in range(len(variable.levels))]
    if full:
        return [(f"{variable.text}[={level}]", column) for level, column in zip(variable.levels, is_level, strict=True)]
    if variable.coding == "sum":
        return [
            (f"{variable.text}[{level}]", column - is_level[-1])
            for level, column in zip(variable.levels[:-1], is_level[:-1], strict=True)
        ]
    return [
        (f"{variable.text}[{level} vs {variable.levels[0]}]", column)
        for level, column in zip(variable.levels[1:], is_level[1:], strict=True)
    ]
