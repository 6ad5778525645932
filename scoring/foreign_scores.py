"""Surprisals that were computed elsewhere: a table with a row per token or per region becomes scores of the bank.

A table of tokens names each sentence by its text, or by item and condition, and has the tokens in their order, as a tokenizer
writes them (``Ġamused``, ``▁amused``, ``##ed``) or as they stand in the sentence; or it gives the characters. A table of regions
names item, condition and region. What the table does not cover has no value and is never counted as zero.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final

import numpy as np

from gapsmith.bank import (
    LOWEST_BITS,
    NATS_PER_BIT,
    TEXT_DIGEST,
    UID,
    Bank,
    ItemFilter,
    ItemReference,
    Matcher,
    NotHereError,
    StoredItem,
    Tokens,
    as_name,
    file_of,
    said_texts,
)
from gapsmith.bank.formats import SCORE_HEADINGS, SourceFile, TableRow, checked_header, compose, fitted, fold
from gapsmith.templates import ConfigError, FormatError, Sentence, file_sha256, shown, whole

_MOST_OF_A_HEADING = 40
_HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    **SCORE_HEADINGS,
    "uid": (UID,),
    "text_digest": (TEXT_DIGEST,),
    "dataset": ("dataset", "data_set"),
}
_LOG_PROBABILITIES = frozenset({"logprob", "log_prob"})
"""Headings that say which sign their values have."""
_NOTHING = frozenset({"", "na", "nan", "none", "null"})
_NUMBER = re.compile(r"\d{1,6}")
_SPECIAL = re.compile(r"<[^<>\s]+>|\[(?:CLS|SEP|BOS|EOS|PAD)\]")


@dataclass(frozen=True, slots=True)
class ScoresReport:
    """What came in."""

    scorer_id: int
    n_texts: int
    """Distinct sentences of the bank that have values now."""
    n_known: int
    """Those of them that had values of this file before."""
    without: tuple[str, ...]
    """Distinct sentences of the chosen items for which the file has nothing."""
    strangers: tuple[str, ...]
    """Sentences of the file that are not among those of the chosen items."""
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class _Group:
    """The rows of one sentence."""

    key: tuple[str, ...]
    rows: list[TableRow] = field(default_factory=list)


def import_scores(
    bank: Bank,
    path: Path,
    *,
    name: str,
    unit: str | None,
    log_probabilities: bool | None = None,
    selection: ItemFilter,
    our_ids: bool = False,
    called: Mapping[str, str] = MappingProxyType({}),
) -> ScoresReport:
    """Take in the table at `path` as the values of a scorer called `name`.

    `unit` is ``bits`` or ``nats``; None where the heading says it (``surprisal_bits``). `log_probabilities`: whether the values
    are log p, not -log p; None where the heading says it (``logprob``), or they are surprisals. A row is of the sentence that it
    gives, or that its tokens spell; else of the item that it names by uid and digest of its texts, or by its id alone, where
    `our_ids` says that the ids are this bank's. `called` says what columns are whose headings do not: ``value``, ``token``, ``region`` and
    so on, to the heading. The scorer is known by the digest of the file, so the same file twice is the
    same scorer. Raises `FormatError` with the row for what cannot be read, `SignNotSaid` for a column of negative values of which
    nobody said that they are log probabilities, and `ConfigError` where an item has other texts here and where nothing in the
    file is of the chosen items; nothing is kept then.
    """
    as_name(name, "what made the values (--model)", slashes=True)
    if name in {scorer.model for scorer in bank.scores.scorers() if not scorer.is_table}:
        raise ConfigError(
            f"a model called {name!r} has scored here itself, so its values and the file's could not be told apart",
            hint=f"Give the file's a name of their own, such as --model {name}-elsewhere.",
        )
    source = SourceFile(path)
    rows = _rows(source)
    top = next(rows, None)
    if top is None:
        raise FormatError(f"{path}: is empty", hint="A table of scores has a row of headings and a row per token or region.")
    header = checked_header(source, top)
    items = list(bank.items.iterate(selection))
    columns, conditions = _columns(source, header, called, _condition_headings(bank, items))
    heading = header[columns["value"]]
    body = [fitted(source, row, len(header)) for row in rows]
    if log_probabilities is None:
        log_probabilities = fold(heading) in _LOG_PROBABILITIES
        if not log_probabilities:
            _ask_where_all_are_negative(path, heading, (row.cells[columns["value"]] for row in body))
    scale = _scale(source, heading, unit, log_probabilities)
    # What the tokens spell is held against the sentence, so that no id can be taken for another item's.
    spelled = "token" in columns and "start" not in columns
    finder = Matcher(bank, path, selection, our_ids=our_ids or spelled, unchanged="Nothing was imported.")
    table = _Table(source, columns, conditions, scale, items, finder)
    table.called.update(_called(bank, items))
    by_region = "token" not in columns and "start" not in columns
    found, strangers = table.of_regions(body) if by_region else table.of_tokens(body)
    texts = dict.fromkeys(sentence.text for item in items for sentence in item.sentences)
    if not found:
        raise ConfigError(
            f"{path}: none of its {len(strangers):,} sentences is a sentence of the {len(items):,} chosen items"
            + (f"; the first one is {strangers[0]!r}" if strangers else ""),
            hint="Import the items first; sentences have to be the same to the letter. See `gapsmith show`.",
        )
    digest = f"sha256:{file_sha256(path)}"
    identity = {"kind": "table", "name": name, "sha256": digest, "scale": scale}
    if called:
        # Two columns of one file are two scorers.
        identity["columns"] = dict(sorted(called.items()))
    if by_region:
        # How a region is cut into tokens is not known, so that nothing over tokens can be measured.
        identity["rows"] = "regions"
    scorer_id = bank.scores.register(name, digest, identity, kind="table")
    missing = bank.scores.missing(scorer_id, list(found))
    if missing:
        block = bank.scores.block(scorer_id, {"file": path.name, "sha256": digest, "unit": unit or "as headed"})
        bank.scores.add(scorer_id, [found[text] for text in missing], block=block)
    return ScoresReport(
        scorer_id=scorer_id,
        n_texts=len(found),
        n_known=len(found) - len(missing),
        without=tuple(text for text in texts if text not in found),
        strangers=tuple(strangers),
        notes=tuple(table.notes),
    )


def _rows(source: SourceFile) -> Iterator[TableRow]:
    """The rows of a table; of a suite with a model's values (`metric_value`, as SyntaxGym writes it), one a region."""
    if source.is_spreadsheet or not source.start.lstrip().startswith("{") or '"metric_value"' not in source.text:
        yield from source.rows()
        return
    data = source.document
    yield TableRow(1, ("item", "condition", "region", "surprisal", "sentence"))
    items = data.get("items") if isinstance(data, dict) else None
    for item in items if isinstance(items, list) else ():
        for condition in item.get("conditions", ()):
            # The sentence says whose the values are, where a number alone says nothing.
            sentence = compose([str(region.get("content", "")) for region in condition.get("regions", ())])[0]
            for region in condition.get("regions", ()):
                value = region.get("metric_value")
                if isinstance(value, dict):
                    if "sum" not in value:
                        source.refuse(
                            0,
                            f"item {item.get('item_number')}: a region has {', '.join(value) or 'nothing'} under metric_value, and no sum",
                            hint="What a region's tokens sum to can be compared; write suites out with the metric sum.",
                        )
                    value = value["sum"]
                cells = item.get("item_number"), condition.get("condition_name"), region.get("region_number"), value, sentence
                yield TableRow(1, tuple("" if cell is None else str(cell) for cell in cells))


