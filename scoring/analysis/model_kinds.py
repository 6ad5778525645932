"""Which models are seeds of one kind, and what kinds differ in: by a table that somebody gives, else by the seeds in models' names."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

from gapsmith.scoring.analysis.model_names import ModelName, Told, read_model_name
from gapsmith.templates import ConfigError, text_of

SEED = "seed"
"""The column of a table of models that tells models of one kind apart, and so is nothing in which kinds differ."""

Kinds = Mapping[str, Mapping[str, str]]
"""Of each model what it is, such as its family and size."""


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


def kinds_of(models: Sequence[str], given: Kinds | None, told: Told | None = None) -> Kinds:
    """What each of these models is, of those that results over models take: with a table, those that it has; without one, those that differ
    in a seed only from another, by their names or by what `told` says of them: by what of their training, size and step is not the same in
    all of these, else by the rest of their name. Empty for fewer than two. Raises `ConfigError` for a name with two readings."""
    if given is not None:
        found = {model: given[model] for model in models if model in given}
        return found if len(found) > 1 else {}
    names = {model: read_model_name(model, told) for model in models}
    bases = [_kind(own) for own in names.values() if own.seed]
    of_several = {model: own for model, own in names.items() if own.seed and bases.count(_kind(own)) > 1}
    if len({_kind(own) for own in of_several.values()}) < 2:
        return {model: {} for model in of_several}
    said = {model: {**own.training, **({"step": own.step} if own.step else {})} for model, own in of_several.items()}
    shared = [key for key in next(iter(said.values())) if all(key in own for own in said.values())]
    differing = [key for key in shared if len({own[key] for own in said.values()}) > 1]
    by = {model: {key: own[key] for key in differing} for model, own in said.items()}
    if len({tuple(own.values()) for own in by.values()}) < len({_kind(own) for own in of_several.values()}):
        return {model: {"model": _kind(own)} for model, own in of_several.items()}
    return by


def _kind(own: ModelName) -> str:
    """What seeds of one model have in common."""
    return f"{own.model}/{own.step}" if own.step else own.model
