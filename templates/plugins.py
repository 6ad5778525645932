"""What can be added to gapsmith: objects by name, from our own modules and from entry points of installed packages.

A package adds one by an entry point in a group such as ``gapsmith.measures``: its name is the name people type, its value
names the object, ``my_package.measures:MINE``. Ours are named in the same way. Listing names imports nothing; an object is
imported when it is first used, so that a package that cannot be imported stops nothing but itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Final, Generic, TypeVar

from templates.errors import ConfigError
from templates.spelling import those_there_are

T = TypeVar("T")

_DISTRIBUTIONS: Final = {"google": "google-genai"}
"""Packages that are not installed under the name by which they are imported."""


class Registry(Mapping[str, T], Generic[T]):
    """Name to object: first our own, in their order, then those of installed packages, by name.

    Our own win where a package uses a name of theirs; `shadowed` tells of it. Looking up a name raises `ConfigError` where the
    object cannot be imported or is of another kind; `find` also where there is none of that name."""

    def __init__(self, group: str, what: str, kind: type[T], own: Mapping[str, T | str]) -> None:
        """`group` is ``gapsmith.`` and `what` a word for one entry; `own` holds objects, or ``module:attribute`` where
        importing them takes time."""
        self.group = group
        self._what = what
        self._kind = kind
        self._own = dict(own)
        self._loaded: dict[str, T] = {}

    def find(self, name: str) -> T:
        """The object of that name. Raises `ConfigError` naming those there are."""
        if name not in self:
            hint = those_there_are("There are", name, self)
            raise ConfigError(f"there is no {self._what} {name!r}", hint=f"{hint}.")
        return self[name]

    def origin(self, name: str) -> str:
        """The package that offers a name: ``gapsmith``, or an installed one."""
        return "gapsmith" if name in self._own else _package(self._points[name][0])

    @property
    def shadowed(self) -> tuple[tuple[str, str], ...]:
        """(name, package) of entry points that are not used, since the name is one of ours."""
        return tuple(
            (name, _package(point)) for name, points in self._points.items() if name in self._own for point in points
        )

    def __getitem__(self, name: str) -> T:
        if name in self._loaded:
            return self._loaded[name]
        if name not in self:
            raise KeyError(name)
        found = self._load(name)
        if not isinstance(found, self._kind):
            raise ConfigError(
                f"{self._what} {name!r} of {self.origin(name)} is a {type(found).__name__}, not a {self._kind.__name__}",
                hint="Tell the author of the package that offers it.",
            )
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
        except ImportError as error:
            package = _DISTRIBUTIONS.get((error.name or "").partition(".")[0], error.name or "a package")
            raise ConfigError(
                f"{self._what} {name!r} needs {package}, which cannot be imported ({error})",
                hint=f"Install it in gapsmith's environment: pip install {package}",
            ) from None
        except Exception as error:
            if name in self._own:
                raise
            package = _package(point)
            raise ConfigError(
                f"{self._what} {name!r} of {package} cannot be loaded ({type(error).__name__}: {error})",
                hint=f"Mend the package, or remove it: pip uninstall {package}",
            ) from error


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value.partition(":")[0]
