"""Whether a filter has left something in a corpus: sentences drawn for somebody to read, and the rate of leaks with its interval.

POSH-BENCH (Yang et al.), appendix C, has two such samples: 1,000 questions with two auxiliaries or more, and 1,000 sentences with a reflexive.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gapsmith.bank.formats import SourceFile, csv_text
from gapsmith.stats import exact_interval
from gapsmith.templates import ConfigError, file_sha256, packed_lines, read_json, text_of
from gapsmith.training.corpus.filtering import CorpusFilter, filter_names, load_filter
from gapsmith.training.text import MANIFEST

COLUMNS = ("number", "filter", "line", "sentence", "question", "leak", "note", "drawn")
"""Of a sheet. A reader fills in ``leak`` (yes, no, or ? where it cannot be said) and, if wanted, ``note``."""
_ANSWERS: Mapping[str, bool | None] = {"yes": True, "no": False, "?": None}


@dataclass(frozen=True, slots=True)
class DrawnSentence:
    """A sentence of the training text that somebody is to read."""

    line: int
    """In ``train.txt``, from 1."""
    sentence: str


@dataclass(frozen=True, slots=True)
class FilterSample:
    """What was drawn for a filter."""

    filter: CorpusFilter
    candidates: int
    """Sentences of the corpus that its ``[audit]`` is about, without those that were put back on purpose."""
    put_back: int
    """Those that were put back, and so are not asked about."""
    drawn: tuple[DrawnSentence, ...]
    """As many of the candidates as were asked for, drawn without replacement; in the order of the text."""


@dataclass(frozen=True, slots=True)
class FilterLeak:
    """What a reader found of a filter."""

    filter: str
    what: str
    candidates: int
    read: int
    leaks: int
    unclear: int
    """Sentences of which the reader could not say."""
    rate: float | None
    """Leaks among the sentences that were read; None where some are unclear."""
    low: float
    """Lower end of the exact 95 % interval of the rate (Clopper & Pearson 1934), unclear ones taken for none."""
    high: float
    """Its upper end, unclear ones taken for leaks. Both are the shares themselves where all candidates were read."""
    published: tuple[int, int] | None
    """Leaks and sentences read in the paper that the filter is from."""

    def as_data(self) -> dict[str, Any]:
        """As JSON has it."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}