class SignNotSaid(ConfigError):  # noqa: N818 - it is asked, and no error where somebody is there to answer
    """A column holds negative values only, as log probabilities are and surprisals never."""


def _ask_where_all_are_negative(path: Path, heading: str, cells: Iterable[str]) -> None:
    lowest = 0.0
    for cell in cells:
        try:
            value = float(cell)
        except ValueError:
            continue
        if value > 0.0:
            return
        lowest = min(lowest, value)
    if lowest < LOWEST_BITS:
        raise SignNotSaid(
            f"{path}: no value of the column {heading!r} is above 0 (down to {lowest:g}), and no surprisal is below it",
            hint="Where they are log probabilities, say --log-prob, and --unit bits for base 2 or --unit nats for natural"
            " logarithms. Nothing was kept.",
        )


def _called(bank: Bank, items: Sequence[StoredItem]) -> dict[tuple[str, str], str]:
    """By an item's label and what people call a region: its title, its number or name in the file that it came from."""
    titles = {name: bank.paradigms.current(name).paradigm for name in dict.fromkeys(item.paradigm for item in items)}
    sets = dict.fromkeys((item.paradigm, item.dataset) for item in items)
    files = {key: file_of(bank, key[0], [key[1]]) or {} for key in sets}
    found: dict[tuple[str, str], str] = {}
    unclear: set[tuple[str, str]] = set()
    for item in items:
        names = {region.title: region.name for region in titles[item.paradigm].regions}
        for ours, theirs, number in files.get((item.paradigm, item.dataset), {}).get("regions", ()):
            names |= {theirs: ours, **({str(number): ours} if number else {})}
        for title, name in names.items():
            if found.setdefault((item.label, title), name) != name:
                # Two data sets have an item of this label, and call other regions so.
                unclear.add((item.label, title))
    return {key: name for key, name in found.items() if key not in unclear}


