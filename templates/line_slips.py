"""What is likely wrong in a line that TOML cannot read: the only place that guesses. A guess says in a sentence what TOML wants, and how
the line would read; whoever asks tries whether that is so."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import chain
from typing import TypeAlias

from gapsmith.templates.documents import DocumentError, read_toml

Guess: TypeAlias = tuple[str, str]
"""What TOML wants, and a line as it would read."""

_DOUBLE, _SINGLE = "“”„‟«»＂″", "‘’‚‛‹›`´′"
_STRAIGHT = str.maketrans({**dict.fromkeys(_DOUBLE, '"'), **dict.fromkeys(_SINGLE, "'")})
_ODD_SPACES = re.compile("[\u00a0\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]")
_TEXT = re.compile(r'""".*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\]|\\.)*"|\'[^\']*\'')
_STATEMENT = re.compile(r"(\s*)([^=\[\]{}\"'#,]+?)(\s*=\s*)(.*)")
_COMMENT = re.compile(r"(.*?)(\s+#.*)?")
_TRUTHS = re.compile(r"(?<==)(\s*)(true|false|yes|no)(?=\s*(?:[,}]|$))", re.IGNORECASE)
_NO_PAIR = re.compile(r"([{,]\s*[\w-]+)\s*:\s*")

QUOTES = "Quotes are straight in TOML, \" or ', and spaces are those of the space bar."
TEXT = "Text stands in quotes."
ENDED = "A text ends with the quote that it began with, on its line."
INNER = "A text in double quotes may have single ones in it, and the other way round."
EQUALS = "Between a key and its value stands =."
KEY = "A key is one word, or stands in quotes; a list has values only."
HEADING = "A heading stands alone on its line: [table.name], or [[name]] for one of a list."
LIST = "A list stands between [ and ], a table of keys between { and }, each on its line."
COMMA = "Between the values of a list or table stands a comma, and none after the last of a table."
END = "Nothing stands behind a value."
NUMBER = "A number has a full stop for its decimals."
BACKSLASH = "Of a backslash in double quotes two are written, or single quotes are used."
STRAY = "A sign stands there that belongs to nothing."
REMARK = "A remark begins with #."
TRUTH = "What is so or not is true or false, in small letters and without quotes."


def line_left_open(text: str) -> int | None:
    """The line in which a text begins that does not end, or else the last statement; None for a text without any."""
    inside = ""
    last = opened = None
    for number, line in enumerate(text.splitlines(), 1):
        if inside:
            inside = "" if inside in line else inside
            continue
        rest = _TEXT.sub("", line).partition("#")[0]
        if quotes := next((own for own in ('"""', "'''") if own in rest), ""):
            inside, opened = quotes, number
        elif '"' in rest or "'" in rest:
            return number
        if rest.strip() and (last is None or _STATEMENT.fullmatch(rest) or rest.lstrip().startswith("[")):
            last = number
    return opened if inside else last


def guesses(line: str) -> Iterator[Guess]:
    """What may be wrong with a line, the likeliest first; at the end two things at once."""
    seen = {line}
    first: list[Guess] = []
    plain = straight(line)
    if plain != line:
        first.append((QUOTES, plain))
    # Bare words with typographic quotes around them are texts with the wrong quotes.
    for said, new in chain(
        first, _repairs(line) if plain == line else (), _repairs(plain) if plain != line else (), _repairs(line)
    ):
        if new not in seen:
            seen.add(new)
            first.append((said, new))
            yield said if plain == line else QUOTES, new
    if plain != line:
        yield QUOTES, plain
    for said, half in first[: 2 * len(first)]:
        for other, new in _repairs(half):
            if new not in seen:
                seen.add(new)
                yield said if other == said else f"{said} {other}", new


def too_many(line: str, column: int) -> Iterator[Guess]:
    """A line without one of the signs where TOML stops, which is at a column from 1."""
    for at in (column - 1, column - 2):
        # Without the sign between two of its digits a number would be another one.
        digits = line[at - 1 : at].isdigit() and line[at + 1 : at + 2].isdigit()
        if 0 <= at < len(line) and not line[at].isalnum() and not digits:
            yield STRAY, line[:at] + line[at + 1 :]


