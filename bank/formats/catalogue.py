"""The formats of item sets: which one a file is in, reading it (shape, the second step of a file's way), and writing it again. The
only place that decides the first."""

from __future__ import annotations

import io
import re
import shlex
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, Literal, NoReturn, TextIO

from gapsmith.bank.formats import (
    answers,
    condition_table,
    json_items,
    pairs,
    region_columns,
    region_rows,
    slot_lines,
    suite_json,
    text_items,
    wide_table,
)
from gapsmith.bank.formats.alternatives import CROSSED, PARALLEL, apart_from_numbered, are_indexed, choices_of, column_of, hold
from gapsmith.bank.formats.asking import Assumption, FileAnswer, NoItemsError, ShapeError, UndecidedError, flags_of
from gapsmith.bank.formats.cleaning import cleaned, expect_clean
from gapsmith.bank.formats.columns import (
    block_ways,
    body_of,
    expect_no_frames,
    factors_of,
    is_measure,
    is_of_people,
    propose,
    roles,
    stacked_ways,
)
from gapsmith.bank.formats.copied_pages import copied_pages
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSet
from gapsmith.bank.formats.gaps import without_gaps
from gapsmith.bank.formats.grids import grid_of
from gapsmith.bank.formats.grouping import first_seen, has_regions, has_sentences, renamed
from gapsmith.bank.formats.headings import roles_of
from gapsmith.bank.formats.javascript import files_of, is_script
from gapsmith.bank.formats.last_look import looked_over
from gapsmith.bank.formats.latex import is_latex
from gapsmith.bank.formats.leaving_out import as_numbers
from gapsmith.bank.formats.marks import expect_agreement, expect_no_labels, judged_by_column, unmarked, without_ends
from gapsmith.bank.formats.offers import Begun, Tried, answered, offers, tried
from gapsmith.bank.formats.regions_between import parted
from gapsmith.bank.formats.rewriting import ALL, comments_of, looks_like_json, wrapped_lines
from gapsmith.bank.formats.services import UNATTENDED, ReadServices
from gapsmith.bank.formats.side_by_side import side_by_side
from gapsmith.bank.formats.source import ROW_NAMES, Progress, ReadOptions, SourceFile
from gapsmith.bank.formats.steps import codes_step, grammar_step, part_ways, second_table
from gapsmith.bank.formats.style import dressed
from gapsmith.bank.formats.suspicious import checked
from gapsmith.bank.formats.unfolding import POSITION
from gapsmith.bank.formats.word_rows import propose_words, word_ways
from gapsmith.bank.formats.writing import CsvWriter
from gapsmith.bank.formats.xlsx import write_xlsx
from gapsmith.templates import DocumentError, FormatError, Plugin, PluginError, Registry, in_time, read_json

Level = Literal["items", "sentences", "regions"]
_SHOWN_BY = 400
"""At most so many sentences are looked at for alternatives in them."""
_OF_WORKS = frozenset({".bib", ".ris", ".enw", ".bibtex", ".nbib"})
"""Suffixes of lists of publications."""
_STATISTICS = "the output of a statistics program"
_OUTPUT_IN = 20_000
_OUTPUT = re.compile(
    r"^ *(?:(?:Generalized l|L)inear mixed(?:-effects)? model fit by|Random effects:|Fixed effects:|Scaled residuals:|Residuals:|Coefficients:|"
    r"Call:|Signif\. codes:|REML criterion at convergence|Correlation of Fixed Effects|Population-Level Effects:|Group-Level Effects:|"
    r"Multiple R-squared:|Residual standard error:|Analysis of (?:Variance|Deviance)|OLS Regression Results|Mixed Linear Model)",
    re.MULTILINE,
)
"""What statistics programs print above and below their tables."""
_DMDX = re.compile(
    r"<(?:ep|eop|fd \d+|nfb|vm \w+|id keyboard|mpr [^<>]*|mnr [^<>]*)>(?s:.)*<(?:ep|eop|fd \d+|nfb|vm \w+|id keyboard)",
    re.IGNORECASE,
)
"""Parameters of DMDX."""
_LETTERED_LINE = re.compile(r"^\s*(?:[-*•–]\s+)?[(\[]?[a-pA-P][)\].:]+\s+(?=\S)")
"""The letter of a condition before a sentence, as in a list."""
_NAMED_LINE = re.compile(r"^\s*[^\W\d][\w+/-]{0,30}\s*:\s+")
_OF_TABLES = frozenset(
    {
        "item_columns",
        "condition_columns",
        "sentence_columns",
        "frames",
        "stack",
        "items_by_words",
        "headings",
        "header_rows",
        "transpose",
        "blank_rows",
    }
)
_OF_MARKED = frozenset({"strip_prefixes", "strip_suffixes", "region_mark", "good"})
_OF_LINES = frozenset({"header_row", "alternatives"})
"""What can be said of tables, of sentences that people wrote marks around, and of everything but JSON."""
_OFFERED = 3
"""At most so many commands are printed for a file that is refused otherwise."""


@dataclass(frozen=True, slots=True)
class Format:
    """A way of keeping sentences in a file."""

    name: str
    title: str
    recognise: Callable[[SourceFile], str | None]
    """What a file is, in words, if it is in this format; must not raise for a file that is in another one."""
    read: Callable[[SourceFile, Progress | None], ForeignSet]
    write: Callable[[TextIO, ForeignSet], tuple[str, ...]] | None = None
    """Writes a set as text and gives the labels of items that the format cannot hold; None where the format is a table."""
    rows: Callable[[ForeignSet], Iterator[list[str]]] | None = None
    """A set as rows of cells, for formats that are tables and can so be CSV and xlsx."""
    holds: Callable[[ForeignItem], bool] = has_sentences
    """Whether a table can hold an item; the others are left out of its rows."""
    suffix: str = ".csv"
    keeps: frozenset[Level] = frozenset({"items", "sentences", "regions"})
    """Of what it has other columns or keys beside its own."""
    keys: frozenset[str] = frozenset()
    """Its own keys, where it is no table: what is called like one of them has no place in it."""
    general: bool = False
    """Whether nearly any file fits it, so that it is tried after all others."""


