"""The same mixed model for R: a script for lme4 and the data it reads, and the formula that a design calls for."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod
from typing import Any, Literal

import numpy as np

from gapsmith.stats.design import Coding, DoubleBar, Frame, build_design, coded_column, is_missing, is_number, levels_of
from gapsmith.stats.lmm import Family
from gapsmith.stats.model_formula import ModelFormula, ModelFormulaError, Terms, parse_formula, quoted

MISSING = "<NA>"
"""A missing value in the data. "NA" could be a word or an item."""

Structure = Literal["words", "slopes", "uncorrelated"]
"""What the items' effects are allowed to be: an intercept by item and by its critical word; a slope per factor; or a slope of every factor
and interaction that is not the residuals, without correlations."""


@dataclass(frozen=True, slots=True)
class RMaterial:
    """A model for R."""

    formula: str
    script: str
    """Reads `data_file` beside it; prints the summary, and writes ``coefficients.csv`` and ``fit.csv``."""
    data: str
    """CSV with the columns that the formula names, in UTF-8; a missing value is ``<NA>``."""
    data_file: str
    response: str = "value"
    """What is modelled, as the formula has it."""


def default_formula(
    frame: Frame,
    *,
    factors: Sequence[str],
    response: str = "surprisal",
    item: str | None = "item",
    word: str | None = "critical_word",
    slots: Sequence[str] = (),
    held: Sequence[str] = (),
    read: Mapping[str, str] | None = None,
    structure: Structure = "words",
) -> str:
    """The model that a factorial design over items calls for.

    All factors with their interactions. With ``words``, an intercept by item, and, where the critical word differs between the
    conditions of an item, one by item and word: conditions that are measured on one word share what is particular to it, and
    sentences measured on different words do not. With ``slopes``, an intercept and a slope of each factor by item, freely
    correlated; with ``uncorrelated``, a slope of every factor and interaction up to the highest order that leaves something to the
    residuals. `slots` are the columns of words that repeat over the items and are a sample (`gapsmith.stats.word_model`); each gets
    an intercept and a slope of every factor and interaction, uncorrelated, as in ``(a * b || slot)``: a contrast is then tested against
    how much it varies with the words, which an intercept per slot alone would not do. `held` are those whose words are fixed: each
    factor and interaction is crossed with them, so that, sum coded, an effect is the mean over these words.
    Without `item`, or where each has one row, items are no group. `read` names, for slots that some conditions only have before what
    is measured, the column of 1 and 0 that says where: its words have effects there alone.

    Raises FormulaError for a column that is not there, and where no grouping factor has several rows to a level.
    """
    named = [response, *factors, *([item] if item else []), *slots, *held, *([word] if word else [])]
    absent = [name for name in named if name not in frame]
    if absent:
        raise ModelFormulaError(f"no column {absent[0]!r}; there are {', '.join(str(name) for name in frame)}")
    if not factors:
        fixed = "1"
    else:
        fixed = " * ".join(map(quoted, factors))
    words_held = " + ".join(map(quoted, held))
    whole = (
        fixed if not held else words_held if not factors else f"{fixed} * {words_held if len(held) == 1 else f'({words_held})'}"
    )
    n = len(frame[response])
    items = [str(value) for value in frame[item]] if item else []
    random = []
    if item and structure == "slopes" and factors:
        random.append(f"({' + '.join(map(quoted, factors))} | {quoted(item)})")
    elif item and structure == "uncorrelated" and factors and (slopes := _slopes(frame, factors, len(set(items)), n)):
        random.append(f"({slopes} || {quoted(item)})")
    elif item and len(set(items)) < len(items):
        random.append(f"(1 | {quoted(item)})")
    if item and structure == "words" and word:
        both = set(zip(items, map(str, frame[word]), strict=True))
        if len(set(items)) < len(both) < len(items):
            random.append(f"(1 | {quoted(item)}:{quoted(word)})")
    for slot in slots:
        if read and slot in read:
            random += _where_read(frame, slot, read[slot], factors)
        elif 1 < len(set(map(str, frame[slot]))) < n:
            random.append(f"({fixed} || {quoted(slot)})" if factors else f"(1 | {quoted(slot)})")
    if not random:
        what = f"each level of {item} has one row" if item else "observations belong to several items"
        raise ModelFormulaError(f"{what}, and no slot repeats its words: there is nothing to group by")
    return f"{quoted(response)} ~ {' + '.join([whole, *random])}"


def _slopes(frame: Frame, factors: Sequence[str], n_items: int, n: int) -> str:
    """The factors with their interactions up to the highest order whose effects by item are fewer than the rows; empty where none are."""
    columns = [1 if all(is_number(value) for value in frame[name]) else len(set(map(str, frame[name]))) - 1 for name in factors]
    for order in range(len(factors), 0, -1):
        together = sum(prod(some) for size in range(order + 1) for some in combinations(columns, size))
        if together * n_items < n:
            named = [quoted(name) for name in factors]
            power = f"({' + '.join(named)})^{order}"
            return " * ".join(named) if order == len(factors) else " + ".join(named) if order == 1 else power
    return ""


def _where_read(frame: Frame, slot: str, column: str, factors: Sequence[str]) -> list[str]:
    """An intercept of a slot's words where they are read, and a slope of each factor that varies there, and of interactions."""
    rows = [position for position, found in enumerate(frame[column]) if found]
    if not 1 < len({str(frame[slot][position]) for position in rows}) < len(rows):
        return []
    varying = [name for name in factors if len({frame[name][position] for position in rows}) > 1]
    terms = [":".join(map(quoted, (column, *some))) for size in range(len(varying) + 1) for some in combinations(varying, size)]
    return [f"(0 + {' + '.join(terms)} || {quoted(slot)})"]