def endings(line: str) -> Iterator[Guess]:
    """What may lack at the end of a line before the one where TOML stops."""
    yield from _unclosed(line)
    yield from _quotes(line)


def straight(line: str) -> str:
    """A line with the quotes and spaces of a keyboard; an apostrophe inside of a word stays."""
    line = _ODD_SPACES.sub(" ", line)
    kept = re.sub(r"(?<=\w)’(?=\w)", "\0", line)
    return kept.translate(_STRAIGHT).replace("\0", "’")


def _repairs(line: str) -> Iterator[Guess]:
    body, comment = _parts(line)
    ways: tuple[Callable[[str], Iterator[Guess]], ...] = (
        _headings,
        _equals,
        _keys,
        _ends,
        _numbers,
        _commas,
        _brackets,
        _bare,
        _unclosed,
        _quotes,
        _backslashes,
    )
    for way in ways:
        for said, new in way(body):
            if new != body:
                yield said, new + comment
    if not line.lstrip().startswith("#"):
        if slashes := re.fullmatch(r"(.*?)\s*(?://|--|%)\s*(.*)", body):
            yield REMARK, f"{slashes[1]}{'  ' if slashes[1].strip() else ''}# {slashes[2]}{comment}"
        if "=" not in line and ":" not in line and not re.search(r"""[\[\]{}"',]""", line):
            yield REMARK, f"# {line.strip()}"


def _parts(line: str) -> tuple[str, str]:
    """A line without its remark, and that with the spaces before it."""
    hidden = _TEXT.sub(lambda found: "x" * len(found[0]), line)
    at = hidden.find("#")
    if at < 0:
        return line.rstrip(), ""
    body = line[:at].rstrip()
    return body, line[len(body) :]


def _headings(line: str) -> Iterator[Guess]:
    stripped = line.strip()
    if not stripped.startswith("[") or "=" in stripped:
        return
    names = [part for part in re.split(r"[\s.,/:;]+", re.sub(r"[\[\]]", " ", stripped).strip()) if part]
    if not names or not all(re.fullmatch(r"[\w-]+", name) for name in names):
        return
    name = ".".join(names)
    several = "[[" in stripped or "]]" in stripped
    for double in (several, not several):
        yield HEADING, f"[[{name}]]" if double else f"[{name}]"


def _equals(line: str) -> Iterator[Guess]:
    ways = [re.sub(r"^(\s*[\w.-]+)\s*(?:==|:=|=:|:|->|=>)\s*(?=\S)", r"\1 = ", line)]
    ways.append(re.sub(r"""^(\s*[\w.-]+)\s+(?=["'\[{\d])""", r"\1 = ", line))
    for way in (*ways, line):
        yield EQUALS, _outside(way, lambda piece: _NO_PAIR.sub(r"\1 = ", piece))
        yield EQUALS, way


def _keys(line: str) -> Iterator[Guess]:
    if (found := _STATEMENT.fullmatch(line)) is not None:
        indent, key, equals, value = found.groups()
        if re.fullmatch(r"\w+(?:\s+\w+)+", key):
            yield KEY, f"{indent}{'_'.join(key.split())}{equals}{value}"
        if not re.fullmatch(r"[A-Za-z0-9_.-]+", key):
            yield KEY, f"{indent}{json.dumps(key, ensure_ascii=False)}{equals}{value}"
    odd = re.compile(r"([{,]\s*)([^\s={},\"']*[^\x00-\x7f\s={},\"'][^\s={},\"']*)(\s*=)")
    yield KEY, _outside(line, lambda piece: odd.sub(r'\1"\2"\3', piece))
    spaced = re.compile(r"([{,]\s*)(\w+(?:\s+\w+)+)(\s*=)")
    yield KEY, _outside(line, lambda piece: spaced.sub(lambda own: f"{own[1]}{'_'.join(own[2].split())}{own[3]}", piece))


def _ends(line: str) -> Iterator[Guess]:
    if line.endswith((",", ";", ".")) and "=" in line:
        yield END, line.rstrip(",;. ")


def _numbers(line: str) -> Iterator[Guess]:
    yield NUMBER, _outside(line, lambda piece: re.sub(r"(?<=\d),(?=\d)", ".", piece))
    yield NUMBER, _outside(line, lambda piece: re.sub(r"(?<![\w.])(-?)\.(?=\d)", r"\g<1>0.", piece))