_OWN = (
    Format(
        "suite",
        "SyntaxGym suite (JSON)",
        suite_json.recognise_suite,
        suite_json.read_suite,
        suite_json.write_suite,
        keys=frozenset({"item_number", "conditions", "condition_name", "regions"}),
        suffix=".json",
    ),
    Format(
        "slots",
        "slots as JSON lines",
        slot_lines.recognise_slot_lines,
        slot_lines.read_slot_lines,
        slot_lines.write_slot_lines,
        keeps=frozenset({"items"}),
        keys=frozenset({"item", "slots"}),
        suffix=".jsonl",
    ),
    Format(
        "blimp",
        "minimal pairs as JSON lines (BLiMP)",
        pairs.recognise_pair_records,
        pairs.read_pair_records,
        pairs.write_pair_records,
        keeps=frozenset({"items"}),
        keys=frozenset({"sentence_good", "sentence_bad"}),
        suffix=".jsonl",
    ),
    Format(
        "tuples",
        "tuples of sentences as lists of tokens (JSON)",
        json_items.recognise_tuples,
        json_items.read_tuples,
        json_items.write_tuples,
        keeps=frozenset(),
        suffix=".json",
    ),
    Format(
        "json",
        "items with conditions, sentences or regions as JSON",
        json_items.recognise_json_items,
        json_items.read_json_items,
        json_items.write_json_items,
        keeps=frozenset({"items", "sentences"}),
        keys=frozenset({"item", "conditions", "condition", "sentence", "regions"}),
        suffix=".json",
    ),
    Format(
        "region_rows",
        "a row per item, condition and region",
        region_rows.recognise_region_rows,
        region_rows.read_region_rows,
        rows=region_rows.region_rows_rows,
        holds=has_regions,
    ),
    Format(
        "csv",
        "a row per item and condition",
        condition_table.recognise_condition_table,
        condition_table.read_condition_table,
        rows=condition_table.condition_table_rows,
        keeps=frozenset({"items", "sentences"}),
    ),
    Format(
        "region_columns",
        "a row per item and condition, a column per region",
        region_columns.recognise_region_columns,
        region_columns.read_region_columns,
        rows=region_columns.region_columns_rows,
        keeps=frozenset({"items", "sentences"}),
        holds=has_regions,
    ),
    Format(
        "condition_columns",
        "a row per item, a column per condition",
        wide_table.recognise_wide_table,
        wide_table.read_wide_table,
        rows=wide_table.wide_table_rows,
        keeps=frozenset({"items"}),
    ),
    Format(
        "blocks",
        "blocks under # experiment item condition, with questions",
        text_items.recognise_blocks,
        text_items.read_blocks,
        text_items.write_text_items,
        keeps=frozenset(),
        suffix=".txt",
    ),
    Format(
        "numbered",
        "numbered examples: 1a. to 1d., or Item 3 with (a) and (b)",
        text_items.recognise_numbered,
        text_items.read_numbered,
        text_items.write_text_items,
        keeps=frozenset(),
        suffix=".txt",
        general=True,
    ),
    Format(
        "item_lines",
        "plain lines, so many an item",
        text_items.recognise_item_lines,
        text_items.read_item_lines,
        text_items.write_text_items,
        keeps=frozenset(),
        suffix=".txt",
        general=True,
    ),
    Format(
        "pair_table",
        "minimal pairs in two columns",
        pairs.recognise_pair_table,
        pairs.read_pair_table,
        rows=pairs.pair_table_rows,
        keeps=frozenset({"items"}),
        holds=pairs.is_pair,
        general=True,
    ),
    Format(
        "pair_lines",
        "minimal pairs, two lines a pair",
        pairs.recognise_pair_lines,
        pairs.read_pair_lines,
        pairs.write_pair_lines,
        keeps=frozenset(),
        suffix=".txt",
        general=True,
    ),
)


def _held(found: Format, plugin: Plugin) -> Format:
    """A format of an installed package, under the name by which it is asked for."""
    write, rows = found.write, found.rows
    return replace(
        found,
        name=plugin.name,
        recognise=plugin.held(found.recognise, "recognise", "words or None", lambda says: isinstance(says, str | None)),
        read=plugin.held(found.read, "read", "a ForeignSet", lambda read: isinstance(read, ForeignSet)),
        write=write and plugin.held(write, "write", "a tuple of the labels that were left out", _are_labels),
        rows=rows and plugin.held_each(rows, "rows", "a list of cells", lambda row: isinstance(row, list | tuple)),
        holds=plugin.held(found.holds, "holds", "True or False", lambda _: True),
    )


def _are_labels(given: object) -> bool:
    return isinstance(given, tuple | list) and all(isinstance(label, str) for label in given)


_COUNTED = frozenset({"csv", "region_columns", "region_rows", "item_lines"})
"""The formats in whose files so many lines or rows may be an item."""
_WITH_MARKS = frozenset(entry.name for entry in _OWN) - {"slots", "tuples", "suite", "blimp"}
"""The formats in whose files people write marks before sentences."""
FORMATS: Registry[Format] = Registry("gapsmith.formats", "format", Format, {entry.name: entry for entry in _OWN}, held=_held)
"""The formats by name, those of installed packages last; a file is tried on the general ones after all others."""


def read_foreign(source: SourceFile, *, format: str | None = None, services: ReadServices = UNATTENDED) -> ForeignSet:
    """What a file says, in the format it is found to be in or in the one that is named. What it does not say, and nobody said, is
    asked; the answers are kept as if they had been said.

    Raises `FormatError`, naming file and line, where it is in no known format or is broken, and `UndecidedError` where nobody
    answers, or where it is refused and ways were found that take it; it ends with the source's `unchanged`."""
    begun: Begun | None = None
    while True:
        try:
            return _read(source, format, services)
        except UndecidedError as undecided:
            asked = _offered(undecided, source, format, begun)
        except ShapeError as refused:
            asked = _asking(refused, source, format, begun)
        except NoItemsError:
            raise
        except FormatError as refused:
            if not isinstance(refused, PluginError) and f"  {source.command} " not in refused.hint:
                before = refused.hint.removesuffix(source.unchanged).strip()
                # The command that was refused is no way out.
                again = "Mend that in the file, and import it again."
                refused.hint = "\n".join(filter(None, [before, again, source.unchanged]))
            raise
        # What an answer makes of the file is shown with the question.
        answer = services.ask(asked.question, partial(_shown, source, format))
        if answer is None or not (set(answer.options) - {"paradigm", "own_paradigm"}):
            raise asked.refusal
        begun = begun or (source, format, answer)
        source, format = answered(source, format, answer)


@dataclass(frozen=True, slots=True)
class _Offered:
    """What a file leaves open, with what is offered for it: the same commands to whoever is asked, to whoever reads them, and to a program."""

    question: UndecidedError
    """Asked step by step."""
    refusal: UndecidedError
    """Where nobody answers: its commands say all that would be asked."""


def _as_table(source: SourceFile) -> str:
    """What can be done with every file: the step, and the command that takes what it makes."""
    path = source.path
    made = path.with_name(f"{path.stem}_items.csv") if path.suffix.casefold() == ".csv" else path.with_suffix(".csv")
    return (
        f"Write its sentences, without numbers, headings, glosses and remarks, into a table with the columns item, condition and "
        f"sentence, a row each, such as\n  item,condition,sentence\n  1,a,"
        f'"The first sentence of item 1."\nand import that:\n  {source.command} {shlex.quote(str(made))}'
    )


def _offered(undecided: UndecidedError, source: SourceFile, format: str | None, begun: Begun | None) -> _Offered:
    """A question with those of its answers whose commands are offered: tried, each with what the file does not say after it either. Raises it
    where none is, with why."""
    ways = tried(undecided.answers, source, format, _unattended, begun=begun)
    if all(way.why for way in ways):
        refused = [
            f"With {way.answer.flags} ({way.answer.means}) it is {'no sound reading' if way.is_read else 'refused'}: {way.why}"
            for way in ways
        ]
        others = tried(_offers(source, format), source, format, _unattended, begun=begun)
        sound = [way for way in others if way.is_sound]
        if not sound:
            refused.append(_as_table(source))
        undecided.say(source.ways([way.answer for way in sound]), refused=refused)
        if not sound:
            undecided.answers = ()
            raise undecided
        return _as_question(undecided, sound, "It can be read all the same. Is it so?")
    undecided.say(source.ways([way.answer for way in ways]), refused=_other_sheets(undecided.answers, ways, source, format))
    if {id(answer) for answer in undecided.answers} == {id(way.begin) for way in ways}:
        question = undecided.with_answers(undecided.question, undecided.answers)
        places = [id(answer) for answer in undecided.answers]
        undecided.answers = tuple(way.answer for way in sorted(ways, key=lambda way: places.index(id(way.begin))))
        return _Offered(question, undecided)
    return _as_question(undecided, ways, "It can be read so:")


