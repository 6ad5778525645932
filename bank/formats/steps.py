"""What somebody can do with a file whose shape is not read, the only place for these: headings of a second table in it, codes that hold item
and condition together. Each says what the file has and what to write instead, or what of it to leave out; none
reads it otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank.formats.asking import FileAnswer
from gapsmith.bank.formats.headings import roles_of
from gapsmith.bank.formats.leaving_out import as_numbers

_SIGNS = "\t;|,"
_CODE = re.compile(r"(?P<before>[^\W\d_]*[-_.]?)(?P<item>\d+)(?P<between>[-_.]?)(?P<condition>[^\W\d_]+[\w.-]*)")
_SHOWN = 4
_LINES = 20_000


@dataclass(frozen=True, slots=True)
class SecondTable:
    """Headings that stand in a text once more."""

    line: int
    message: str
    step: str
    parts: tuple[tuple[int, int], ...] = ()
    """The first and the last line of each table, headings included."""
    titles: tuple[int, ...] = ()
    """The lines of their titles, where each has one."""


def second_table(lines: Sequence[str]) -> SecondTable | None:
    """The headings of a table below another one, where they stand in another order or under a title of their own; None where a file has one
    table, and where its headings are merely repeated, as on a new page."""
    for sign in _SIGNS:
        rows = [
            (number, tuple(cell.strip() for cell in line.split(sign)))
            for number, line in enumerate(lines[:_LINES], 1)
            if line.strip()
        ]
        tops = [n for n, (_, cells) in enumerate(rows) if len(cells) > 1 and all(cells) and len(roles_of(cells)) > 1]
        if len(tops) < 2:
            continue
        first = rows[tops[0]][1]
        again = [n for n in tops[1:] if _are_those(rows[n][1], first)]
        turned = [n for n in again if rows[n][1] != first]
        titled = [n for n in again if len([cell for cell in rows[n - 1][1] if cell]) == 1 and tops[0] > 0]
        if not (turned or titled):
            continue
        ends = (*again, len(rows))
        starts = [tops[0], *again]
        bounds = tuple((rows[start][0], rows[end - 1 - (end in titled)][0]) for start, end in zip(starts, ends, strict=True))
        parts = ", ".join(f"lines {start} to {end}" for start, end in bounds)
        if turned:
            line = rows[turned[0]][0]
            is_same = sorted(map(str.casefold, rows[turned[0]][1])) == sorted(map(str.casefold, first))
            what = "in another order" if is_same else "and are others"
            return SecondTable(
                line,
                f"the headings stand here once more, {what}: {', '.join(rows[turned[0]][1])}; above they are {', '.join(first)}",
                f"Bring the columns below it into the order of those above, and take line {line} out; or save each part as a file of its own: "
                f"{parts}.",
                bounds,
            )
        n = titled[0]
        titles = f"{' '.join(rows[tops[0] - 1][1]).strip()[:40]!r} and {' '.join(rows[n - 1][1]).strip()[:40]!r}"
        return SecondTable(
            rows[n][0],
            f"the headings stand here once more, under a title: the file has {len(starts)} tables, under {titles} ({parts})",
            "If these are lists of an experiment, their numbers are places in a list and not items: the same number in two lists is of two "
            "items. Make one table of them, with the columns item, condition, sentence and list, in which the sentences of an item have the "
            "same item; nothing here says which belong together. If they are experiments, save each as a file of its own.",
            bounds,
            tuple(rows[start - 1][0] for start in starts),
        )
    return None


def _are_those(cells: Sequence[str], first: Sequence[str]) -> bool:
    """Whether cells are headings that stand further up, most of them and as many."""
    above = {heading.casefold() for heading in first}
    known = sum(cell.casefold() in above for cell in cells)
    return len(cells) == len(first) == len(set(cells)) and known > 1 and known * 2 > len(first)


def part_ways(lines: int, said: Sequence[str], parts: Sequence[tuple[int, int]]) -> list[FileAnswer]:
    """Of a text of so many lines with several tables, that all lines are left out that are of another one, for each of them; `said` is what
    is left out already."""
    return [
        FileAnswer(
            "",
            f"lines {begin} to {end}, and none of the other lines",
            {"leave_out": (*said, as_numbers(n for n in range(1, lines + 1) if not begin <= n <= end))},
        )
        for begin, end in parts
    ]


_RULE = re.compile(r"\s*(?P<name>[A-Za-z][\w'-]{0,30})\s*(?:->|→|::=|:=|=>)\s*(?P<body>\S.*)")
_QUOTED = re.compile(r"\"[^\"]*\"|'[^']*'")


def grammar_step(lines: Sequence[str]) -> tuple[int, str, str] | None:
    """Of the rules of a grammar, whose symbols stand in each other, the first line, what it is, and what to do with it; None for other
    texts."""
    rules: dict[str, tuple[int, str]] = {}
    count = 0
    for number, line in enumerate(lines[:_LINES], 1):
        if not line.strip() or line.lstrip()[:1] in "#%/":
            continue
        count += 1
        if (match := _RULE.fullmatch(line)) is not None:
            rules.setdefault(match["name"], (number, match["body"]))
    used = {symbol for _, body in rules.values() for symbol in _symbols(body)} & set(rules)
    if len(rules) < 3 or len(rules) * 5 < count * 4 or len(used) < 2:
        return None
    starts = [name for name in rules if name not in used]
    words = [name for name, (_, body) in rules.items() if not set(_symbols(body)) & set(rules)]
    first = rules[starts[0]] if starts else next(iter(rules.values()))
    factors = f"here perhaps {', '.join(starts[:_SHOWN])}" if starts else ""
    here = f"such as those of {words[0]} in line {rules[words[0]][0]}" if words else ""
    return (
        first[0],
        f"is a grammar of {len(rules)} rules, such as {starts[0] if starts else next(iter(rules))}, and no sentence is written out in it",
        f"{_paradigm(factors, here)}. {_FORMS}",
    )


_FORMS = "Words of two rules that are forms of one word, such as a singular and a plural, are one word with two forms there."


def _symbols(body: str) -> list[str]:
    """The words of a rule's right side that are not quoted."""
    return re.findall(r"[A-Za-z][\w'-]*", _QUOTED.sub(" ", body))


