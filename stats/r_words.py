"""The tests of contrasts for R: line 1 of `gapsmith.stats.word_model`, or the t test over items, as a script and its data."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from gapsmith.stats.components import fit_components
from gapsmith.stats.distinct_values import distinct
from gapsmith.stats.model_formula import quoted
from gapsmith.stats.r_export import MISSING, RMaterial, in_r
from gapsmith.stats.word_model import word_columns

_NO_WORD = "(lacking)"


@dataclass(frozen=True, slots=True)
class ContrastForR:
    """What the test of a contrast was made of; a value, a row of words and a key per item."""

    name: str
    about: str
    """What was measured where, in a line."""
    values: Sequence[float]
    rows: Sequence[Mapping[str, str]]
    observations: Sequence[Hashable]
    closed: Collection[str]
    alternative: str
    by_words: bool
    """Whether the test is the model of words; else it is the t test over items."""


@dataclass(frozen=True, slots=True)
class _Written:
    columns: Mapping[str, Sequence[float | str]]
    formula: str
    is_mixed: bool
    log_likelihood: float | None
    """Of a model of words that vary, by restricted likelihood."""


def contrasts_in_r(contrasts: Sequence[ContrastForR], *, about: Sequence[str] = (), data_file: str) -> RMaterial:
    """A script that makes the same tests by lmer, or lm where no words vary, and writes ``tests.csv``.

    `about` are lines that the script says first. A model's log-likelihood by restricted likelihood, as it is here, is in the script, beside
    which R puts its own."""
    written = {own.name: _written(own) for own in contrasts}
    names = list(dict.fromkeys(name for own in written.values() for name in own.columns))
    words = [
        name for name in names if any(isinstance(value, str) for own in written.values() for value in own.columns.get(name, ()))
    ]
    # A word can look like a number.
    texts = ", ".join(f'{in_r(name)} = "character"' for name in ("contrast", *words))
    table = io.StringIO()
    rows = csv.writer(table, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    rows.writerow(["contrast", *names])
    for contrast, own in written.items():
        columns = [own.columns.get(name) for name in names]
        for place in range(len(own.columns["value"])):
            rows.writerow([contrast, *(MISSING if column is None else column[place] for column in columns)])
    lines = [
        *(f"# {line}" for line in about),
        "suppressPackageStartupMessages(library(lmerTest))",
        "",
        f'all <- read.csv({in_r(data_file)}, na.strings = "{MISSING}", check.names = FALSE, encoding = "UTF-8",',
        f"  colClasses = c({texts}))",
        "control <- lmerControl(",
        '  optimizer = "bobyqa", optCtrl = list(rhoend = 1e-10, maxfun = 1e5), check.conv.singular = "ignore")',
        "# What is tested is the first coefficient, the mean that is equally weighted over the words that are held fixed.",
        "test <- function(contrast, formula, alternative, mixed, here = NA) {",
        "  data <- all[all$contrast == contrast, ]",
        "  if (mixed) {",
        "    model <- lmer(formula, data, control = control)",
        '    line <- coef(summary(model))[1, c("Estimate", "Std. Error", "df")]',
        "    likelihood <- as.numeric(logLik(model))",
        "  } else {",
        "    model <- lm(formula, data)",
        '    line <- c(coef(summary(model))[1, c("Estimate", "Std. Error")], df.residual(model))',
        "    likelihood <- NA",
        "  }",
        "  t <- line[[1]] / line[[2]]",
        "  p <- switch(alternative, less = pt(t, line[[3]]), greater = pt(-t, line[[3]]), 2 * pt(-abs(t), line[[3]]))",
        "  data.frame(contrast = contrast, n = nobs(model), estimate = line[[1]], se = line[[2]], df = line[[3]], t = t, p = p,",
        '    log_likelihood = likelihood, here = here, r = R.version.string, lme4 = as.character(packageVersion("lme4")))',
        "}",
        "found <- list()",
    ]
    for one in contrasts:
        own = written[one.name]
        said = "" if own.log_likelihood is None else f", {own.log_likelihood!r}"
        asked = f"{in_r(one.alternative)}, {'TRUE' if own.is_mixed else 'FALSE'}{said}"
        lines += [
            "",
            f"# {one.name}: {one.about}",
            f"found[[length(found) + 1]] <- test({in_r(one.name)}, {own.formula}, {asked})",
        ]
    lines += ["", "found <- do.call(rbind, found)", "print(found[, 1:8], row.names = FALSE)"]
    lines += ['write.csv(found, "tests.csv", row.names = FALSE)']
    return RMaterial(
        formula="; ".join(f"{name}: {own.formula}" for name, own in written.items()),
        script="\n".join(lines) + "\n",
        data=table.getvalue(),
        data_file=data_file,
    )


def _written(own: ContrastForR) -> _Written:
    """The columns of one contrast: its values, what is held fixed, and the words that vary."""
    given = distinct(own.values, own.observations)
    columns: dict[str, Sequence[float | str]] = {"value": given.values.tolist(), "mean": [1.0] * given.n}
    if not own.by_words:
        return _Written(columns, "value ~ 0 + mean", is_mixed=False, log_likelihood=None)
    found = word_columns(own.rows, own.closed, own.observations)
    held = [f"{use.name} {word}" for use in found.uses if use.use == "fixed" for word in use.words[:-1]]
    held += [f"kind of items {number}" for number in range(1, found.fixed.shape[1] - len(held))]
    columns |= {name: column.tolist() for name, column in zip(held, found.fixed[:, 1:].T, strict=True)}
    fixed = ["mean", *held]
    varying = []
    for name, codes in found.random:
        words = [own.rows[position].get(name, "") or _NO_WORD for position in given.positions]
        columns[f"word {name}"] = words
        if (codes < 0).any():
            columns[f"has {name}"] = (codes >= 0).astype(np.float64).tolist()
            varying.append(f"(0 + {quoted(f'has {name}')} | {quoted(f'word {name}')})")
        else:
            varying.append(f"(1 | {quoted(f'word {name}')})")
    fit = fit_components(given.values, found.fixed, [codes for _, codes in found.random]) if varying else None
    formula = f"value ~ 0 + {' + '.join([*map(quoted, fixed), *varying])}"
    likelihood = None if fit is None or not math.isfinite(fit.deviance) else -fit.deviance / 2
    return _Written(columns, formula, is_mixed=bool(varying), log_likelihood=likelihood)