def _condition_headings(bank: Bank, items: Sequence[StoredItem]) -> list[Sequence[str]]:
    """The headings of the columns that together said the condition in the files from which the items came, where they were several."""
    sets = dict.fromkeys((item.paradigm, item.dataset) for item in items)
    files = (file_of(bank, paradigm, [dataset]) or {} for paradigm, dataset in sets)
    said = (file.get("meta", {}).get("condition") for file in files)
    return [own for own in said if isinstance(own, list) and len(own) > 1]


def _columns(
    source: SourceFile, header: Sequence[str], called: Mapping[str, str], of_files: Sequence[Sequence[str]]
) -> tuple[dict[str, int], tuple[int, ...]]:
    """The column of each role, and the columns that say the condition together: as in the items' own file, where no single one does."""
    for role, heading in called.items():
        if role not in SCORE_HEADINGS:
            source.refuse(
                0, f"--column {role}={heading}: no column is a {role!r}", hint=f"Columns are: {', '.join(SCORE_HEADINGS)}."
            )
        if heading not in header:
            source.refuse(0, f"has no column {heading!r}", hint=f"Columns: {', '.join(map(_shown, header))}.")
    folded = [fold(heading) for heading in header]
    found = {
        role: next(folded.index(name) for name in names if name in folded)
        for role, names in _HEADINGS.items()
        if any(name in folded for name in names)
    }
    found |= {role: list(header).index(heading) for role, heading in called.items()}
    if "value" not in found:
        # A heading of a thousand characters is none; the first line is then no line of headings.
        shown = list(map(_shown, header))
        source.refuse(
            1,
            "no column holds surprisals",
            hint=f"Say which one does, such as --column value={shown[-1]!r}. Columns: {', '.join(shown)}.",
        )
    conditions: tuple[int, ...] = (found["condition"],) if "condition" in found else ()
    if not conditions and (own := next((own for own in of_files if set(own) <= set(header)), None)) is not None:
        conditions = tuple(list(header).index(heading) for heading in own)
        found["condition"] = conditions[0]
    named = "sentence" in found or {"item", "condition"} <= set(found)
    placed = "token" in found or {"start", "end"} <= set(found) or {"item", "condition", "region"} <= set(found)
    if not named or not placed:
        source.refuse(
            1,
            "it is not said of which sentence the values are" if not named else "it is not said where in the sentence they lie",
            hint="Columns: sentence (or item and condition), and token (or start and end); or item, condition and region. Where several columns "
            "say the condition, import the items first, from a file with the same columns. Nothing was imported.",
        )
    return found, conditions


def _shown(heading: str) -> str:
    return heading if len(heading) <= _MOST_OF_A_HEADING else f"{heading[:_MOST_OF_A_HEADING]} …"


def _scale(source: SourceFile, heading: str, unit: str | None, log_probabilities: bool) -> float:
    """By what a value of the table is multiplied to be a surprisal in bits."""
    said = next((kind for kind in ("bits", "nats") if fold(heading).endswith(kind)), None)
    if unit is not None and said is not None and unit != said:
        source.refuse(1, f"the column {heading!r} says {said}, but --unit says {unit}")
    if (unit or said) is None:
        source.refuse(
            1,
            f"the unit of {heading!r} is not said",
            hint="Say --unit bits (base 2) or --unit nats (natural logarithms).",
        )
    in_bits = 1.0 if (unit or said) == "bits" else 1.0 / NATS_PER_BIT
    return -in_bits if log_probabilities else in_bits