def export_r(
    formula: str,
    frame: Frame,
    *,
    coding: Coding = "sum",
    levels: Mapping[str, Sequence[str]] | None = None,
    family: Family = "gaussian",
    reml: bool = True,
    data_file: str = "data.csv",
    double_bar: DoubleBar = "contrasts",
) -> RMaterial:
    """What R needs to fit the model that `gapsmith.stats.fit_mixed` fits with the same arguments.

    The script names the levels of each factor in their order, sets the contrasts, and asks lme4's optimiser for a tighter end
    than its default, so that the estimates of both agree in about four digits. It needs R with lme4 and lmerTest. Raises what
    `gapsmith.stats.fit_mixed` raises for the formula and its columns, and FormulaError for a column that is a number and a factor.
    """
    parsed = parse_formula(formula)
    design = build_design(parsed, frame, coding=coding, levels=levels, double_bar=double_bar)
    if any(bars.double for bars in parsed.random):
        # R reads || in its own way, so what is fitted is written out.
        parsed = parse_formula(design.expanded)
    return RMaterial(
        formula=parsed.text,
        script=_script(parsed, frame, coding, levels or {}, family, reml, data_file),
        data=_csv(parsed, frame, levels or {}),
        data_file=data_file,
        response=parsed.response.text,
    )


def _csv(formula: ModelFormula, frame: Frame, levels: Mapping[str, Sequence[str]]) -> str:
    """The columns of the formula as CSV; numbers in full, words in quotation marks, so that no word reads as a missing value."""
    columns = tuple(
        dict.fromkeys(
            own.factor if (own := coded_column(name, frame, levels)) is not None else name for name in formula.columns()
        )
    )
    response = set(formula.response.names())
    lines = [",".join(map(_field, columns))]
    for row in zip(*(list(frame[name]) for name in columns), strict=True):
        lines.append(
            ",".join(
                _field(float(value) if name in response and isinstance(value, bool | np.bool_) else value)
                for name, value in zip(columns, row, strict=True)
            )
        )
    return "\n".join(lines) + "\n"


def _field(value: Any) -> str:
    if is_missing(value):
        return MISSING
    if is_number(value):
        return repr(float(value))
    text = str(value).replace('"', '""')
    return f'"{text}"'