@dataclass(frozen=True, slots=True)
class CorpusAudit:
    """A corpus and the filters that it is read for."""

    folder: Path
    filters: tuple[CorpusFilter, ...]
    parser: str
    text_sha256: str
    n: int
    seed: int
    put_back: frozenset[int]

    def samples(self) -> list[FilterSample]:
        """The sentences of each filter; the same for the same text, filters, number and seed. Reads the text once."""
        rngs = [random.Random(f"{self.seed}/audit/{own.name}") for own in self.filters]
        seen, back = [0] * len(self.filters), [0] * len(self.filters)
        kept: list[list[DrawnSentence]] = [[] for _ in self.filters]
        for line, sentence in _numbered(self.folder / "train.txt"):
            for place, own in enumerate(self.filters):
                if own.audit is None or own.audit.text.search(sentence) is None:
                    continue
                if line in self.put_back:
                    back[place] += 1
                    continue
                # One pass over a text of any length (Vitter's algorithm R).
                seen[place] += 1
                if len(kept[place]) < self.n:
                    kept[place].append(DrawnSentence(line, sentence))
                elif (at := rngs[place].randrange(seen[place])) < self.n:
                    kept[place][at] = DrawnSentence(line, sentence)
        return [
            FilterSample(own, seen[place], back[place], tuple(sorted(kept[place], key=lambda one: one.line)))
            for place, own in enumerate(self.filters)
        ]

    def drawn_from(self, own: CorpusFilter) -> str:
        """What the sample of a filter depends on, as it stands on every row of a sheet."""
        return "; ".join(f"{key} {value}" for key, value in self._depends_on(own).items())

    def _depends_on(self, own: CorpusFilter) -> dict[str, str]:
        return {
            "text": self.text_sha256[:12],
            "filter": own.digest[:12],
            "parser": self.parser or "none",
            "seed": str(self.seed),
            "of": str(self.n),
        }

    def sheet(self, samples: Sequence[FilterSample]) -> str:
        """The sheet to fill in, as CSV."""
        rows = [
            dict(
                zip(
                    COLUMNS, (number, own.name, one.line, one.sentence, _question(own), "", "", self.drawn_from(own)), strict=True
                )
            )
            for own, number, one in (
                (sample.filter, number, one) for sample in samples for number, one in enumerate(sample.drawn, 1)
            )
        ]
        return csv_text(rows, COLUMNS)

    def read(self, path: Path) -> list[FilterLeak]:
        """What a filled sheet says. Raises `FormatError` naming the line of what is not as it was drawn or not answered."""
        source = SourceFile(path, unchanged="Nothing was counted.", command="gapsmith train audit")
        rows = source.rows()
        top = next(rows, None)
        if top is None or _missing(top.cells):
            lacks = "it is empty" if top is None else f"there is no column {_missing(top.cells)[0]!r}"
            source.refuse(
                0 if top is None else top.line, lacks, hint="Give the sheet of `gapsmith train audit --out`, filled in."
            )
        places = {name: tuple(top.cells).index(name) for name in COLUMNS}
        given: dict[str, list[tuple[int, dict[str, str]]]] = {own.name: [] for own in self.filters}
        for row in rows:
            cells = {name: row.cells[at].strip() if at < len(row.cells) else "" for name, at in places.items()}
            if not any(cells.values()):
                continue
            if cells["filter"] not in given:
                source.refuse(
                    row.line,
                    f"the filter {cells['filter']!r} is not one that is asked about here",
                    hint=f"Asked about: {', '.join(given)}. Add --filter {cells['filter']}, or take the corpus that the sheet was drawn from.",
                )
            given[cells["filter"]].append((row.line, cells))
        return [self._found(source, sample, given[sample.filter.name]) for sample in self._as_drawn(source, given)]

    def _as_drawn(self, source: SourceFile, given: Mapping[str, Sequence[tuple[int, Mapping[str, str]]]]) -> list[FilterSample]:
        """The samples of the sheet's own number and seed, once all else is found to be the same."""
        told = {cells["drawn"]: line for rows in given.values() for line, cells in rows}
        says: dict[str, str] = {}
        for drawn, line in told.items():
            parts = dict(part.split(" ", 1) for part in drawn.split("; ") if " " in part)
            if not {"text", "filter", "parser", "seed", "of"} <= parts.keys() or not (parts["seed"] + parts["of"]).isdecimal():
                source.refuse(line, f"its last column says {drawn!r}, which no sheet of `train audit` does")
            if says and (says["seed"], says["of"]) != (parts["seed"], parts["of"]):
                source.refuse(line, "rows of two drawings are mixed", hint="Give one sheet at a time.")
            says = parts
        if not says:
            source.refuse(0, "there are no sentences")
        same = replace(self, n=int(says["of"]), seed=int(says["seed"]))
        for name, rows in given.items():
            own = next(one for one in self.filters if one.name == name)
            for line, cells in rows:
                for part in cells["drawn"].split("; "):
                    key, _, value = part.partition(" ")
                    now = same._depends_on(own).get(key, "")
                    if value != now:
                        what = {
                            "text": "another text",
                            "filter": f"another version of the filter {name}",
                            "parser": "another parser",
                        }
                        source.refuse(
                            line,
                            f"it was drawn from {what.get(key, key)} ({value}, here {now or 'nothing'})",
                            hint="Give the corpus that the sheet was drawn from, or draw a new sheet of this one.",
                        )
        return same.samples()

    def _found(self, source: SourceFile, sample: FilterSample, rows: Sequence[tuple[int, Mapping[str, str]]]) -> FilterLeak:
        own = sample.filter
        wanted = {str(number): one for number, one in enumerate(sample.drawn, 1)}
        answers: dict[str, bool | None] = {}
        for line, cells in rows:
            number, one = cells["number"], wanted.get(cells["number"])
            if one is None or (cells["line"], cells["sentence"]) != (str(one.line), one.sentence.strip()):
                source.refuse(line, f"this is not sentence {number} of what was drawn for {own.name}")
            if number in answers:
                source.refuse(line, f"sentence {number} of {own.name} is answered twice")
            if (said := cells["leak"].casefold()) not in _ANSWERS:
                source.refuse(
                    line,
                    f"{own.name}, sentence {number}: leak is not answered" if not said else f"leak is {cells['leak']!r}",
                    hint="Write yes, no, or ? where it cannot be said. A rate of a part that somebody chose to answer is no rate.",
                )
            answers[number] = _ANSWERS[said]
        if lacking := [number for number in wanted if number not in answers]:
            source.refuse(
                0,
                f"sentence {lacking[0]} of {own.name} is missing ({len(lacking)} of {len(wanted)})",
                hint="Give the whole sheet.",
            )
        leaks = sum(said is True for said in answers.values())
        unclear = sum(said is None for said in answers.values())
        n = len(answers)
        if n == sample.candidates:
            low, high = (leaks / n, (leaks + unclear) / n) if n else (0.0, 0.0)
        else:
            low, high = exact_interval(leaks, n)[0], exact_interval(leaks + unclear, n)[1]
        audit = own.audit
        assert audit is not None
        rate = leaks / n if n and not unclear else None
        return FilterLeak(own.name, audit.what, sample.candidates, n, leaks, unclear, rate, low, high, audit.published)


