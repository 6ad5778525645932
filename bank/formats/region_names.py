"""One name per region of a set, from the numbers and names that a file gives them."""

from __future__ import annotations

from gapsmith.bank.formats.foreign import ForeignRegion
from gapsmith.templates import whole


class RegionNames:
    """Gives every (number, title) a name that no other region has, and says where that is not the title."""

    def __init__(self) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._taken: set[str] = set()
        self.notes: list[str] = []

    def name(self, number: str, title: str) -> str:
        """The region's name: its title, with its number behind where another region has that title."""
        key = number, title
        found = self._names.get(key)
        if found is None:
            wanted = title or f"region_{number}"
            found = wanted
            tries = 1
            while found in self._taken:
                tries += 1
                found = f"{wanted}_{number or tries}" if tries == 2 else f"{wanted}_{number or tries}_{tries}"
            if found != wanted:
                self.notes.append(f"region {number or title} is called {found}, since another one is called {wanted}")
            self._names[key] = found
            self._taken.add(found)
        return found

    def in_order(self) -> tuple[ForeignRegion, ...]:
        """The regions, by number where all have one, else as they appeared."""
        entries = list(self._names.items())
        numbered = [(place, entry) for entry in entries if (place := whole(entry[0][0])) is not None]
        if len(numbered) == len(entries):
            entries = [entry for _, entry in sorted(numbered, key=lambda one: one[0])]
        return tuple(ForeignRegion(name, number or None) for (number, _), name in entries)