def _paradigm(factors: str, words: str) -> str:
    """How gapsmith makes sentences from parts."""
    of_factors, of_words = (f" ({said})" if said else "" for said in (factors, words))
    return (
        f"gapsmith makes the sentences itself, from a paradigm: `gapsmith paradigm new NAME` asks for its factors{of_factors}, for the parts "
        f"of the sentence in their order, and for the words of each{of_words}; then `gapsmith generate NAME` writes the sentences"
    )


_NAMED = re.compile(
    r"<(?P<angle>[A-Za-z][^<>\s]*)>|\{+(?P<brace>[A-Za-z][^{}\s]*)\}+|\[(?P<square>[A-Za-z][\w.]*)\]|\$(?P<dollar>[A-Za-z]\w*)"
)
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def template_step(header: Sequence[str], rows: Sequence[Sequence[str]], *, is_table: bool) -> tuple[int, str, str] | None:
    """Of a table whose sentences have blanks that name its columns, the column, what it is, and what to do with it; None for other tables."""
    folded = [heading.strip().casefold() for heading in header]
    stems = {stem for heading in folded for stem in (heading, heading.split(".")[0], heading.split("_")[0])} - {""}
    # The keys of a document that was laid out stand in the cells.
    keys = [n for n, heading in enumerate(folded) if heading.startswith("key_")]
    stems |= {row[n].strip().casefold() for row in rows for n in keys if n < len(row)}
    for column, heading in enumerate(header):
        cells = [row[column] for row in rows if column < len(row) and row[column].strip()]
        found = [[match[0] for match in _NAMED.finditer(cell)] for cell in cells]
        if not cells or not all(found):
            continue
        names = list(dict.fromkeys(name for own in found for name in own))
        known = [name for name in names if re.split(r"[.{:]", name.strip("<>{}[]$").casefold())[0] in stems]
        if len(known) < 2 or len(known) * 2 <= len(names):
            continue
        what = f"{heading!r} holds no sentences but a template, with blanks that other parts of the file fill: {', '.join(known[:_SHOWN])}"
        simple = {name: folded.index(key) for name in names if (key := name.strip("<>{}[]$").casefold()) in folded}
        if is_table and len(simple) == len(names) and max(*simple.values(), column) < len(_LETTERS):
            formula = f"{_LETTERS[column]}2"
            for name, place in simple.items():
                formula = f'SUBSTITUTE({formula},"{name}",{_LETTERS[place]}2)'
            return (
                column,
                what,
                f"Fill them in a column of their own, sentence, in a spreadsheet with ={formula} in its row 2, and import that.",
            )
        parts = ", ".join(dict.fromkeys(re.split(r"[.{:]", name.strip("<>{}[]$"))[0] for name in names))
        return column, what, f"{_paradigm('', f'here of {parts}, as the file has them')}."
    return None


def codes_step(heading: str, cells: Sequence[str]) -> str:
    """How to take codes apart that number an item and name its condition, such as S03ab; empty where cells are none, or where the items would
    not have the same conditions."""
    own = [cell.strip() for cell in cells]
    found = [match for cell in own if (match := _CODE.fullmatch(cell)) is not None]
    if len(found) < _SHOWN or len(found) < len(own) or len(set(own)) < len(own):
        return ""
    by_item: dict[tuple[str, str], set[str]] = defaultdict(set)
    for match in found:
        by_item[match["before"], match["item"]].add(match["condition"])
    conditions = {frozenset(named) for named in by_item.values()}
    (named, *others) = conditions
    if others or len(named) < 2 or len(by_item) < 2:
        return ""
    code, shown = found[0], ", ".join(sorted(named)[:_SHOWN])
    start, length = len(code["before"]) + 1, len(code["item"])
    return (
        f"{heading!r} seems to hold item and condition together: {code[0]} would be item {code['item']}, condition {code['condition']} "
        f"({len(by_item)} items, each with {len(named)} conditions: {shown}{' …' if len(named) > _SHOWN else ''}). If it is so, write them into "
        f"columns of their own, item and condition (in a spreadsheet =MID(A2,{start},{length}) and "
        f"=MID(A2,{start + length + len(code['between'])},9) where the code stands in A2), and import that; letters that are two factors may "
        "have a column each."
    )