def _as_question(undecided: UndecidedError, ways: Sequence[Tried], lead: str) -> _Offered:
    """A question that lists what is offered: what each way begins with, so that what the file does not say after it is asked after it."""
    begun = {id(way.begin): way.begin for way in ways if way.begin is not None}
    # What is called by its place in a list gets its place in this one.
    are_counted = all(answer.word in ("", "yes") or answer.word.isdecimal() for answer in begun.values())
    alone = "yes" if len(begun) == 1 else ""
    own = [replace(a, word=alone or str(n)) if are_counted else a for n, a in enumerate(begun.values(), 1)]
    listed = "\n".join(f"  {answer.word}: {answer.means}" for answer in own)
    undecided.question = f"{undecided.message}\n{lead}\n{listed}"
    undecided.answers = tuple(way.answer for way in ways)
    return _Offered(undecided.with_answers(undecided.question, own), undecided)


def _other_sheets(answers: Sequence[FileAnswer], ways: Sequence[Tried], source: SourceFile, format: str | None) -> list[str]:
    """In words, why single sheets are not among those that can be read: whoever chooses one has to know of the others."""
    taken = {way.answer.options.get("sheets") for way in ways}
    others = [
        answer for answer in answers if len(answer.options.get("sheets", ())) == 1 and answer.options["sheets"] not in taken
    ]
    found = {answer.flags: tried([answer], source, format, _unattended) for answer in others}
    return [f"With {flags} it is refused: {own[0].why}" for flags, own in found.items() if own and own[0].why]


def _asking(refused: ShapeError, source: SourceFile, format: str | None, begun: Begun | None) -> _Offered:
    """A refusal as a question, whose answers were tried. Raises it where nothing takes the file."""
    own = [*refused.ways, *(_offers(source, format) if refused.is_open else ())]
    found = tried(own, source, format, _unattended, only_sound=True, begun=begun)
    ways = [way for way in found if way.is_sound][:_OFFERED]
    before = refused.hint.removesuffix(source.unchanged).strip()
    if not ways:
        own_ways = [way for way in found if way.why and way.why != refused.message]
        against = dict.fromkeys(way.why for way in [way for way in own_ways if way.is_read] or own_ways)
        # That columns were taken for none is the least of it.
        against = dict.fromkeys(sorted(against, key=lambda why: why.startswith("a tab")))
        if against:
            says = "\n".join(f"  {why}" for why in islice(against, _OFFERED))
            before = f"{before}\nNo command is offered for it as it stands, since in what was tried:\n{says}"
        refused.hint = f"{before}\n{_as_table(source)}\n{source.unchanged}"
        raise refused
    undecided = UndecidedError(
        refused.message,
        question="",
        answers=(),
        ways=source.ways([way.answer for way in ways]),
        before=before,
        after=source.unchanged,
    )
    return _as_question(undecided, ways, "It can be read all the same. Is it so?")


def _offers(source: SourceFile, format: str | None) -> list[FileAnswer]:
    try:
        return offers(_laid_out(source, format))
    except FormatError:
        return []


def _unattended(source: SourceFile, format: str | None) -> ForeignSet:
    return _read(source, format, UNATTENDED)


def _shown(source: SourceFile, format: str | None, answer: FileAnswer) -> str:
    """Three items as they are with an answer; empty where the file asks on, or is refused."""
    try:
        return grid_of(_unattended(*answered(source, format, answer)))
    except FormatError:
        return ""


def _read(source: SourceFile, format: str | None, services: ReadServices) -> ForeignSet:
    with in_time(str(source.path)):
        return _read_in_time(source, format, services)


def _read_in_time(source: SourceFile, format: str | None, services: ReadServices) -> ForeignSet:
    source = _laid_out(source, format)
    source.known["format"] = format
    with services.progress("reading", None) as told:
        chosen, what = recognise(source) if format is None else _named(source, format)
        _expect_content(source)
        _expect_use(source, chosen)
        try:
            source.known["is_table"] = chosen.rows is not None
            _expect_use_of_only(source, chosen)
            found = chosen.read(source, told)
        except PluginError as error:
            raise PluginError(f"{source.path}: {error.message}", hint=error.hint) from error
        if chosen in _OWN:
            found = expect_clean(cleaned(found, source), source)
            found = without_gaps(_bared(found, source, chosen), source)
            if source.unfold and any(str(name).startswith(POSITION) for name in found.meta.get("condition", ())):
                text_items.expect_same_order(source, found.items)
            found = looked_over(expect_clean(checked(found, source), source, late=True), source)
        else:
            # What a package reads is looked at like the rest; its format may know no option that would mend it.
            found = looked_over(found, source, told_since="as the format of a package reads it")
    is_said = format is not None
    shape = Assumption("format", chosen.title, "as said" if is_said else what, "said" if is_said else "certain", "--format")
    return replace(
        found,
        what=what,
        digest=source.digest,
        style=source.style(is_table=chosen.rows is not None),
        options=source.options.recorded(format),
        assumptions=(shape, *_rewriting(source), *found.assumptions),
        notes=(
            *source.misread(),
            *source.gone_on(),
            *(f"read as {how}" for how in source.how_rewritten),
            *_left_out(source, chosen),
            *found.notes,
        ),
    )


def _laid_out(source: SourceFile, format: str | None) -> SourceFile:
    """The source, as rows or lines where it is JSON of no form that is known, or of a format that has none."""
    of_json = {entry.name for entry in _OWN if entry.suffix in (".json", ".jsonl")}
    is_table = format is not None and format not in of_json and FORMATS.find(format) in _OWN
    if not source.may_be_json or (format is not None and not is_table):
        return source
    if format is None and any(_asked(entry, source) is not None for _, entry in FORMATS.usable()):
        return source
    if not json_items.is_json(source):
        return source
    answers.refuse_answers(source, word_ways)
    laid = replace(source, unfold=True, known={})
    return laid if laid.rewritten.suffix in (".tsv", ".txt") else source


def _rewriting(source: SourceFile) -> list[Assumption]:
    assumed = () if source.is_spreadsheet else source.rewritten.assumed
    said = [
        Assumption("text", how, "as it stands in the file", "assumed" if how in assumed else "certain")
        for how in source.how_rewritten
    ]
    if source.known.get("is_table") and source.has_row_names:
        names = f"the first cells of the rows, under {ROW_NAMES}"
        said.append(
            Assumption("names of rows", names, "every row has one cell more than there are headings", "assumed", "--headings")
        )
    return said


def _bared(found: ForeignSet, source: SourceFile, chosen: Format) -> ForeignSet:
    """The set without what stands before its sentences and between its regions, and is no part of them."""
    if chosen.name not in _WITH_MARKS or not found.conditions:
        return found
    if source.known.get("format") != chosen.name:
        texts = [s.text for item in found.items for s in item.sentences]
        expect_no_labels(source, texts, as_they_are=chosen.name)
    return expect_agreement(judged_by_column(parted(without_ends(unmarked(found, source), source), source), source), source)


