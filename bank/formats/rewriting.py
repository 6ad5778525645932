"""Tables and lines that stand in something else: a Markdown or HTML document, a text with comments or wrapped lines, columns parted by
spaces, YAML, JSON, R code, values with names. They are read as rows with tabs, or as the lines that are left, each with its own line of
the file where it has one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html.parser import HTMLParser
from typing import Any, TypeVar

from gapsmith.bank.formats.alternatives import choices_of, rows_of
from gapsmith.bank.formats.copied_pages import copied_pages, put_together
from gapsmith.bank.formats.drawn_tables import drawn_table
from gapsmith.bank.formats.frames import inlined
from gapsmith.bank.formats.headings import roles_of
from gapsmith.bank.formats.javascript import is_script, scripted
from gapsmith.bank.formats.labelled_lines import facts, labelled_lines
from gapsmith.bank.formats.latex import examples_of, is_latex
from gapsmith.bank.formats.likeness import shared_within
from gapsmith.bank.formats.marked_up import json_of_toml, json_of_xml, rows_of_sections
from gapsmith.bank.formats.named_values import named_values
from gapsmith.bank.formats.outlines import Outline, feed, outline_of_html, outline_of_markdown
from gapsmith.bank.formats.r_code import RTable, frames_of, is_r
from gapsmith.bank.formats.text_grid import text_grid
from gapsmith.bank.formats.unfolding import unfolded
from gapsmith.templates import DocumentError, read_json, whole

T = TypeVar("T")
ALL = "all"
"""What stands for all tables of a document."""

_RULE = re.compile(r"\s*\|?\s*:?-{2,}:?\s*(?:[|+]\s*:?-{2,}:?\s*)*\|?\s*")
"""The line below the headings of a Markdown table."""
_GAP = re.compile(r" *\t[\t ]*| {2,}")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_NUMBERED = re.compile(r"(?P<item>\d{1,5}) +(?P<condition>[^\W\d][\w+-]{0,15}) +(?P<text>\S.* \S.*)")
_SIGNS = re.compile(r"(?=(?:[^\w\s]*[^\w\s,;|]\s*){3})[^\w]*")
"""A line of signs only, and not only of those that part cells."""
_ENDED = re.compile(r"[.?!…。？！:][\"'”’»)\]]*\s*\Z")
_IS_NUMBER = re.compile(r"\s*(?:[A-Za-z]{1,12}\.?\s*)?#?[(\[]?\d{1,5}[)\]]?[.:)]?\s*")
"""A line that numbers what stands below it."""
_QUOTED = re.compile(r'"(?:[^"\\\n]|\\.)*"')
_NO_JSON = re.compile(r"[{,]\s*[A-Za-z_$]\w*\s*:|[\[{,:]\s*'|//|/\*")
"""What lists in a script have and JSON has not: names without quotes, single quotes, comments."""
_HEAD = 4000
_SHOWN, _LINES = 70, 4
"""Of so many lines that are left out so many letters are told."""
_COMMENT = re.compile(r"(#+|%+|;+|//+)(?:\s+\S|(?<=..)\s*\S)")


@dataclass(frozen=True, slots=True)
class Rewritten:
    """The text that is read, and what was done to the one in the file."""

    text: str
    how: tuple[str, ...] = ()
    """Each in words; empty where the text is the file's."""
    tables: tuple[str, ...] = ()
    """The tables of a document, each in words."""
    suffix: str = ""
    """The suffix of a file that holds such a text; empty where that is the file's own."""
    are_lines: bool = True
    """Whether its lines are those of the file."""
    is_whole: bool = True
    """Whether the file's lines are read as such, whatever was taken out of them: nothing else was found in them."""
    are_one: bool = False
    """Whether the tables have the same columns."""
    numbers: tuple[int, ...] = ()
    """The line in the file of each line, where these are not the same."""
    is_open: str = ""
    """What somebody has to say yes to, in words, since only the order of the lines says it."""
    assumed: tuple[str, ...] = ()
    """What of `how` the file does not say for certain."""
    is_begun: bool = False
    """Whether what stands above the line that was said has been cut off, and its lines have other numbers."""

    def place(self, line: int) -> str:
        """A line, for a message."""
        if not self.are_lines:
            return f"row {line} as it is laid out"
        return f"line {self.numbers[line - 1] if 0 < line <= len(self.numbers) else line}"


