"""Values that carry their names: ``item=1 condition=match sentence="…"`` in a line, ``sentence: …`` in a line of its own within a record,
``setcycle 0 sentence "…"`` in a script of OpenSesame, rows that SQL inserts. All as rows under their names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gapsmith.bank.formats.headings import roles_of

_NAME = r"[^\W\d][\w.-]{0,30}"
_QUOTED = r"\"(?:[^\"\\]|\\.|\"\")*\""
_LINE = re.compile(r"(?P<name>[^\W\d][\w .-]{0,30}?)\s*(?P<sign>[:=])\s*(?P<value>\S.*?|)\s*")
_CYCLE = re.compile(r'\s*setcycle\s+(?P<cycle>\d+)\s+(?P<name>\w+)\s+(?P<value>"(?:[^"\\]|\\.)*"|\S.*?)\s*')
_LOOP = re.compile(r"define\s+loop\s+(?P<name>\S+)\s*")
_INSERT = re.compile(r"insert\s+into\s+(?P<table>[`\"\[]?[\w.]+[`\"\]]?)\s*(?:\((?P<names>[^()]*)\))?\s*values\s*", re.IGNORECASE)
_CREATE = re.compile(r"create\s+table\s+[^()]*\((?P<columns>(?:[^()]|\([^()]*\))*)\)", re.IGNORECASE)
_SQL_VALUE = re.compile(r"\s*(?:N?'(?P<text>(?:[^']|'')*)'|(?P<bare>[-+\w.]+))\s*(?P<sign>[,)])")
_ABOVE = 20
_RULED = re.compile(r"[-=*_#]{3,}")


@dataclass(frozen=True, slots=True)
class Named:
    """Rows under the names of their values."""

    rows: list[list[str]]
    places: list[int]
    """The line of each row below the headings."""
    how: str


def named_values(text: str, suffix: str) -> Named | None:
    """The rows that a text gives with names; None where any line is something else."""
    if suffix == ".osexp" or "\n\tsetcycle " in text or text.startswith("setcycle "):
        return _cycles(text)
    if (suffix == ".sql" or _INSERT.search(text[:4000]) is not None) and (rows := _inserted(text)) is not None:
        return rows
    first = next((line for line in text.split("\n", _ABOVE) if line.strip()), "")
    if "=" not in first and ":" not in first:
        return None
    lines = [(number, line.strip()) for number, line in enumerate(text.split("\n"), 1)]
    return _in_lines(lines) or _in_records(lines)


def _is_of_items(names: Sequence[str]) -> bool:
    """Whether the names are those of a table of items: what says the item, and what says the condition or the sentence."""
    found = set(roles_of(names))
    return ("item" in found and len(names) > 1) or {"condition", "sentence"} <= found


def _part_of(names: str, sign: str) -> re.Pattern[str]:
    """A name, the sign behind it and its value, up to the next name; behind a colon only a sign parts them."""
    begin = rf"(?:{names})\s*{sign}"
    between = r"\s*[,;|\t]\s*" if sign == ":" else r"(?:\s*[,;|]\s*|\s+)"
    value = rf"(?P<value>{_QUOTED}|.*?)"
    return re.compile(rf"(?P<name>{names})\s*{sign}\s*{value}(?:{between}(?={begin})|\s*[,;|]?\s*\Z)")


def _in_lines(lines: Sequence[tuple[int, str]]) -> Named | None:
    """A row in each line, all with the same names."""
    filled = [(number, line) for number, line in lines if line]
    if len(filled) < 2:
        return None
    sign = "=" if filled[0][1].count("=") > 1 else ":" if filled[0][1].count(":") > 1 else ""
    if not sign:
        return None
    # A sign within a sentence begins no name: that of a value stands in every line.
    named = re.compile(rf"(?<!\S)({_NAME})\s*{sign}")
    shared = set(named.findall(filled[0][1]))
    for _, line in filled:
        shared &= set(named.findall(line))
    if len(shared) < 2:
        return None
    part = _part_of("|".join(map(re.escape, sorted(shared, key=len, reverse=True))), sign)
    rows: list[dict[str, str]] = []
    for _, line in filled:
        at, row = 0, dict[str, str]()
        while at < len(line):
            if (match := part.match(line, at)) is None or match["name"] in row:
                return None
            row[match["name"]] = _bare(match["value"])
            at = match.end()
        rows.append(row)
    names = list(rows[0])
    if not _is_of_items(names) or any(set(row) != set(names) for row in rows):
        return None
    return Named(
        [names, *([row[name] for name in names] for row in rows)],
        [number for number, _ in filled],
        "names with their values in each line, as rows under the names",
    )


def _in_records(lines: Sequence[tuple[int, str]]) -> Named | None:
    """Records of a name and its value in each line, with a blank line or a rule between them."""
    records: list[list[tuple[int, str, str]]] = [[]]
    signs: set[str] = set()
    for number, line in lines:
        if not line or _RULED.fullmatch(line):
            if records[-1]:
                records.append([])
            continue
        if (match := _LINE.fullmatch(line)) is None:
            return None
        if records[-1] and match["name"] == records[-1][0][1]:
            records.append([])
        signs.add(match["sign"])
        records[-1].append((number, match["name"], _bare(match["value"])))
    records = [record for record in records if record]
    if len(records) < 2 or len(signs) != 1:
        return None
    names = list(dict.fromkeys(name for record in records for _, name, _ in record))
    known = set(roles_of(names))
    # `Item: 3` above the names of conditions, each before a colon, is read as a text of items.
    is_table = "sentence" in known and bool(known & {"item", "condition"})
    if not (is_table or (signs == {"="} and _is_of_items(names))):
        return None
    if any(len({name for _, name, _ in record}) != len(record) for record in records):
        return None
    needed = {names[column] for role, column in roles_of(names).items() if role in ("item", "condition", "sentence")}
    if any(needed - {name for _, name, _ in record} for record in records):
        return None
    rows = [{name: value for _, name, value in record} for record in records]
    places = [max(record, key=lambda own: len(own[2]))[0] for record in records]
    return Named(
        [names, *([row.get(name, "") for name in names] for row in rows)],
        places,
        "records of names with their values, as rows under the names",
    )


def _bare(value: str) -> str:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'":
        return value[1:-1].replace('\\"', '"').replace('""', '"') if value[0] == '"' else value[1:-1].replace("\\'", "'")
    return value


def _cycles(text: str) -> Named | None:
    """The tables of the loops of an experiment in OpenSesame that hold sentences, where there are several with the name of each."""
    rows: dict[tuple[str, int], dict[str, tuple[int, str]]] = {}
    loop = ""
    for number, line in enumerate(text.split("\n"), 1):
        if (begun := _LOOP.match(line)) is not None:
            loop = begun["name"]
        elif (match := _CYCLE.fullmatch(line)) is not None:
            rows.setdefault((loop, int(match["cycle"])), {})[match["name"]] = (number, _bare(match["value"]))
    loops = {
        name
        for name, _ in rows
        if any(len(value.split()) > 2 for (own, _), row in rows.items() if own == name for _, value in row.values())
    }
    held = {key: row for key, row in rows.items() if key[0] in loops}
    if len(held) < 2:
        return None
    names = list(dict.fromkeys(name for row in held.values() for name in row))
    shown = [[row.get(name, (0, ""))[1] for name in names] for row in held.values()]
    if len(loops) > 1:
        names, shown = ["loop", *names], [[key[0], *row] for key, row in zip(held, shown, strict=True)]
    places = [max(row.values(), key=lambda own: len(own[1]))[0] for row in held.values()]
    many = f"the tables of the loops {', '.join(sorted(loops))}" if len(loops) > 1 else "the table of a loop"
    return Named([names, *shown], places, f"{many} in OpenSesame")


def _inserted(text: str) -> Named | None:
    """The rows that SQL inserts into one table; None where they have no names, or other ones each."""
    rows: list[list[str]] = []
    places: list[int] = []
    names: list[str] = []
    created = _CREATE.search(text)
    if len({statement["table"] for statement in _INSERT.finditer(text)}) > 1:
        return None
    for statement in _INSERT.finditer(text):
        if statement["names"]:
            own = [_unquoted(name) for name in statement["names"].split(",")]
        elif created is not None:
            own = [_unquoted(column.split()[0]) for column in re.split(r",(?![^()]*\))", created["columns"]) if column.strip()]
        else:
            return None
        if names and own != names:
            return None
        names, at = own, statement.end()
        while (begin := re.compile(r"[\s,]*\(").match(text, at)) is not None:
            line, at, row = text.count("\n", 0, begin.end()) + 1, begin.end(), list[str]()
            while True:
                if (value := _SQL_VALUE.match(text, at)) is None:
                    return None
                bare = value["bare"] or ""
                row.append(
                    value["text"].replace("''", "'") if value["text"] is not None else "" if bare.upper() == "NULL" else bare
                )
                at = value.end()
                if value["sign"] == ")":
                    break
            if len(row) != len(names):
                return None
            rows.append(row)
            places.append(line)
    return Named([names, *rows], places, "the rows that SQL inserts") if len(rows) > 1 else None


def _unquoted(name: str) -> str:
    return name.strip().strip('`"[]')
