"""A folder of tasks for lm-evaluation-harness: pairs of sentences of which the good one should be the more probable.

A task per pair of conditions, and per value of an attribute where that is asked for; a group over them with the mean of their
accuracies. The harness compares log-probabilities of whole sentences without anything before them (``acc``), and the same
divided by their length in characters (``acc_norm``). A wh-effect compares one critical word behind two beginnings: there the
beginnings are the choices and the word is what is scored, so that nothing else of the sentences counts.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from gapsmith.bank.formats import ForeignItem, ForeignSet, Json
from gapsmith.templates import SENTENCE_PLACE, Comparison, ConfigError, Formula, Operand, Paradigm


@dataclass(frozen=True, slots=True)
class PairTask:
    """One task: its pairs, as (item, good sentence, bad sentence); with continuations the two are what stands before them."""

    name: str
    pairs: tuple[tuple[str, str, str], ...]
    continuations: tuple[str, ...] = ()
    """For each pair the critical words with the space before them, where words behind two beginnings are compared."""
    names: tuple[Mapping[str, str], ...] = ()
    """For each pair the uid and the digest of the texts of its item, by key."""


def pairs_compared(criteria: Sequence[Formula]) -> tuple[tuple[str, str], ...]:
    """(good, bad) of the criteria that compare two whole sentences by surprisal: ``good@sentence < bad@sentence``."""
    found = []
    for criterion in criteria:
        root = criterion.root
        if not isinstance(root, Comparison) or root.relation == "=":
            continue
        sides = (root.left, root.right) if root.relation == "<" else (root.right, root.left)
        good, bad = sides
        if isinstance(good, Operand) and isinstance(bad, Operand) and good.place == bad.place == SENTENCE_PLACE:
            found.append((good.condition, bad.condition))
    return tuple(dict.fromkeys(found))


def tasks_of(items: ForeignSet, pairs: Sequence[tuple[str, str]], *, by: str | None = None) -> tuple[PairTask, ...]:
    """The tasks for pairs of conditions, split by the values of an attribute where one is named.

    Items that lack a member, or have one twice, are left out of that pair's task. Raises `ConfigError` where nothing is left."""
    grouped: dict[tuple[str, ...], list[tuple[str, str, str]]] = {}
    named: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for good, bad in pairs:
        for item in items.items:
            texts = _texts(item, good), _texts(item, bad)
            if len(texts[0]) != 1 or len(texts[1]) != 1:
                continue
            parts = [items.name]
            if len(pairs) > 1:
                parts += [good, "over", bad]
            if by is not None:
                parts.append(_text(item.attributes.get(by)))
            grouped.setdefault(tuple(parts), []).append((item.label, texts[0][0], texts[1][0]))
            named.setdefault(tuple(parts), []).append(item.names)
    if not grouped:
        raise ConfigError(
            f"{items.name}: no item has both members of a pair",
            hint="Name two conditions that the items have, the better one first: --pair good,bad.",
        )
    names: list[str] = []
    for parts_of_name in grouped:
        name, count = _name(parts_of_name), 1
        while name in names:
            count += 1
            name = f"{_name(parts_of_name)}_{count}"
        names.append(name)
    return tuple(
        PairTask(name, tuple(pairs_of), names=_all_named(named[parts]))
        for name, (parts, pairs_of) in zip(names, grouped.items(), strict=True)
    )


def wh_effect_tasks(items: ForeignSet, paradigm: Paradigm, *, by: str | None = None) -> tuple[PairTask, ...]:
    """A task for each wh-effect with a predicted sign: the same critical words behind two beginnings, the better one of which
    should make them the more probable. Items whose critical words differ, or that lack a sentence or its regions, are left
    out."""
    labels = {paradigm.resolve_label(name) or name: name for name in items.conditions}
    found: dict[tuple[str, ...], list[tuple[str, str, str, str]]] = {}
    named: dict[tuple[str, ...], list[Mapping[str, str]]] = {}
    for contrast in paradigm.contrasts:
        if contrast.kind != "wh-effect" or not contrast.expected or len(contrast.terms) != 2:
            continue
        # The sign that is expected of the difference says which side should be the less surprising one.
        good, bad = sorted(contrast.terms, key=lambda term: float(term.weight) * contrast.expected)
        for item in items.items:
            sides = []
            for term in (good, bad):
                sentences = [s for s in item.sentences if s.condition == labels.get(term.condition, term.condition)]
                region = paradigm.region_of(term)
                spans = [span for span in (sentences[0].spans or ()) if span.name == region] if len(sentences) == 1 else []
                if len(spans) == 1 and spans[0].start < spans[0].end:
                    text = sentences[0].text
                    start = len(text[: spans[0].start].rstrip())
                    sides.append((text[:start], text[start : spans[0].end]))
            if len(sides) == 2 and sides[0][1] == sides[1][1]:
                parts = (items.name, contrast.name, *([_text(item.attributes.get(by))] if by is not None else []))
                found.setdefault(parts, []).append((item.label, sides[0][0], sides[1][0], sides[0][1]))
                named.setdefault(parts, []).append(item.names)
    return tuple(
        PairTask(_name(parts), tuple(row[:3] for row in rows), tuple(row[3] for row in rows), _all_named(named[parts]))
        for parts, rows in found.items()
    )


