"""A folder of tasks for lm-evaluation-harness: pairs of sentences of which the good one should be the more probable.

A task per pair of conditions, and per value of an attribute where that is asked for; a group over them with the mean of their
accuracies. The harness compares log-probabilities of whole sentences without anything before them (``acc``), and the same
divided by their length in characters (``acc_norm``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from bank.formats.foreign import ForeignItem, ForeignSet, Json
from templates.errors import ConfigError
from templates.formula import SENTENCE_PLACE, Comparison, Formula, Operand


@dataclass(frozen=True, slots=True)
class PairTask:
    """One task: its pairs, as (item, good sentence, bad sentence)."""

    name: str
    pairs: tuple[tuple[str, str, str], ...]


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
    return tuple(PairTask(name, tuple(found)) for name, found in zip(names, grouped.values(), strict=True))


def write_lm_eval(folder: Path, group: str, tasks: Sequence[PairTask]) -> None:
    """Write the tasks, their data and a page that says how to run them, into a folder that is new or empty.

    Raises `ConfigError` where the folder holds something."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something already", hint="Name a folder that is new or empty.")
    (folder / "data").mkdir(parents=True)
    for task in tasks:
        with (folder / "data" / f"{task.name}.jsonl").open("w", encoding="utf-8", newline="") as stream:
            for item, good, bad in task.pairs:
                row = {"item": item, "sentence_good": good, "sentence_bad": bad}
                stream.write(json.dumps(row, ensure_ascii=False) + "\n")
        (folder / f"{task.name}.yaml").write_text(_task_yaml(task.name), encoding="utf-8")
    name = _name([group])
    runs = name if len(tasks) > 1 else tasks[0].name
    if len(tasks) > 1:
        if any(task.name == name for task in tasks):
            name = runs = f"{name}_all"
        (folder / f"_{name}.yaml").write_text(_group_yaml(name, tasks), encoding="utf-8")
    (folder / "README.md").write_text(_page(runs, tasks), encoding="utf-8")


def _task_yaml(name: str) -> str:
    # No delimiter: the sentence is scored as it is, not with a space before it.
    return f"""task: {json.dumps(name)}
dataset_path: json
dataset_kwargs:
  data_files:
    test: {json.dumps(f"data/{name}.jsonl")}
output_type: multiple_choice
test_split: test
doc_to_text: ""
target_delimiter: ""
doc_to_target: 0
doc_to_choice: "{{{{[sentence_good, sentence_bad]}}}}"
num_fewshot: 0
metric_list:
  - metric: acc
    aggregation: mean
    higher_is_better: true
  - metric: acc_norm
    aggregation: mean
    higher_is_better: true
metadata:
  version: 1.0
"""


def _group_yaml(name: str, tasks: Sequence[PairTask]) -> str:
    listed = "\n".join(f"  - {json.dumps(task.name)}" for task in tasks)
    metrics = "\n".join(
        f"  - metric: {metric}\n    aggregation: mean\n    weight_by_size: false" for metric in ("acc", "acc_norm")
    )
    return f"group: {json.dumps(name)}\ntask:\n{listed}\naggregate_metric_list:\n{metrics}\nmetadata:\n  version: 1.0\n"


def _page(name: str, tasks: Sequence[PairTask]) -> str:
    counts = "\n".join(f"| {task.name} | {len(task.pairs):,} |" for task in tasks)
    return f"""# {name}

Run it in this folder, since the data files are named from here:

    lm_eval --model hf --model_args pretrained=gpt2 --include_path . --tasks {name}

`acc`: the good sentence has the greater log-probability; `acc_norm`: divided by its characters.

| task | pairs |
|---|---|
{counts}
"""


def _texts(item: ForeignItem, condition: str) -> list[str]:
    return [s.text for s in item.sentences if s.condition == condition and s.text.strip()]


def _text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _name(parts: Sequence[str]) -> str:
    """A name that is safe as a file's and as a task's."""
    joined = "_".join(re.sub(r"\W+", "_", part, flags=re.ASCII).strip("_") for part in parts)
    return joined.strip("_") or "task"
