"""What others add to gapsmith: objects by name, from our own modules and from entry points of installed packages.

A package adds one by an entry point in a group such as ``gapsmith.measures``, whose value is the object itself, or a list of
them. Names are unique: a package cannot silently take the place of something that is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from typing import Generic, TypeVar

from templates.errors import ConfigError

__all__ = ["GROUPS", "Registry"]

T = TypeVar("T")

GROUPS: Mapping[str, str] = {
    "rules": "rule packs: rules with their pages and word lists",
    "formats": "file formats of item sets",
    "providers": "language-model providers for generation",
    "engines": "engines that compute surprisal",
    "measures": "measures over token surprisals",
}
"""What can be added, to the words for it; the entry-point group is ``gapsmith.`` and the name."""


class Registry(Generic[T], Mapping[str, T]):
    """Name to object: first our own, in their order, then those of installed packages by name.

    Nothing is imported before the first look; a package that cannot be used stops nothing but itself, with a message that
    names it."""

    def __init__(self, group: str, kind: type[T], own: Iterable[T], name: Callable[[T], str]) -> None:
        if group not in GROUPS:
            raise ValueError(f"{group!r} is none of {', '.join(GROUPS)}")
        self.group = group
        self._kind = kind
        self._own = tuple(own)
        self._name = name

    @cached_property
    def _entries(self) -> dict[str, T]:
        found = {self._name(value): value for value in self._own}
        if len(found) < len(self._own):
            raise ValueError(f"two of our own {self.group} have one name")
        self._origins: dict[str, str] = dict.fromkeys(found, "gapsmith")
        points = sorted(entry_points(group=f"gapsmith.{self.group}"), key=lambda point: (point.name, point.value))
        for point in points:
            for value in self._loaded(point):
                name = self._name(value)
                if name in found:
                    raise ConfigError(
                        f"{_package(point)}: {GROUPS[self.group]}: {name!r} is there already, from {self._origins[name]}",
                        hint=f"Give it another name, or `pip uninstall {_package(point)}`.",
                    )
                found[name] = value
                self._origins[name] = _package(point)
        return found

    def origin(self, name: str) -> str:
        """The package that an object comes from."""
        _ = self[name]
        return self._origins[name]

    def _loaded(self, point: EntryPoint) -> tuple[T, ...]:
        try:
            value = point.load()
        except Exception as error:  # a stranger's package can raise anything on import
            raise ConfigError(
                f"{_package(point)}: its {self.group} cannot be loaded from {point.value} ({type(error).__name__}: {error})",
                hint=f"Mend or remove the package: pip uninstall {_package(point)}",
            ) from error
        values = tuple(value) if isinstance(value, list | tuple) else (value,)
        for one in values:
            if not isinstance(one, self._kind):
                raise ConfigError(
                    f"{_package(point)}: {point.value} is a {type(one).__name__}, but an entry of gapsmith.{self.group} is "
                    f"a {self._kind.__name__}",
                    hint=f"Mend or remove the package: pip uninstall {_package(point)}",
                )
        return values

    def __getitem__(self, name: str) -> T:
        return self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._entries)

    def __len__(self) -> int:
        return len(self._entries)


def _package(point: EntryPoint) -> str:
    return point.dist.name if point.dist is not None else point.value.partition(":")[0]