def _bare(line: str) -> Iterator[Guess]:
    """Words without quotes: alone, in a list, in a table."""
    found = _STATEMENT.fullmatch(line)
    head, value = ("".join(found.groups()[:3]), found[4].strip()) if found is not None else ("", "")
    if found is None and re.fullmatch(r"\s*[^\[\]{}=\"']+,?", line):
        # One of the values of a list that has a line for each.
        entry = line.strip().rstrip(",")
        yield TEXT, line.replace(entry, json.dumps(entry, ensure_ascii=False), 1)
    if not value:
        return
    plain = _outside(value, lambda piece: _TRUTHS.sub(lambda own: own[1] + _truth(own[2]), piece))
    yield TRUTH, f"{head}{_truth(value) if _TRUTHS.fullmatch(f'={value}', 1) else plain}"
    yield TEXT, f"{head}{quoted(value)}"
    whole = f"{head}{json.dumps(value, ensure_ascii=False)}"
    if not re.search(r"[\w\"'\[{]", value):
        yield TEXT, whole
    elif "'" not in value and '"' not in value:
        if re.fullmatch(r"\{\w+\}", value):
            yield TEXT, whole
        # A number or a time is not meant for text.
        if not re.fullmatch(r"[\d\s.,:+-]+|[\[{].*", value):
            yield TEXT, whole
            if "," in value or "|" in value:
                parts = [part.strip() for part in re.split(r"[,|]", value)]
                yield LIST, f"{head}{json.dumps(parts, ensure_ascii=False)}"


def _truth(word: str) -> str:
    return {"yes": "true", "no": "false"}.get(word.casefold(), word.casefold())


def quoted(value: str) -> str:
    """A list or table with quotes around its values that are none without them; else the value as it is."""
    value = value.strip()
    if len(value) < 2 or (value[0], value[-1]) not in (("[", "]"), ("{", "}")):
        return value
    made = []
    entries = [entry for entry in _split(value[1:-1]) if entry]
    if value[0] == "{" and not all("=" in entry for entry in entries):
        return value
    for entry in entries:
        key, equals, own = entry.partition("=") if value[0] == "{" else ("", "", entry)
        own = own.strip()
        new = quoted(own) if own[:1] in ("[", "{") and not re.fullmatch(r"\{\w+\}", own) else own
        if own and not _reads(new) and not re.search(r"[\"']", own):
            new = json.dumps(own, ensure_ascii=False)
        made.append(f"{key.strip()} = {new}" if equals else new)
    inside = ", ".join(made)
    return f"{{ {inside} }}" if value[0] == "{" else f"[{inside}]"


def _split(inside: str) -> Iterator[str]:
    """The entries of a list or table, cut at the commas that are in no text, list or table of theirs."""
    hidden = _TEXT.sub(lambda found: "x" * len(found[0]), inside)
    deep = begin = 0
    for at, sign in enumerate(hidden):
        deep += (sign in "[{(") - (sign in "]})")
        if sign == "," and not deep:
            yield inside[begin:at].strip()
            begin = at + 1
    yield inside[begin:].strip()


def _reads(value: str) -> bool:
    try:
        read_toml(f"x = {value}")
    except DocumentError:
        return False
    return True


def _brackets(line: str) -> Iterator[Guess]:
    found = _STATEMENT.fullmatch(line)
    if found is None:
        return
    head, value = "".join(found.groups()[:3]), found[4].strip()
    bare = _TEXT.sub("", value)
    if value.startswith("(") and value.endswith(")"):
        yield LIST, f"{head}[{value[1:-1]}]"
    if value.startswith("{") and value.endswith("}") and "=" not in bare:
        yield LIST, f"{head}[{value[1:-1].strip()}]"
    if value.startswith("[") and value.endswith("]") and "=" in bare:
        yield LIST, f"{head}{{ {value[1:-1].strip()} }}"
    if value[:1] in "\"'" and "," in bare:
        yield LIST, f"{head}[{value}]"
    if "=" in bare and value[:1] not in ("{", "["):
        yield LIST, f"{head}{{ {value} }}"