def _named(source: SourceFile, format: str) -> tuple[Format, str]:
    chosen = FORMATS.find(format)
    if chosen in _OWN:
        answers.refuse_answers(source, word_ways)
    return chosen, chosen.title


@dataclass(frozen=True, slots=True)
class Written:
    """A set as the content of a file."""

    content: bytes
    left_out: tuple[str, ...]
    """Labels of items that the format cannot hold."""
    encoding: str
    delimiter: str | None = None
    """What separates the cells of a table; None for everything else."""
    dropped: tuple[str, ...] = ()
    """Columns or keys of items, sentences or regions that the format has no place for."""


def written(items: ForeignSet, format: str | None = None, *, path: Path | None = None) -> Written:
    """A set as a file has it, in the format it came in unless another one is named, and then in the style of its file too.

    `path` is where it will go: a table becomes a spreadsheet for ``.xlsx`` and has tabs for ``.tsv``. Raises `FormatError`
    where the format is for reading only, and for what no cell can hold."""
    chosen = FORMATS.find(format or items.shape)
    suffix = path.suffix.casefold() if path is not None else ""
    as_it_came = items.shape == chosen.name
    left_out = tuple(item.label for item in items.items if not chosen.holds(item))
    if chosen.rows is not None and suffix == ".xlsx":
        sink = io.BytesIO()
        write_xlsx(sink, chosen.rows(items), name=str(path))
        return Written(sink.getvalue(), left_out, "xlsx", dropped=_dropped(items, chosen, left_out))
    style = items.style if as_it_came else {}
    delimiter = None
    stream = io.StringIO(newline="")
    if chosen.write is not None:
        left_out = chosen.write(stream, items)
    elif chosen.rows is None:
        raise FormatError(f"files of format {chosen.name} are read only", hint="Choose another format.")
    else:
        given = items.meta.get("delimiter", ",") if as_it_came else ","
        delimiter = "\t" if suffix == ".tsv" else given
        writer = CsvWriter(stream, delimiter=delimiter, style=style)
        for row in chosen.rows(items):
            writer.row(row)
        stream.write(style.get("tail", "") if delimiter == given else "")
    suffix = ".jsonl" if as_it_came and items.meta.get("lines") else chosen.suffix
    text = dressed(stream.getvalue(), style, is_table=chosen.rows is not None, suffix=suffix)
    encoding = items.encoding if as_it_came and items.encoding != "xlsx" else "utf-8"
    dropped = _dropped(items, chosen, left_out)
    try:
        return Written(text.encode(encoding), left_out, encoding, delimiter, dropped)
    except UnicodeEncodeError:
        return Written(text.encode(), left_out, "utf-8", delimiter, dropped)


def _dropped(items: ForeignSet, chosen: Format, left_out: Collection[str]) -> tuple[str, ...]:
    """The names of what is said of the items that go out and cannot be said in that format."""
    if items.shape == chosen.name:
        return ()
    # Of no items a table has only its own headings.
    ours = chosen.keys if chosen.rows is None else set(next(chosen.rows(replace(items, items=())), ()))
    if chosen.rows is not None:
        # What is called like one of them may have got another heading beside them.
        header = set(next(chosen.rows(items), ()))
        ours = {name for name in ours if f"attribute_{name}" not in header}
    gone = set(left_out)
    names: list[str] = []
    for item in items.items:
        if item.label in gone:
            continue
        names += (name for name in item.attributes if name in ours or "items" not in chosen.keeps)
        for sentence in item.sentences:
            names += (name for name in sentence.attributes if name in ours or "sentences" not in chosen.keeps)
            if "regions" not in chosen.keeps:
                names += (name for region in sentence.regions or () for name in region.extra)
    return first_seen(names)


def _expect_content(source: SourceFile) -> None:
    if not source.is_spreadsheet and not source.start:
        raise FormatError(f"{source.path}: the file is empty", hint=source.unchanged)
    if not source.is_spreadsheet and re.fullmatch(r'"?sep=.?"?[,;\s]*', source.start, re.IGNORECASE):
        source.refuse(
            source.lines.index(source.start) + 1,
            f"{source.start.strip()!r} is no row but says to Excel what separates the cells",
            hint="Take this line out.",
            ways=[FileAnswer("", "the headings stand below it", {"header_row": source.lines.index(source.start) + 2})],
        )


def _expect_use(source: SourceFile, chosen: Format) -> None:
    """Refuse columns that are said to be regions or none where a format would not look at that; a package's format may."""
    said = [f"--attribute {shlex.quote(name)}" for name in source.options.attributes]
    said += [f"--region {shlex.quote(name)}" for name in source.options.regions]
    if source.options.once and chosen in _OWN and chosen.name != condition_table.SHAPE:
        source.refuse(0, f"is read as {chosen.name} ({chosen.title}), which has no use for --once", hint="Leave it out.")
    pairs_of = (pairs.RECORDS, pairs.TABLE, pairs.LINES)
    if source.options.first is not None and chosen in _OWN and chosen.name not in pairs_of:
        source.refuse(
            0,
            f"is read as {chosen.name} ({chosen.title}), which has no use for --first",
            hint="Leave it out; which conditions are acceptable, --good CONDITION says.\n"
            f"  {replace(source, options=replace(source.options, first=None), known={}).typed(FileAnswer('', '', {}))}\n",
        )
    if chosen in _OWN:
        _expect_no_idle(source, chosen)
    of_words = chosen.name == region_rows.SHAPE and source.options.sentence_columns and not source.options.attributes
    of_lines = chosen.name in (text_items.LINES, text_items.NUMBERED) and not source.options.regions
    if said and chosen in _OWN and chosen.name != region_columns.SHAPE and not (of_words or of_lines):
        source.refuse(
            0,
            f"is read as {chosen.name} ({chosen.title}), which has no use for {said[0]}",
            hint="Leave it out; or, if the file has a column per region, say --format region_columns.",
        )


def _expect_no_idle(source: SourceFile, chosen: Format) -> None:
    """Refuse what was said and a format of ours does not look at: whoever said it takes the file for another one."""
    is_json = chosen.suffix in (".json", ".jsonl")
    idle = {
        *(_OF_TABLES if chosen.rows is None else ()),
        *(_OF_MARKED if chosen.name not in _WITH_MARKS else ()),
        *(_OF_LINES if is_json else ()),
        *(("per_item",) if chosen.name not in _COUNTED else ()),
        *(("first",) if chosen.name == pairs.RECORDS else ()),
        *(("sheets",) if not source.is_spreadsheet else ()),
        *(("table",) if source.is_spreadsheet or not source.rewritten.tables else ()),
    }
    said = {name: value for name, value in source.options.said().items() if name in idle}
    if said:
        defaults: dict[str, Any] = {field.name: field.default for field in fields(ReadOptions) if field.name in said}
        without = replace(source.options, **defaults)
        as_rows = FileAnswer("", "its keys are columns", {"format": condition_table.SHAPE})
        source.refuse(
            0,
            f"is read as {chosen.name} ({chosen.title}), which has no use for {flags_of(said)}",
            hint=f"Leave it out.\n  {replace(source, options=without, known={}).typed(FileAnswer('', '', {}))}\n",
            ways=[as_rows] if is_json and set(said) <= _OF_TABLES else (),
        )


