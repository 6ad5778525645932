"""Lists of sentences in programs: the items of an Ibex or PCIbex script, a list as JavaScript writes it, a table within a script. What is
a literal is read, what would have to be run (a call, a function) stands for its own words."""

from __future__ import annotations

import ast
import json
import re
from dataclasses import dataclass
from typing import Any

from gapsmith.bank.formats.composing import unspaced_in
from gapsmith.bank.formats.ibex import ibex_rows

SUFFIXES = frozenset({".js", ".ts", ".mjs", ".cjs"})
_START = re.compile(
    r"(?:\s|//[^\n]*\n|/\*.*?\*/)*"
    r"(?:(?:var|let|const)\s+[\w$]+\s*=|export\s+default\b|module\.exports\b|PennController\b|[\w$]+\s*=\s*\[|AddTable\s*\()",
    re.DOTALL,
)
_SET = re.compile(r"(?:^|[;\n,}])\s*(?:export\s+)?(?:(?:var|let|const)\s+)?(?P<name>[\w.$]+|export\s+default)\s*=?\s*(?=[\[{])")
_TABLE = re.compile(r"AddTable\s*\(\s*[\"'][^\"']*[\"']\s*,\s*`(?P<text>[^`]*)`", re.DOTALL)
_FILE = re.compile(r"[\"'](?P<name>[^\"'\s]+\.(?:csv|tsv))[\"']")
_TRIAL = re.compile(r"\bnewTrial\s*\(\s*(\"[^\"\n]*\"|'[^'\n]*')\s*,")
_NOTES = re.compile(r"^[ \t]*//[^\n]*|/\*.*?\*/", re.MULTILINE | re.DOTALL)
_SHOWN = re.compile(
    r"\bnew(?:Text|Html)\s*\(\s*(?:\"[^\"\n]*\"\s*,\s*)?\"(?P<text>[^\"\n]*)\"\s*\)|\bs\s*:\s*\"(?P<other>[^\"\n]*)\"",
)
_LOGGED = re.compile(r"\.log\s*\(\s*[\"'](?P<key>\w+)[\"']\s*,\s*(?:[\"'](?P<text>[^\"'\n]*)[\"']|(?P<bare>-?\d+))\s*\)")
"""What a trial shows and logs, where it is no variable."""
_SKIPPED = re.compile(r"(?:\s|//[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
_NAME = re.compile(r"[A-Za-z_$][\w$.]*")
_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None, "undefined": None}
_DEEPEST = 200


class _NoLiteralError(ValueError):
    """What stands here is no literal."""


@dataclass(frozen=True, slots=True)
class Scripted:
    """What a script holds, as text."""

    text: str
    suffix: str
    how: str


def is_script(text: str, suffix: str) -> bool:
    """Whether a text is a script, by its name or its beginning."""
    return suffix in SUFFIXES or (suffix != ".py" and _START.match(text) is not None)


def scripted(text: str, suffix: str) -> Scripted | None:
    """The sentences of a script as JSON or as its table; None where it holds no list of any."""
    if suffix == ".py":
        return _of_names(_python_lists(text))
    if is_script(text, suffix):
        tables = [match["text"].strip("\n") + "\n" for match in _TABLE.finditer(text)]
        if len(tables) == 1:
            return Scripted(tables[0], ".csv", "the table within a script")
        return _of_names(_lists(text)) or _of_trials(text)
    if text.lstrip()[:1] in ("[", "{") and (listed := _listed(text)) is not None:
        return Scripted(json.dumps(listed, ensure_ascii=False, indent=1) + "\n", ".json", "a list as JavaScript writes it")
    return None