def rewritten(
    text: str,
    suffix: str,
    *,
    comment: str | None = None,
    begin: int | None = None,
    table: str | None = None,
    wrapped: bool = False,
    unfold: bool = False,
    alternatives: str | None = None,
) -> Rewritten:
    """The text as rows or lines of its own. `comment` is what lines begin with that are left out, and ends of lines; `begin` the line
    above which nothing is read; `table` the number
    of a document's table; `alternatives` how those within sentences of a text go together; `wrapped` joins indented lines to those
    above; `unfold` lays a JSON document out. Raises `DocumentError`."""
    how: list[str] = []
    for sign in (comment or "").split():
        text, said = _uncommented(text, sign)
        how += said
    if suffix in (".yaml", ".yml"):
        from gapsmith.bank.formats.yaml_text import json_of

        text, says = json_of(text)
        how += says
        if not unfold:
            return Rewritten(text, tuple(how), suffix=".json", are_lines=False, is_whole=False)
    if suffix == ".ipynb" and (cells := _code_of_notebook(text)) is not None:
        how.append("the code of a notebook")
        text, suffix = cells, ".py"
    if suffix == ".toml":
        how.append("TOML")
        text = json_of_toml(text)
        if not unfold:
            return Rewritten(text, tuple(how), suffix=".json", are_lines=False, is_whole=False)
    if is_r(text, suffix) and (frames := frames_of(text)):
        own = _of_frames(frames, table)
        return replace(own, how=(*how, *own.how))
    if suffix not in (".csv", ".json", ".jsonl") and (whole := inlined(text.split("\n"))) is not None:
        how.append("words for a blank put into its place, as alternatives")
        text = "\n".join(whole)
    if is_latex(text, suffix) and (made := _latex(text, table)) is not None:
        return replace(made, how=(*how, *made.how))
    if _may_be_script(text, suffix) and (script := scripted(text, suffix)) is not None:
        how.append(script.how)
        text = script.text
        if not unfold:
            return Rewritten(text, tuple(how), suffix=script.suffix, are_lines=False, is_whole=False)
    if suffix == ".xml" and "<table" not in text.casefold() and (made_json := json_of_xml(text)) is not None:
        how.append("XML")
        text = made_json
        if not unfold:
            return Rewritten(text, tuple(how), suffix=".json", are_lines=False, is_whole=False)
    if text.lstrip().startswith("[") and (sections := rows_of_sections(text)) is not None:
        parted = "sections with a line for each condition, as rows under headings of our own"
        return Rewritten(
            "\n".join(map(_row, sections[0])) + "\n", (*how, parted), suffix=".tsv", is_whole=False, numbers=tuple(sections[1])
        )
    if unfold and (laid := unfolded(_json_in(text))) is not None:
        return Rewritten(laid.text, (*how, laid.how), suffix=laid.suffix, are_lines=False, is_whole=False, is_open=laid.is_open)
    if "<table" in text[:200_000].casefold() and (suffix in (".html", ".htm") or text.lstrip().startswith("<")):
        found = _html(text, table)
        return replace(found, how=(*how, *found.how))
    if suffix in (".html", ".htm") or text.lstrip()[:1] == "<":
        if (outline := outline_of_html(text)) is not None:
            return _of_outline(outline, "the lists of a web page", how)
    elif (outline := outline_of_markdown(text, suffix)) is not None:
        return _of_outline(outline, "lists within lists", how)
    if (grid := text_grid(text)) is not None:
        return _as_rows(grid.rows, grid.places, (*how, grid.how))
    if (named := named_values(text, suffix)) is not None:
        return _as_rows(named.rows, named.places, (*how, named.how))
    if (drawn := drawn_table(text)) is not None:
        return _as_rows(drawn.rows, drawn.places, (*how, drawn.how))
    if "|" in text and "--" in text and (marked := _markdown(text, table)) is not None:
        return replace(marked, how=(*how, *marked.how))
    if suffix in (".pl", ".lisp", ".lsp", ".el", ".scm", ".clj", ".pro", ".edn") and (known := facts(text)) is not None:
        return _as_rows(known.rows, known.places, (*how, known.how))
    if (labelled := labelled_lines(text, suffix)) is not None:
        return replace(_as_rows(labelled.rows, labelled.places, (*how, labelled.how)), is_open=labelled.is_open)
    if (numbered := _numbered(text)) is not None:
        under = "an item's number and a condition before each sentence, under headings of our own"
        return Rewritten(numbered, (*how, under), is_whole=False)
    if (named_before := _before_colons(text)) is not None:
        return Rewritten(
            named_before,
            (*how, "item and condition before each sentence, under headings of our own"),
            suffix=".tsv",
            is_whole=False,
        )
    if (judged := _judged_lines(text)) is not None:
        read_so = "what is said of each sentence before it, as its condition; sentences that follow are an item"
        return replace(_as_rows(*judged, (*how, read_so)), is_open=read_so)
    if (by_condition := _blocks_of_conditions(text)) is not None:
        read_so = "a block for each condition, whose lines are the items in their order"
        return replace(_as_rows(*by_condition, (*how, read_so)), is_open=read_so)
    if (of_cells := _cells_in_lines(text)) is not None:
        return _as_rows(*of_cells, (*how, "the cells of a table, one a line"))
    if (spaced := _spaced(text)) is not None:
        return Rewritten(spaced, (*how, "columns that spaces part"), is_whole=False)
    start = next((line for line in text.split("\n") if line.strip()), "")
    if begin is not None and begin > 1 and not looks_like_json(start):
        above, below = text.split("\n")[: begin - 1], text.split("\n")[begin - 1 :]
        text = "\n".join([*[""] * len(above), *below])
        start = next((line for line in below if line.strip()), "")
        how.append(f"without what stands above line {begin}{_quoted(above)}")
    numbers: tuple[int, ...] = ()
    if wrapped and alternatives:
        text, numbers, said = _unwrapped(text)
        how += said
        start = next((line for line in text.split("\n") if line.strip()), "")
    # Headings of a table hold none; its rows are taken apart as rows.
    has_cells = suffix in (".csv", ".tsv") and any(sign in start for sign in ",;\t")
    if alternatives and choices_of(start) and not looks_like_json(start) and not has_cells:
        made = _chosen_apart(text, alternatives, how)
        places = tuple(numbers[n - 1] if 0 < n <= len(numbers) else n for n in made.numbers) if numbers else made.numbers
        return replace(made, is_begun=begin is not None, numbers=places)
    text, said = _unseparated(text)
    how += said
    if wrapped and not numbers:
        text, numbers, said = _unwrapped(text)
        return Rewritten(text, (*how, *said), numbers=numbers)
    return Rewritten(text, tuple(how))


