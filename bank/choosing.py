"""Fit, the third step of a file's way: which paradigm takes its sentences, and why. The only place that chooses one."""

from __future__ import annotations

import re
import shlex
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import NoReturn

from gapsmith.bank.fitting import Fit, FitByWords, Unread, fit_set, fits_by_words, has_just_these, other_gaps, predictions_beyond
from gapsmith.bank.formats.asking import FLAGS, FileAnswer, UndecidedError, flags_of
from gapsmith.bank.formats.draft import draft_paradigm, slug
from gapsmith.bank.formats.foreign import BAD, GOOD, ForeignSet
from gapsmith.bank.formats.pairs import RECORDS
from gapsmith.bank.formats.source import NOTHING_KEPT
from gapsmith.bank.paradigms import Current
from gapsmith.bank.records import ItemFilter, NewItem
from gapsmith.bank.store import Bank
from gapsmith.templates import (
    ConfigError,
    FormatError,
    GapsmithError,
    Paradigm,
    ParadigmError,
    load_paradigm,
    paradigm_files,
    parse_paradigm,
)

_ASKED = 3
"""Of so many paradigms it is asked which one is meant."""
_LABELS = 12
"""So many labels are said with their conditions."""


class ParadigmOrigin(StrEnum):
    """How a file comes to its paradigm, in the order in which the ways are tried: the first that leads to one decides."""

    NAMED = "named"
    """Somebody named it."""
    BOUND = "bound"
    """The data set that the file brings up to date is of it."""
    IN_COLUMN = "in column"
    """All rows name it in the column `sentence_type`."""
    BY_WORDS = "by words"
    """Of the workspace's and the shipped ones, it is the one whose words make the sentences."""
    AS_BEFORE = "as before"
    """This very file came in with it, which has no words of its own."""
    AS_PAIRS = "as pairs"
    """The file has minimal pairs, and this is the one that those of all files are of."""
    DRAFTED = "drafted"
    """None is taken, so that one is made for it."""


@dataclass(frozen=True, slots=True)
class ParadigmChoice:
    """The paradigm that takes a file, why it does, and the file's items as items of it."""

    way: ParadigmOrigin
    fit: Fit
    notes: tuple[str, ...] = ()
    """What to tell of how it was chosen."""
    to_do: tuple[str, ...] = ()
    """What a person should look at: in a new one, or in the file's predictions."""
    drafted: str | None = None
    """The text of its file, where it is a new one that has to be written."""
    items: tuple[NewItem, ...] = ()
    """None before they have been read back (`gapsmith.bank.fitting.new_items`)."""
    unread: tuple[Unread, ...] = ()
    """Items with sentences that do not read back, each with its reason."""

    def write_draft(self) -> Path | None:
        """Write the new paradigm's file; None where there is none to write. Raises `ConfigError` where one has come there."""
        if self.drafted is None:
            return None
        path = Path(self.fit.paradigm.path)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as stream:
                stream.write(self.drafted)
        except FileExistsError:
            raise ConfigError(f"{path}: came into being just now", hint="Run the same command again.") from None
        except OSError as error:
            raise ConfigError(f"{path}: cannot be written ({error.strerror})", hint="Nothing was imported.") from None
        return path


def choose_paradigm(
    found: ForeignSet,
    root: Path,
    bank: Bank | None,
    *,
    file: str,
    named: str | None = None,
    dataset: str | None = None,
    update: bool = False,
    words: bool = True,
    critical: Sequence[str] = (),
) -> ParadigmChoice:
    """The paradigm of a file for the workspace in `root`, whose bank is None where there is none yet: by the first `ParadigmOrigin` that
    leads to one. `named` is what somebody named, and `dataset` where the items go; with `update` they are there already. Without
    `words` none is tried by its words. `critical` is what ``--critical`` says; a new one says it.

    One without words of its own, such as a draft, takes a file only where it is named, and where the same regions are empty in
    the same conditions as in its items. Raises `FormatError` where a named one does not have what the file names or has other
    gaps, where a new one would make a second data set of that name, and for slots of none."""
    choosing = _Choosing(found, root, bank, file, named, dataset if update else None, dataset, critical)
    ways = (
        choosing.named,
        choosing.bound,
        choosing.in_column,
        *([choosing.by_words] if words else []),
        choosing.as_before,
        choosing.as_pairs,
        choosing.drafted,
    )
    return next(chain.from_iterable(way() for way in ways))


