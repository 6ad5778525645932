"""SyntaxGym suites: items, conditions and numbered regions as JSON, with formulas that should hold of every item.

The form is described in Gauthier, Hu, Wilcox, Qian & Levy 2020, "SyntaxGym: an online platform for targeted evaluation of
language models" (ACL demonstrations). Keys that are not ours are kept and written again.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NoReturn, TextIO

from gapsmith.bank.formats.asking import Assumption
from gapsmith.bank.formats.composing import compose, plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignRegion, ForeignSentence, ForeignSet, GivenRegion, Json
from gapsmith.bank.formats.grouping import first_seen, has_regions
from gapsmith.bank.formats.region_names import RegionNames
from gapsmith.bank.formats.source import Progress, SourceFile
from gapsmith.templates import whole

SHAPE = "suite"
_EVERY = 500
_METRICS = ("sum", "mean", "median", "range", "max", "min")


def recognise_suite(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if source.is_spreadsheet or not source.start.lstrip().startswith("{"):
        return None
    head = source.text[:200_000]
    if '"items"' in head and any(f'"{key}"' in head for key in ("condition_name", "item_number", "region_meta")):
        return "a SyntaxGym suite (JSON)"
    return None


def read_suite(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the suite. Raises `FormatError` naming line, item and condition for what is not built like one."""
    data = source.document
    reader = _Reader(source, data)
    items = tuple(reader.items(progress))
    if not items:
        source.refuse(0, "the suite has no items")
    meta = data.get("meta")
    meta = meta if isinstance(meta, dict) else {}
    metric = meta.get("metric")
    notes = list(reader.names.notes)
    if metric is not None and metric not in _METRICS:
        notes.append(f"its metric {metric!r} is none of {', '.join(_METRICS)}")
    if reader.without:
        notes.append(f"{reader.without} regions without content are read as empty")
    assumptions = []
    if reader.turned:
        some = f"{'; '.join(reader.turned[:3])}{' …' if len(reader.turned) > 3 else ''}"
        said = f"in the order of their numbers, which is not that of the file, in {len(reader.turned):,} sentences ({some})"
        assumptions.append(
            Assumption("regions", said, "in most items of the condition they stand so", "assumed", f"--format {SHAPE}")
        )
    return ForeignSet(
        shape=SHAPE,
        items=items,
        assumptions=tuple(assumptions),
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        regions=reader.regions(),
        predictions=reader.predictions(),
        metric=metric if metric in _METRICS else None,
        meta={"keys": list(data), "top": {key: value for key, value in data.items() if key != "items"}},
        notes=tuple(notes),
        encoding=source.encoding,
        name=str(meta.get("name") or source.path.stem),
    )