def _code_of_notebook(text: str) -> str | None:
    """The code cells of a Jupyter notebook, one below the other; None where it is none."""
    found = read_json(text)
    if not isinstance(found, dict) or not isinstance(found.get("cells"), list):
        return None
    code = [cell.get("source", "") for cell in found["cells"] if isinstance(cell, dict) and cell.get("cell_type") == "code"]
    return "\n".join("".join(one) if isinstance(one, list) else str(one) for one in code)


def _as_rows(rows: Sequence[Sequence[str]], places: Sequence[int], how: Sequence[str]) -> Rewritten:
    """Rows under headings, each from a line of the file."""
    made = "\n".join(map(_row, rows)) + "\n"
    return Rewritten(made, tuple(how), suffix=".tsv", is_whole=False, numbers=(1, *places))


def _of_frames(frames: Sequence[RTable], table: str | None) -> Rewritten:
    """The tables in R code: the only one, or the one that is named."""
    tables = [frame.rows for frame in frames]
    if len(frames) == 1:
        return _as_rows(tables[0], frames[0].places, ("a table in R code",))
    if table == ALL:
        return _joined(tables, "R code")
    return replace(_as_table("\n".join(map(_row, _chosen(tables, table))) + "\n", "R code", tables, table), suffix=".tsv")


def _of_outline(outline: Outline, what: str, how: Sequence[str]) -> Rewritten:
    left = f"; left out: {' / '.join(outline.left[:_TOLD])}" if outline.left else ""
    if outline.rows:
        parts = "a list is a condition, and the sentences of a place are an item, since they share their words"
        said = f"{what}, as rows under headings of our own{f'; {parts}' if outline.is_assumed else ''}{left}"
        return replace(_as_rows(outline.rows, outline.places, (*how, said)), is_open=parts if outline.is_assumed else "")
    said = f"{what}, as the lines that a reader sees{left}"
    text = "\n".join(outline.lines) + "\n"
    return Rewritten(text, (*how, said), suffix=".txt", is_whole=False, numbers=outline.places)


def _quoted(lines: Sequence[str]) -> str:
    """The lines that are left out, for a message; nothing where they are blank."""
    filled = [line.strip(" \t,;|\r") for line in lines if line.strip(" \t,;|\r")]
    shown = " / ".join(line[:_SHOWN] + ("…" if len(line) > _SHOWN else "") for line in filled[:_LINES])
    return f": {shown}{' …' if len(filled) > _LINES else ''}" if filled else ""


def _may_be_script(text: str, suffix: str) -> bool:
    """Whether a script, or a list as JavaScript writes it: JSON is none."""
    if suffix == ".py" or is_script(text, suffix):
        return True
    if text.lstrip()[:1] not in ("[", "{") or _NO_JSON.search(_QUOTED.sub('""', text[:_HEAD])) is None:
        return False
    try:
        _json_in(text)
    except DocumentError:
        return True
    return False


_TOLD = 30
"""So many things that were left out of the sentences of a document are told one by one."""


