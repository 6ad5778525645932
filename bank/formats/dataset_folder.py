"""A folder that the Hugging Face hub takes as a data set: rows as JSON lines, and a card that says what they are.

A row per sentence, or per pair where the set is one of pairs. Attributes are columns of their own; where their values are of
several kinds they are written as text, since a column of the hub has one type.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from gapsmith.bank.formats.foreign import ForeignItem, ForeignSet, Json
from gapsmith.bank.formats.grouping import attribute_columns, attribute_of, cell_text, headings_behind
from gapsmith.bank.formats.pairs import is_pair, members
from gapsmith.bank.item_names import TEXT_DIGEST, UID
from gapsmith.templates import ConfigError

_NAMING_COLUMNS = {
    UID: "the item in every copy of the bank that it is from; ids can be given twice",
    TEXT_DIGEST: "digest of all conditions and sentences of the item, which says whether they are still these",
}
_SENTENCE_COLUMNS = {
    "item": "the item that the sentence belongs to",
    "condition": "the condition of the design",
    "expected": "what a native speaker is expected to say: ok, ? or *; null where nothing is expected",
    "sentence": "the sentence",
    "regions": "its regions: name, and first and last character, half-open; null where it has none",
}
_PAIR_COLUMNS = {
    "item": "the pair",
    "sentence_good": "the sentence that is acceptable",
    "sentence_bad": "the sentence that is not",
}


@dataclass(frozen=True, slots=True)
class CardFacts:
    """What a card says that the sentences do not."""

    title: str
    description: str = ""
    language: str = "en"
    license: str | None = None
    """An identifier of the hub such as ``cc-by-4.0``; None leaves it open, and the card says so."""
    citation: str = ""
    """BibTeX."""
    made: str = ""
    """How the items were made and checked."""


def write_dataset_folder(folder: Path, items: ForeignSet, facts: CardFacts) -> int:
    """Write ``data.jsonl`` and ``README.md`` into a folder that is new or empty; how many rows.

    Raises `ConfigError` where the folder holds something, and where there is no sentence to write."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder}: there is something already", hint="Name a folder that is new or empty.")
    as_pairs = bool(items.items) and all(is_pair(item) and len(item.sentences) == 2 for item in items.items)
    columns = dict(_PAIR_COLUMNS if as_pairs else _SENTENCE_COLUMNS)
    if any(item.names for item in items.items):
        columns |= _NAMING_COLUMNS
    behind = headings_behind(list(columns), attribute_columns(items.items))
    attributes = {name: column for column, name in behind.items()}
    as_text = {name for name in attributes if _kinds(items, name) > 1}
    rows = list(_pair_rows(items) if as_pairs else _sentence_rows(items))
    if not rows:
        raise ConfigError(f"{items.name}: there are no sentences to write", hint="Items with slots alone have none.")
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "data.jsonl").open("w", encoding="utf-8", newline="") as stream:
        for fields, item_attributes in rows:
            extra = {
                attributes[name]: cell_text(item_attributes.get(name)) if name in as_text else item_attributes.get(name)
                for name in attributes
            }
            stream.write(json.dumps(fields | extra, ensure_ascii=False) + "\n")
    columns |= {column: f"attribute {name} of the item" for name, column in attributes.items()}
    (folder / "README.md").write_text(_card(items, facts, columns, len(rows)), encoding="utf-8")
    return len(rows)


def _pair_rows(items: ForeignSet) -> Iterator[tuple[dict[str, Json], Mapping[str, Json]]]:
    for item in items.items:
        pair = members(item)
        assert pair is not None  # asked before
        own = {"item": item.label, "sentence_good": pair[0], "sentence_bad": pair[1], **item.names}
        yield own, item.attributes


def _sentence_rows(items: ForeignSet) -> Iterator[tuple[dict[str, Json], Mapping[str, Json]]]:
    names = attribute_columns(items.items)
    for item in items.items:
        for sentence in item.sentences:
            regions = sentence.regions
            yield (
                {
                    "item": item.label,
                    "condition": sentence.condition,
                    "expected": items.expected.get(sentence.condition),
                    "sentence": sentence.text,
                    "regions": None if regions is None else [{"name": r.name, "start": r.start, "end": r.end} for r in regions],
                    **item.names,
                },
                {name: attribute_of(item, sentence, name) for name in names},
            )


def _kinds(items: ForeignSet, name: str) -> int:
    """How many kinds of values a column has, nothing aside."""
    kinds = set()
    for item in items.items:
        for value in _values(item, name):
            kinds.add("json" if isinstance(value, dict | list) else type(value).__name__)
    return len(kinds | {"json", "text"}) if "json" in kinds else len(kinds)


def _values(item: ForeignItem, name: str) -> Iterator[Json]:
    holders = [item.attributes, *(sentence.attributes for sentence in item.sentences)]
    return (holder[name] for holder in holders if holder.get(name) is not None)


def _card(items: ForeignSet, facts: CardFacts, columns: Mapping[str, str], rows: int) -> str:
    head = [
        "---",
        f"pretty_name: {json.dumps(facts.title, ensure_ascii=False)}",
        f"language: [{json.dumps(facts.language, ensure_ascii=False)}]",
        *([f"license: {json.dumps(facts.license, ensure_ascii=False)}"] if facts.license else []),
        "tags: [minimal-pairs, psycholinguistics, acceptability]",
        f"size_categories: [{_size(rows)}]",
        "configs:",
        "- config_name: default",
        "  data_files:",
        "  - split: test",
        "    path: data.jsonl",
        "---",
    ]
    counts = Counter(sentence.condition for item in items.items for sentence in item.sentences)
    body = [f"# {facts.title}", "", facts.description or "Sentences for testing language models."]
    body += [
        "",
        f"{len(items.items):,} items, {sum(counts.values()):,} sentences, {rows:,} rows.",
        "",
        "## Conditions",
        "",
    ]
    body += ["| condition | expected | sentences |", "|---|---|---|"]
    body += [f"| {_cell(name)} | {items.expected.get(name, '')} | {counts[name]:,} |" for name in items.conditions]
    body += ["", "## Columns", "", "| column | |", "|---|---|"]
    body += [f"| `{_cell(name)}` | {_cell(about)} |" for name, about in columns.items()]
    if items.predictions:
        body += ["", "## Predictions", "", f"Measured as {items.metric or 'sum'} of surprisal in bits:", ""]
        body += [f"- `{formula}`" for formula in items.predictions]
    if facts.made:
        body += ["", "## How it was made", "", facts.made]
    body += [
        "",
        "## Licence",
        "",
        facts.license or "Not stated yet: say under which licence others may use the sentences.",
    ]
    if facts.citation:
        body += ["", "## Citation", "", "```bibtex", facts.citation.strip(), "```"]
    return "\n".join((*head, "", *body, ""))


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def _size(rows: int) -> str:
    for limit, name in ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M")):
        if rows < limit:
            return name
    return "n>1M"
