"""What can be added to gapsmith: objects by name, from our own modules and from entry points of installed packages. The only
place that imports an object of such a package.

A package adds one by an entry point in a group such as ``gapsmith.measures``: its name is the name people type, its value
names the object, ``my_package.measures:MINE``. Ours are named in the same way. Listing names imports nothing; an object is
imported when it is first used, so that a package that cannot be imported stops nothing but itself.

What a package's object does is its own doing: each registry holds the objects of others to what they promise (`Plugin`), so that
whatever they raise or give instead ends as a `PluginError` that names them. Ours are not held: their faults are bugs of ours.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import wraps
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from typing import Final, Generic, ParamSpec, TypeVar

from gapsmith.templates.errors import ConfigError, GapsmithError, GapsmithWarning
from gapsmith.templates.spelling import those_there_are

T = TypeVar("T")
P = ParamSpec("P")
R = TypeVar("R")

_DISTRIBUTIONS: Final = {"google": "google-genai"}
"""Packages that are not installed under the name by which they are imported."""


class PluginError(ConfigError):
    """What an installed package adds is broken: the message names it, its package, and what it did."""


class PluginWarning(GapsmithWarning):
    """Something that an installed package adds is not used."""


@dataclass(frozen=True, slots=True)
class Plugin:
    """One thing that an installed package adds, as errors name it."""

    what: str
    name: str
    package: str

    def __str__(self) -> str:
        return f"{self.what} {self.name!r} of {self.package}"

    def fault(self, says: str) -> PluginError:
        """The error for what it did wrong."""
        return PluginError(f"{self}{says}", hint=f"Mend the package, or remove it: {remove(self.package)}")

    @contextmanager
    def at_work(self, says: str) -> Iterator[None]:
        """Within, it is at work: what it raises that is not an error of gapsmith's is its fault, told in the words `says`."""
        try:
            yield
        except GapsmithError:
            raise
        except (Exception, SystemExit) as error:
            # One that ends the program would end a command in silence, as if all were well.
            raise self.fault(f"{says} ({type(error).__name__}: {error})") from error

    def held(self, function: Callable[P, R], called: str, promised: str, is_kept: Callable[[object], bool]) -> Callable[P, R]:
        """The function, which must not fail and has to give what was promised."""

        @wraps(function)
        def given(*arguments: P.args, **named: P.kwargs) -> R:
            with self.at_work(f": {called} failed"):
                found = function(*arguments, **named)
            if not is_kept(found):
                raise self.fault(f": {called} gave {a_kind(found)}, not {promised}")
            return found

        return given

    def held_each(
        self, function: Callable[P, Iterable[R]], called: str, promised: str, is_kept: Callable[[object], bool]
    ) -> Callable[P, Iterator[R]]:
        """As `held`, for a function that gives one after another."""

        @wraps(function)
        def given(*arguments: P.args, **named: P.kwargs) -> Iterator[R]:
            with self.at_work(f": {called} failed"):
                found = iter(function(*arguments, **named))
            while True:
                with self.at_work(f": {called} failed"):
                    try:
                        one = next(found)
                    except StopIteration:
                        return
                if not is_kept(one):
                    raise self.fault(f": {called} gave {a_kind(one)}, not {promised}")
                yield one

        return given


