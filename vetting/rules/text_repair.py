"""Typography of a sentence: what is wrong with its characters, where, and what would mend it.

All positions count characters of the text as it stands, half-open.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

_INVISIBLE = re.compile("[\u00ad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\x00-\x08\x0e-\x1f\x7f-\x9f]")
_SPACES = re.compile(r"^\s+|\s+$|\s{2,}|[^\S ]|\s+(?=[.!?,;:]+\s*$)")
_LABEL = re.compile(
    r"^\s*(?:\(?\d{1,4}[a-h]?[.):]\s*|\(?[a-hA-H][.)]\s+|\((?:[ivx]{1,4})\)\s*|[-•]\s+"
    r"|(?:[PM]F[PM]G|[pm]f(?:_[pm]g\d?)+|[+\-−]F(?:\s*[+\-−]G\d?)+)\s*[:,.]?\s+|(?:item|sentence|example)\s*\d+\s*[:.]?\s*)",
    re.IGNORECASE,
)
_STAR = re.compile(r"^\s*(?:\(?[*?#%✗✓✔✘]+\)?)\s*(?=[\w\"'“‘(])|(?<=[.!?\w])\s*\(?(?:\*|\?\?|✗|✓)\)?\s*$")
_FENCE = re.compile(r"`+(?:[a-z]+\n)?|~~")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3}|_{1,3})(?=[^\s*_])([^*_]*[^\s*_])\1(?!\w)")
_HTML = re.compile(r"</?[A-Za-z][^<>]{0,40}>|&(?:[a-z]{2,8}|#\d{1,6}|#x[0-9a-f]{1,5});", re.IGNORECASE)
_LATEX = re.compile(r"\\[a-zA-Z]+\{?|[{}]|\$")
_LINK = re.compile(r"\]\([^)]*\)")
_GAP = re.compile(
    r"[(\[<{]\s*(?:gap|trace|pg|e|ec|t|_+)(?:[_\s]?(?:\d|[ijk]))?\s*[)\]>}]"
    r"|(?<!\w)(?:t|e|pg|PG|GAP)_?(?:_[ijk\d]|_\{[ijk\d]\})(?!\w)|(?<=\w)_\{?[ijk\d]\}?(?!\w)|_+[ijk]?(?!\w)"
    r"|[∅Ø⌀ᵢⱼₖ₁₂]|\bGAP\d?\b|(?<![\w'’])[te](?![\w'’])|…|\.{3,}(?=\s*\S)"
)
_QUOTES = {'"': '"', "“": "”", "'": "'", "‘": "’", "«": "»", "„": "“"}
_ODD = re.compile(r"[‘’‛′´`“”„«»‐‑‒–—―…]")
_STRAY = re.compile(r"(?<!\w)['’]|['’](?!\w)|[^\w\s'’\-–—]|(?<!\w)-|-(?!\w)")
_BARE_MARK = re.compile(r"GAP| [te] ")
_PLAIN = re.compile(r"[A-Z][A-Za-z]*(?:['-][A-Za-z]+)*(?: [A-Za-z]+(?:['-][A-Za-z]+)*)*")
_CLOSING = re.compile(r"[.!?]+\W*")
_TERMINAL = ".!?"
_LOOK_ALIKE = str.maketrans(
    "аеорсухіѕјԁԛԝАВЕКМНОРСТУХІЅЈαοεικνρτυχΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aeopcyxisjdqwABEKMHOPCTYXISJaoeiknptuxABEZHIKMNOPTYX"
)
_SPACE_NAMES = {"\n": "a line break", "\r": "a line break", "\t": "a tab", "\u00a0": "a no-break space"}


@dataclass(frozen=True, slots=True)
class TextFlaw:
    """One fault in a text: characters ``[start, end)``, what it is, and the text that would stand there instead."""

    code: str
    start: int
    end: int
    message: str
    replacement: str
    certain: bool = False
    """Whether the replacement is what the writer meant beyond doubt, so that it may be applied unasked."""


@lru_cache(maxsize=65536)
def text_flaws(text: str, punctuation: str, own: str = "") -> tuple[TextFlaw, ...]:
    """The typographic faults of a sentence whose paradigm ends it with `punctuation` (possibly nothing) and has the marks `own`
    inside, left to right.

    No two faults overlap: what one rule has claimed, the next does not see."""
    body = text[: len(text) - len(punctuation)] if punctuation and text.endswith(punctuation) else text
    ended = not punctuation or body != text
    if ended and _PLAIN.fullmatch(body) and not _LABEL.match(text) and not _BARE_MARK.search(text):
        return ()
    found: list[TextFlaw] = []
    claimed = [False] * len(text)
    for flaw in _candidates(text):
        if flaw.code == "T040" and text[flaw.start : flaw.end] in own:
            continue
        span = range(flaw.start, flaw.end)
        if any(claimed[i] for i in span):
            continue
        for i in span:
            claimed[i] = True
        found.append(flaw)
    found.extend(_edges(text, punctuation, found))
    return tuple(sorted(found, key=lambda flaw: (flaw.start, flaw.end)))


def final_mark(texts: Iterable[str]) -> str:
    """The mark that most of the sentences end with; nothing where most end with none."""
    ends = Counter(next((mark for mark in _TERMINAL if text.rstrip().endswith(mark)), "") for text in texts)
    return max(ends, key=lambda end: (ends[end], end != ""), default="")


def repair_steps(text: str, punctuation: str) -> Iterator[str]:
    """The text after each of its certain repairs, one by one; nothing where it needs none."""
    for _ in range(6):
        flaws = [flaw for flaw in text_flaws(text, punctuation) if flaw.certain]
        before = text
        for flaw in reversed(flaws):
            text = text[: flaw.start] + flaw.replacement + text[flaw.end :]
            yield text
        if text == before:
            return


def repaired_text(text: str, punctuation: str) -> str:
    """The text with its certain repairs made, again and again until none is left."""
    return _apply(text, punctuation, certain_only=True)


@lru_cache(maxsize=65536)
def bare_text(text: str, punctuation: str, own: str = "") -> str:
    """The sentence under its typography, for reading it back: every repair made, certain or not."""
    return _apply(text, punctuation, own, certain_only=False)


def _apply(text: str, punctuation: str, own: str = "", *, certain_only: bool) -> str:
    for _ in range(6):
        flaws = [f for f in text_flaws(text, punctuation, own) if f.certain or not certain_only]
        mended = text
        for flaw in reversed(flaws):
            mended = mended[: flaw.start] + flaw.replacement + mended[flaw.end :]
        if mended == text:
            break
        text = mended
    return text


def _candidates(text: str) -> Iterator[TextFlaw]:
    for match in _INVISIBLE.finditer(text):
        message = f"holds an invisible character ({_name(match.group())})"
        yield TextFlaw("T033", *match.span(), message, "", certain=True)
    if label := _LABEL.match(text):
        yield TextFlaw("T038", *label.span(), f"starts with a number or label ({label.group().strip()!r})", "")
    yield from _marks(text)
    yield from _quotes(text)
    for match in _SPACES.finditer(text):
        yield _space_flaw(text, match.start(), match.end())
    for match in _ODD.finditer(text):
        plain = {"‘": "'", "’": "'", "‛": "'", "′": "'", "´": "'", "`": "'"}.get(match.group(), "-")
        between = match.start() > 0 and match.end() < len(text)
        if between and text[match.start() - 1].isalnum() and text[match.end()].isalnum():
            message = f"has {match.group()!r} where a keyboard has {plain!r}; models see different tokens"
            yield TextFlaw("T039", *match.span(), message, plain)
    for match in re.finditer(r"\w+", text):
        if not _one_script(match.group()):
            word = match.group()
            yield TextFlaw("T039", *match.span(), f"mixes scripts in {word!r}", word.translate(_LOOK_ALIKE))
    if not unicodedata.is_normalized("NFC", text):
        for match in re.finditer(r"\w[\u0300-\u036f]+", text):
            composed = unicodedata.normalize("NFC", match.group())
            yield TextFlaw("T039", *match.span(), f"has {composed!r} in two characters", composed)
    for match in _STRAY.finditer(text):
        if not _CLOSING.fullmatch(text, match.start()):
            yield TextFlaw("T040", *match.span(), f"has a stray {match.group()!r} inside", "")


def _marks(text: str) -> Iterator[TextFlaw]:
    for pattern in (_HTML, _LINK):
        for match in pattern.finditer(text):
            if not _GAP.fullmatch(match.group()):
                yield TextFlaw("T034", *match.span(), f"holds markup ({match.group()!r})", "")
    for match in _EMPHASIS.finditer(text):
        for start, end in ((match.start(), match.end(1)), (match.end() - len(match.group(1)), match.end())):
            yield TextFlaw("T034", start, end, f"holds markup ({match.group()!r})", "")
    for match in _FENCE.finditer(text):
        yield TextFlaw("T034", *match.span(), f"holds markup ({match.group()!r})", "")
    for match in _STAR.finditer(text):
        yield TextFlaw("T037", *match.span(), f"carries a judgment mark ({match.group().strip()!r})", "")
    for match in _GAP.finditer(text):
        yield TextFlaw("T036", *match.span(), f"shows its gap ({match.group()!r})", "")
    for match in _LATEX.finditer(text):
        yield TextFlaw("T034", *match.span(), f"holds markup ({match.group()!r})", "")


def _quotes(text: str) -> Iterator[TextFlaw]:
    stripped = text.strip()
    core = stripped.rstrip(_TERMINAL)
    if len(core) > 2 and core[0] in _QUOTES and core[-1] == _QUOTES[core[0]]:
        start = text.index(core)
        message = f"stands in quotation marks ({core[0]}…{core[-1]})"
        yield TextFlaw("T035", start, start + 1, message, "")
        yield TextFlaw("T035", start + len(core) - 1, start + len(core), message, "")


def _space_flaw(text: str, start: int, end: int) -> TextFlaw:
    piece = text[start:end]
    if start == 0:
        return TextFlaw("T031", start, end, "starts with a space", "", certain=True)
    if end == len(text):
        return TextFlaw("T031", start, end, "ends with a space", "", certain=True)
    if end < len(text) and text[end] in ".!?,;:":
        return TextFlaw("T031", start, end, f"has a space before {text[end]!r}", "", certain=True)
    if piece.strip(" "):
        odd = piece.strip(" ")[0]
        name = _SPACE_NAMES.get(odd) or f"the character {_name(odd)}"
        return TextFlaw("T031", start, end, f"has {name} for a space", " ", certain=True)
    return TextFlaw("T031", start, end, f"has {len(piece)} spaces in a row", " ", certain=True)


def _edges(text: str, punctuation: str, found: list[TextFlaw]) -> Iterator[TextFlaw]:
    claimed = {i for flaw in found for i in range(flaw.start, flaw.end)}
    first = next((i for i in range(len(text)) if i not in claimed and text[i].isalpha()), None)
    if first is not None and text[first].islower() and all(i in claimed for i in range(first)):
        message = f"starts with a small letter ({text[first : first + 12].split()[0]!r})"
        yield TextFlaw("T030", first, first + 1, message, text[first].upper(), certain=len(text[first].upper()) == 1)
    yield from _ending(text, punctuation, [i for i in range(len(text)) if i not in claimed])


def _ending(text: str, punctuation: str, free: list[int]) -> Iterator[TextFlaw]:
    """What is wrong with the final punctuation, looking only at the characters that no other fault has claimed."""
    marks: list[int] = []
    while free and text[free[-1]] in _TERMINAL and (not marks or free[-1] == marks[0] - 1):
        marks.insert(0, free.pop())
    ending = "".join(text[i] for i in marks)
    if ending == punctuation or not free:
        return
    start = free[-1] + 1
    if not ending:
        certain = start == len(text) and text[start - 1].isalnum()
        yield TextFlaw("T032", start, start, f"lacks the final {punctuation!r}", punctuation, certain=certain)
    elif not punctuation:
        message = f"ends in {ending!r}; this paradigm has no final punctuation"
        yield TextFlaw("T032", marks[0], marks[-1] + 1, message, "")
    else:
        message = f"ends in {ending!r} and not in {punctuation!r}"
        certain = set(ending) == {punctuation} and marks == list(range(marks[0], len(text)))
        yield TextFlaw("T032", marks[0], marks[-1] + 1, message, punctuation, certain=certain)


def _name(character: str) -> str:
    return unicodedata.name(character, f"U+{ord(character):04X}").lower()


def _one_script(word: str) -> bool:
    scripts = {unicodedata.name(c, "?").split()[0] for c in word if c.isalpha() and not c.isascii()}
    scripts |= {"LATIN"} if any(c.isascii() and c.isalpha() for c in word) else set()
    return scripts <= {"LATIN"} or len(scripts) == 1
