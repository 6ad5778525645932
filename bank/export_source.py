"""The items that go out, and what the versions of their paradigm have in common."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from gapsmith.bank.records import ItemFilter
from gapsmith.bank.store import Bank
from gapsmith.templates import ConfigError, Design, GapsmithError, Paradigm


@dataclass(frozen=True, slots=True)
class ExportSource:
    """Items of one paradigm, made with one or several versions of its file."""

    newest: Paradigm
    """As it stands today."""
    versions: tuple[tuple[Paradigm, int], ...]
    """Every form, under today's predictions, with the number of its items."""
    datasets: tuple[str, ...]
    sentences: Counter[tuple[str, str]]
    """By condition and text."""
    shared_labels: int
    """Labels that items of several data sets have."""

    def common(self) -> Paradigm:
        """The version that speaks for all. Raises `GapsmithError` where they differ in factors or conditions."""
        for version, count in self.versions:
            if version.factors != self.newest.factors:
                raise self._unlike("factors", count)
            if [(c.name, c.levels) for c in version.conditions] != [(c.name, c.levels) for c in self.newest.conditions]:
                raise self._unlike("conditions", count)
        return self.newest

    def design(self, name: str | None) -> Design:
        """The conditions to write: those of the design, or all of them, under the labels of a design that has all.

        Raises `ParadigmError` for a design that is not there, `GapsmithError` where versions have other conditions under it."""
        if name is None:
            every = {condition.name for condition in self.newest.conditions}
            whole = [design for design in self.newest.designs if set(design.conditions) == every]
            return whole[0] if whole else Design("all", {c.name: c.name for c in self.newest.conditions})
        chosen = self.newest.design(name)
        for version, count in self.versions:
            of_version = next((design for design in version.designs if design.name == name), chosen)
            if dict(of_version.labels) != dict(chosen.labels):
                raise self._unlike(f"conditions in the design {name}", count)
        return chosen

    def outside(self, conditions: Collection[str]) -> int:
        """How many sentences are in none of these conditions."""
        return sum(count for (condition, _), count in self.sentences.items() if condition not in conditions)

    def texts(self, conditions: Collection[str]) -> list[str]:
        """The different texts in these conditions."""
        return list(dict.fromkeys(text for condition, text in self.sentences if condition in conditions))

    def _unlike(self, what: str, count: int) -> GapsmithError:
        return GapsmithError(
            f"{count:,} of the items of {self.newest.name} were made with a form that has other {what} than its file has now",
            hint=f"Take one data set at a time (--dataset NAME, in Python dataset=NAME; here: {', '.join(self.datasets)}), or "
            f"bring the items up to date with `gapsmith paradigm update {self.newest.name}`.",
        )


def _nothing_selected(bank: Bank, selection: ItemFilter, hint: str) -> GapsmithError:
    """That no item is selected, where the items stand, and then `hint`. Raises `ConfigError` for a data set that is not there."""
    if selection.dataset is not None:
        bank.datasets.expect([selection.dataset], [] if selection.paradigm is None else [selection.paradigm])
    counts = bank.items.count_by_status(ItemFilter(paradigm=selection.paradigm, dataset=selection.dataset))
    stand = ", ".join(f"{count:,} {status.value}" for status, count in counts.items())
    if left_out := bank.gate.left_out(selection):
        hint = f"{left_out} {hint}"
    return GapsmithError(f"no item of {selection.paradigm} is selected{f' ({stand})' if stand else ''}", hint=hint)


def find_items(bank: Bank, selection: ItemFilter) -> ExportSource:
    """The selected items. Raises `GapsmithError` where there are none."""
    ids: Counter[int] = Counter()
    datasets: dict[str, None] = {}
    labels: Counter[str] = Counter()
    sentences: Counter[tuple[str, str]] = Counter()
    last = None
    for last in bank.items.iterate(selection):
        ids[last.paradigm_id] += 1
        datasets[last.dataset] = None
        labels[last.label] += 1
        sentences.update((sentence.condition, sentence.text) for sentence in last.sentences)
    if last is None:
        raise _nothing_selected(
            bank,
            selection,
            "Only approved items are taken, unless you say --all or --status; in Python, everything=True.",
        )
    forms: dict[str, tuple[Paradigm, int]] = {}
    for paradigm_id, count in ids.items():
        form = bank.paradigms.reading(paradigm_id)
        forms[form.form_digest] = (form, count + forms.get(form.form_digest, (form, 0))[1])
    return ExportSource(
        bank.paradigms.current(last.paradigm).paradigm,
        tuple(forms.values()),
        tuple(datasets),
        sentences,
        sum(n > 1 for n in labels.values()),
    )


def only_paradigm(bank: Bank, dataset: str | None = None) -> str:
    """The bank's only paradigm, among those with items of the data set if one is named. Raises `ConfigError` where there is none,
    or a choice to be made."""
    names = bank.paradigms.names()
    if not names:
        raise ConfigError("the bank has no items yet", hint="Make some with `gapsmith generate` or `gapsmith import`.")
    if dataset is not None and len(names) > 1:
        datasets = {name: bank.items.datasets(name) for name in names}
        names = [name for name, own in datasets.items() if dataset in own]
        if not names:
            bank.datasets.expect([dataset])
    if len(names) == 1:
        return names[0]
    raise ConfigError(
        f"the bank has items of {len(names)} paradigms",
        hint=f"Say which (-p NAME, in Python paradigm=NAME): {', '.join(names)}.",
    )