@dataclass(slots=True)
class _Table:
    source: SourceFile
    columns: Mapping[str, int]
    conditions: tuple[int, ...]
    """The columns that say the condition together; empty where none does."""
    scale: float
    items: Sequence[StoredItem]
    finder: Matcher
    notes: list[str] = field(default_factory=list)
    by_letters: dict[str, str] = field(default_factory=dict)
    called: dict[tuple[str, str], str] = field(default_factory=dict)
    """An item's label and a region's title or number, as its paradigm and its file have it, to the region's name."""

    def of_tokens(self, rows: Iterable[TableRow]) -> tuple[dict[str, Tokens], list[str]]:
        known = {sentence.text for item in self.items for sentence in item.sentences}
        found: dict[str, Tokens] = {}
        strangers: list[str] = []
        specials = zeros = 0
        for group in self._groups(rows):
            text = self._text(group)
            if text is not None and text not in known and "uid" in self.columns:
                # It says which item it is of, and that one has another sentence now, or is not here.
                self._sentence(group)
            if text is None or text not in known:
                strangers.append(" ".join(group.key) if text is None else text)
                continue
            spans: list[tuple[int, int]] = []
            values: list[float | None] = []
            place = 0
            for row in group.rows:
                span = self._span(row, text, place)
                if span is None:
                    specials += 1
                    continue
                value = self._value(row)
                if value == 0.0 and not spans:
                    value, zeros = None, zeros + 1
                spans.append(span)
                values.append(value)
                place = span[1]
            rest = text[place:].strip()
            if rest and "start" not in self.columns:
                self.source.refuse(group.rows[-1].line, f"the tokens end before {rest!r} of {text!r}")
            self._keep(found, group, _whole(text, spans, values))
        if specials:
            self.notes.append(f"{specials:,} rows of special tokens such as BOS are of no character and were left out.")
        if zeros:
            self.notes.append(
                f"{zeros:,} sentences begin with a token of surprisal 0, as tools without BOS write it: taken as no value."
            )
        return found, strangers

    def of_regions(self, rows: Iterable[TableRow]) -> tuple[dict[str, Tokens], list[str]]:
        found: dict[str, Tokens] = {}
        strangers: list[str] = []
        for group in self._groups(rows):
            sentence = self._sentence(group)
            if sentence is None:
                strangers.append(" ".join(group.key))
                continue
            given: dict[tuple[int, int], float | None] = {}
            for row in group.rows:
                name = row.cells[self.columns["region"]].strip()
                span = next((s for s in sentence.regions or () if s.name in (name, self.called.get((group.key[0], name)))), None)
                if span is None:
                    has = ", ".join(s.name for s in sentence.regions or ()) or "none"
                    self.source.refuse(row.line, f"{' '.join(group.key)} has no region {name!r}", hint=f"It has: {has}.")
                if span.start == span.end:
                    continue
                if (span.start, span.end) in given:
                    self.source.refuse(row.line, f"the region {name!r} of {' '.join(group.key)} is there twice")
                given[span.start, span.end] = self._value(row)
            spans = sorted(given)
            self._keep(found, group, _whole(sentence.text, spans, [given[span] for span in spans]))
        return found, strangers

    def _groups(self, rows: Iterable[TableRow]) -> Iterator[_Group]:
        """Rows that follow one another and are of one sentence."""
        of_tokens = bool({"token", "start"} & set(self.columns))
        names = [name for name in ("item", "condition") if {"item", "condition"} <= set(self.columns)]
        names += [name for name in ("uid", "dataset") if {"uid", name} <= set(self.columns)]
        if of_tokens and "sentence" in self.columns:
            names.append("sentence")
        group: _Group | None = None
        for row in rows:
            key = tuple(self._cell(row, name) for name in names)
            if group is None or group.key != key:
                if group is not None:
                    yield group
                group = _Group(key)
            group.rows.append(row)
        if group is not None:
            yield group

    def _cell(self, row: TableRow, role: str) -> str:
        """What a row says; of its condition, what all the columns of it say, as labels of conditions have it."""
        columns = self.conditions if role == "condition" else (self.columns[role],)
        return " ".join(row.cells[column].strip() for column in columns)

    def _text(self, group: _Group) -> str | None:
        if "sentence" in self.columns:
            said = group.key[-1]
            if _NUMBER.fullmatch(said) and "token" in self.columns:
                # A number of a sentence, which its tokens spell.
                return self._spelled(group) or said
            return said
        sentence = self._sentence(group)
        # A condition may be called otherwise here than in the file.
        return self._spelled(group) if sentence is None else sentence.text

    def _spelled(self, group: _Group) -> str | None:
        """The sentence of an item that the tokens spell; None where they spell none of them."""
        if "token" not in self.columns:
            return None
        if not self.by_letters:
            self.by_letters.update({"".join(s.text.split()): s.text for item in self.items for s in item.sentences})
        written = (row.cells[self.columns["token"]].strip() for row in group.rows)
        forms = (min(_forms(token), key=len) for token in written if token and not _SPECIAL.fullmatch(token))
        return self.by_letters.get("".join("".join(forms).split()))

    def _sentence(self, group: _Group) -> Sentence | None:
        """The sentence of the bank that the rows name by item and condition; None where there is none. Raises `ConfigError` where
        it is not certain which item is meant, and where the item has other texts."""
        first = group.rows[0]

        def cell(role: str) -> str:
            return self._cell(first, role) if role in self.columns else ""

        said = ItemReference(
            line=first.line,
            label=cell("item"),
            uid=cell("uid").casefold(),
            text_digest=cell("text_digest").casefold(),
            # Without a uid it may be anybody's word for anything.
            dataset=cell("dataset") if "uid" in self.columns else "",
            texts=said_texts([(cell("condition"), cell("sentence"))]),
        )
        try:
            return self.finder.find(said).sentence(cell("condition"))
        except NotHereError:
            return None

    def _span(self, row: TableRow, text: str, place: int) -> tuple[int, int] | None:
        """Where the token of a row lies; None where it is a special one."""
        if "start" in self.columns:
            return self._given_span(row, text, place)
        written = row.cells[self.columns["token"]]
        while place < len(text) and text[place].isspace():
            place += 1
        for form in _forms(written):
            if form and text.startswith(form, place):
                return place, place + len(form)
        if _SPECIAL.fullmatch(written.strip()):
            return None
        return self.source.refuse(
            row.line,
            f"the token {written!r} does not go on with {text[place : place + 20]!r} in {text!r}",
            hint="Tokens stand in their order and leave nothing out; else give their characters in columns start and end.",
        )

    def _given_span(self, row: TableRow, text: str, place: int) -> tuple[int, int]:
        cells = [row.cells[self.columns[name]].strip() for name in ("start", "end")]
        start, end = map(whole, cells)
        if start is None or end is None:
            self.source.refuse(row.line, f"{shown(cells[0])!r} to {shown(cells[1])!r} are no characters of a sentence")
        if not place <= start < end <= len(text):
            self.source.refuse(
                row.line,
                f"characters {start} to {end} do not follow those of the row above, in the {len(text)} of {text!r}",
            )
        return start, end

    def _value(self, row: TableRow) -> float | None:
        """Bits; None where the cell says that there is none."""
        cell = row.cells[self.columns["value"]].strip()
        if cell.casefold() in _NOTHING:
            return None
        try:
            value = float(cell) * self.scale
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            self.source.refuse(row.line, f"{cell!r} is no number")
        if value < LOWEST_BITS:
            wrong = "a log probability is not above 0" if self.scale < 0 else "a surprisal is not below 0"
            way = "Surprisals come in with --surprisal." if self.scale < 0 else "Log probabilities come in with --log-prob."
            self.source.refuse(row.line, f"{cell}: {wrong}", hint=way)
        return max(value, 0.0)

    def _keep(self, found: dict[str, Tokens], group: _Group, tokens: Tokens) -> None:
        before = found.get(tokens.text)
        if before is not None and not (
            np.array_equal(before.spans, tokens.spans) and np.allclose(before.bits, tokens.bits, atol=1e-6, equal_nan=True)
        ):
            self.source.refuse(
                group.rows[0].line,
                f"the sentence {tokens.text!r} is there twice with different values",
                hint="Under one model a sentence has one surprisal. Import the files of two models one by one.",
            )
        found[tokens.text] = tokens