def _latex(text: str, table: str | None) -> Rewritten | None:
    """The examples of a LaTeX document as rows or lines, or one of its tables; None where it has neither."""
    found = examples_of(text)
    if found is None:
        return None
    more = f"; left out of the sentences: {', '.join(found.dropped[:_TOLD])}" if found.dropped else ""
    more += f", and {len(found.dropped) - _TOLD:,} others" if len(found.dropped) > _TOLD else ""
    if found.broken:
        line, sentence = found.broken[0]
        more += f"; {len(found.broken):,} with several lines, as if a gloss or a translation were in the sentence, first in line {line}: "
        more += f"{sentence[:80]} (mark them with \\gll and \\glt if they are)"
    if found.tables:
        tables = [[list(row) for row in rows] for rows in found.tables]
        if table == ALL:
            return _joined(tables, "LaTeX")
        return _as_table("\n".join(map(_row, _chosen(tables, table))) + "\n", "LaTeX", tables, table)
    if found.rows:
        header = ["item", "condition", "sentence", "gloss", "translation"]
        kept = [n for n in range(len(header)) if n < 3 or any(row[n] for row in found.rows)]
        rows = [[row[n] for n in kept] for row in (header, *found.rows)]
        left = f"; {len(found.lines)} examples without letters are left out" if found.lines else ""
        called = "labels" if found.are_tagged else "letters"
        how = f"examples in LaTeX, as items with their {called} as conditions{left}{more}"
        return Rewritten("\n".join(map(_row, rows)) + "\n", (how,), suffix=".tsv", is_whole=False, numbers=(1, *found.places))
    return Rewritten(
        "\n".join(found.lines) + "\n",
        (f"examples in LaTeX, as lines{more}",),
        suffix=".txt",
        is_whole=False,
        numbers=found.places,
    )


def _chosen_apart(text: str, alternatives: str, how: Sequence[str]) -> Rewritten:
    try:
        rows, places = rows_of(text.split("\n"), alternatives)
    except ValueError as error:
        raise DocumentError("has other alternatives than the first sentence that has some", line=error.args[0] + 1) from None
    said = "the alternatives within sentences as rows, under headings of our own"
    return Rewritten("\n".join(map(_row, rows)) + "\n", (*how, said), suffix=".tsv", is_whole=False, numbers=tuple(places))


def _uncommented(text: str, comment: str) -> tuple[str, list[str]]:
    lines = text.split("\n")
    kept = ["" if line.lstrip().startswith(comment) else line for line in lines]
    how = [f"{sum(one != other for one, other in zip(lines, kept, strict=True))} lines that begin with {comment}"]
    # A sign within a sentence has one space before it (50 % of them), and a mark of judgement none behind it (#He come).
    behind = re.compile(rf"(?<=\S) {{2,}}(?:{re.escape(comment)})+\s.*$")
    bare = [behind.sub("", line) for line in kept]
    if n := sum(one != other for one, other in zip(bare, kept, strict=True)):
        how.append(f"what stands behind {comment} at the end of {n} line{'s' if n > 1 else ''}")
    return "\n".join(bare), how


def _unseparated(text: str) -> tuple[str, list[str]]:
    """The text with blank lines for those that hold nothing but signs, where most of them part blocks of equally many lines."""
    lines = text.split("\n")
    blocks: list[int] = [0]
    signs: set[str] = set()
    for line in lines:
        if _SIGNS.fullmatch(line):
            signs.add(line.strip())
            blocks.append(0)
        elif line.strip():
            blocks[-1] += 1
    filled = [size for size in blocks if size]
    usual = max(set(filled), key=filled.count, default=0)
    # What stands for a missing sentence parts no blocks of equally many.
    if len(signs) != 1 or len(filled) < 2 or filled.count(usual) * 2 <= len(filled) or usual < 2:
        return text, []
    kept = "\n".join("" if _SIGNS.fullmatch(line) else line for line in lines)
    return kept, [f"{len(blocks) - 1} lines of {signs.pop()} as blank ones, mostly between blocks of {usual} lines"]


def wrapped_lines(lines: Sequence[str]) -> list[int]:
    """The lines, from 0, that seem to go on with the one above: they stand further to the right, and the one above does not end as a
    sentence does."""
    found: list[int] = []
    first: int | None = None
    for number, line in enumerate(lines):
        if not line.strip():
            first = None
            continue
        if first is not None and _indent(line) > _indent(lines[first]) and not _ENDED.search(lines[number - 1]):
            found.append(number)
        else:
            first = None if _IS_NUMBER.fullmatch(line) else number
    return found


def _indent(line: str) -> int:
    return len(line.expandtabs()) - len(line.expandtabs().lstrip())