def write_lm_eval(folder: Path, group: str, tasks: Sequence[PairTask], *, seed: int = 1) -> None:
    """Write the tasks, their data and a page that says how to run them, into a folder that is new or empty.

    The right choice is the first in half of a task's pairs, drawn from `seed` and the task's name, since the harness takes the
    first of two equal numbers.
    Raises `ConfigError` where the folder holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something already", hint="Name a folder that is new or empty.")
    (folder / "data").mkdir(parents=True)
    for task in tasks:
        with (folder / "data" / f"{task.name}.jsonl").open("w", encoding="utf-8", newline="") as stream:
            for place, (row, gold) in enumerate(zip(task.pairs, _golds(task, seed), strict=True)):
                item, good, bad = row
                choices = [bad, good] if gold else [good, bad]
                names = task.names[place] if task.names else {}
                said = {"item": item, **names, "choices": choices, "gold": gold}
                if task.continuations:
                    said["continuation"] = task.continuations[place]
                stream.write(json.dumps(said, ensure_ascii=False) + "\n")
        (folder / f"{task.name}.yaml").write_text(_task_yaml(task), encoding="utf-8")
    name = _name([group])
    runs = name if len(tasks) > 1 else tasks[0].name
    if len(tasks) > 1:
        if any(task.name == name for task in tasks):
            name = runs = f"{name}_all"
        (folder / f"_{name}.yaml").write_text(_group_yaml(name, tasks), encoding="utf-8")
    (folder / "README.md").write_text(_page(runs, tasks), encoding="utf-8")


def _golds(task: PairTask, seed: int) -> list[int]:
    """0 and 1 equally often, in an order drawn from the seed; one of them once more where the pairs are odd."""
    draw = random.Random(f"{seed} {task.name}")
    golds = [place % 2 for place in range(len(task.pairs))]
    if len(golds) % 2:
        golds[-1] = draw.randrange(2)
    draw.shuffle(golds)
    return golds


def _task_yaml(task: PairTask) -> str:
    # No delimiter: the sentence is scored as it is, not with a space before it. With a number as its text the harness takes the
    # choices for what stands before the target.
    text, target = ("gold", "continuation") if task.continuations else ("", "gold")
    metrics = "\n".join(f"  - metric: {metric}\n    aggregation: mean\n    higher_is_better: true" for metric in _metrics([task]))
    return f"""task: {json.dumps(task.name)}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {json.dumps(f"data/{task.name}.jsonl")}
output_type: multiple_choice
test_split: test
doc_to_text: {json.dumps(text)}
target_delimiter: ""
doc_to_target: {target}
doc_to_choice: choices
num_fewshot: 0
metric_list:
{metrics}
metadata:
  version: 1.0
"""


def _metrics(tasks: Sequence[PairTask]) -> tuple[str, ...]:
    """What all of the tasks are measured by. Choices that are beginnings have lengths that say nothing of what is scored."""
    return ("acc",) if any(task.continuations for task in tasks) else ("acc", "acc_norm")


def _group_yaml(name: str, tasks: Sequence[PairTask]) -> str:
    listed = "\n".join(f"  - {json.dumps(task.name)}" for task in tasks)
    metrics = "\n".join(f"  - metric: {metric}\n    aggregation: mean\n    weight_by_size: false" for metric in _metrics(tasks))
    return f"group: {json.dumps(name)}\ntask:\n{listed}\naggregate_metric_list:\n{metrics}\nmetadata:\n  version: 1.0\n"


def _page(name: str, tasks: Sequence[PairTask]) -> str:
    counts = "\n".join(f"| {task.name} | {len(task.pairs):,} |" for task in tasks)
    return f"""# {name}

Run it in this folder, since the data files are named from here:

    lm_eval --model hf --model_args pretrained=gpt2 --include_path . --tasks {name}

`acc`: the good sentence has the greater log-probability; `acc_norm`: divided by its characters. In tasks of wh-effects `acc`: the
critical word has the greater log-probability behind the good beginning. The right choice is the first one in half of the pairs.

| task | pairs |
|---|---|
{counts}
"""


def _all_named(names: Sequence[Mapping[str, str]]) -> tuple[Mapping[str, str], ...]:
    """Nothing for items that are of no bank."""
    return tuple(names) if any(names) else ()


def _texts(item: ForeignItem, condition: str) -> list[str]:
    return [s.text for s in item.sentences if s.condition == condition and s.text.strip()]


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _name(parts: Sequence[str]) -> str:
    """A name that is safe as a file's and as a task's."""
    joined = "_".join(re.sub(r"\W+", "_", part, flags=re.ASCII).strip("_") for part in parts)
    return joined.strip("_") or "task"
