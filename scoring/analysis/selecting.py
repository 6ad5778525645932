"""Which items and contrasts an analysis is about, and the version of the paradigm that they are read with."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from bank import Bank, ItemFilter, ItemStatus, StoredItem
from scoring.analysis.names import label
from scoring.analysis.results import AnalysisOptions
from templates.errors import ConfigError, GapsmithError
from templates.model import CRITICAL, Contrast, Paradigm

__all__ = ["Chosen", "choose", "chosen_contrasts", "reads_alike"]


@dataclass(frozen=True, slots=True)
class Chosen:
    """The items of one paradigm that are analysed, among those they were chosen from."""

    paradigm: Paradigm
    """The version of the newest item that is analysed."""
    contrasts: tuple[Contrast, ...]
    selection: ItemFilter
    """The items that they were chosen from, whatever was decided of them."""
    items: tuple[StoredItem, ...]
    """Those of `selection`."""
    picked: tuple[StoredItem, ...]
    """Those that are analysed."""
    versions: Mapping[int, Paradigm]
    """The version of every item, by paradigm id."""

    @property
    def texts(self) -> list[str]:
        """The different texts that are analysed, in the items' order."""
        return list(dict.fromkeys(sentence.text for item in self.picked for sentence in item.sentences))


def choose(bank: Bank, paradigm: str, options: AnalysisOptions) -> Chosen:
    """The items and contrasts that the options ask for.

    Raises `BankError` for a paradigm without items, `ConfigError` for an unknown data set, design or contrast, and
    `GapsmithError` where no item is approved, or where a contrast does not mean the same for all of them.
    """
    bank.paradigms.newest(paradigm)
    datasets = bank.items.datasets(paradigm)
    if options.dataset is not None and options.dataset not in datasets:
        raise ConfigError(f"{paradigm} has no data set {options.dataset!r}.", hint=f"It has: {', '.join(datasets)}.")
    selection = ItemFilter(paradigm=paradigm, dataset=options.dataset)
    items = tuple(bank.items.iterate(selection))
    picked = tuple(item for item in items if options.all_items or item.status is ItemStatus.APPROVED)
    versions = {paradigm_id: bank.paradigms.load(paradigm_id) for paradigm_id in {item.paradigm_id for item in items}}
    newest = versions[(picked or items)[-1].paradigm_id]
    contrasts = chosen_contrasts(newest, options)
    if not picked:
        raise _nothing_approved(bank, selection, paradigm)
    _check_alike(newest, contrasts, picked, versions)
    return Chosen(newest, tuple(contrasts), selection, items, picked, versions)


def chosen_contrasts(paradigm: Paradigm, options: AnalysisOptions) -> list[Contrast]:
    """The contrasts that the options ask for, in the paradigm's order. Raises `ConfigError`."""
    if not paradigm.contrasts:
        raise ConfigError(
            f"{paradigm.name} defines no contrasts, so there is nothing to test.",
            hint="Add [[contrasts]] to its file; `gapsmith paradigm show subject_pg` shows some.",
        )
    if options.design is not None:
        paradigm.design(options.design)
    wanted = [_contrast(paradigm, name) for name in options.contrasts] or list(paradigm.contrasts)
    found = [c for c in paradigm.contrasts if c in wanted and options.design in (None, c.design)]
    if not found:
        raise ConfigError(
            f"{paradigm.name} has no contrast in the design {options.design!r} among those asked for.",
            hint=f"Its contrasts: {', '.join(f'{c.name} ({c.design})' for c in paradigm.contrasts)}.",
        )
    return found


def _contrast(paradigm: Paradigm, asked: str) -> Contrast:
    """The contrast of that name, or with that label in tables, whatever the case. Raises `ConfigError`."""
    wanted = asked.strip().casefold()
    matches = (
        [c for c in paradigm.contrasts if c.name == asked],
        [c for c in paradigm.contrasts if c.name.casefold() == wanted],
        [c for c in paradigm.contrasts if label(c).casefold() == wanted],
    )
    for found in matches:
        if len(found) == 1:
            return found[0]
    shown = {name.casefold(): name for c in paradigm.contrasts for name in (label(c), c.name)}
    close = difflib.get_close_matches(wanted, shown, n=1)
    known = ", ".join(c.name if label(c) == c.name else f"{c.name} ({label(c)})" for c in paradigm.contrasts)
    raise ConfigError(
        f"{paradigm.name} has no contrast {asked!r}. It has: {known}",
        hint=f"Did you mean {shown[close[0]]}?" if close else "Leave --contrast out for all of them.",
    )


def reads_alike(contrast: Contrast, paradigm: Paradigm, version: Paradigm) -> str:
    """What another `version` of `paradigm` has otherwise in this contrast: its formula or a critical region; else empty.

    A version that lacks the contrast, or a condition of it, says nothing else: its items lack a value, or have the same.
    """
    own = next((known for known in version.contrasts if known.name == contrast.name), contrast)
    if Counter(own.terms) != Counter(contrast.terms):
        return "its formula"
    for term in contrast.terms:
        there = version.condition_by_name.get(term.condition)
        here = paradigm.condition(term.condition)
        if term.region == CRITICAL and there is not None and there.critical != here.critical:
            return f"the critical region of {term.condition}"
    return ""


def _check_alike(
    newest: Paradigm, contrasts: Sequence[Contrast], picked: Sequence[StoredItem], versions: Mapping[int, Paradigm]
) -> None:
    """Raise `GapsmithError` where one mean would be taken over different measures."""
    counts = Counter(versions[item.paradigm_id].digest for item in picked)
    for version in versions.values():
        if version.digest not in counts:
            continue
        for contrast in contrasts:
            unlike = reads_alike(contrast, newest, version)
            if unlike:
                names = dict.fromkeys(i.dataset for i in picked if versions[i.paradigm_id].digest == version.digest)
                raise GapsmithError(
                    f"{newest.name}: {contrast.name} is not the same for all items, since {unlike} differs between the "
                    f"versions of the paradigm that they were made with: {counts[newest.digest]:,} "
                    f"item{'' if counts[newest.digest] == 1 else 's'} with "
                    f"{newest.digest[:12]}, {counts[version.digest]:,} with {version.digest[:12]} (data set "
                    f"{', '.join(names)}).",
                    hint="Analyse them apart with --dataset NAME, leave the contrast out by naming others with "
                    "--contrast, or approve the items of one version only.",
                )


def _nothing_approved(bank: Bank, selection: ItemFilter, paradigm: str) -> GapsmithError:
    counts = bank.items.count_by_status(selection)
    stand = ", ".join(f"{count:,} {status.value}" for status, count in counts.items())
    return GapsmithError(
        f"No item of {paradigm} is approved ({stand}).",
        hint="Decide with `gapsmith decide` or `gapsmith review`, or analyse every item with --all.",
    )