def _unwrapped(text: str) -> tuple[str, tuple[int, ...], list[str]]:
    lines = text.split("\n")
    if (copied := copied_pages(lines)) is not None:
        whole, places, words = put_together(lines, copied)
        parted = f"; words that the end of a line parts: {', '.join(words)}" if words else ""
        return (
            "\n".join(whole),
            places,
            [f"{len(lines) - len(whole)} lines, each behind the numbered sentence that it goes on with{parted}"],
        )
    gone = set(wrapped_lines(lines))
    kept: list[str] = []
    numbers: list[int] = []
    for number, line in enumerate(lines):
        if number in gone:
            kept[-1] = f"{kept[-1].rstrip()} {line.strip()}"
        else:
            kept.append(line)
            numbers.append(number + 1)
    return "\n".join(kept), tuple(numbers), [f"{len(gone)} indented lines, each with the line above it"] if gone else []


def looks_like_json(start: str) -> bool:
    """Whether a first line begins as JSON does, and not as a sentence in brackets."""
    return re.match(r"\s*(?:\{\s*(?:\"|\Z)|\[\s*(?:[\"\[{]|\Z))", start) is not None


def _json_in(text: str) -> Any:
    """The document, or the records of JSON lines."""
    try:
        return read_json(text)
    except DocumentError:
        return [read_json(line) for line in text.split("\n") if line.strip()]


def comments_of(lines: list[str]) -> list[tuple[str, list[int]]]:
    """The signs before lines that seem to be comments, as they stand between others, each with their numbers from 1, fewest first: no
    sign of every second line or more, and no row, of headings perhaps, that has as many cells as all others."""
    matches = [(number, line, match[1][0]) for number, line in enumerate(lines, 1) if (match := _COMMENT.match(line))]
    if not matches:
        return []
    filled = [line for line in lines if line.strip()]
    widths = {sign: Counter(line.count(sign) for line in filled) for sign in "\t;,|"}
    found: dict[str, list[int]] = {}
    for number, line, mark in matches:
        # A line without the bars of all others is no row, be there a comma in each, as of decimals.
        is_apart = "|" not in line and max((own for bars, own in widths["|"].items() if bars), default=0) >= len(filled) - len(
            matches
        )
        if is_apart or not any((cells := line.count(sign)) and own[cells] > 0.8 * len(filled) for sign, own in widths.items()):
            found.setdefault("//" if mark == "/" else mark, []).append(number)
    kept = [(mark, numbers) for mark, numbers in found.items() if len(numbers) * 2 <= len(filled)]
    return sorted(kept, key=lambda own: len(own[1]))


def _row(cells: Sequence[str]) -> str:
    return "\t".join(" ".join(cell.split()) for cell in cells)


def _markdown(text: str, table: str | None) -> Rewritten | None:
    lines = [line.rstrip("\r") for line in text.split("\n")]
    begins = [n for n in range(1, len(lines)) if _RULE.fullmatch(lines[n]) and "|" in lines[n] and "|" in lines[n - 1]]
    if not begins:
        return None
    tables: list[dict[int, list[str]]] = []
    for begin in begins:
        rows: dict[int, list[str]] = {}
        for number in (begin - 1, *range(begin + 1, len(lines))):
            if "|" not in lines[number]:
                break
            rows[number] = _cells(lines[number])
        tables.append(rows)
    if table == ALL:
        return _joined(list(map(list, (rows.values() for rows in tables))), "Markdown")
    chosen = _chosen(tables, table)
    kept = "\n".join(_row(chosen[n]) if n in chosen else "" for n in range(len(lines)))
    rules = set(begins)
    around = [line for n, line in enumerate(lines) if n not in rules and not any(n in rows for rows in tables)]
    made = _as_table(kept, "Markdown", [list(rows.values()) for rows in tables], table)
    return replace(made, how=tuple(f"{how}{_quoted(around)}" if n == 0 else how for n, how in enumerate(made.how)))


def _chosen(tables: Sequence[T], table: str | None) -> T:
    number = 1 if table is None else whole(table)
    if number is None or not 0 < number <= len(tables):
        raise DocumentError(f"there is no table {table}: it holds {len(tables)}")
    return tables[number - 1]


def _as_table(text: str, kind: str, tables: Sequence[Sequence[Sequence[str]]], table: str | None) -> Rewritten:
    which = f"; number {table} of {len(tables)}" if table is not None and len(tables) > 1 else ""
    return Rewritten(
        text,
        (f"a table in {kind}, without what stands around it{which}",),
        _said(tables),
        are_lines=kind == "Markdown",
        is_whole=False,
        are_one=_are_one(tables),
    )


def _said(tables: Sequence[Sequence[Sequence[str]]]) -> tuple[str, ...]:
    return tuple(f"{', '.join(rows[0][:6])} ({len(rows) - 1} rows)" for rows in tables)