def _of_trials(text: str) -> Scripted | None:
    """The sentences that the trials of a PCIbex script show, one each, with their names and what they log; None where a trial shows several, or
    a variable."""
    parts = _TRIAL.split(_NOTES.sub("", text))[1:]
    rows: list[dict[str, str]] = []
    beside: list[str] = []
    is_logged = any(_LOGGED.search(part) for part in parts[1::2])
    for name, part in zip(parts[::2], parts[1::2], strict=True):
        shown = [match["text"] or match["other"] for match in _SHOWN.finditer(part)]
        sentences = [one for one in shown if len(one.split()) > 2 or len(unspaced_in(one)) > 3]
        if not sentences:
            continue
        if len(set(sentences)) > 1:
            return None
        said = {match["key"]: match["text"] or match["bare"] for match in _LOGGED.finditer(part)}
        if not said and is_logged:
            beside.append(sentences[0])  # consent, instructions
            continue
        own = {} if said else {f"name_{n}": word for n, word in enumerate(re.split(r"[-_. ]", name[1:-1]), 1)}
        rows.append({**said, **own, "sentence": sentences[0]})
    if len(rows) < 2 or len({tuple(row) for row in rows}) != 1 or len(rows[0]) < 3:
        return None
    silent = len(parts) // 2 - len(rows) - len(beside)
    left = f"; {silent} trials without a sentence are left out" if silent else ""
    left += f"; trials that log nothing are left out: {' / '.join(text[:40] for text in beside[:3])}" if beside else ""
    return Scripted(
        json.dumps(rows, ensure_ascii=False, indent=1) + "\n", ".json", f"the sentences of the trials of a script{left}"
    )


def _of_names(found: dict[str, Any]) -> Scripted | None:
    if not found:
        return None
    value = next(iter(found.values())) if len(found) == 1 else found
    told = f"the list {next(iter(found))} of a script" if len(found) == 1 else f"the lists {', '.join(found)} of a script"
    return Scripted(json.dumps(value, ensure_ascii=False, indent=1) + "\n", ".json", told)


def _python_lists(text: str) -> dict[str, Any]:
    """The lists of sentences that a program in Python gives names; nothing of it is run."""
    found: dict[str, Any] = {}
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return {}
    for step in body:
        if isinstance(step, ast.Assign) and len(step.targets) == 1 and isinstance(step.targets[0], ast.Name):
            try:
                value = json.loads(json.dumps(_with_keys(ast.literal_eval(_Literals().visit(step.value)))))
            except (ValueError, TypeError, RecursionError, MemoryError):
                continue
            if isinstance(value, list | dict) and _holds_sentences(value):
                found[step.targets[0].id] = value
    return found


def _with_keys(value: Any) -> Any:
    """A dictionary whose keys are pairs, such as item and condition, as one within another."""
    if not isinstance(value, dict) or not value or not all(isinstance(key, tuple) and len(key) == 2 for key in value):
        return value
    made: dict[str, dict[str, Any]] = {}
    for (outer, inner), own in value.items():
        made.setdefault(str(outer), {})[str(inner)] = own
    return made