def _expect_use_of_only(source: SourceFile, chosen: Format) -> None:
    """Refuse ``--only`` of a format that has neither columns, experiments nor keys: it would leave nothing out, and not say so."""
    has_kinds = chosen.rows is not None or chosen.name in (text_items.BLOCKS, pairs.RECORDS)
    if source.options.only and chosen in _OWN and not has_kinds:
        source.refuse(
            0,
            f"is read as {chosen.name} ({chosen.title}), which has no columns for --only {source.options.only[0]}",
            hint="Leave it out.",
        )
    columns = [said for said in source.options.leave_out if said in source.left_out_columns]
    if columns and chosen in _OWN and chosen.rows is None:
        source.refuse(
            0,
            f"is read as {chosen.name} ({chosen.title}), which has no columns for --leave-out {columns[0]}",
            hint="Say the numbers of the lines, such as --leave-out 4,7-9.",
        )


def _left_out(source: SourceFile, chosen: Format) -> tuple[str, ...]:
    return source.left_out() if chosen in _OWN and chosen.rows is not None else ()


def recognise(source: SourceFile) -> tuple[Format, str]:
    """The format of a file, and in words what it is. Raises `FormatError` where it is in none, saying what it looks like."""
    _expect_content(source)
    try:
        answers.refuse_answers(source, word_ways)
    except FormatError as refused:
        # A package may make sentences of them.
        for entry in (entry for _, entry in FORMATS.usable() if entry not in _OWN):
            if (says := _asked(entry, source)) is not None:
                return entry, says
        if isinstance(refused, ShapeError | UndecidedError):
            raise
        raise NoItemsError(refused.message, hint=refused.hint) from None
    _expect_no_rules(source)
    _expect_one_table(source)
    if len(source.first_row) > 1:
        expect_no_frames(source)
    if not source.is_spreadsheet:
        # What heads a second table is no comment.
        _expect_no_second_table(source)
        _expect_one_heading_row(source)
    else:
        _expect_one_table_in_sheet(source)
    _expect_no_comments(source)
    _expect_as_laid_out(source)
    _expect_none_side_by_side(source)
    _expect_whole_lines(source)
    _expect_whole_sentences(source)
    _expect_no_alternatives(source)
    text_items.expect_examples_alone(source)
    if not source.options.blank_rows and any(row.is_begin for row in body_of(source)[1:]):
        propose_words(source)
    general = [entry for entry in _OWN if entry.general]
    if _foreign_kind(source):
        general = []
    # A package's format that cannot be loaded cannot be asked; the others can.
    for entry in (*(entry for _, entry in FORMATS.usable() if not entry.general or entry not in _OWN), *general):
        says = _asked(entry, source)
        if says is not None:
            return entry, f"{says}, in a spreadsheet" if source.is_spreadsheet else says
    return _refuse_unknown(source)


def _expect_no_rules(source: SourceFile) -> None:
    """Refuse a grammar, which makes sentences and holds none."""
    if source.is_spreadsheet or looks_like_json(source.start) or not source.rewritten.is_whole:
        return
    if (found := grammar_step(source.lines)) is not None:
        line, what, step = found
        raise NoItemsError(f"{source.at(line)}: {what}", hint=f"{step}\n{source.head}\n{source.unchanged}")


def _expect_one_table(source: SourceFile) -> None:
    """Ask which table of a document is meant."""
    tables = () if source.is_spreadsheet else source.rewritten.tables
    if len(tables) > 1 and source.options.table is None:
        source.ask(
            0,
            f"holds {len(tables)} tables",
            f"It holds {len(tables)} tables. Which one is to be read?",
            [
                *([FileAnswer(ALL, "all of them, one below the other", {"table": ALL})] if source.rewritten.are_one else []),
                *(FileAnswer(str(n), f"table {n}: {said}", {"table": str(n)}) for n, said in enumerate(tables, 1)),
            ],
        )


def _expect_as_laid_out(source: SourceFile) -> None:
    """Ask whether lines are meant as they were laid out, where nothing but their order says which are of one item."""
    if source.is_spreadsheet or not (open_ := source.rewritten.is_open):
        return
    says = open_ if source.unfold else f"nothing numbers its items; {open_}"
    source.ask(
        0,
        says,
        f"{says[0].upper()}{says[1:]}. Is it so?",
        [FileAnswer("yes", open_, {"format": condition_table.SHAPE})],
    )


def _expect_none_side_by_side(source: SourceFile) -> None:
    """Ask about columns that stand side by side several times, each time with a condition of its own: the condition of a row is none of them."""
    options = source.options
    if not source.is_spreadsheet and looks_like_json(source.start):
        return
    if options.condition_columns or options.sentence_columns or options.regions or not (ways := stacked_ways(source)):
        return
    found = side_by_side(source.first_row)
    called = set() if found is None else set(roles_of(found.roles))
    if found is None or not ({"condition", "sentence"} <= called or ("item" in called and called & {"sentence", "good"})):
        return
    message = f"{', '.join(found.roles)} stand there {len(found.parts)} times side by side: {', '.join(found.parts)}"
    source.ask(
        1,
        message,
        f"{message}. Does every time stand for itself, as rows below each other do?",
        [replace(ways[0], word="yes")],
    )


def _expect_no_second_table(source: SourceFile) -> None:
    """Refuse a table below which another one begins, each under a title and headings of its own."""
    lines = source.lines
    if source.suffix not in (".csv", ".tsv", ".txt") or not source.rewritten.is_whole or source.options.header_row is not None:
        return
    _expect_no_table_below(source)
    if sum(map(bool, map(str.strip, source.start.split(source.delimiter)))) != 1 or len(roles_of(source.start.split(","))) > 1:
        return
    if not any(source.delimiter in line for line in islice(lines, 8)):
        return
    blocks: list[list[tuple[int, list[str]]]] = [[]]
    for number, line in enumerate(lines, 1):
        cells = [cell.strip() for cell in line.split(source.delimiter)]
        if any(cells):
            blocks[-1].append((number, cells))
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if block]
    begins = [block[0][0] for block in blocks if len(block) > 3 and _is_titled(block)]
    if len(begins) > 1 and len(begins) == len(blocks):
        ends = [block[-1][0] for block in blocks]
        parts = ", ".join(f"lines {begin + 1} to {end}" for begin, end in zip(begins, ends, strict=True))
        source.refuse(
            begins[1],
            f"another table begins here, below a title: {lines[begins[1] - 1].strip(source.delimiter + ' ')[:60]}",
            hint=f"Each is a file of its own: {parts}. One is read where the other lines are left out.\n{source.head}\n",
            ways=part_ways(
                len(lines), source.options.leave_out, [(begin + 1, end) for begin, end in zip(begins, ends, strict=True)]
            ),
        )