def _are_one(tables: Sequence[Sequence[Sequence[str]]]) -> bool:
    return len({tuple(rows[0]) for rows in tables}) == 1


def _joined(tables: Sequence[Sequence[Sequence[str]]], kind: str) -> Rewritten:
    """Tables with the same columns below each other, with the number of each in a column of its own."""
    if not _are_one(tables):
        raise DocumentError("its tables have other columns each: name one of them")
    rows = [["table", *tables[0][0]], *([str(n), *row] for n, table in enumerate(tables, 1) for row in table[1:])]
    how = f"{len(tables)} tables in {kind} below each other, without what stands around them; table numbers them"
    return Rewritten("\n".join(map(_row, rows)) + "\n", (how,), _said(tables), are_lines=False, is_whole=False)


def _cells(line: str) -> list[str]:
    bare = line.strip().removeprefix("|")
    bare = bare[:-1] if bare.endswith("|") and not bare.endswith("\\|") else bare
    cells = re.split(r"(?<!\\)\|", bare)
    return [re.sub(r"\\([\\|*_`#])", r"\1", _BOLD.sub(r"\2", cell)).strip() for cell in cells]


def _spaced(text: str) -> str | None:
    """Rows whose columns runs of spaces or tabs part, under known headings; None where any line has other columns."""
    lines = [line.rstrip("\r") for line in text.split("\n")]
    start = next((line for line in lines if line.strip()), "")
    headings = _GAP.split(start.strip())
    if len(headings) < 3 or len(roles_of(headings)) < 3 or "," in start or ";" in start:
        return None
    rows = [_GAP.split(line.strip(), maxsplit=len(headings) - 1) if line.strip() else [] for line in lines]
    if all("\t" in line and line.count("\t") == len(headings) - 1 for line in lines if line.strip()):
        return None  # tabs alone part them
    if len({line.count("\t") for line in lines if line.strip()} - {start.count("\t")}) == 1 and start.count("\t") > 1:
        return None  # tabs part them, and the rows have names without a heading
    if any(row and len(row) != len(headings) for row in rows):
        return None
    return "\n".join(_row(row) for row in rows)


def _numbered(text: str) -> str | None:
    """Lines of an item's number, a condition and a sentence, spaces between them, below the headings of lists if there are any; None
    where another line has no such form, or an item has other conditions than the others."""
    lines = [line.strip() for line in text.split("\n")]
    found = [(n, match) for n, line in enumerate(lines) if (match := _NUMBERED.fullmatch(line)) is not None]
    heads = {n: line for n, line in enumerate(lines) if line and _NUMBERED.fullmatch(line) is None}
    are_heads = len(set(heads.values())) == len(heads) and not any(
        len(line.split()) > 4 or _ENDED.search(line.rstrip(":")) for line in heads.values()
    )
    if len(found) < 4 or not are_heads or (heads and (len(heads) < 2 or min(heads) > found[0][0])):
        return None
    own: dict[str, list[str]] = {}
    for _, match in found:
        own.setdefault(match["item"], []).append(match["condition"])
    sets = [frozenset(labels) for labels in own.values()]
    are_once = not heads or all(len(set(labels)) == len(labels) for labels in own.values())
    if len(own) < 2 or len(set(sets)) > 1 or not are_once or len(sets[0]) < 2 or len(sets[0]) * 2 > len(found):
        return None
    rows, held = [], ""
    for n, line in enumerate(lines):
        held = heads.get(n, held)
        cells = re.sub(r" +", "\t", line, count=2)
        rows.append("" if n in heads or not line else f"{held}\t{cells}" if heads else cells)
    return ("list\t" if heads else "") + "item\tcondition\tsentence\n" + "\n".join(rows)


_CODED = re.compile(
    r"(?P<item>[^\W\d_]{0,8}[_.-]?\d{1,5})[_.-](?P<condition>[^\W\d_][\w.+-]{0,30})(?::\s+|\s*=\s*)(?P<text>\S+ .*)"
)


def _before_colons(text: str) -> str | None:
    """Lines such as S1_gram: and a sentence, or 1 - gram - and a sentence, all of them; None where one is no such line, or an item has other
    conditions than the others."""
    lines = [line.strip() for line in text.split("\n")]
    start = next(filter(None, lines), "")
    form = _PARTED if _PARTED.fullmatch(start) else _CODED
    found = [form.fullmatch(line) for line in lines if line]
    if len(found) < 4 or not all(found):
        return None
    own: dict[str, list[str]] = {}
    for match in found:
        assert match is not None
        own.setdefault(match["item"], []).append(match["condition"])
    sets = {tuple(sorted(labels)) for labels in own.values()}
    if len(own) < 2 or len(sets) > 1 or not 1 < len(set(next(iter(sets)))) == len(next(iter(sets))):
        return None
    rows = [_row(m.group("item", "condition", "text")) if (m := form.fullmatch(line)) else "" for line in lines]
    return "item\tcondition\tsentence\n" + "\n".join(rows)