class _Literals(ast.NodeTransformer):
    """Calls of ``dict`` with names alone as the dictionaries that they are."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        if name == "dict" and not node.args and all(own.arg for own in node.keywords):
            keys: list[ast.expr | None] = [ast.Constant(own.arg) for own in node.keywords]
            return ast.Dict(keys, [own.value for own in node.keywords])
        return node


def files_of(text: str) -> list[str]:
    """The tables that a script reads its items from."""
    return list(dict.fromkeys(match["name"] for match in _FILE.finditer(text)))


def _lists(text: str) -> dict[str, Any]:
    """The lists that a script gives names, those of items alone where there are any; each to its name."""
    found: dict[str, Any] = {}
    for match in _SET.finditer(text):
        reader = _Reader(text, match.end())
        try:
            value = reader.value()
        except _NoLiteralError:
            continue
        if isinstance(value, list | dict) and value and _holds_sentences(value):
            found[" ".join(match["name"].split())] = value
    shown = {name: value for name, value in found.items() if ibex_rows(value) is not None}
    if "items" in found:
        return {"items": found["items"]}
    return shown or found


def _holds_sentences(value: Any) -> bool:
    """Whether several texts of several words stand in it."""
    texts: list[str] = []
    rest = [value]
    while rest:
        one = rest.pop()
        rest += one if isinstance(one, list) else list(one.values()) if isinstance(one, dict) else []
        if isinstance(one, list) and len(one) > 2 and all(isinstance(part, str) for part in one):
            one = " ".join(one)  # the regions of a sentence
        if isinstance(one, str) and (len(one.split()) > 2 or len(unspaced_in(one)) > 3):
            texts.append(one)
    return len(texts) > 1


def _listed(text: str) -> Any:
    """One list, or what stands between the brackets of one; None where the text is something else."""
    reader = _Reader(text, 0)
    values = []
    try:
        while not reader.is_end():
            values.append(reader.value())
            if not reader.takes(","):
                reader.takes(";")
    except _NoLiteralError:
        return None
    if len(values) == 1 and not (isinstance(values[0], list) and ibex_rows(values) is not None):
        return values[0]
    return values or None


class _Reader:
    """Literals, from a place of a text on."""

    def __init__(self, text: str, at: int) -> None:
        self._text = text
        self._at = at
        self._depth = 0

    def is_end(self) -> bool:
        self._skip()
        return self._at >= len(self._text)

    def takes(self, sign: str) -> bool:
        self._skip()
        if self._text.startswith(sign, self._at):
            self._at += len(sign)
            return True
        return False

    def value(self) -> Any:
        found = self._one()
        while self.takes("+"):
            other = self._one()
            if not (isinstance(found, str) and isinstance(other, str)):
                raise _NoLiteralError
            found += other
        return found

    def _one(self) -> Any:
        self._skip()
        sign = self._text[self._at : self._at + 1]
        if sign in ("[", "{"):
            self._depth += 1
            if self._depth > _DEEPEST:
                raise _NoLiteralError
            found = self._list() if sign == "[" else self._object()
            self._depth -= 1
            return found
        if sign and sign in "\"'`":
            return self._string(sign)
        if (number := _NUMBER.match(self._text, self._at)) is not None:
            self._at = number.end()
            return float(number[0]) if re.search(r"[.eE]", number[0]) else int(number[0])
        if (name := _NAME.match(self._text, self._at)) is not None:
            self._at = name.end()
            if name[0] in ("function", "new", "async", "return", "class"):
                raise _NoLiteralError
            if self.takes("("):
                self._pass_over(")")
                return f"{name[0]}(...)"
            if self.takes("=>"):
                raise _NoLiteralError
            return _WORDS.get(name[0], name[0])
        raise _NoLiteralError

    def _list(self) -> list[Any]:
        self._at += 1
        found = []
        while not self.takes("]"):
            found.append(self.value())
            if not self.takes(","):
                if not self.takes("]"):
                    raise _NoLiteralError
                break
        return found

    def _object(self) -> dict[str, Any]:
        self._at += 1
        found: dict[str, Any] = {}
        while not self.takes("}"):
            key = self._one()
            if isinstance(key, list | dict) or key is None or str(key) in found or not self.takes(":"):
                raise _NoLiteralError
            found[str(key)] = self.value()
            if not self.takes(","):
                if not self.takes("}"):
                    raise _NoLiteralError
                break
        return found

    def _string(self, sign: str) -> str:
        made = []
        self._at += 1
        while (own := self._text[self._at : self._at + 1]) != sign:
            if not own or (own == "\n" and sign != "`") or self._text.startswith("${", self._at):
                raise _NoLiteralError
            if own == "\\":
                self._at += 1
                own = self._escaped()
            made.append(own)
            self._at += 1
        self._at += 1
        return "".join(made)

    def _escaped(self) -> str:
        own = self._text[self._at : self._at + 1]
        if (
            code := re.compile(r"u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}|x([0-9a-fA-F]{2})").match(self._text, self._at)
        ) is not None:
            self._at = code.end() - 1
            number = int(code[1] or code[2] or code[3], 16)
            if 0xD800 <= number < 0xE000 or number > 0x10FFFF:
                raise _NoLiteralError
            return chr(number)
        return "" if own == "\n" else _ESCAPES.get(own, own)

    def _pass_over(self, end: str) -> None:
        """Go behind the bracket that closes what was opened."""
        open_ones = [end]
        while open_ones:
            self._skip()
            own = self._text[self._at : self._at + 1]
            if not own:
                raise _NoLiteralError
            if own in "\"'`":
                self._string(own)
                continue
            if own in "([{":
                open_ones.append({"(": ")", "[": "]", "{": "}"}[own])
            elif own in ")]}" and own != open_ones.pop():
                raise _NoLiteralError
            self._at += 1

    def _skip(self) -> None:
        passed = _SKIPPED.match(self._text, self._at)
        self._at = passed.end() if passed is not None else self._at