def _commas(line: str) -> Iterator[Guess]:
    yield COMMA, _outside(line, lambda piece: piece.replace(";", ","))
    yield COMMA, _outside(line, lambda piece: re.sub(r",(\s*,)+", ",", piece))
    yield COMMA, _outside(line, lambda piece: re.sub(r",(\s*\})", r"\1", piece))
    yield COMMA, re.sub(r"""("(?:[^"\\]|\\.)*"|'[^']*')\s*(?=["'])""", r"\1, ", line)
    yield COMMA, re.sub(r"""("(?:[^"\\]|\\.)*"|'[^']*'|\btrue|\bfalse|\b[\d.]+)\s+(?=[\w"'-])""", r"\1, ", line)


def _unclosed(line: str) -> Iterator[Guess]:
    body, comment = _parts(line)
    opened: list[str] = []
    closing = {"[": "]", "{": "}"}
    for sign in _TEXT.sub("", body):
        if sign in closing:
            opened.append(closing[sign])
        elif sign in closing.values() and opened and opened[-1] == sign:
            opened.pop()
        elif sign in closing.values():
            opened.append("")
    if opened and all(opened):
        space = " " if opened[-1] == "}" else ""
        yield LIST, f"{body.rstrip(', ')}{space}{''.join(reversed(opened))}{comment}"
    if body.endswith(("]", "}")) and "" in opened:
        yield LIST, f"{body[:-1].rstrip()}{comment}"
        other = {"]": "}", "}": "]"}[body[-1]]
        yield LIST, f"{body[:-1].rstrip()}{other}{comment}"
    if body and not body.endswith(("[", "{", ",")) and "=" not in _TEXT.sub("", body):
        yield COMMA, f"{body},{comment}"
    if found := _STATEMENT.fullmatch(body):
        head, value = "".join(found.groups()[:3]), found[4].strip()
        if value.endswith("]") and value[:1] not in ("[", "{"):
            yield LIST, f"{head}[{value}{comment}"
        if value.endswith("}") and "=" in value and value[:1] not in ("[", "{"):
            yield LIST, f"{head}{{ {value}{comment}"


def _quotes(line: str) -> Iterator[Guess]:
    body, comment = _parts(line)
    if '"' not in body and "'" not in body:
        return
    found = _STATEMENT.fullmatch(body)
    head, value = ("".join(found.groups()[:3]), found[4]) if found is not None else ("", body)
    for mixed in (value.replace("'", '"'), value.replace('"', "'")):
        if _reads(mixed) or head == "":
            yield ENDED, f"{head}{mixed}{comment}"
    for quote in "\"'":
        if value.count(quote) % 2:
            ends = [own.start() for own in re.finditer(r"\s*(?:[,\]}]|\s#|$)", value)]
            begins = [own.end() for own in re.finditer(r"^\s*|[=,\[{]\s*", value)]
            for at in sorted({*ends, *begins}):
                yield ENDED, f"{head}{value[:at]}{quote}{value[at:]}{comment}"
            if ends:
                # A remark behind the text may have been taken for a part of it.
                yield ENDED, f"{head}{value.rstrip()}{quote}{comment}"
    inner = re.fullmatch(r"""(["'])(.*)\1""", value.strip())
    if inner is not None:
        other = "'" if inner[1] == '"' else '"'
        text = inner[2]
        yield (
            INNER,
            f"{head}{other}{text}{other}{comment}"
            if other not in text
            else f"{head}{json.dumps(text, ensure_ascii=False)}{comment}",
        )
    entry = re.compile(r"""(?<=[\[{,=(\s])(["'])(.+?)\1(?=\s*(?:[,\]})]|$))""")
    again = entry.sub(lambda own: own[0] if own[1] not in own[2] else json.dumps(own[2], ensure_ascii=False), value)
    yield INNER, f"{head}{again}{comment}"


def _backslashes(line: str) -> Iterator[Guess]:
    if "\\" in line:
        yield BACKSLASH, re.sub(r'\\(?![btnfr"\\])', r"\\\\", line)
        yield BACKSLASH, line.replace("\\", "\\\\")


def _outside(line: str, change: Callable[[str], str]) -> str:
    """A line with what stands outside of its texts changed."""
    made, begin = [], 0
    for found in _TEXT.finditer(line):
        made += [change(line[begin : found.start()]), found[0]]
        begin = found.end()
    return "".join([*made, change(line[begin:])])