@dataclass
class _Choosing:
    """The ways to a paradigm for one file: each gives one, or nothing where it does not lead to one."""

    found: ForeignSet
    root: Path
    bank: Bank | None
    file: str
    name: str | None
    updated: str | None
    """The data set that the file brings up to date."""
    dataset: str | None
    critical: Sequence[str] = ()
    unreadable: list[str] = field(default_factory=list)
    """What to say of the paradigms that could not be tried."""
    reasons: list[str] = field(default_factory=list)
    """Why those that were tried are not taken."""

    def named(self) -> Iterator[ParadigmChoice]:
        if self.name is not None:
            yield self._taken(ParadigmOrigin.NAMED, self._with_its_gaps(load_paradigm(self.name, self.root)))

    def bound(self) -> Iterator[ParadigmChoice]:
        if self.updated is not None and self.bank is not None and self._homes:
            bound = self.bank.paradigms.current(self.bank.datasets.find(self.updated).paradigm).paradigm
            said = f"taken for items of {bound.name}, of which data set {self.updated} is"
            yield self._taken(ParadigmOrigin.BOUND, self._with_its_gaps(bound), said)

    def in_column(self) -> Iterator[ParadigmChoice]:
        kind = self.found.only_type
        named = load_paradigm(kind, self.root) if kind is not None and kind in self._files else None
        # The members of a pair are called good and bad whatever they are sentences of.
        if named is not None and not (self._is_pairs and named.resolve_label(GOOD) is None):
            fit = fit_set(self.found, named, self.file)
            if other := self._other_gaps(fit):
                self.reasons.append(_not_taken(named, other))
            else:
                yield self._taken(ParadigmOrigin.IN_COLUMN, fit, _taken_for(named, "as all rows say in the column sentence_type"))

    def by_words(self) -> Iterator[ParadigmChoice]:
        """Certain where all items read as sentences of one alone; asked where some do not, or several paradigms make them."""
        fits, why = fits_by_words(self.found, self._candidates, self.file)
        sure = [one for one in fits if one.share == 1.0]
        if len(sure) == 1:
            best = sure[0]
            yield self._taken(ParadigmOrigin.BY_WORDS, best.fit, *self.unreadable, _taken_for(best.fit.paradigm, best.why))
        elif fits:
            self._ask_which(sure or fits)
        elif self.found.conditions:
            self.reasons += why
        else:
            raise FormatError(
                f"{self.file}: {why[0]}" if why else f"{self.file}: holds slots that are those of no paradigm here",
                hint=self._how_slots_come_in(),
            )

    def _how_slots_come_in(self) -> str:
        """The paradigm that would take slots, as the command that writes one: its words are there, its sentences are not."""
        words: dict[str, dict[str, None]] = {}
        for item in self.found.items:
            for name, word in (item.slots or {}).items():
                words.setdefault(name, {})[word] = None
        near = [
            f"{one.name} ({', '.join(sorted(shared))})"
            for one in self._candidates
            if (shared := {slot.name for slot in one.slots} & set(words))
        ]
        name = slug(self._stem, {*self._files, *self._kept})
        slots = " ".join(f"--slot {shlex.quote(f'{slot}: ' + ', '.join(list(own)[:_LABELS]))}" for slot, own in words.items())
        regions = " ".join(f"--region {shlex.quote(f'{slot}: {{{slot}}}')}" for slot in words)
        command = (
            f"gapsmith paradigm new {name} --factor 'form: first, second' --region 'changes[form]: this | that' {regions} {slots} "
            "--status first=ok --status 'second=*' --critical changes"
        )
        lines = [
            "Slots are words; what sentences they make, a paradigm says. This writes one with the slots of the file, to be made that of your",
            f"design (its factor and its regions stand for yours):\n  {command}",
            f"Then: gapsmith import {shlex.quote(self.file)} --paradigm {name}",
            *([f"With some of these slots there are: {', '.join(near[:_ASKED])}."] if near else []),
            "Nothing was imported.",
        ]
        return "\n".join(lines)

    def _ask_which(self, fits: Sequence[FitByWords]) -> NoReturn:
        """Ask whose sentences they are. Raises `UndecidedError`."""
        options = {("format" if name == "as" else name): value for name, value in self.found.options.items() if value}
        said = {name: value for name, value in options.items() if name in FLAGS}
        own = FileAnswer("own", "they are of none of these, and one is drafted for them", {"own_paradigm": True})
        answers = [
            FileAnswer(one.fit.paradigm.name, f"{one.fit.paradigm.title}: {one.why}", {"paradigm": one.fit.paradigm.name})
            for one in fits[:_ASKED]
        ]
        ways = [
            f"gapsmith import {shlex.quote(self.file)} {flags_of({**said, **answer.options})}   ({answer.means})"
            for answer in (*answers, own)
        ]
        named = "; ".join(f"{one.fit.paradigm.name}: {one.why}" for one in fits[:_ASKED])
        what = (
            "not all of its items read as sentences of one paradigm"
            if fits[0].share < 1
            else "several paradigms make its sentences"
        )
        raise UndecidedError(
            f"{self.file}: {what} ({named}), so whose they are is not certain",
            question=f"{what[0].upper()}{what[1:]} ({named}). Which paradigm are they of?",
            answers=[*answers, own],
            ways=ways,
            after=NOTHING_KEPT,
        )

    def as_before(self) -> Iterator[ParadigmChoice]:
        """It still has what the file names: a draft whose predictions were edited since is no reason for another one."""
        runs = [] if self.bank is None else [run for run in self.bank.runs.all() if run.kind == "import"]
        before = [run.paradigm for run in runs if run.parameters.get("sha256") == self.found.digest]
        current = self._kept.get(before[-1]) if before else None
        if current is not None and current.paradigm.given:
            try:
                fit = fit_set(self.found, current.paradigm, self.file)
            except GapsmithError:
                return
            yield self._taken(
                ParadigmOrigin.AS_BEFORE, fit, *self.unreadable, f"taken for items of {fit.paradigm.name}, as before"
            )

    def as_pairs(self) -> Iterator[ParadigmChoice]:
        """It is named after no file, and measures whole sentences, or the word at which the members part."""
        ours = [fit for fit in self._alike if re.fullmatch(rf"{self._stem}(_\d+)?", fit.paradigm.name)]
        if self._is_pairs and ours:
            said = _taken_for(ours[-1].paradigm, "the paradigm of minimal pairs of all files")
            yield self._taken(ParadigmOrigin.AS_PAIRS, ours[-1], said)

    def drafted(self) -> Iterator[ParadigmChoice]:
        """A new paradigm. Raises `FormatError` where none can be made, or where it would make a second data set of that name."""
        self._expect_other_dataset()
        notes = (*self.unreadable, *self.reasons, *map(self._why_not_alike, self._alike))
        draft = draft_paradigm(self._titled, name=self._free_name(), file=Path(self.file).name, critical=self.critical)
        path = self.root / "paradigms" / f"{draft.name}.toml"
        try:
            paradigm = parse_paradigm(draft.text, path=str(path))
        except ParadigmError as error:
            # The draft is not written, so nobody can look up a line of it.
            what = re.sub(rf"^{re.escape(str(path))}(, line \d+)?: ", "", error.message)
            raise FormatError(
                f"{self.file}: no paradigm can be drafted for it: {what}",
                hint=f"Change that in the file; or have `gapsmith paradigm draft {shlex.quote(self.file)} -o mine.toml` write "
                "the paradigm, correct it (docs/paradigms.md) and name it with --paradigm. Nothing was imported.",
            ) from None
        fit = Fit(paradigm, draft.conditions, draft.regions, paradigm.designs[0])
        said = f"no paradigm here is taken for them, so paradigms/{draft.name}.toml is drafted"
        to_do = tuple(f"paradigms/{draft.name}.toml, {note}" for note in draft.notes)
        yield ParadigmChoice(ParadigmOrigin.DRAFTED, fit, (*notes, said, *_labels(fit)), to_do, draft.text)

    def _taken(self, way: ParadigmOrigin, fit: Fit, *notes: str) -> ParadigmChoice:
        """A paradigm that is there, with what the file says beyond it: predictions of its own are kept for the export only."""
        paradigm = fit.paradigm
        to_do: list[str] = []
        missing = [c.name for c in paradigm.conditions if c.name not in fit.conditions.values()]
        if paradigm.given and missing:
            to_do.append(f"the file has no sentence in {', '.join(missing)} of {paradigm.name}")
        for prediction in predictions_beyond(self.found, fit):
            if prediction.formula is None:
                to_do.append(f"{prediction.name} of the file is left out: {prediction.why}")
            else:
                said = f"{prediction.formula} by {prediction.measure}"
                to_do.append(f"{prediction.name} of the file is none of {paradigm.name}, and not tested: {said}")
        return ParadigmChoice(way, fit, (*notes, *_labels(fit)), tuple(to_do))

    def _with_its_gaps(self, paradigm: Paradigm) -> Fit:
        """How the file's labels are those of a paradigm that was not left to be found. Raises `FormatError` where its gaps lie
        elsewhere."""
        fit = fit_set(self.found, paradigm, self.file)
        if other := self._other_gaps(fit):
            raise FormatError(
                f"{self.file}: {_not_taken(paradigm, other)}",
                hint="In a paradigm of their own these items are measured where their own gap is: import the file without "
                "--paradigm and --update, into a data set of another name. Nothing was imported.",
            )
        return fit

    def _other_gaps(self, fit: Fit) -> list[str]:
        """Where the file has other gaps than the items of a paradigm without words of its own; for others the words decide."""
        name = fit.paradigm.name
        compared = fit.paradigm.given and fit.regions and not self._is_pairs
        if not compared or self.bank is None or name not in self.bank.paradigms.names():
            return []
        return other_gaps(self.found, fit, (item.sentences for item in self.bank.items.iterate(ItemFilter(paradigm=name))))

    def _why_not_alike(self, fit: Fit) -> str:
        one = fit.paradigm
        what = "conditions and regions" if fit.regions else "conditions"
        named = f"{one.name} has these {what} too, and is taken only where it is named: --paradigm {one.name}"
        other = self._other_gaps(fit)
        return _not_taken(one, other) if other else named

    def _expect_other_dataset(self) -> None:
        """Refuse a new paradigm for a data set that is there, of one that could have been meant."""
        if home := next((fit.paradigm.name for fit in self._alike if fit.paradigm.name in self._homes), None):
            raise FormatError(
                f"{self.file}: data set {self.dataset!r} is there already, of {home}, which has the conditions and regions of "
                "this file",
                hint=f"--update, if the file is that data set corrected; --paradigm {home}, if its items go beside those; "
                "--dataset NAME, if it is another set. Nothing was imported.",
            )

    def _free_name(self) -> str:
        # Items and results are kept by the name inside a file, also where the file is gone.
        stems = (path.stem for path in (self.root / "paradigms").glob("*.toml"))
        return slug(self._stem, {*self._files, *stems, *self._kept})

    @cached_property
    def _files(self) -> Collection[str]:
        """The names of the shipped paradigms and of the workspace's."""
        return paradigm_files(self.root).keys()

    @cached_property
    def _homes(self) -> list[str]:
        """The paradigms that have a data set of that name."""
        return [] if self.bank is None else [one.paradigm for one in self.bank.datasets.all() if one.name == self.dataset]

    @cached_property
    def _kept(self) -> dict[str, Current | None]:
        """The paradigms that the bank has items of, as they stand today; None for one that cannot be read."""
        return {} if self.bank is None else {name: _current(self.bank, name) for name in self.bank.paradigms.names()}

    @cached_property
    def _candidates(self) -> list[Paradigm]:
        # A file of the same kind again is of the paradigm that the first one was of, though that one's file be gone.
        read = [current.paradigm for current in self._kept.values() if current is not None and current.where == "bank"]
        for name in self._files:
            try:
                read.append(load_paradigm(name, self.root))
            except ParadigmError as error:
                self.unreadable.append(f"paradigm {name} cannot be read and is not tried: {error.message}")
        return read

    @cached_property
    def _alike(self) -> list[Fit]:
        """Those without words of their own that have the conditions and regions of the file and no more."""
        fits = (has_just_these(self.found, one, self.file) for one in self._candidates if one.given)
        return [fit for fit in fits if fit is not None]

    @property
    def _is_pairs(self) -> bool:
        """Whether the file holds minimal pairs, in regions, if any, that say where their members part."""
        found = self.found
        is_pairs = set(found.conditions) == {GOOD, BAD} and not found.predictions
        return is_pairs and (not found.regions or found.shape == RECORDS)

    @property
    def _titled(self) -> ForeignSet:
        # Pairs of all files are of one paradigm, which is named after none of them.
        return replace(self.found, name="Minimal pairs") if self._is_pairs else self.found

    @property
    def _stem(self) -> str:
        stem = slug(self._titled.name, set()) or "drafted"
        return f"{stem}_with_regions" if self._is_pairs and self.found.regions else stem


def _current(bank: Bank, name: str) -> Current | None:
    try:
        return bank.paradigms.current(name)
    except GapsmithError:
        return None


def _not_taken(paradigm: Paradigm, other: Sequence[str]) -> str:
    more = f", and {len(other) - 2} more" if len(other) > 2 else ""
    return f"its gaps lie elsewhere than those of the items of {paradigm.name}: {'; '.join(other[:2])}{more}"


def _taken_for(paradigm: Paradigm, why: str) -> str:
    title = f" ({paradigm.title})" if paradigm.title != paradigm.name else ""
    return f"taken for items of {paradigm.name}{title}: {why}; --paradigm names another one"


def _labels(fit: Fit) -> Iterator[str]:
    """What the file's labels were taken for, where they are not the names of the conditions."""
    said = [f"{label} is {name}" for label, name in fit.conditions.items() if label != name]
    more = len(said) - _LABELS
    if said:
        yield f"labels: {', '.join(said[:_LABELS])}{f' and {more} more' if more > 0 else ''}"
