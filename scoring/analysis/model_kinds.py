"""Which models are seeds of one kind, and what kinds differ in: by a table that somebody gives, else by the seeds in models' names."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from gapsmith.templates import ConfigError, text_of

_SEED = re.compile(r"[-_./]?seed[-_=]?(\d+)", re.IGNORECASE)
SEED = "seed"
"""The column of a table of models that tells models of one kind apart, and so is nothing in which kinds differ."""

Kinds = Mapping[str, Mapping[str, str]]
"""Of each model what it is, such as its family and size."""


def without_seed(model: str) -> tuple[str, str]:
    """A model's name without its seed, and the seed: ``mini-seed1`` is ``mini`` and ``1``; empty where the name has none."""
    seed = _SEED.search(model)
    return (_SEED.sub("", model, count=1), seed.group(1)) if seed else (model, "")


def read_kinds(path: Path) -> Kinds:
    """A table of models (CSV): a column ``model``, with the names that they were scored by, and a column for each thing in which they
    differ, such as family and size; a column ``seed`` is taken for what tells models of one kind apart. Raises `ConfigError` with
    file and line."""
    try:
        rows = list(csv.reader(text_of(path, "utf-8-sig").splitlines()))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise ConfigError(
            f"{path}: cannot be read ({error})", hint="A table of models is a CSV file: model,family,size."
        ) from None
    head = [cell.strip() for cell in rows[0]] if rows else []
    if "model" not in head:
        raise ConfigError(f"{path}, line 1: there is no column model", hint="A table of models begins model,family,size.")
    if len(set(head)) < len(head) or "" in head:
        raise ConfigError(f"{path}, line 1: each column has a name of its own, and these are {', '.join(head)}")
    found: dict[str, Mapping[str, str]] = {}
    for number, row in enumerate(rows[1:], 2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(head):
            raise ConfigError(f"{path}, line {number}: {len(row)} cells for {len(head)} columns")
        own = dict(zip(head, (cell.strip() for cell in row), strict=True))
        name = own.pop("model")
        if name in found:
            raise ConfigError(f"{path}, line {number}: {name} is there already", hint="A model has one row.")
        if lacking := [column for column, cell in own.items() if not cell and column != SEED]:
            raise ConfigError(f"{path}, line {number}: {name} has no {lacking[0]}", hint="Every model has a word in each column.")
        own.pop(SEED, None)
        found[name] = own
    return found


def kinds_of(models: Sequence[str], given: Kinds | None) -> Kinds:
    """What each of these models is, of those that results over models take: with a table, those that it has; without one, those whose
    names differ in a seed only from that of another, by the rest of their name where there are several of these. Empty for fewer
    than two."""
    if given is not None:
        found = {model: given[model] for model in models if model in given}
        return found if len(found) > 1 else {}
    names = {model: without_seed(model) for model in models}
    bases = [base for base, seed in names.values() if seed]
    several = {base for base in bases if bases.count(base) > 1}
    return {
        model: {"model": base} if len(several) > 1 else {} for model, (base, seed) in names.items() if seed and base in several
    }
