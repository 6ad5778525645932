"""What was published: tables 3, 4, 7, 8, 9 and 12, and counts of one's own for the model of table 12."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from gapsmith.scoring.analysis.posh.mapping import CATEGORIES, SUBCATEGORIES
from gapsmith.templates import COUNT, COUNT_OR_NONE, SIZE, ConfigError, FormatError, text_of

FORMULA = "cbind(correct, wrong) ~ (scale(size) + category) * filtered + source + (1 | phenomenon)"
LEVELS = {"filtered": ["yes", "no"], "source": ["baby", "wiki"]}
"""Alphabetical order would turn the signs of filtering and of the source round."""

_COLUMNS = ("corpus", "size_million", "filtered", "seed", "phenomenon", "correct", "n")


def published_table(number: int) -> list[dict[str, str]]:
    """A printed table, 3, 4, 7, 8, 9 or 12, a row per value."""
    text = files("gapsmith.stats").joinpath(f"data/posh_table_{number}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


_RECIPES = {"posh-baby-f": ("baby", "yes"), "posh-baby": ("baby", "no"), "posh-wiki": ("wiki", "no")}
"""The recipes that come along, without their size, and how tables 4 and 9 call what they make."""


def _training(recipe: str) -> tuple[str, str, str]:
    """Source, filtering and millions of words of a recipe; empty ones where the paper has none of the kind."""
    name, _, size = recipe.rpartition("-")
    return (*_RECIPES.get(name, ("", "")), size.removesuffix("m"))


def printed_size(recipe: str) -> Mapping[str, str]:
    """Table 4 for the corpus that a recipe makes: ``sentences``, ``words_per_sentence``, as printed; empty where it has none."""
    asked = _training(recipe)
    return next((row for row in published_table(4) if (row["source"], row["filtered"], row["size"]) == asked), {})


def printed_tokens(recipe: str, vocabulary: int) -> int | None:
    """Table 9 for the corpus that a recipe makes, which is of texts that were not filtered; None where it has none."""
    source, filtered, size = _training(recipe)
    asked = (source, size, str(vocabulary))
    found = (
        row["tokens"]
        for row in published_table(9)
        if filtered == "no" and (row["source"], row["size"], row["vocabulary"]) == asked
    )
    return next((int(tokens.replace(",", "")) for tokens in found), None)


def read_posh_counts(path: Path) -> Mapping[str, list[Any]]:
    """A table of counts as columns for `fit_bayes`.

    The file's columns: corpus (baby, wiki), size_million, filtered (yes, no), seed, phenomenon (as the published files are
    called), correct, n. Raises `FormatError` with the line of what is none of these.
    """
    try:
        rows = list(csv.DictReader(text_of(path, "utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise FormatError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    missing = [name for name in _COLUMNS if not rows or name not in rows[0]]
    if missing:
        raise FormatError(
            f"{path}: {'there is no row' if not rows else f'there is no column {missing[0]}'}",
            hint=f"A table of counts has the columns {', '.join(_COLUMNS)}.",
        )
    known = {file: (category, name) for name, (category, _, file) in SUBCATEGORIES.items()}
    table: dict[str, list[Any]] = {
        name: [] for name in ("size", "source", "filtered", "seed", "category", "phenomenon", "correct", "wrong")
    }
    for line, row in enumerate(rows, 2):
        place = f"{path}, line {line}"
        if row["phenomenon"] not in known:
            raise FormatError(f"{place}: {row['phenomenon']!r} is no phenomenon", hint=f"There are: {', '.join(known)}.")
        for column, levels in (("corpus", LEVELS["source"]), ("filtered", LEVELS["filtered"])):
            if row[column] not in levels:
                raise FormatError(f"{place}: {column} is {row[column]!r}", hint=f"It is {' or '.join(levels)}.")
        try:
            correct = COUNT_OR_NONE.read(row["correct"], f"{place}: correct")
            n = COUNT.read(row["n"], f"{place}: n")
            size = SIZE.read(row["size_million"], f"{place}: size_million")
        except ConfigError as error:
            raise FormatError(error.message) from None
        if correct > n:
            raise FormatError(f"{place}: {correct} correct of {n}")
        category, phenomenon = known[row["phenomenon"]]
        values = (size, row["corpus"], row["filtered"], row["seed"], category, phenomenon, correct, n - correct)
        for name, value in zip(table, values, strict=True):
            table[name].append(value)
    return table


def cannot_be_fitted(counts: Mapping[str, list[Any]]) -> str:
    """Why table 12's model says nothing of such counts; empty where it does: it compares sizes, sources, filterings and categories."""
    wanted = {"size": 2, "source": 2, "filtered": 2, "category": len(CATEGORIES)}
    there = {name: list(dict.fromkeys(map(str, counts[name]))) for name in wanted}
    short = [name for name, n in wanted.items() if len(there[name]) < n]
    return "; ".join(f"of {name} there is {', '.join(there[name]) or 'nothing'} alone" for name in short)
