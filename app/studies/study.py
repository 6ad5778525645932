"""What a study is: a file that says what is asked of which stages, the sets of items, and what was published about them.

A study's file is TOML. A step of it fills the request of a stage, as flags do: ``[step.score]`` with the names of its options. ``{folder}``
in a text is the study's workspace, ``{data}`` the folder `data` beside the file, ``{model}`` the model, for each of which such a step
is carried out, ``{name}`` the same as the name of a folder, ``{models}`` in a list all of them, ``{grid}`` a grid of learners,
for each of which that is asked for such a step is carried out, ``{learners}`` the name of its folder, and ``{convention}`` and ``{beside}``
the scoring conventions.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from gapsmith.app.workspace import is_folder_name
from gapsmith.templates import ConfigError, FilePlace, UnfitError, made_of, no_such, text_of

Statistic = Literal["mean", "t", "df", "p", "dz", "ci_low", "ci_high", "share", "count", "n"]
"""What of a test is compared: `share` and `count` are those of items with the expected sign."""


ConventionName = Literal["gapsmith", "minicons", "minicons-mean", "lm-eval", "babylm"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StudyStep(_Table):
    """What is asked of a stage, and why; the stage and its request are read by who carries steps out."""

    model_config = ConfigDict(extra="allow", frozen=True)

    say: str
    run: tuple[str, ...] = ()
    """The same as the words of a command: how files were written up to gapsmith 0.1."""
    once: bool = False
    """Whether running it again would do something twice, so that it is left out once it was done."""


class StudySet(_Table):
    """Items that are analysed together."""

    name: str
    title: str
    paradigm: str
    dataset: str
    approved: bool = False
    """Only approved items; else all."""
    without: Mapping[str, tuple[str, ...]] = {}
    """Slot to the words that its items do not have; ``*`` stands for any."""
    design: str | None = None
    alternative: Literal["two-sided", "expected"] = "two-sided"
    stimuli: Literal["published", "inferred", "sampled", "ours"] = "ours"
    """Whether these are the sentences of the paper, our reading of which they are, a sample of them, or others of the same design."""
    published: str = ""
    """The data set that the paper's own sentences come in as, where files can be had (`gapsmith dataset recognise`): where it is there, it
    goes before this one."""
    published_n: int | None = None
    """How many items the paper's numbers are of that this set stands beside; gives intervals to its shares."""


class PublishedNumber(_Table):
    """A published number about a contrast."""

    what: str
    set: str
    contrast: str
    statistic: Statistic
    published: float
    model: str
    """The model of which it was published; empty for what no model decides, such as a number of items."""
    decimals: int = 2
    """How many were printed."""
    at: str = ""
    """Where it stands in the paper, such as ``Table 4``."""


class SurprisalNumber(_Table):
    """A published surprisal at critical regions in bits, or a weighted sum of some."""

    what: str
    set: str
    weights: Mapping[str, float]
    """Condition to weight."""
    sentence: str = ""
    """A sentence of the item that it is of; empty for the mean over all items."""
    published: float
    model: str
    decimals: int = 2
    at: str = ""


class FigureOf(_Table):
    """A figure of the paper, drawn again from its published numbers with ours beside them."""

    title: str
    statistic: Literal["mean", "share"]
    sets: tuple[str, ...]
    contrasts: tuple[str, ...]


class SetsCompared(_Table):
    """A published chi-square between two sets' shares."""

    what: str
    first: str
    second: str
    contrast: str
    published: float
    model: str
    decimals: int = 4
    at: str = ""


class Arithmetic(_Table):
    """A published number that follows from other published numbers alone."""

    what: str
    how: Literal["yates", "dz", "difference", "p_two_sided", "p_greater"]
    """``yates``: chi-square of successes, n, successes, n; ``dz``: t, n; ``difference``: a, b; ``p_…``: t, df."""
    values: tuple[float, ...]
    published: float
    decimals: int = 2
    at: str = ""


class PublishedEffect(_Table):
    """What was published of an effect, as it was printed; ours is in what `gapsmith study context` or `gapsmith study licensing` left."""

    what: str
    effect: str
    """The name that `effects.json` has for it."""
    folder: str
    """Where that is, below the study's folder; ``{name}`` is the model as the name of a folder, and ``{by}`` nothing for the study's own
    convention, ``-`` and its name for the one beside it."""
    page: str = "contexts.md"
    """The page that says more of it, as seen from there."""
    published: str
    model: str
    """Whose it is."""


class ByWord(_Table):
    """A table of a contrast by the words of slots."""

    set: str
    contrasts: tuple[str, ...]
    slots: tuple[str, ...]


