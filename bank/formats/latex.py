"""Examples in LaTeX: those of gb4e, linguex and expex, lists, and tables. What is set around a sentence (labels, footnotes, indices) is
taken off; letters below an example are its conditions, and marks of judgement stay before their sentences."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

SUFFIXES = frozenset({".tex", ".ltx", ".latex"})
_TEX = re.compile(r"\s*\\(?:documentclass|begin\{|ex[.\s\[{]|exg?\.|ex\Z|[a-h]\.\s|gll\b|pex\b|item\b)")
_COMMENT = re.compile(r"(?<!\\)%.*")
_LISTS = r"exe|xlist\w*|enumerate|itemize|examples?|subexamples?|xnumlist|exlist|covexamples?|covsubexamples?"
_TOKEN = re.compile(
    rf"(?P<begin>\\begin\{{(?:{_LISTS})\}}(?:\[[^]]*\])?)|(?P<end>\\end\{{\w+\*?\}}|\\xe\b)"
    r"|(?P<sub>\\[a-h]g?\.|(?<=\n)\s*\\a(?:g?\.|\b))"
    r"|(?P<ex>\\(?:exi\{[^{}]*\}|exg?\.?(?![A-Za-z])|item(?![A-Za-z])|pex(?![A-Za-z])))"
    r"|(?P<stop>\\z\.|\n[ \t]*\n|\\(?:sub)*section\*?\{[^{}]*\})"
)
_LABEL = re.compile(r"\s*\\(?:label|exlabel|tag)\s*\{(?P<label>[^{}]*)\}|\s*<(?P<tag>[^<>\s]*)>")
_MARK = re.compile(
    r"\s*\[\s*(?P<mark>\$?[*?#%]{0,3}\$?|\\?[#%])\s*\]"
    r"|\s*\\l?judge(?![A-Za-z])\s*(?:\[[^]]*\]\s*)?(?:\{(?P<held>[^{}]*)\}|(?P<bare>(?:\\?[*?#%]){1,3}))"
    r"|\s*(?P<above>(?:\\?[*?#%]){1,3})(?=\s*\{?\s*\\gl{2,4}(?![A-Za-z]))"
)
"""The mark of judgement of an example: in brackets behind its command, behind a command of its own, or before that of its glossed lines."""
_KEYS = re.compile(r"\s*\[(?P<keys>[^]=]*=[^]]*)\]")
"""What says how an example is laid out."""
_JUDGED = re.compile(r"\\l?judge(?![A-Za-z])\s*((?:\\?[*?#%]){1,3})")
_RAISED = re.compile(r"\$\s*(?:\{\})?\s*\^\s*(?:\{\s*)?(?P<mark>\\ast|(?:\\?[*?#%]){1,3})(?:\s*\})?\s*\$")
"""A raised mark of judgement, which is no index."""
_GLOSSED = re.compile(r"\s*\{?\s*\\g(?P<lines>l{2,4})(?![A-Za-z])")
"""The command of an example with glosses, which has an l for each of its lines."""
_GLOSSED_LINES = re.compile(r"\\begingl\b(?:\s*\[[^]]*\])?(?P<held>.*?)(?:\\endgl\b|\Z)", re.DOTALL)
"""A glossed example of expex, whose lines have a command each and end in ``//``."""
_GLOSS_LINE = re.compile(
    r"\\gl(?P<kind>a|b|c|d|ft|preamble)\b(?:\s*\[[^]]*\])?(?P<text>.*?)(?=//|\\gl(?:[a-d]|ft|preamble)\b|\Z)", re.DOTALL
)
_BREAK = re.compile(r"\\\\(?:\[[^]]*\])?")
_BEHIND = re.compile(r"\\(?:hfill|jambox|begin|end|trans|glt)\b")
_TRANSLATION = re.compile(r"\\(?:trans|glt)\b|\\(?:hfill|jambox|begin|end)\b.*", re.DOTALL)
_QUOTED = re.compile(r"\A\s*`+(.*?)'+[\s}]*\Z", re.DOTALL)
_QUOTED_LINE = re.compile(r"\S.*\n[ \t]*`[^\n]+'[\s}\\]*\Z")
_TABULAR = re.compile(r"\\begin\{(tabularx?|longtable|tabu|array)\*?\}(.*?)\\end\{\1\*?\}", re.DOTALL)
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|endhead|endfirsthead|endfoot|endlastfoot|cline\{[^{}]*\}|cmidrule(?:\([^()]*\))?\{[^{}]*\})"
)
_GONE = re.compile(
    r"\\(?P<name>label|ref|eqref|footnote|footnotemark|footnotetext|cite\w*|parencite|textcite|index|hspace\*?|vspace\*?|phantom|jambox\*?|"
    r"textsubscript|sub|todo|marginpar|pagebreak)\s*(?:\[[^]]*\])*\s*\{(?:[^{}]|\{[^{}]*\})*\}"
)
_NOTES = frozenset({"footnote", "footnotetext", "todo", "marginpar"})
_NOTE = re.compile(r"\\(?:footnote|footnotetext|todo|marginpar)\s*(?:\[[^]]*\])*\s*\{(?P<held>(?:[^{}]|\{[^{}]*\})*)\}")
"""A note, which somebody may have written about its sentence."""
_STRUCK = re.compile(r"\\(?:sout|xout|st|cancel|xcancel|hcancel|textst|del|deleted)\s*\{(?P<held>(?:[^{}]|\{[^{}]*\})*)\}\s?")
_INDEX = re.compile(r"\$\s*[_^]\s*(?:\{[^{}]*\}|\\?\w+)\s*\$|_\{[^{}]*\}")
_TRACE = re.compile(r"(?<![\w'])(?:\\emph|\\textit)?\{?\s*[te]\s*\}?(?=\$\s*_|_\{|\$_)")
"""The trace of a gap, which has an index and is no word."""
_WRAP = re.compile(r"\\(?P<name>[A-Za-z]+)\*?\s*\{(?P<held>[^{}]*)\}")
_PLAIN = frozenset(
    {"textit", "emph", "textbf", "textsc", "underline", "uline", "mbox", "text", "textrm", "textsf", "texttt", "textup"}
    | {"textnormal", "ljudge", "judge", "llap", "em", "it", "bf", "sc", "small", "alert"}
)
_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
_NAMED_ACCENTS = {"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a", "d": "\u0323"}
_LETTERS = {
    "ss": "ß", "o": "ø", "O": "Ø", "ae": "æ", "AE": "Æ", "oe": "œ", "aa": "å", "AA": "Å", "l": "ł", "i": "ı", "ldots": "…", "dots": "…",
    "textellipsis": "…", "textquoteright": "’", "textquotesingle": "'", "emptyset": "∅", "varnothing": "∅", "textasteriskcentered": "*",
    "ast": "*", "textendash": "–", "textemdash": "—", "slash": "/", "textbackslash": "\\",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Examples:
    """What a document holds of examples or tables."""

    rows: tuple[tuple[str, str, str, str, str], ...] = ()
    """Number, letter, sentence, gloss and translation of the examples with letters; the last two are empty where there are none."""
    lines: tuple[str, ...] = ()
    """The sentences of the others."""
    places: tuple[int, ...] = ()
    """The line of each of the rows, or of the lines where there are no rows."""
    tables: tuple[tuple[tuple[str, ...], ...], ...] = ()
    dropped: tuple[str, ...] = ()
    """The commands that were taken off and are not known."""
    are_tagged: bool = False
    """Whether labels in the document, the same in every item, say the conditions instead of letters."""
    broken: tuple[tuple[int, str], ...] = ()
    """Line and sentence of the examples of several lines, of which nothing says that they are a gloss and a translation."""


@dataclass(slots=True)
class _Found:
    rows: list[tuple[str, str, str, str, str, int]] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    """The label of each row; empty where it has none."""
    dropped: dict[str, None] = field(default_factory=dict)
    broken: list[tuple[int, str]] = field(default_factory=list)


def is_latex(text: str, suffix: str) -> bool:
    """Whether a text is LaTeX, by its name or by what lines begin with."""
    return suffix in SUFFIXES or ("\\" in text and sum(_TEX.match(line) is not None for line in text.split("\n")) > 1)


def examples_of(text: str) -> Examples | None:
    """The examples of a document, else its tables; None where it has neither."""
    text = "\n".join(_COMMENT.sub("", line) for line in text.replace("\r\n", "\n").split("\n"))
    found = _Found()
    _read(text, found)
    lettered = [row for row in found.rows if row[1]]
    broken = tuple(found.broken)
    if lettered:
        alone = tuple(row[2] for row in found.rows if not row[1])
        places = tuple(row[5] for row in lettered)
        tags = _conditions([(row[0], tag) for row, tag in zip(found.rows, found.tags, strict=True) if row[1]])
        rows = tuple((row[0], tag, *row[2:5]) for row, tag in zip(lettered, tags or [row[1] for row in lettered], strict=True))
        return Examples(rows, alone, places, dropped=tuple(found.dropped), are_tagged=bool(tags), broken=broken)
    if found.rows:
        if any(row[3] or row[4] for row in found.rows):
            found.dropped["glosses and translations"] = None
        lines, places = tuple(row[2] for row in found.rows), tuple(row[5] for row in found.rows)
        return Examples(lines=lines, places=places, dropped=tuple(found.dropped), broken=broken)
    tables = [_table(match[2], found) for match in _TABULAR.finditer(text)]
    tables = [rows for rows in tables if len(rows) > 1]
    return Examples(tables=tuple(tables), dropped=tuple(found.dropped)) if tables else None


def _conditions(labels: Sequence[tuple[str, str]]) -> list[str]:
    """What labels of examples call their conditions, or the ends of these labels: the same several in every item, each once; none where they
    number or name single sentences."""
    for own in ([tag for _, tag in labels], [re.split(r"[:._/-]", tag)[-1] for _, tag in labels]):
        by_item: dict[str, list[str]] = {}
        for (number, _), tag in zip(labels, own, strict=True):
            by_item.setdefault(number, []).append(tag)
        sets = {frozenset(tags) for tags in by_item.values()}
        if all(own) and len(by_item) > 1 and len(sets) == 1 and all(len(set(tags)) == len(tags) for tags in by_item.values()):
            return own
    return []


def _read(text: str, found: _Found) -> None:
    depth = number = letter = 0
    tokens = [*_TOKEN.finditer(text)]
    for n, token in enumerate(tokens):
        kind = token.lastgroup
        if kind == "begin":
            depth += 1
            letter = 0 if depth > 1 else letter
        elif kind == "end":
            depth = max(0, depth - 1)
        elif kind in ("ex", "sub"):
            is_sub = kind == "sub" or depth > 1
            if is_sub:
                letter = 1 if token[0].strip() in ("\\a.", "\\ag.") else letter + 1
            else:
                number, letter = number + 1, 0
            held = text[token.end() : tokens[n + 1].start() if n + 1 < len(tokens) else len(text)]
            # A sentence may go on behind a list that is no list of examples.
            sentence, gloss, translation, is_broken, tag = _sentence(
                held, found.dropped, is_glossed=token[0].strip().endswith("g.")
            )
            if sentence:
                line = text.count("\n", 0, token.end()) + 1
                letters = chr(96 + letter) if is_sub and letter <= 26 else ""
                found.rows.append((str(number), letters, sentence, gloss, translation, line))
                found.tags.append(tag)
                if is_broken:
                    found.broken.append((line, sentence))


def _sentence(held: str, dropped: dict[str, None], *, is_glossed: bool) -> tuple[str, str, str, bool, str]:
    """Of what stands behind the command of an example: its sentence, gloss and translation, whether the sentence has several lines of
    which nothing says what they are, and its label."""
    mark = tag = ""
    while True:
        if (label := _LABEL.match(held)) is not None:
            tag = (label["label"] or label["tag"] or "").strip() or tag
            held = held[label.end() :]
        elif (judged := _MARK.match(held)) is not None:
            own = judged["mark"] or judged["held"] or judged["bare"] or judged["above"] or ""
            mark, held = mark or re.sub(r"[$\\\s]", "", own), held[judged.end() :]
        elif (keys := _KEYS.match(held)) is not None:
            dropped[f"[{keys['keys'][:60]}]"] = None
            held = held[keys.end() :]
        else:
            break
    glosses, translation, is_broken = "", "", False
    if (marked := _GLOSSED_LINES.search(held)) is not None:
        lines_of: dict[str, list[str]] = {}
        for line in _GLOSS_LINE.finditer(marked["held"]):
            lines_of.setdefault(line["kind"], []).append(line["text"])
        glosses = " / ".join(filter(None, (bare(line, dropped) for kind in "bcd" for line in lines_of.get(kind, ()))))
        translation = " ".join(bare(_QUOTED.sub(r"\1", line.strip()), dropped) for line in lines_of.get("ft", ()))
        # What stands before the glossed lines is its mark of judgement.
        held = held[: marked.start()] + " ".join(lines_of.get("a", ()))
    elif (begun := _GLOSSED.match(held)) is not None or is_glossed:
        lines = _BREAK.split(held[begun.end() :] if begun is not None else held)
        count = len(begun["lines"]) if begun is not None else 2
        held, rest = lines[0], lines[count:]
        glosses = " / ".join(filter(None, (bare(line, dropped) for line in lines[1:count])))
        translation = bare(_QUOTED.sub(r"\1", _TRANSLATION.sub("", " ".join(rest))), dropped)
    else:
        held = _cut(held, dropped)
        is_broken = _BREAK.search(held.rstrip("\\ \t\n{}")) is not None or _QUOTED_LINE.search(held) is not None
    text = bare(_cut(held, dropped), dropped)
    if mark and not text:
        dropped[f"{mark} before no sentence"] = None
    return mark + text if text else "", glosses, translation, is_broken, tag


def _cut(held: str, dropped: dict[str, None]) -> str:
    """A sentence without what is set behind it, whose words are put down."""
    found = _BEHIND.search(held)
    if found is None:
        return held
    behind = " ".join(re.sub(r"\\[A-Za-z]+\*?|[{}$]", " ", held[found.end() :]).split())
    if any(map(str.isalnum, behind)):
        dropped[f"behind {found[0]}: {behind[:60]}"] = None
    return held[: found.start()]


def bare(text: str, dropped: dict[str, None]) -> str:
    """A text without the commands in it; those that are not known are put down."""
    for pattern, what in ((_STRUCK, "struck"), (_NOTE, "note")):
        for match in pattern.finditer(text):
            dropped[f"{what}: {match['held'][:60]}"] = None
    text = _STRUCK.sub("", text)
    for match in _GONE.finditer(text):
        if match["name"] not in _NOTES:
            dropped[match[0][:60]] = None
    text = _JUDGED.sub(r"\1", _RAISED.sub(lambda m: "*" if m["mark"] == "\\ast" else m["mark"], _GONE.sub("", text)))
    without = _TRACE.sub("", text)
    if without != text:
        dropped["traces of gaps (t with an index)"] = None
    for match in _INDEX.finditer(without):
        dropped[match[0]] = None
    text = _INDEX.sub("", without)
    text = re.sub(r"\\([%&#_${}])", lambda m: _HELD[m[1]], text)
    text = re.sub(
        r"\\(['`^\"~=.])\s*(?:\{\s*\\?(\w)\s*\}|\\?([A-Za-z]))", lambda m: _accented(m[2] or m[3], _ACCENTS[m[1]]), text
    )
    text = re.sub(r"\\([cvuHkrd])(?:\{(\w)\}|\s+(\w))", lambda m: _accented(m[2] or m[3], _NAMED_ACCENTS[m[1]]), text)
    text = re.sub(r"\\enquote\{([^{}]*)\}", r"“\1”", text)
    text = re.sub(r"\\([A-Za-z]+)(?![A-Za-z])(?:\{\}|(?=\W)|\Z) ?", lambda m: _LETTERS.get(m[1], m[0]), text)
    while (wrapped := _WRAP.search(text)) is not None:
        if wrapped["name"] not in _PLAIN:
            dropped[f"\\{wrapped['name']}"] = None
        text = text[: wrapped.start()] + wrapped["held"] + text[wrapped.end() :]
    text = (
        text.replace("\\\\", " ").replace("~", " ").replace("``", "“").replace("''", "”").replace("\\,", "").replace("\\ ", " ")
    )
    text = re.sub(r"---", "—", text).replace("--", "–")
    for name in re.findall(r"\\([A-Za-z]+\*?|[^\w\s,;:!@/>\-])", text):
        if name not in _PLAIN:
            dropped[f"\\{name}"] = None
    text = re.sub(r"\\[A-Za-z]+\*?\s?|\\[^\w\s]|[{}$]", "", text)
    for sign, held in _HELD.items():
        text = text.replace(held, sign)
    return " ".join(text.split())


_HELD = {sign: chr(0xE000 + n) for n, sign in enumerate("%&#_${}")}
"""What escaped signs are while commands are taken off."""


def _accented(letter: str, accent: str) -> str:
    return unicodedata.normalize("NFC", ("i" if letter == "ı" else letter) + accent)


_BRACED = r"\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\}"
_SPANNING = re.compile(
    rf"\\multi(?P<what>row|column)\s*(?:\[[^]]*\]\s*)?\{{(?P<count>[^{{}}]*)\}}\s*(?:\[[^]]*\]\s*)?(?:{_BRACED}|[*=])\s*(?:\[[^]]*\]\s*)?(?P<held>{_BRACED})"
)
"""A cell over several rows or columns: how many, how wide, and what it holds."""


def _spanned(match: re.Match[str]) -> str:
    """What a cell over several rows or columns holds, and the cells to its right that it takes."""
    count = match["count"].strip()
    right = int(count) - 1 if match["what"] == "column" and count.isdecimal() and len(count) < 3 else 0
    return match["held"][1:-1] + "&" * right


def _table(body: str, found: _Found) -> tuple[tuple[str, ...], ...]:
    body = re.sub(r"\A\s*(?:\[[^]]*\])?\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}\s*){1,2}", "", body)
    rows = []
    for line in re.split(r"\\\\(?:\[[^]]*\])?|\\tabularnewline", _SPANNING.sub(_spanned, _RULES.sub(" ", body))):
        cells = tuple(bare(cell, found.dropped) for cell in re.split(r"(?<!\\)&", line))
        if any(cells):
            rows.append(cells)
    return tuple(rows)