def _missing(header: Sequence[str]) -> list[str]:
    """The columns of a sheet that a header has not."""
    return [name for name in COLUMNS if name not in header]


def open_audit(folder: Path, names: Sequence[str] = (), *, n: int = 1000, seed: int = 1) -> CorpusAudit:
    """An audit of the corpus in `folder` for the filters `names`, or for all with which it was made.

    Raises `ConfigError` where it is no folder of `gapsmith train corpus`, its text is no longer the one it was made with, a filter is no
    longer the one it was made with, or says nothing of an audit."""
    path = folder / MANIFEST
    if not path.is_file():
        raise ConfigError(f"{folder} has no {MANIFEST}", hint="Give a folder that `gapsmith train corpus` made.")
    try:
        told: dict[str, Any] = read_json(text_of(path, "utf-8"))
        made_with = {str(own["name"]): str(own["sha256"]) for own in told["filters"]}
        digest = str(told["sha256"]["train.txt"])
        put_back = frozenset(int(entry["line"]) for entry in told["put_back"])
        parser = str(told["parser"] or "")
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{path}: cannot be read ({error!r})", hint="Make the corpus again.") from None
    if file_sha256(folder / "train.txt") != digest:
        raise ConfigError(f"{folder / 'train.txt'} is not the text that its manifest is about", hint="Make the corpus again.")
    filters = [load_filter(name) for name in names]
    if not names:
        if not made_with:
            raise ConfigError(
                f"{folder} was made without a filter",
                hint=f"Say what to look for: --filter {filter_names()[0]}, or a file of yours.",
            )
        if own := [name for name in made_with if name not in filter_names()]:
            raise ConfigError(
                f"the corpus was made with a filter of yours, {own[0]}", hint=f"Say where it is: --filter {own[0]}.toml"
            )
        filters = [load_filter(name) for name in made_with]
    for one in filters:
        if made_with.get(one.name, one.digest) != one.digest:
            raise ConfigError(
                f"the filter {one.name} is not the one that the corpus was made with",
                hint="Make the corpus again, or give the file as it was then.",
            )
        if one.audit is None:
            raise ConfigError(f"the filter {one.name} has no [audit]", hint="It says what is drawn, and what is asked of it.")
    return CorpusAudit(folder, tuple(filters), parser, digest, n, seed, put_back)


def _question(own: CorpusFilter) -> str:
    return "" if own.audit is None else own.audit.question


def _numbered(path: Path) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(packed_lines(path), 1):
        if sentence := line.strip():
            yield number, sentence
