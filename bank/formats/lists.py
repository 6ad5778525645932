"""Lists for experiments with people: each participant sees every item once, and every condition as often.

A Latin square: on list l, item i is shown in condition (i + l) modulo the number of conditions. PCIbex reads all lists from one
table with a column ``group`` (Zehr & Schwarz 2018, "PennController for Internet Based Experiments"); for jsPsych every list is a
JSON array for ``timeline_variables`` (de Leeuw 2015, "jsPsych: a JavaScript library").
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TextIO

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSet, Json
from gapsmith.bank.formats.grouping import cell_text, headings_behind
from gapsmith.bank.formats.writing import CsvWriter
from gapsmith.bank.item_names import NAMING
from gapsmith.templates import ConfigError

FILLER = "filler"
_COLUMNS = ("group", "item", "condition", "sentence", "type")


@dataclass(frozen=True, slots=True)
class Trial:
    """One sentence as a participant sees it."""

    item: str
    condition: str
    sentence: str
    attributes: dict[str, Json]
    is_filler: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    """The item's uid and the digest of its texts, by column; nothing of fillers, which are of no bank."""


@dataclass(frozen=True, slots=True)
class ExperimentList:
    """What one participant sees, in order."""

    group: str
    """``A``, ``B`` …"""
    trials: tuple[Trial, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """The lists of an experiment."""

    lists: tuple[ExperimentList, ...]
    left_out: tuple[str, ...]
    """Labels of items that do not have exactly one sentence in every condition."""
    unbalanced: int
    """How many items there are too many for every condition to come equally often on a list; 0 where all is balanced."""


def latin_square(
    items: ForeignSet, *, conditions: Sequence[str] = (), fillers: Iterable[ForeignItem] = (), seed: int = 1
) -> Lists:
    """As many lists as conditions (all of the set's unless some are named), each with every item once and all fillers.

    The order is shuffled with the seed, differently on every list, with the fillers spread evenly between the items. Raises
    `ConfigError` where no item has every condition, and for a condition that the set does not have."""
    wanted = tuple(conditions) or items.conditions
    if unknown := [name for name in wanted if name not in items.conditions]:
        raise ConfigError(f"{items.name} has no condition {unknown[0]!r}", hint=f"Conditions: {', '.join(items.conditions)}.")
    complete: list[dict[str, Trial]] = []
    left_out = []
    for item in items.items:
        trials = _trials(item, wanted)
        if trials is None:
            left_out.append(item.label)
        else:
            complete.append(trials)
    if not complete:
        raise ConfigError(
            f"no item of {items.name} has exactly one sentence in each of {', '.join(wanted)}",
            hint="Name the conditions of the experiment: --conditions a,b.",
        )
    others = [trial for filler in fillers for trial in _filler_trials(filler)]
    lists = []
    for number in range(len(wanted)):
        shown = [trials[wanted[(index + number) % len(wanted)]] for index, trials in enumerate(complete)]
        random_order = random.Random(f"{seed}/{number}")
        random_order.shuffle(shown)
        between = list(others)
        random_order.shuffle(between)
        lists.append(ExperimentList(_group(number), tuple(_spread(shown, between))))
    return Lists(tuple(lists), tuple(left_out), len(complete) % len(wanted))


def write_pcibex(stream: TextIO, lists: Lists) -> int:
    """All lists as one CSV for ``Template("items.csv")``, which takes one ``group`` per participant; how many rows."""
    headings = _headings(lists.lists)
    naming = NAMING if any(trial.names for one in lists.lists for trial in one.trials) else ()
    writer = CsvWriter(stream)
    writer.row((*_COLUMNS, *naming, *headings))
    rows = 0
    for one in lists.lists:
        for trial in one.trials:
            kind = FILLER if trial.is_filler else "item"
            attributes = [cell_text(trial.attributes.get(name)) for name in headings.values()]
            names = [trial.names.get(name, "") for name in naming]
            writer.row((one.group, trial.item, trial.condition, trial.sentence, kind, *names, *attributes))
            rows += 1
    return rows


def write_jspsych(stream: TextIO, one: ExperimentList) -> int:
    """One list as a JSON array for jsPsych's ``timeline_variables``; how many trials."""
    keys = _headings([one])
    json.dump(
        [
            {
                "group": one.group,
                "item": trial.item,
                "condition": trial.condition,
                "sentence": trial.sentence,
                "type": FILLER if trial.is_filler else "item",
                **trial.names,
                **{key: trial.attributes[name] for key, name in keys.items() if name in trial.attributes},
            }
            for trial in one.trials
        ],
        stream,
        ensure_ascii=False,
        indent=1,
    )
    stream.write("\n")
    return len(one.trials)


def _headings(lists: Iterable[ExperimentList]) -> dict[str, str]:
    """The headings of the attributes of all trials, to these."""
    return headings_behind((*_COLUMNS, *NAMING), (name for one in lists for trial in one.trials for name in trial.attributes))


def _trials(item: ForeignItem, conditions: Sequence[str]) -> dict[str, Trial] | None:
    found: dict[str, list[Trial]] = {name: [] for name in conditions}
    for sentence in item.sentences:
        if sentence.condition in found:
            attributes = {**item.attributes, **sentence.attributes}
            found[sentence.condition].append(Trial(item.label, sentence.condition, sentence.text, attributes, names=item.names))
    if any(len(trials) != 1 or not trials[0].sentence.strip() for trials in found.values()):
        return None
    return {name: trials[0] for name, trials in found.items()}


def _filler_trials(filler: ForeignItem) -> Iterator[Trial]:
    for sentence in filler.sentences:
        attributes = {**filler.attributes, **sentence.attributes}
        yield Trial(filler.label, sentence.condition or FILLER, sentence.text, attributes, is_filler=True)


def _spread(items: Sequence[Trial], fillers: Sequence[Trial]) -> Iterator[Trial]:
    """The items in their order, with the fillers spread evenly before, between and after them."""
    used = 0
    for number, trial in enumerate(items, 1):
        until = round(number * len(fillers) / (len(items) + 1))
        yield from fillers[used:until]
        used = until
        yield trial
    yield from fillers[used:]


def _group(number: int) -> str:
    letters = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return letters