def _expect_no_table_below(source: SourceFile) -> None:
    """Refuse a table below which the same headings stand once more under a title, and the numbers of its items begin anew: a page that goes on
    goes on with them."""
    sign, options = source.delimiter, source.options
    if sign not in source.start or options.leave_out or source.rewritten.numbers:
        return
    filled = [(n, [cell.strip() for cell in line.split(sign)]) for n, line in enumerate(source.lines, 1) if line.strip()]
    top = filled[0][1]
    begins = [
        (title, line, "".join(above))
        for (title, above), (line, cells) in pairwise(filled)
        if cells == top and sum(map(bool, above)) == 1 and title != filled[0][0]
    ]
    place = roles_of(top).get("item")
    if not begins or place is None:
        return
    seen = {cells[place] for n, cells in filled[1:] if n < begins[0][0] and place < len(cells)}
    below = {cells[place] for n, cells in filled if n > begins[0][1] and place < len(cells)}
    if not seen & below - {""}:
        return
    ends = [*(title - 1 for title, *_ in begins), filled[-1][0]]
    starts = [(filled[0][0], ""), *((line, name) for _, line, name in begins)]
    ways = []
    for (line, name), end in zip(starts, ends, strict=True):
        out = as_numbers(n for n in range(1, len(source.lines) + 1) if source.lines[n - 1].strip() and not line <= n <= end)
        what = f"below {name[:60]!r}" if name else "above"
        ways.append(FileAnswer("", f"the table {what}, lines {line} to {end}", {"leave_out": (out,)}))
    source.refuse(
        begins[0][1],
        f"another table begins here, below a title: {begins[0][2][:60]}",
        hint=f"Two tables have other items under the same numbers: one is read.\n{source.head}\n",
        ways=ways,
    )


def _expect_one_table_in_sheet(source: SourceFile) -> None:
    """Refuse a sheet in which another table begins further down, below a title and under headings of its own."""
    if source.options.header_row is not None or len(source.options.sheets) > 1 or source.options.transpose:
        return
    rows = [(row.line, [cell.strip() for cell in row.cells if cell.strip()]) for row in source.stored_rows()]
    begins = [
        (title, line, " ".join(above))
        for (title, above), (line, cells) in pairwise(rows)
        if len(above) == 1 and len(roles_of(cells)) > 1 and len(cells) > 2
    ]
    if len(begins) < 2:
        return
    last = rows[-1][0]
    ways = []
    for n, (_, line, name) in enumerate(begins):
        end = begins[n + 1][0] - 1 if n + 1 < len(begins) else last
        options: dict[str, object] = {"header_row": line}
        if out := [number for number, _ in rows if number > end]:
            options["leave_out"] = (*source.options.leave_out, as_numbers(out))
        ways.append(FileAnswer("", f"the table below {name[:60]!r}, rows {line} to {end}", options))
    source.refuse(
        begins[1][1],
        f"another table begins here, below a title: {begins[1][2][:60]}",
        hint=f"Two tables have other items under the same numbers: one is read.\n{source.head}\n",
        ways=ways,
    )


def _expect_one_heading_row(source: SourceFile) -> None:
    """Refuse a text whose headings stand there once more, in another order or under a title of their own."""
    if not source.rewritten.is_whole or looks_like_json(source.start) or _foreign_kind(source):
        return
    if (second := second_table(source.lines)) is not None:
        ways = part_ways(len(source.lines), source.options.leave_out, second.parts)
        if second.titles:
            # Lists of one experiment: their titles go, and their items are found by their words.
            titles = as_numbers(second.titles)
            means = f"lines {titles} are left out; the tables are one, and sentences that differ in a few words are an item"
            ways.append(FileAnswer("", means, {"leave_out": (*source.options.leave_out, titles), "items_by_words": True}))
        source.refuse(second.line, second.message, hint=f"{second.step}\n{source.head}\n", ways=ways)


def _is_titled(block: Sequence[tuple[int, list[str]]]) -> bool:
    """Whether a title of one cell stands above headings, and above rows of as many cells."""
    (_, title), (_, headings), *rows = block
    filled = [cell for cell in headings if cell]
    are_headings = len(filled) > 1 and not any(cell[:1].isdigit() or len(cell.split()) > 3 for cell in filled)
    return sum(map(bool, title)) == 1 and are_headings and all(sum(map(bool, cells)) > 1 for _, cells in rows)


def _expect_whole_lines(source: SourceFile) -> None:
    """Ask whether indented lines of a text go on with the sentences above them."""
    if not text_items.is_plain_text(source) or source.options.wrapped or not source.rewritten.is_whole:
        return
    if text_items.glosses_of(source):
        return
    gone = wrapped_lines(source.lines)
    if gone and text_items.recognise_numbered(source) is None and _reads_with(source, wrapped=True):
        line = source.lines[gone[0]].strip()
        what = f"{len(gone)} indented lines seem" if len(gone) > 1 else "an indented line seems"
        source.ask(
            gone[0] + 1,
            f"{what} to go on with the sentence in the line above: {line[:80]}",
            f"{what[0].upper()}{what[1:]} to go on with the sentence in the line above, such as: {line[:80]}. Is that so?",
            [FileAnswer("yes", "an indented line goes on with the sentence above it", {"wrapped": True})],
        )


def _expect_whole_sentences(source: SourceFile) -> None:
    """Refuse numbered sentences that go on in lines without a number, as they are copied from a page, where these lines are no examples with
    letters and no rows."""
    if not text_items.is_plain_text(source) or source.options.wrapped or not source.rewritten.is_whole:
        return
    if (copied := copied_pages(source.lines)) is None or text_items.recognise_numbered(source) is not None:
        return
    out = {"leave_out": (*source.options.leave_out, as_numbers(copied.apart))} if copied.apart else {}
    crossed = {"alternatives": CROSSED} if copied.has_alternatives and source.options.alternatives is None else {}
    means = "lines without a number go on with the sentence above them, and what the end of a line parts is one word"
    left = f"; lines {as_numbers(copied.apart)} are left out" if copied.apart else ""
    ways = [FileAnswer("yes", f"{means}{left}", {**out, "wrapped": True, **crossed})]
    source.refuse(copied.going_on[0], copied.message, hint=f"{copied.step}\n{source.head}\n", ways=ways)


def _expect_no_comments(source: SourceFile) -> None:
    """Ask about lines between others that begin as comments do: a sentence may begin so, too."""
    if source.is_spreadsheet or source.may_be_json or not source.rewritten.is_whole:
        return
    said = (source.options.comment or "").split()
    if text_items.recognise_blocks(source) is not None or _foreign_kind(source):
        return
    heads = text_items.heads_of(source)
    for mark, every in comments_of(source.lines):
        # Headings that number the items are none, nor is what stands above them.
        numbers = [number for number in every if number not in heads]
        if len(numbers) < len(every) and all(number < min(heads) for number in numbers):
            continue
        numbers = every
        whole = " ".join([*said, mark])
        below = replace(source, options=replace(source.options, comment=whole), known={})
        # Below such lines bars may part columns of which nothing says yet what they are.
        if not _reads_with(source, comment=whole) and not (below.delimiter == "|" != source.delimiter):
            continue
        first = source.lines[numbers[0] - 1].strip()
        what = (
            f"{len(numbers)} lines that begin with {mark} seem to be comments"
            if len(numbers) > 1
            else f"a line that begins with {mark} seems to be a comment"
        )
        source.ask(
            numbers[0],
            f"{what}: {first[:80]}",
            f"{what[0].upper()}{what[1:]}, such as: {first[:80]}. Are they left out?",
            [FileAnswer("yes", f"lines that begin with {mark} are left out", {"comment": " ".join([*said, mark])})],
        )


