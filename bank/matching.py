"""The only place that decides which item of this bank a line of a table means: by uid and digest of texts, else by id and texts,
and never by an id alone unless somebody says that the ids are this bank's. (A packet's form has the uid always.)"""

from __future__ import annotations

import shlex
from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

from gapsmith.bank.item_names import NAMING, ItemReference, digest_of
from gapsmith.bank.records import ItemFilter, StoredItem
from gapsmith.bank.store import Bank
from gapsmith.templates import ConfigError, Sentence

_SHOWN = 90
"""Characters of a sentence that a message shows."""
_OURS = "add --our-ids (in Python our_ids=True) where they are ids of this bank"


class TextsDifferError(ConfigError):
    """A line means an item that has other texts than the line is about."""


class NotHereError(ConfigError):
    """A line means an item that is not in this bank, or not among the chosen ones."""


class Matcher:
    """Finds the items that a file means. `unchanged` ends every message: that nothing was taken in."""

    def __init__(
        self,
        bank: Bank,
        path: Path,
        selection: ItemFilter | None = None,
        *,
        our_ids: bool = False,
        unchanged: str,
        skip: str = "",
    ) -> None:
        """`selection` narrows by paradigm and data set; `our_ids`: the ids are said to be this bank's; `skip`: the option that
        leaves out items whose texts differ, where there is one."""
        self._bank = bank
        self._path = path
        self._selection = selection or ItemFilter()
        self._our_ids = our_ids
        self._unchanged = unchanged
        self._skip = skip

    @cached_property
    def _by_uid(self) -> dict[str, StoredItem]:
        return {item.uid.hex(): item for item in self._bank.items.iterate()}

    @cached_property
    def _by_label(self) -> dict[str, list[StoredItem]]:
        found: dict[str, list[StoredItem]] = defaultdict(list)
        for item in self._by_uid.values():
            if self._chosen(item):
                found[item.label].append(item)
        return found

    def _chosen(self, item: StoredItem) -> bool:
        wanted = self._selection
        return (
            wanted.paradigm in (None, item.paradigm)
            and wanted.dataset in (None, item.dataset)
            and item.paradigm in (wanted.paradigms or (item.paradigm,))
            and item.dataset in (wanted.datasets or (item.dataset,))
        )

    def find(self, said: ItemReference) -> StoredItem:
        """The item that is meant. Raises `TextsDifferError` where it has other texts, and `ConfigError`, naming line and item,
        where it is not here, not among the chosen ones, or not said clearly enough."""
        item = self.meant(said)
        if said.text_digest and said.text_digest != digest_of(item.sentences):
            raise self._other_texts(item, said)
        if any(not _has(item, *text) for text in said.texts):
            raise self._other_texts(item, said)
        return item

    def meant(self, said: ItemReference) -> StoredItem:
        """The item that is meant, whatever its texts are now. Raises `ConfigError`."""
        if said.uid:
            found = self._by_uid.get(said.uid) or self._twin(said)
            if found is None:
                raise self._not_here(
                    said,
                    f"{_called(said)} (uid {said.uid}) is not in this bank",
                    "Is the file of another bank? `gapsmith bank merge` brings that one in.",
                )
            if not self._chosen(found):
                raise self._not_here(
                    said,
                    f"{_called(said)} is of {found.paradigm}{self._data_set(found)}, which was not chosen",
                    self._choosing([found]),
                )
            if not said.has_texts and not self._our_ids:
                raise self._alone(said, "the uid says which item, and nothing says which texts")
            return found
        return self._by_id(said)

    def _by_id(self, said: ItemReference) -> StoredItem:
        called = [
            item
            for item in self._by_label.get(said.label, ())
            if said.paradigm in ("", item.paradigm) and said.dataset in ("", item.dataset)
        ]
        if not called:
            raise self._not_here(said, f"there is no {_called(said)} here", self._choosing(self._left_out(said)))
        if not said.has_texts:
            if not self._our_ids:
                raise self._alone(said, "an id says nothing of whose it is: two banks, or two files, have the same")
            fitting = called
        else:
            fitting = [item for item in called if self._fits(item, said)] or called
        if len(fitting) > 1:
            told = self._bank.gate.tells_origins
            places = ", ".join(f"{item.paradigm}/{item.dataset}" if told else item.paradigm for item in fitting)
            raise self._refuse(
                said,
                f"{len(fitting)} items are called {said.label!r}: {places}",
                "Say which in columns `dataset` and `paradigm` of the file, or with --dataset and --paradigm for all of it.",
            )
        return fitting[0]

    def _data_set(self, item: StoredItem) -> str:
        return f", data set {item.dataset}" if self._bank.gate.tells_origins else ""

    def _left_out(self, said: ItemReference) -> list[StoredItem]:
        """The items outside of the chosen ones that the file may mean, where it says more of them than an id."""
        if not (said.dataset or said.has_texts):
            return []
        return [
            item
            for item in self._by_uid.values()
            if item.label == said.label
            and not self._chosen(item)
            and said.paradigm in ("", item.paradigm)
            and said.dataset in ("", item.dataset)
            and (not said.has_texts or self._fits(item, said))
        ]

    def _choosing(self, left_out: Sequence[StoredItem]) -> str:
        """What to type so that these items are among the chosen ones."""
        wanted = self._selection
        missing = [
            f"{flag} {shlex.quote(own)}"
            for item in left_out[:1]
            for flag, own, chosen in (
                ("-p", item.paradigm, wanted.paradigms or (wanted.paradigm or item.paradigm,)),
                ("-d", item.dataset, wanted.datasets or (wanted.dataset or item.dataset,)),
            )
            if own not in chosen
        ]
        if not missing or not self._bank.gate.tells_origins:
            return self._bank.gate.finding_names
        return f"{'Add' if wanted.paradigms or wanted.datasets else 'Say'} {' '.join(missing)}: the file is about items of it."

    def _twin(self, said: ItemReference) -> StoredItem | None:
        """The item that two banks brought in by themselves, and that a merge made one: same place, same id, same texts."""
        alike = [
            item
            for item in self._by_label.get(said.label, ())
            if said.has_texts
            and said.paradigm in ("", item.paradigm)
            and said.dataset in ("", item.dataset)
            and self._fits(item, said)
        ]
        return alike[0] if len(alike) == 1 else None

    @staticmethod
    def _fits(item: StoredItem, said: ItemReference) -> bool:
        if said.text_digest:
            return said.text_digest == digest_of(item.sentences)
        return all(_has(item, *text) for text in said.texts)

    def _other_texts(self, item: StoredItem, said: ItemReference) -> TextsDifferError:
        rest = f" {self._skip} takes in the others." if self._skip else ""
        called = _called(said, item if self._bank.gate.tells_origins else None)
        return TextsDifferError(
            f"{self._path}, line {said.line}: {called} has other texts here: {self.difference(item, said)}",
            hint=f"What the file says is about its own texts; have it said of those that are here.{rest} {self._unchanged}",
        )

    def difference(self, item: StoredItem, said: ItemReference) -> str:
        """How the texts of an item differ from those that the file is about: the first sentence that does, both ways."""
        for condition, text in said.texts:
            if not _has(item, condition, text):
                here = next((s for s in item.sentences if s.condition == condition), None) or (
                    item.sentences[0] if len(item.sentences) else None
                )
                return _both("" if here is None else here.text, text, condition)
        for revision in reversed(self._bank.items.history(item.id)):
            if digest_of(revision.sentences) == said.text_digest:
                return next(_differing(item.sentences, revision.sentences), "its conditions are in another order")
        now = digest_of(item.sentences)
        return f"their digest is {now[:12]}… here and {said.text_digest[:12]}… in the file, which is of no revision of it"

    def _alone(self, said: ItemReference, why: str) -> ConfigError:
        columns = " and ".join(NAMING)
        return self._refuse(
            said,
            f"{_called(said)} is named by its {'uid' if said.uid else 'id'} alone, and {why}",
            f"Give the columns {columns}, as our own files have them, or the sentence; or {_OURS}.",
        )

    def _not_here(self, said: ItemReference, what: str, hint: str) -> NotHereError:
        return NotHereError(f"{self._path}, line {said.line}: {what}", hint=f"{hint} {self._unchanged}")

    def _refuse(self, said: ItemReference, what: str, hint: str) -> ConfigError:
        return ConfigError(f"{self._path}, line {said.line}: {what}", hint=f"{hint} {self._unchanged}")


def _called(said: ItemReference, item: StoredItem | None = None) -> str:
    if item is not None and said.label and item.label != said.label:
        return f"item {said.label!r}, called {item.label!r} here,"
    label = said.label or (item.label if item is not None else "")
    return f"item {label!r}" if label else "the item"


def _has(item: StoredItem, condition: str, text: str) -> bool:
    return any(s.text.strip().removeprefix("'") == text and condition in ("", s.condition) for s in item.sentences)


def _differing(here: Sequence[Sentence], there: Sequence[Sentence]) -> Iterator[str]:
    ours, theirs = ({s.condition: s.text for s in sentences} for sentences in (here, there))
    for condition in dict.fromkeys([*theirs, *ours]):
        if ours.get(condition) != theirs.get(condition):
            yield _both(ours.get(condition, ""), theirs.get(condition, ""), condition)


def _both(here: str, there: str, condition: str) -> str:
    where = f"{condition}: " if condition else ""
    return f"{where}{_shown(here)} here, {_shown(there)} in the file"


def _shown(text: str) -> str:
    cut = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
    return repr(cut) if text else "nothing"