class Study(_Table):
    """Everything that a study's file says."""

    name: str
    title: str
    paper: str
    about: str
    model: str = "bundled"
    """What is run where no model is named."""
    convention: ConventionName = "gapsmith"
    """How numbers are made of tokens where none is named; steps have it as ``{convention}``."""
    beside: ConventionName | None = None
    """Another convention, such as that of the paper's own scripts: conclusions are told by both where they differ. Steps have it as
    ``{beside}``."""
    step: tuple[StudyStep, ...] = ()
    set: tuple[StudySet, ...] = ()
    number: tuple[PublishedNumber, ...] = ()
    compared: tuple[SetsCompared, ...] = ()
    arithmetic: tuple[Arithmetic, ...] = ()
    surprisal: tuple[SurprisalNumber, ...] = ()
    figure: tuple[FigureOf, ...] = ()
    by_word: tuple[ByWord, ...] = ()
    effect: tuple[PublishedEffect, ...] = ()
    data: Path = Path()
    """The folder `data` beside its file."""
    file: Path = Path()

    @field_validator("name")
    @classmethod
    def _is_no_path(cls, name: str) -> str:
        # The study's folder is called so, and has to be where it is run.
        if not is_folder_name(name):
            raise UnfitError(ConfigError(f"a study cannot be called {name!r}; its name is that of a folder: one word, no path"))
        return name

    @model_validator(mode="after")
    def _names_sets(self) -> Study:
        known = {one.name for one in self.set}
        tables: dict[str, tuple[PublishedNumber | SurprisalNumber | ByWord, ...]]
        tables = {"number": self.number, "surprisal": self.surprisal, "by_word": self.by_word}
        asked: list[tuple[FilePlace, str]] = [
            ((key, n, "set"), one.set) for key, all_ in tables.items() for n, one in enumerate(all_)
        ]
        asked += [(("figure", n, "sets"), name) for n, figure in enumerate(self.figure) for name in figure.sets]
        asked += [(("compared", n, key), getattr(c, key)) for n, c in enumerate(self.compared) for key in ("first", "second")]
        for place, name in asked:
            if name not in known:
                raise UnfitError(no_such(f"there is no set {name!r}", "Sets", name, sorted(known), place=place))
        return self

    @model_validator(mode="after")
    def _can_be_told_apart(self) -> Study:
        if self.beside is not None and self.beside == self.convention:
            message = f"`beside` names the study's own convention, {self.convention}; it is for another one"
            raise UnfitError(ConfigError(message, place=("beside",)))
        return self

    def by_convention(self, name: str) -> Study:
        """The same by another convention of its own; where that is the one beside it, they change places."""
        if name == self.convention:
            return self
        beside = self.convention if name == self.beside else self.beside
        return self.model_copy(update={"convention": name, "beside": beside})

    @property
    def asked_contrasts(self) -> list[tuple[str, str]]:
        """Every set with a contrast that is asked of it, once each."""
        asked = [(one.set, one.contrast) for one in self.number]
        asked += [(name, one.contrast) for one in self.compared for name in (one.first, one.second)]
        asked += [(one.set, contrast) for one in self.by_word for contrast in one.contrasts]
        asked += [(name, contrast) for one in self.figure for name in one.sets for contrast in one.contrasts]
        return list(dict.fromkeys(asked))


def shipped_studies() -> tuple[Study, ...]:
    """The studies that come with gapsmith, by name."""
    folder = Path(str(resources.files(__package__)))
    return tuple(load_study(str(path)) for path in sorted(folder.glob("*.toml")))


def shipped_counts() -> Path:
    """The file that comes with gapsmith of how often corpora have filler-gap constructions."""
    return Path(str(resources.files(__package__))) / "data" / "construction_counts.csv"


def load_study(name: str) -> Study:
    """A shipped study by its name, or one from a file. Raises `ConfigError`."""
    path = Path(name)
    if path.suffix != ".toml":
        path = Path(str(resources.files(__package__))) / f"{name}.toml"
        if not path.is_file():
            known = ", ".join(study.name for study in shipped_studies())
            raise ConfigError(f"there is no study {name!r}", hint=f"The studies are: {known}. Or name a file ending in .toml.")
    try:
        text = text_of(path, "utf-8-sig")
    except OSError as error:
        raise ConfigError(f"{path}: cannot be read ({error.strerror})") from None
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: cannot be read as UTF-8 text ({error})") from None
    return made_of(text, str(path), lambda said: study_of(said, path), what="a study", model=Study)


def study_of(said: Mapping[str, Any], path: Path) -> Study:
    """The study whose file says this. Raises pydantic's `ValidationError`."""
    return Study(**{**said, "data": path.resolve().parent / "data", "file": path})