def _forms(written: str) -> Iterator[str]:
    """What a tokenizer's entry may stand for in a sentence."""
    bare = written.strip()
    yield bare
    for mark in ("Ġ", "▁", "##"):
        if bare.startswith(mark):
            yield bare.removeprefix(mark)
    try:
        yield bytes(_BYTES[character] for character in bare).decode().strip()
    except (KeyError, UnicodeDecodeError):
        return


def _byte_characters() -> dict[str, int]:
    """The characters by which byte-level vocabularies write bytes (the GPT-2 tokenizer's table)."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {chr(byte): byte for byte in shown} | {chr(256 + number): byte for number, byte in enumerate(hidden)}


_BYTES: Final = _byte_characters()


def _whole(text: str, spans: Sequence[tuple[int, int]], values: Sequence[float | None]) -> Tokens:
    """Tokens that cover the text: what the table leaves out stands between as stretches without a value."""
    covered: list[tuple[int, int]] = []
    filled: list[float | None] = []
    place = 0
    for (start, end), value in zip([*spans, (len(text), len(text))], [*values, None], strict=True):
        if text[place:start].strip():
            covered.append((place, start))
            filled.append(None)
        if end > start:
            covered.append((start, end))
            filled.append(value)
        place = end
    asked = np.array([value is not None for value in filled], dtype=np.bool_)
    return Tokens(
        text=text,
        context="",
        spans=np.array(covered, dtype=np.int32).reshape(-1, 2),
        ids=None,
        values=np.array([0.0 if value is None else value for value in filled], dtype=np.float64),
        asked=None if asked.all() else asked,
        reason=None if asked.all() else "the imported table has no value for it",
    )
