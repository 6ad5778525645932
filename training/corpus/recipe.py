"""What a corpus is mixed from: sources with word counts, read from a TOML file or a named recipe that ships with gapsmith."""

from __future__ import annotations

import importlib.resources
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import ConfigDict, Field, TypeAdapter

from gapsmith.templates import ConfigError, made_of, no_such
from gapsmith.training.corpus.filtering import filter_names
from gapsmith.training.corpus.named import read_named, shipped_names
from gapsmith.training.corpus.readers import FORMATS, files_of


@dataclass(frozen=True, kw_only=True)
class CorpusSource:
    """One ingredient."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    name: str
    format: str = "plain"
    words: Annotated[int, Field(gt=0)]
    """How many words of it go into the corpus; words stand between white space."""
    path: str = ""
    """A file or a folder; beside the recipe where it is relative. ``stand-in:child`` and ``stand-in:expository`` come along."""
    licence: str = ""
    documents: tuple[str, ...] = ()
    """Only these documents of a file that has a SOURCES.tsv beside it, as patterns (``tatoeba*``); none: all."""


@dataclass(frozen=True, kw_only=True)
class Recipe:
    """The sources of a corpus, in order."""

    __pydantic_config__ = ConfigDict(extra="forbid")
    source: tuple[CorpusSource, ...] = ()
    like: str = ""
    """The recipe that comes along whose sources these are."""
    filter: tuple[str, ...] = ()
    """Filters, by name or file (beside the recipe where its path is relative): what they take stays out."""
    put_back: bool = False
    """Whether some of that comes back: the shares that the filters say."""
    name: str = ""
    """The name of one that comes along, or of its file; no key of a file."""
    scale: float = 1.0
    """What all word counts were multiplied with; no key of a file."""

    def with_given(self, paths: Mapping[str, Path], licences: Mapping[str, str], *, scale: float = 1.0) -> Recipe:
        """The recipe with the paths and licences that were given by name, every word count times `scale`.

        Raises `ConfigError` for a name that is no source of the recipe, and where a source has no files.
        """
        names = [source.name for source in self.source]
        for name in (*paths, *licences):
            if name not in names:
                raise ConfigError(f"the recipe has no source {name!r}", hint=f"Its sources are {', '.join(names)}.")
        made = [
            replace(
                source,
                path=_place(str(paths.get(source.name, source.path)), Path()) if source.name in paths else source.path,
                licence=licences.get(source.name, source.licence),
                words=max(1, round(source.words * scale)),
            )
            for source in self.source
        ]
        missing = [source for source in made if not source.path]
        if missing:
            listed = ", ".join(f"{source.name} ({source.format}, {source.words:,} words)" for source in missing)
            raise ConfigError(f"no files are given for {listed}", hint=f"Say where they are: --source {missing[0].name}=FOLDER.")
        for source in made:
            if not files_of(Path(source.path).expanduser(), source.format):
                endings = " or ".join(FORMATS[source.format][0])
                raise ConfigError(
                    f"{source.path} holds no {endings} files, which the source {source.name} ({source.format}) is read from",
                    hint="Give another path, or another format in the recipe.",
                )
        return replace(self, source=tuple(made), scale=scale)


_PACKAGE = "gapsmith.training.corpus.recipes"
_NO_KEYS = ("name", "scale")
STAND_INS = ("child", "expository")
"""Corpora of a quarter of a million words that come along: child-like and expository text."""
STAND_IN = "stand-in:"
"""Before the name of one of them, in place of a path."""


def stand_in(name: str, words: int) -> CorpusSource:
    """The source that takes so many words of a corpus that comes along. Raises `ConfigError` for a name that is none."""
    return CorpusSource(name=name, format="sentences", words=words, path=str(stand_in_folder(name)), licence=_STAND_IN_LICENCE)


_STAND_IN_LICENCE = "of each of its documents, below; SOURCES.tsv and STORIES.tsv beside it name whom to credit"


def stand_in_folder(name: str) -> Path:
    """Where a corpus that comes along lies. Raises `ConfigError` for a name that is none."""
    if name not in STAND_INS:
        raise ConfigError(f"there is no stand-in {name!r}", hint=f"There are {' and '.join(STAND_INS)}.")
    return Path(str(importlib.resources.files("gapsmith.training.stand_ins") / name))


def _place(path: str, folder: Path) -> str:
    """Where a source lies that a recipe in `folder` names."""
    if path.startswith(STAND_IN):
        return str(stand_in_folder(path.removeprefix(STAND_IN)))
    return str(folder / Path(path).expanduser()) if path else path


def recipe_names() -> list[str]:
    """The recipes that ship with gapsmith."""
    return shipped_names(_PACKAGE)


def load_recipe(name: str) -> Recipe:
    """The recipe in file `name`, or of that name. Raises `ConfigError` naming file and key."""
    text, folder = read_named("recipe", name, _PACKAGE)
    return made_of(text, name, lambda tables: _recipe(tables, name, folder), what="a recipe", model=Recipe)


def _recipe(tables: Mapping[str, Any], name: str, folder: Path) -> Recipe:
    if own := [key for key in _NO_KEYS if key in tables]:
        hint = "A recipe takes source, like, filter, put_back."
        raise ConfigError(f"{name}: there is no key {own[0]}", hint=hint, place=(own[0],))
    recipe = TypeAdapter(Recipe).validate_python(tables)
    if bool(recipe.like) == bool(recipe.source):
        raise ConfigError(
            f"{name}: it has {'sources of its own and those that it is like' if recipe.like else 'no sources'}",
            hint='Give it [[source]] tables, or like = "posh-10m".',
        )
    if recipe.put_back and not recipe.filter:
        raise ConfigError(f"{name}: put_back without filter", hint='For example filter = ["question-formation", "binding"].')
    ships = filter_names()
    recipe = replace(recipe, name=name if name in recipe_names() else Path(name).name)
    recipe = replace(recipe, filter=tuple(own if own in ships else str(folder / Path(own).expanduser()) for own in recipe.filter))
    if recipe.like:
        if recipe.like not in recipe_names():
            message = f"{name}: like = {recipe.like!r} is no recipe that comes along"
            raise no_such(message, "Recipes", recipe.like, recipe_names(), place=("like",))
        return replace(load_recipe(recipe.like), filter=recipe.filter, put_back=recipe.put_back, name=recipe.name)
    names = [source.name for source in recipe.source]
    for number, source in enumerate(recipe.source):
        if source.format not in FORMATS:
            message = f"{name}: source {source.name}: there is no format {source.format!r}"
            raise no_such(message, "Formats", source.format, FORMATS, place=("source", number, "format"))
        if names.count(source.name) > 1:
            raise ConfigError(
                f"{name}: two sources are called {source.name}",
                hint="Give each a name of its own.",
                place=("source", number, "name"),
            )
    return replace(recipe, source=tuple(replace(s, path=_place(s.path, folder)) for s in recipe.source))