def _script(
    formula: ModelFormula,
    frame: Frame,
    coding: Coding,
    levels: Mapping[str, Sequence[str]],
    family: Family,
    reml: bool,
    data_file: str,
) -> str:
    factors = _factors(formula, frame, levels)
    groups = list(dict.fromkeys(name for bars in formula.random for name in bars.group))
    lines = [
        "# A mixed model for R with lme4 and lmerTest:  Rscript model.R",
        "suppressPackageStartupMessages(library(lmerTest))",
        "",
        f'data <- read.csv({in_r(data_file)}, na.strings = "{MISSING}", check.names = FALSE, encoding = "UTF-8")',
    ]
    for name in groups:
        if name not in factors:
            lines.append(f"data[[{in_r(name)}]] <- factor(data[[{in_r(name)}]])")
    for name in factors:
        values = [value for value in frame[name] if not is_missing(value)]
        known = levels_of(frame[name], values, levels.get(name), name)
        # R writes a number its own way: 1.0 is its 1.
        numbers = name not in levels and all(map(is_number, values))
        order = ", ".join(repr(float(level)) if numbers else in_r(level) for level in known)
        lines.append(f"data[[{in_r(name)}]] <- factor(data[[{in_r(name)}]], levels = c({order}))")
    for own in filter(None, (coded_column(name, frame, levels) for name in formula.columns())):
        here = f"(data[[{in_r(own.factor)}]] == {in_r(own.level)})"
        minus = f" - (data[[{in_r(own.factor)}]] == {in_r(str(own.against))})" if own.sum_coded else " + 0"
        lines.append(f"data[[{in_r(own.name)}]] <- {here}{minus}")
    contrast = {"sum": "contr.sum", "treatment": "contr.treatment"}[coding]
    lines += [
        f'options(contrasts = c("{contrast}", "contr.poly"))',
        "center <- function(x) x - mean(x, na.rm = TRUE)",
        "",
    ]
    # lme4 stops early by default; both programs then differ in the third digit.
    if family == "gaussian":
        control = 'lmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5))'
        lines.append(f"model <- lmer({formula.text.strip()}, data, REML = {str(reml).upper()},\n  control = {control})")
    else:
        control = 'glmerControl(optimizer = "bobyqa", optCtrl = list(rhoend = 1e-9, maxfun = 1e5), tolPwrss = 1e-10)'
        lines.append(f"model <- glmer({formula.text.strip()}, data, family = binomial,\n  control = {control})")
    lines += [
        "print(summary(model))",
        'write.csv(coef(summary(model)), "coefficients.csv")',
        "fit <- data.frame(log_likelihood = as.numeric(logLik(model)), rows = nobs(model), singular = isSingular(model),",
        '  r = R.version.string, lme4 = as.character(packageVersion("lme4")))',
        'write.csv(fit, "fit.csv", row.names = FALSE)',
    ]
    return "\n".join(lines) + "\n"


def _factors(formula: ModelFormula, frame: Frame, levels: Mapping[str, Sequence[str]]) -> list[str]:
    """The columns that are factors among the fixed and the varying terms: words, and numbers inside C() or factor()."""
    sides: list[Terms] = [formula.fixed, *(bars.terms for bars in formula.random)]
    variables = [expression for side in sides for expression in side.variables.values()]
    called = {
        expression.parts[0].text for expression in variables if expression.kind == "call" and expression.value in {"C", "factor"}
    }
    plain = [expression for expression in variables if not (expression.kind == "call" and expression.value in {"C", "factor"})]
    computed = {name for expression in plain for name in expression.names()}
    found = []
    coded = [own for name in formula.columns() if (own := coded_column(name, frame, levels)) is not None]
    names = (name for expression in variables for name in expression.names())
    for name in dict.fromkeys([*names, *(own.factor for own in coded)]):
        if any(own.name == name for own in coded):
            continue
        numeric = all(is_number(value) or is_missing(value) for value in frame[name])
        if numeric and name in called & computed:
            raise ModelFormulaError(f"{name} is a number and a factor in one formula; give the factor a column of its own")
        if name in called or not numeric:
            found.append(name)
    return found


def in_r(text: str) -> str:
    """A string of R's."""
    return json.dumps(text, ensure_ascii=False)