def _expect_no_alternatives(source: SourceFile) -> None:
    """Ask about sentences that nearly all hold alternatives."""
    if source.options.alternatives is not None or source.options.region_mark is not None:
        return
    if not source.is_spreadsheet and looks_like_json(source.start):
        return
    apart: list[int] = []
    texts: list[str] = []
    if text_items.is_plain_text(source) or len(source.first_row) < 2:
        # A text whose lines hold commas here and there has no columns.
        texts, apart = _lines_with_alternatives(source)
    if not texts and not _are_named_lines(source):
        rows = [row.cells for row in body_of(source)[:_SHOWN_BY]]
        apart = []
        are_lines = text_items.is_plain_text(source)
        texts = [row[column] for row in rows] if (column := column_of(source.first_row, rows)) is not None else []
        texts = [_LETTERED_LINE.sub("", text) for text in texts] if are_lines else texts
    if not texts:
        texts, apart = _lines_with_alternatives(source)
    found = [own for text in texts if (own := choices_of(text))]
    if not found:
        return
    several = max(len(own) for own in found) > 1
    ways = [FileAnswer(CROSSED, "each alternative is a condition", {"alternatives": CROSSED})]
    if several and all(map(are_indexed, found)):
        means = "every combination is a condition; places with the same index are chosen together"
        ways = [FileAnswer(CROSSED, means, {"alternatives": CROSSED})]
    elif several:
        ways = [FileAnswer(CROSSED, "every combination of the alternatives is a condition", {"alternatives": CROSSED})]
        # A word that may be there or not goes with no other choice.
        if all(all(choice.words) for own in found for choice in own):
            ways.append(
                FileAnswer(PARALLEL, "the first ones are a condition, the second ones another", {"alternatives": PARALLEL})
            )
    if all(choice.is_bare for own in found for choice in own):
        ways.append(FileAnswer("/", "the slash parts regions", {"region_mark": "/"}))
    elif any(re.search(r"\s[/|]\s", text[: own[0].start] + text[own[-1].end :]) for text in texts if (own := choices_of(text))):
        return  # regions, within which something stands in brackets
    if text_items.is_plain_text(source) and not source.options.leave_out and (odd := _odd_alternatives(source, apart)):
        shown = " / ".join(f"line {n}: {source.lines[n - 1].strip()[:60]}" for n in odd)
        without = f"; left out, since other places have alternatives there: {shown}"
        lost = {"leave_out": (as_numbers(line for n in odd for line in source.lines_of(n)),)}
        ways = [
            replace(way, means=f"{way.means}{without}", options={**lost, **way.options}) if way.word == CROSSED else way
            for way in ways
        ]
    if text_items.is_plain_text(source) and not source.options.leave_out and apart:
        gone = [line for n in apart for line in source.lines_of(n)]
        shown = " / ".join(source.lines[n - 1].strip()[:40] for n in apart[:_OFFERED])
        without = (
            f"; {len(gone)} lines that are none of the numbered ones are left out: {shown}{' …' if len(apart) > _OFFERED else ''}"
        )
        ways = [
            replace(
                way,
                means=f"{way.means}{without}",
                options={**way.options, "leave_out": (as_numbers(gone), *way.options.get("leave_out", ()))},
            )
            for way in ways
        ]
    if not any(_reads_with(source, **answer.options) for answer in ways):
        return
    place = found[0][0]
    some = next(text[own[0].start : own[0].end] for text in texts if (own := choices_of(text)))
    message = f"its sentences hold alternatives, such as {some}"
    marked = " A marked one would be the unacceptable sentence." if any(place.marks) else ""
    source.ask(0, message, f"The sentences hold alternatives, such as {some}. Is each of them a condition?{marked}", ways)


def _are_named_lines(source: SourceFile) -> bool:
    """Whether most lines begin with the names of their conditions: they have no columns, and a slash there is one of a name."""
    filled = [line for line in source.lines if line.strip()] if text_items.is_plain_text(source) else []
    return sum(_NAMED_LINE.match(line) is not None for line in filled) * 2 > len(filled)