_PARTED = re.compile(
    r"(?P<item>[^\W\d_]{0,8}[_.-]?\d{1,5}[a-z]?)\s*(?P<sign>[-–—|:/])\s*(?P<condition>[^\W\d][\w.+-]{0,30})\s*(?P=sign)\s*(?P<text>\S+\W\S.*)"
)
"""An item's number, a condition and a sentence with the same sign between them."""


_JUDGED = re.compile(r"(?P<said>[a-z]{2,14}) +(?P<text>[^\W\d_a-z]\w*.* .+)")


_SAID_OF_SENTENCES = frozenset(
    {
        "ok",
        "good",
        "bad",
        "fine",
        "gram",
        "ungram",
        "grammatical",
        "ungrammatical",
        "acceptable",
        "unacceptable",
        "correct",
        "incorrect",
    }
)


def _judged_lines(text: str) -> tuple[list[list[str]], list[int]] | None:
    """Lines such as ``ok The cats sleep.`` and ``bad The cats sleeps.``, the same words in the same order in every item; None where a line
    is none of these, or a word says nothing of a sentence."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 4 or _JUDGED.fullmatch(lines[0][1]) is None:
        return None
    found = [(number, match.group("said", "text")) for number, line in lines if (match := _JUDGED.fullmatch(line)) is not None]
    labels = [said for _, (said, _) in found]
    size = len(set(labels))
    if len(found) < len(lines) or size < 2 or len(labels) % size or labels != labels[:size] * (len(labels) // size):
        return None
    if not set(labels) <= _SAID_OF_SENTENCES:
        return None
    rows = [[str(n // size + 1), said, own] for n, (_, (said, own)) in enumerate(found)]
    return [["item", "condition", "sentence"], *rows], [number for number, _ in found]


_HEADED = re.compile(r"#{1,6}\s+(?P<name>\S.{0,60}?)\s*#*")
_BULLET = re.compile(r"[-*+•–]\s+(?P<text>\S.*)")
_CONDITION = re.compile(r"(?:#+\s*)?(?:condition|cond\.?|bedingung)\s*[:=]?\s+(?P<name>\S.{0,60}?):?", re.IGNORECASE)


def _blocks_of_conditions(text: str) -> tuple[list[list[str]], list[int]] | None:
    """Blocks under ``Condition: name``, all with as many sentences, of which those of one place are an item; None where they share no more
    words than those of a block."""
    is_called = _CONDITION.fullmatch(text.lstrip().partition("\n")[0].strip()) is not None
    if not is_called and not text.lstrip().startswith("#"):
        return None
    blocks: list[tuple[str, list[tuple[int, str]]]] = []
    for number, line in enumerate(text.split("\n"), 1):
        if (match := (_CONDITION if is_called else _HEADED).fullmatch(line.strip())) is not None:
            blocks.append((match["name"], []))
        elif line.strip():
            bullet = _BULLET.fullmatch(line.strip())
            if not blocks:
                return None
            blocks[-1][1].append((number, line.strip() if bullet is None else bullet["text"]))
    if not is_called and blocks and not blocks[0][1]:
        blocks.pop(0)  # a title
    sizes = {len(own) for _, own in blocks}
    names = {name for name, _ in blocks}
    if len(blocks) < 2 or len(sizes) > 1 or len(names) < len(blocks) or min(sizes) < 2:
        return None
    if not all(_ENDED.search(line) and not line[0].isdigit() for _, own in blocks for _, line in own):
        return None
    texts = [[line for _, line in own] for _, own in blocks]
    if shared_within([list(item) for item in zip(*texts, strict=True)]) <= shared_within(texts):
        return None
    rows = [[str(n), name, line] for name, own in blocks for n, (_, line) in enumerate(own, 1)]
    return [["item", "condition", "sentence"], *rows], [number for _, own in blocks for number, _ in own]


_WIDEST_TABLE = 8


def _cells_in_lines(text: str) -> tuple[list[list[str]], list[int]] | None:
    """The rows of a table of which every cell has a line of its own, its headings first, as a table is pasted from a document: the headings are
    known, they are of item and sentence at least, and below them words stand in the column of sentences alone."""
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(lines) < 3 or len(lines[0][1]) > 40 or not roles_of([lines[0][1]]):
        return None
    for width in range(_WIDEST_TABLE, 1, -1):
        top = [line for _, line in lines[:width]]
        roles = roles_of(top)
        if len(lines) % width or len(lines) < 3 * width or not {"item", "sentence"} <= set(roles) or any(map(_ENDED.search, top)):
            continue
        rows = [lines[start : start + width] for start in range(width, len(lines), width)]
        if all((len(line.split()) > 2) == (column == roles["sentence"]) for row in rows for column, (_, line) in enumerate(row)):
            return [top, *([line for _, line in row] for row in rows)], [row[0][0] for row in rows]
    return None


_TOLD = 8
"""So many of what is left out of a table are told."""
_DELETED = frozenset({"del", "s", "strike"})
_RAISED = frozenset({"sup", "sub"})
_RAISED_FROM, _RAISED_TO = "\ue000", "\ue001"
_NOTE = re.compile(rf"(?<=[^\s\d]){_RAISED_FROM}([A-Za-z]|\d{{1,2}}|[*†‡§#]{{1,3}}){_RAISED_TO}(?!\w)")
"""A letter, a number or a sign that is set above or below the line behind a word, as notes and indices are."""


class _Tables(HTMLParser):
    """The rows of each table, cells that span rows or columns repeated; without text that is struck, notes and indices."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[str]]] = []
        self._cell: list[str] | None = None
        self._spans: tuple[int, int] = (1, 1)
        self._held: dict[int, tuple[int, str]] = {}
        self._struck = 0
        self.deleted: dict[str, None] = {}
        """What was struck in the cells."""
        self.hidden = 0
        """How many rows a browser does not show."""
        self.notes: dict[str, None] = {}
        """The notes and indices that stood behind words."""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "table":
            self._close()
            self.tables.append([])
            self._held = {}
        elif tag == "tr" and self.tables:
            self._close()
            self.tables[-1].append([])
            if _is_hidden(attrs):
                self.hidden += 1
        elif tag in ("td", "th") and self.tables and self.tables[-1]:
            self._close()
            said = dict(attrs)
            self._spans = (_count(said.get("rowspan")), _count(said.get("colspan")))
            self._cell = []
        elif tag == "br" and self._cell is not None:
            self._cell.append(" ")
        elif tag in _DELETED:
            self._struck += 1
        elif tag in _RAISED and self._cell is not None:
            self._cell.append(_RAISED_FROM)

    def handle_endtag(self, tag: str) -> None:
        if tag in _DELETED:
            self._struck = max(0, self._struck - 1)
        elif tag in _RAISED and self._cell is not None:
            self._cell.append(_RAISED_TO)
        if tag in ("td", "th", "tr", "table"):
            self._close()
        if tag == "tr" and self.tables and self.tables[-1]:
            self._fill(self.tables[-1][-1])

    def handle_data(self, data: str) -> None:
        if self._cell is None:
            return
        if self._struck and data.strip():
            self.deleted[" ".join(data.split())] = None
        elif not self._struck:
            self._cell.append(data)

    def _close(self) -> None:
        self._struck = 0
        if self._cell is None:
            return
        whole = "".join(self._cell)
        self.notes |= dict.fromkeys(_NOTE.findall(whole))
        whole = _NOTE.sub("", whole).replace(_RAISED_FROM, "").replace(_RAISED_TO, "")
        row, text = self.tables[-1][-1], " ".join(whole.split())
        self._cell = None
        self._fill(row)
        rows, columns = self._spans
        for _ in range(columns):
            if rows > 1:
                self._held[len(row)] = (rows - 1, text)
            row.append(text)

    def _fill(self, row: list[str]) -> None:
        """Cells that a row above holds for this one, too."""
        while (held := self._held.get(len(row))) is not None and held[0] > 0:
            self._held[len(row)] = (held[0] - 1, held[1])
            row.append(held[1])


def _is_hidden(attrs: Sequence[tuple[str, str | None]]) -> bool:
    return any(name == "hidden" or (name == "style" and re.search(r"display\s*:\s*none", value or "")) for name, value in attrs)


def _count(said: str | None) -> int:
    return int(said) if said is not None and said.isdecimal() and 0 < int(said) < 1000 else 1


def _html(text: str, table: str | None) -> Rewritten:
    parser = _Tables()
    feed(parser, text)
    tables = [rows for table in parser.tables if (rows := [row for row in table if any(row)])]
    if not tables:
        return Rewritten(text)
    if table == ALL:
        made = _joined(tables, "HTML")
    else:
        made = _as_table("\n".join(map(_row, _chosen(tables, table))) + "\n", "HTML", tables, table)
    said = [
        f"{what} left out: {', '.join([*own][:_TOLD])}{' …' if len(own) > _TOLD else ''}"
        for what, own in (("text that is struck", parser.deleted), ("notes and indices behind words", parser.notes))
        if own
    ]
    if parser.hidden:
        said.append(f"{parser.hidden} rows that a browser does not show, like the others")
    return replace(made, how=(*made.how, *said))