class Registry(Mapping[str, T], Generic[T]):
    """Name to object: first our own, in their order, then those of installed packages, by name.

    Our own win where a package uses a name of theirs; `shadowed` tells of it. Looking up a name raises `ConfigError` where the
    object cannot be imported or is of another kind; `find` also where there is none of that name."""

    def __init__(
        self,
        group: str,
        what: str,
        kind: type[T],
        own: Mapping[str, T | str],
        *,
        held: Callable[[T, Plugin], T] = lambda found, _: found,
    ) -> None:
        """`group` is ``gapsmith.`` and `what` a word for one entry; `own` holds objects, or ``module:attribute`` where
        importing them takes time. `held` makes of an installed package's object one that is held to what it promises."""
        self.group = group
        self._what = what
        self._kind = kind
        self._own = dict(own)
        self._held = held
        self._loaded: dict[str, T] = {}
        self._told: set[str] = set()

    def find(self, name: str) -> T:
        """The object of that name. Raises `ConfigError` naming those there are."""
        if name not in self:
            hint = those_there_are("There are", name, self)
            raise ConfigError(f"there is no {self._what} {name!r}", hint=f"{hint}.")
        if name not in self._told:
            self._told.add(name)
            for plugin in self.shadowed:
                if plugin.name == name:
                    _warn(f"{plugin} is not used: names of gapsmith's own cannot be taken")
        return self[name]

    def usable(self) -> Iterator[tuple[str, T]]:
        """Names and objects without those that cannot be loaded; a warning tells of each of these once."""
        for name in self:
            try:
                found = self[name]
            except ConfigError as error:
                if name not in self._told:
                    self._told.add(name)
                    _warn(f"{error.message}; it is left out. {error.hint}")
                continue
            yield name, found

    def origin(self, name: str) -> str:
        """The package that offers a name: ``gapsmith``, or an installed one."""
        return "gapsmith" if name in self._own else _package(self._points[name][0])

    def is_own(self, name: str) -> bool:
        """Whether a name is one of ours."""
        return name in self._own

    def plugin(self, name: str) -> Plugin:
        """What an installed package offers under a name that is not ours."""
        return Plugin(self._what, name, self.origin(name))

    @property
    def installed(self) -> tuple[Plugin, ...]:
        """All that installed packages offer under names that are not ours, by name; imports nothing."""
        return tuple(self.plugin(name) for name in self if name not in self._own)

    @property
    def shadowed(self) -> tuple[Plugin, ...]:
        """What installed packages offer under names of ours, which is not used."""
        taken = ((name, points) for name, points in self._points.items() if name in self._own)
        # One package found twice on the path is one package.
        return tuple(dict.fromkeys(Plugin(self._what, name, _package(one)) for name, points in taken for one in points))

    def __getitem__(self, name: str) -> T:
        if name in self._loaded:
            return self._loaded[name]
        if name not in self:
            raise KeyError(name)
        found = self._load(name)
        if name in self._own:
            assert isinstance(found, self._kind), f"our {self._what} {name!r} is {a_kind(found)}"
        else:
            plugin = self.plugin(name)
            if not isinstance(found, self._kind):
                raise plugin.fault(f" is {a_kind(found)}, not {article(self._kind.__name__)}")
            with plugin.at_work(" cannot be used"):
                found = self._held(found, plugin)
        self._loaded[name] = found
        return found

    def __iter__(self) -> Iterator[str]:
        yield from self._own
        yield from sorted(name for name in self._points if name not in self._own)

    def __len__(self) -> int:
        return len(set(self._own) | set(self._points))

    def __contains__(self, name: object) -> bool:
        return name in self._own or name in self._points

    @property
    def _points(self) -> Mapping[str, list[EntryPoint]]:
        # Asked anew each time, which takes a millisecond: a package may have been installed meanwhile.
        found: dict[str, list[EntryPoint]] = {}
        for point in entry_points(group=self.group):
            found.setdefault(point.name, []).append(point)
        return found

    def _load(self, name: str) -> object:
        if name in self._own:
            given = self._own[name]
            if not isinstance(given, str):
                return given
            point = EntryPoint(name, given, self.group)
        else:
            # One package found twice on the path is one package.
            points = {point.value: point for point in self._points[name]}
            if len(points) > 1:
                packages = " and ".join(sorted({_package(point) for point in points.values()}))
                raise ConfigError(
                    f"{packages} both offer {self._what} {name!r}",
                    hint="Uninstall one of them, so that it is clear which is meant.",
                )
            point = next(iter(points.values()))
        try:
            return point.load()
        except (Exception, SystemExit) as error:
            missing = _missing(error)
            if name in self._own:
                if missing is None:
                    raise
                offered, instead = f"{self._what} {name!r}", ""
            else:
                plugin = Plugin(self._what, name, _package(point))
                # What is there and lacks a name needs no installing.
                if missing is None or find_spec(missing) is not None:
                    raise plugin.fault(f" cannot be loaded ({type(error).__name__}: {error})") from error
                offered, instead = str(plugin), f", or do without: {remove(plugin.package)}"
            package = _DISTRIBUTIONS.get(missing, missing)
            raise ConfigError(
                f"{offered} needs {package}, which cannot be imported ({error})",
                hint=f"Install it in gapsmith's environment: pip install {package}{instead}",
            ) from None


def remove(package: str) -> str:
    """The command that removes a package."""
    return f"pip uninstall {package}"


def article(noun: str) -> str:
    """The noun with *a* or *an* before it."""
    return f"{'an' if noun[:1].lower() in 'aeiou' else 'a'} {noun}"


def a_kind(found: object) -> str:
    """What an object is, in words: *a str*, *an int*, *nothing*."""
    return "nothing (None)" if found is None else article(type(found).__name__)


def _missing(error: BaseException) -> str | None:
    """The module whose import failed, without its parts; None where the error is of another kind."""
    return (error.name or "").partition(".")[0] or None if isinstance(error, ImportError) else None


def _warn(message: str) -> None:
    warnings.warn(PluginWarning(message), stacklevel=3)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value.partition(":")[0]