def _odd_alternatives(source: SourceFile, apart: Collection[int]) -> list[int]:
    """The lines, by number, a few of several, that have alternatives in more or fewer places than all others."""
    own = {n: choices_of(line) for n, line in enumerate(source.lines, 1) if line.strip() and n not in apart}
    sizes = {n: tuple(len(choice.words) for choice in choices) for n, choices in own.items() if choices}
    usual = max(Counter(sizes.values()).items(), key=lambda one: one[1], default=((), 0))
    odd = [n for n, size in sizes.items() if size != usual[0]]
    return odd if 0 < len(odd) <= max(1, len(sizes) // 5) and usual[1] > 2 else []


def _bare_line(line: str) -> str:
    """A line without the name or letter of its condition before it, which is no alternative to anything."""
    return _LETTERED_LINE.sub("", _NAMED_LINE.sub("", line))


def _lines_with_alternatives(source: SourceFile) -> tuple[list[str], list[int]]:
    """The lines of a text where nearly all hold alternatives, and the numbers of those among them that are none of the numbered ones."""
    if source.is_spreadsheet or source.suffix not in text_items.SUFFIXES:
        return [], []
    # What stands before a colon names the condition of the sentence behind it.
    begun = [_bare_line(line) for line in islice((line for line in source.lines if line.strip()), _SHOWN_BY)]
    if not any(map(choices_of, begun)):
        return [], []
    apart = apart_from_numbered(source.lines) or []
    filled = ((n, _bare_line(line)) for n, line in enumerate(source.lines, 1) if line.strip() and n not in apart)
    lines = [line for _, line in islice(filled, _SHOWN_BY)]
    return (lines, apart) if hold(lines) else ([], [])


def _reads_with(source: SourceFile, **options: Any) -> bool:
    """Whether the file is of a known format with these options, or would be asked about."""
    try:
        recognise(_laid_out(replace(source, options=replace(source.options, **options), known={}), None))
    except FormatError as error:
        return isinstance(error, UndecidedError)
    return True


def _foreign_kind(source: SourceFile) -> str:
    """What a file is that no program for items wrote: source code, markup, a treebank, YAML; empty for all others."""
    if source.is_spreadsheet or not source.rewritten.is_whole:
        return ""
    suffix, start = source.suffix, source.start.lstrip()
    if suffix in _OF_WORKS or re.match(r"@[A-Za-z]+\s*\{[^{}\n]*,\s*\Z|TY {2}- ", start):
        return "a bibliography"
    if is_latex(source.text, suffix):
        return "LaTeX"
    if is_script(source.text, suffix):
        return "JavaScript"
    if suffix in (".conll", ".conllu") or start.startswith(("# sent_id", "# text =")):
        return "CoNLL"
    if suffix in (".py", ".r", ".do", ".sps"):
        return "a program"
    if start.startswith("\\_sh ") or _is_toolbox(source.lines):
        return "Toolbox"
    if "ooTextFile" in start[:200]:
        return "a TextGrid of Praat"
    if _DMDX.search(source.text[:_OUTPUT_IN]) is not None:
        return "a script of DMDX"
    if suffix in (".html", ".htm", ".xml"):
        return "markup without a table"
    if len({match[0].strip() for match in _OUTPUT.finditer(source.text[:_OUTPUT_IN])}) > 1:
        return _STATISTICS
    return ""


def _is_toolbox(lines: Sequence[str]) -> bool:
    """Whether every line of the beginning is behind a mark such as ``\\tx``, and a mark comes again."""
    filled = [line for line in islice(lines, 40) if line.strip()]
    marks = [match[0] for line in filled if (match := re.match(r"\\[a-z]{2,4}(?= |\Z)", line)) is not None]
    return len(filled) > 3 and len(marks) == len(filled) and len(set(marks)) > 1 and len(set(marks)) < len(marks)


def _asked(entry: Format, source: SourceFile) -> str | None:
    try:
        return entry.recognise(source)
    except PluginError as error:
        # The file may be in that very format, so that none that is asked later may take it.
        raise PluginError(f"{source.path}: {error.message}", hint=f"Name the format of the file. {error.hint}") from error


def _refuse_unknown(source: SourceFile) -> NoReturn:
    """Say what a file looks like that is in no known format, and where it is broken if it is."""
    line = 1 if source.is_spreadsheet else source.lines.index(source.start) + 1
    if source.may_be_json:
        is_whole = source.suffix == ".json"
        try:
            read_json(source.text if is_whole else source.start)
        except DocumentError as error:
            at = error.line if is_whole and error.line else line
            source.refuse(
                at,
                f"{error.why}{f', column {error.column}' if error.column else ''}",
                hint=_as_yaml(source),
            )
        kind = source.how_rewritten[-1] if source.is_rewritten else "JSON"
        source.refuse(line, f"is {kind} of a form that is not known", hint=f"{source.head}\n{_known_formats()}\n", is_open=True)
    if kind := _foreign_kind(source):
        _refuse_kind(source, kind)
    if source.suffix in (".json", ".jsonl"):
        source.refuse(line, "is no JSON, whatever its name says", hint=f"{_as_yaml(source)}\n{source.head}\n")
    header = [cell.strip() for cell in source.first_row]
    try:
        propose_words(source)
        propose(source)
        first = next(iter(source.rows()), None)
    except FormatError as error:
        if isinstance(error, UndecidedError) or len(header) != 1:
            raise
        # Prose, whose quotation marks are not those of a table.
        first = None
    if source.is_spreadsheet and len(header) == 1 and first is not None:
        made = source.path.with_suffix(".txt")
        source.refuse(
            first.line,
            f"is a sheet with one column, whose rows are lines of a text: {header[0][:60]}",
            hint=f"Copy the column into a text file, {made.name}, and import that:\n  {source.command} {shlex.quote(str(made))}\n"
            f"{source.head}\n",
        )
    hint = f"{source.head}\n{_known_formats()}\nWhat columns are, one can say: {_COLUMNS}"
    found = roles(source)
    coded: list[FileAnswer] = []
    for column, heading in enumerate(header):
        if step := codes_step(heading, [row.cells[column] for row in body_of(source) if column < len(row.cells)]):
            hint = f"{step}\n{hint}"
            coded = [FileAnswer("", f"{heading} has the item, and behind its number the condition", {"item_columns": (heading,)})]
            break
    coded += block_ways(source) if len(header) > 1 else ()
    if found.sentence and found.condition and not found.item:
        hint = f"No column says which sentences are of one item: number them in a column item, or name it with --item-column.\n{hint}"
    if found.item and not found.condition:
        # Of a column of words nothing is said: it would be a factor, and no part of the sentences.
        others = factors_of(source, found.item) if body_of(source) else [c for c, heading in enumerate(header) if heading]
        names = [
            header[c]
            for c in others
            if c not in {*found.item, *found.sentence}
            and not is_measure(source, c)
            and not is_of_people(header[c], [row.cells[c] for row in body_of(source)])
        ]
        named = " ".join(f"--condition-column {shlex.quote(name)}" for name in names[:2]) or "--condition-column NAME"
        coded += [
            FileAnswer("", f"{' and '.join(own)} names the condition", {"condition_columns": own})
            for own in dict.fromkeys([tuple(names[:2]), *((name,) for name in names[:2])])
            # Of a column of words beside regions nothing is said, as above.
            if own and found.sentence
        ]
        hint = f"No column is called condition; say which name it, such as {named}.\n{hint}"
    if twice := [name for name, times in Counter(filter(None, header)).items() if times > 1]:
        own = ", ".join(f"{twice[0]}_{n}" for n in range(1, header.count(twice[0]) + 1))
        mended = [f"{name}_{header[:n].count(name) + 1}" if name in twice else name for n, name in enumerate(header)]
        source.refuse(
            first.line if first is not None else line,
            f"{header.count(twice[0])} columns are called {twice[0]!r}, so that no name says which of them is meant",
            hint=f"Give each its own name in the file, such as {own}, best what its sentences are (the condition), and import it again; the row "
            f"of headings would be: {', '.join(mended)}. Then --item-column says which column numbers the items, and a --sentence-column each, "
            "where the sentences of a row are an item.\n",
            ways=[*stacked_ways(source), *([] if first is None else renamed(source, first, header))],
        )
    source.refuse(
        first.line if first is not None else line,
        f"cannot tell what kind of file this is; its first row is: {', '.join(header[:8])}",
        hint=f"{hint}\n",
        ways=coded,
        is_open=True,
    )


def _as_yaml(source: SourceFile) -> str:
    made = source.path.with_suffix(".yaml")
    how = f"If it is a list without quotes around its keys, save it as {made.name} and import that:\n  {source.command} {shlex.quote(str(made))}"
    return f"{how}\nOr else: {_as_table(source)}"


_COLUMNS = "--item-column NAME --condition-column NAME --sentence-column NAME (several --sentence-column: one per condition)."


def _refuse_kind(source: SourceFile, kind: str) -> NoReturn:
    """Say what a file is, and the step that would bring its sentences in."""
    if kind == _STATISTICS:
        hint = f"Name the file of the items themselves.\n{source.head}\n{source.unchanged}"
        raise NoItemsError(f"{source.path}: is {kind}, and holds no sentences", hint=hint)
    if kind == "a bibliography":
        hint = f"Name the file of the items themselves. {source.unchanged}"
        raise NoItemsError(f"{source.path}: is a bibliography, and holds no sentences", hint=hint)
    named = files_of(source.text) if kind == "JavaScript" else []
    if named:
        at = [_beside(source.path, name) for name in named]
        ways = "\n".join(f"  {source.command} {shlex.quote(str(path))}   (the table that it reads)" for path in at)
        source.refuse(
            0,
            f"is a script that reads its items from {', '.join(named)}",
            hint=f"Import that table, where it lies:\n{ways}\n{source.head}\n",
        )
    if kind == "JavaScript":
        made = source.path.with_suffix(".json")
        how = (
            "If its items stand in a list, write them as JSON: in the console of a browser, or in node, JSON.stringify(items) gives them. Save "
            f"that as {made.name}, and import it:\n  {source.command} {shlex.quote(str(made))}\nOr else: {_as_table(source)}"
        )
    else:
        how = _as_table(source)
    source.refuse(0, f"is {kind}, and not read", hint=f"{how}\n{source.head}\n")


def _beside(script: Path, name: str) -> Path:
    """A table that a script names, in its folder or in the one where PCIbex keeps tables."""
    folders = [script.parent, script.parent / "chunk_includes", script.parent.parent / "chunk_includes"]
    return next((folder / name for folder in folders if (folder / name).exists()), script.parent / name)


def _known_formats() -> str:
    shapes = "; ".join(entry.title for _, entry in FORMATS.usable())
    return f"Formats that are read: {shapes}. Tables need headings such as item, condition, sentence."