def write_suite(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the suite; the labels of items that are left out, since a sentence of theirs has none."""
    is_suite = items.shape == SHAPE
    numbers = {region.name: region.number or str(n) for n, region in enumerate(items.regions, 1)}
    left_out = tuple(item.label for item in items.items if not has_regions(item))
    entries = [_item(item, numbers, is_suite) for item in items.items if item.label not in left_out]
    if is_suite:
        data: dict[str, Json] = {key: entries if key == "items" else items.meta["top"][key] for key in items.meta["keys"]}
    else:
        data = {
            "meta": {"name": items.name, "metric": items.metric or "sum"},
            "region_meta": {number: name for name, number in numbers.items()},
            "predictions": [{"type": "formula", "formula": formula} for formula in items.predictions],
            "items": entries,
        }
    json.dump(data, stream, ensure_ascii=False, indent=1)
    stream.write("\n")
    return left_out


def _item(item: ForeignItem, numbers: Mapping[str, str], is_suite: bool) -> Json:
    number = item.written if is_suite and item.written is not None else _number(item.label)
    # The keys of a suite's item are its attributes; where they stood is kept by their order.
    entry: dict[str, Json] = {"item_number": number}
    entry |= {key: value for key, value in item.attributes.items() if key not in ("item_number", "conditions")}
    entry["conditions"] = [_condition(sentence, numbers, is_suite) for sentence in item.sentences]
    return entry


def _number(label: str) -> Json:
    return int(label) if re.fullmatch(r"0|[1-9][0-9]{0,8}", label) else label


def _is_number(label: str, number: Json) -> bool:
    """Whether that is what would be written for the label."""
    made = _number(label)
    return type(made) is type(number) and made == number


def _condition(sentence: ForeignSentence, numbers: Mapping[str, str], is_suite: bool) -> Json:
    entry: dict[str, Json] = {"condition_name": sentence.condition if sentence.written is None else sentence.written}
    entry |= {key: value for key, value in sentence.attributes.items() if key not in ("condition_name", "regions")}
    own = {region.name: region for region in sentence.regions or ()}
    if is_suite or not set(own) <= set(numbers):
        entry["regions"] = [_region(region, sentence.text, numbers, is_suite) for region in own.values()]
        return entry
    # A suite's formulas go by numbers: a region that a sentence lacks is an empty one there.
    empty = (_region(GivenRegion(name, 0, 0), sentence.text, numbers, is_suite) for name in numbers if name not in own)
    there = (_region(region, sentence.text, numbers, is_suite) for region in own.values())
    order = [numbers[name] for name in numbers]
    entry["regions"] = sorted((*there, *empty), key=lambda region: order.index(str(region["region_number"])))
    return entry


def _region(region: GivenRegion, text: str, numbers: Mapping[str, str], is_suite: bool) -> Json:
    extra = dict(region.extra)
    # In another file it may say where the region stands in its sentence, and a suite's numbers say which one it is.
    given = extra.pop("region_number", None)
    has_own = is_suite and "region_number" in region.extra
    number: Json = given if has_own else numbers.get(region.name, region.name)
    if isinstance(number, str) and not has_own and whole(number) is not None:
        number = whole(number)
    content: Json = region.content(text)
    if "content" in extra:
        null = extra.pop("content")
        content = content if content else null
    return {"region_number": number, "content": content, **extra}


class _Reader:
    """Walks through a suite with the lines of its items and conditions at hand."""

    def __init__(self, source: SourceFile, data: Any) -> None:
        self._source = source
        if not isinstance(data, dict) or not isinstance(data.get("items"), list):
            source.refuse(1, "a suite is an object with a list of `items`")
        self._data: Mapping[str, Any] = data
        self._lines = {key: _lines_of(source.text, key) for key in ("item_number", "condition_name")}
        self._count = {"item_number": 0, "condition_name": 0}
        self.names = RegionNames()
        self.without = 0
        self._turned = _turned(data["items"]) if source.known.get("format") is None else frozenset()
        self.turned: list[str] = []
        """Sentences whose regions are read in the order of their numbers, and not in that of the file."""
        titles = data.get("region_meta")
        self._titles: dict[str, str] = (
            {str(number).strip(): plain(str(title or "")) for number, title in titles.items()} if isinstance(titles, dict) else {}
        )
        for number, title in self._titles.items():
            self.names.name(number, title)

    def items(self, progress: Progress | None) -> Iterator[ForeignItem]:
        seen: dict[str, int] = {}
        for index, entry in enumerate(self._data["items"], 1):
            where = f"item {index} of the list"
            if not isinstance(entry, dict) or "item_number" not in entry:
                self._refuse(f"{where} has no item_number")
            line = self._line("item_number")
            number = entry["item_number"]
            label = plain(str(number))
            if isinstance(number, dict | list) or number is None or not label:
                self._refuse(f"{where}: its item_number is {number!r}", line)
            if label in seen:
                self._refuse(f"item {label} is there twice, first in line {seen[label]}", line)
            seen[label] = line
            conditions = entry.get("conditions")
            if not isinstance(conditions, list) or not conditions:
                self._refuse(f"item {label} has no conditions", line)
            sentences = tuple(self._sentence(label, condition) for condition in conditions)
            attributes = {k: v for k, v in entry.items() if k not in ("item_number", "conditions")}
            yield ForeignItem(label, sentences, attributes, None, None if _is_number(label, number) else number)
            if progress is not None and index % _EVERY == 0:
                progress(self._count["condition_name"])

    def regions(self) -> tuple[ForeignRegion, ...]:
        return self.names.in_order()

    def predictions(self) -> tuple[str, ...]:
        given = self._data.get("predictions") or []
        if not isinstance(given, list):
            self._refuse("its predictions are no list")
        formulas = []
        for _number, entry in enumerate(given, 1):
            formula = entry.get("formula") if isinstance(entry, dict) else entry
            # One that cannot be read is named by its number, and the suite comes in without it.
            formulas.append(formula if isinstance(formula, str) else "")
        return tuple(formulas)

    def _sentence(self, label: str, entry: Any) -> ForeignSentence:
        if not isinstance(entry, dict) or not isinstance(entry.get("condition_name"), str):
            self._refuse(f"item {label}: a condition has no condition_name")
        line = self._line("condition_name")
        written = entry["condition_name"]
        condition = plain(written)
        if not condition:
            self._refuse(f"item {label}: a condition has an empty name", line)
        given = entry.get("regions")
        if not isinstance(given, list) or not given:
            self._refuse(f"item {label}, {condition}: there are no regions", line)
        if id(entry) in self._turned:
            given = sorted(given, key=lambda region: region["region_number"])
            self.turned.append(f"item {label}, {condition}")
        parts = [self._region(label, condition, line, region) for region in given]
        text, spans = compose([raw or "" for _, raw, _ in parts])
        names = [name for name, _, _ in parts]
        if len(set(names)) < len(names):
            twice = next(name for name in names if names.count(name) > 1)
            self._refuse(f"item {label}, {condition}: region {twice!r} is there twice", line)
        regions = tuple(
            GivenRegion(name, start, end, raw, extra) for (name, raw, extra), (start, end) in zip(parts, spans, strict=True)
        )
        attributes = {k: v for k, v in entry.items() if k not in ("condition_name", "regions")}
        return ForeignSentence(condition, text, regions, line, None if written == condition else written, attributes)

    def _region(self, label: str, condition: str, line: int, entry: Any) -> tuple[str, str | None, dict[str, Json]]:
        if not isinstance(entry, dict) or not isinstance(entry.get("region_number"), int | float | str):
            self._refuse(f"item {label}, {condition}: a region has no region_number", line)
        number = entry["region_number"]
        if isinstance(number, float) and not number.is_integer():
            self._refuse(f"item {label}, {condition}: the region_number {number} is no whole number", line)
        content = entry.get("content")
        if content is not None and not isinstance(content, str):
            self._refuse(f"item {label}, {condition}, region {number}: its content is no text", line)
        key = str(int(number) if isinstance(number, float) else number).strip()
        name = self.names.name(key, self._titles.get(key, ""))
        extra = {k: v for k, v in entry.items() if k not in ("region_number", "content")}
        if not isinstance(number, int) or isinstance(number, bool):
            extra["region_number"] = number
        if content is None:
            self.without += 1
            if "content" in entry:
                extra["content"] = None
        return name, content, extra

    def _line(self, key: str) -> int:
        """The line of the next value of that key; 0 where a text of the suite holds the key as well."""
        self._count[key] += 1
        lines = self._lines[key]
        return lines[self._count[key] - 1] if self._count[key] <= len(lines) else 0

    def _refuse(self, what: str, line: int = 0, *, hint: str = "") -> NoReturn:
        self._source.refuse(line, what, hint=hint)


def _turned(items: Sequence[Any]) -> frozenset[int]:
    """The conditions, by id, whose regions do not stand in the order of their numbers, where they do in most items that have the condition:
    where they do not in most of them, numbers say which region it is, and not where it stands."""
    orders: dict[str, list[tuple[int, bool]]] = {}
    for entry in items:
        for condition in entry.get("conditions") or () if isinstance(entry, dict) else ():
            if not isinstance(condition, dict) or not isinstance(condition.get("regions"), list):
                continue
            numbers = [
                number
                for region in condition["regions"]
                if isinstance(region, dict) and type(number := region.get("region_number")) is int
            ]
            if len(numbers) == len(condition["regions"]):
                rises = all(one < other for one, other in pairwise(numbers))
                orders.setdefault(str(condition.get("condition_name")), []).append((id(condition), rises))
    return frozenset(
        one for own in orders.values() for one, rises in own if not rises and sum(each for _, each in own) * 2 > len(own)
    )


def _lines_of(text: str, key: str) -> list[int]:
    lines = []
    at, line = 0, 1
    for match in re.finditer(rf'"{key}"\s*:', text):
        line += text.count("\n", at, match.start())
        at = match.start()
        lines.append(line)
    return lines
