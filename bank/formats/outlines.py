"""Lists within lists, of a web page or in Markdown: sentences below items and the names of conditions, as rows; lists without such names, as the
lines that a reader sees."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser

from gapsmith.bank.formats.folder import APART, SHARED
from gapsmith.bank.formats.likeness import shared_within

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_APART = frozenset({"p", "div", "section", "article", "ul", "ol", "dl", "li", "dt", "dd", "body", *_HEADINGS})
_UNSEEN = frozenset({"script", "style", "title", "head", "template"})
_STRUCK = frozenset({"del", "s", "strike"})
_MARKED = re.compile(r"(?P<indent>[ \t]*)(?P<mark>[-*+•]|\d{1,4}[.)]|[a-zA-Z][.)])[ \t]+(?P<text>\S.*)")
_HEAD = re.compile(r"(?P<level>#{1,6})[ \t]+(?P<text>\S.*)")
_NESTED = re.compile(r"^(?:[ \t]+(?:[-*+•]|\d{1,4}[.)]|[a-zA-Z][.)])[ \t]|#{1,6}[ \t])", re.MULTILINE)
"""A line within a list, or a heading: a text with neither is no outline."""
_EMPHASIS = re.compile(r"(\*\*|__|`)(?=\S)")
_EMPHASIS_ENDS = {mark: re.compile(rf"(?<=\S){re.escape(mark)}") for mark in ("**", "__", "`")}
_LABELLED = re.compile(r"(?P<label>[^\s:][^:]{0,40}?)\s*:\s+(?P<text>\S+ .*\S)")
_LETTERED = re.compile(r"\(?(?P<label>[a-h])[.)]\s+(?P<text>\S+ .*\S)")
_NUMBERED = re.compile(r"[^\W\d_]{0,20}[ _#.-]{0,2}\d{1,5}[a-z]?")
_WORD_AND_NUMBER = re.compile(r"(?P<word>[^\W\d_]+)[ _#.-]*(?P<number>\d{1,5})")
_BOTH = re.compile(r"(?:[^\W\d_]+ )?#?(?P<item>\d{1,5})(?:[ _.:,/-]+(?P<condition>[^\W\d][\w +-]{0,30})|(?P<letter>[a-h]))")
"""An item's number with the name of a condition."""
_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*\Z")
_WORDS_FOR_ITEMS = frozenset({"", "item", "set", "pair", "stimulus", "example", "quartet"})
_ABOVE = 8
"""More lines above the lists are a text with lists in it."""
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(slots=True)
class _Entry:
    """A line of an outline with what stands below it."""

    text: str
    line: int
    mark: str = ""
    """What numbers it where it stands, such as ``1`` or ``a``; empty for a point and for a heading."""
    is_head: bool = False
    below: list[_Entry] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Outline:
    """What an outline says: rows under headings, or lines where nothing names conditions."""

    rows: tuple[tuple[str, ...], ...]
    """The headings, and a row for each sentence."""
    lines: tuple[str, ...]
    places: tuple[int, ...]
    """The line of each row below the headings, or of each line."""
    left: tuple[str, ...] = ()
    """What stood above or beside the items, and is left out."""
    is_assumed: bool = False
    """Whether only the words of the sentences say which of them are an item."""


def outline_of_html(text: str) -> Outline | None:
    """The lists and lines of a web page; None where it has not two of them."""
    parser = _Page()
    feed(parser, text)
    return _outline(parser.top, always=True)


def feed(parser: HTMLParser, text: str) -> None:
    """Have a page read to its end. A bracket that nothing closes is text: of many of them, Python's own reader looks at all that follows
    for each."""
    end = text.rfind(">") + 1
    parser.feed(text[:end] + text[end:].replace("<", "&lt;"))
    parser.close()


def outline_of_markdown(text: str, suffix: str) -> Outline | None:
    """Lists within lists, or below headings that number items; None for all other texts, among them those in which a star may judge."""
    if suffix not in (".md", ".markdown") and re.search(r"^[ \t]*(?:\*|[^-+•#\w\s(])", text, re.MULTILINE):
        return None
    if _NESTED.search(text) is None:
        return None
    top: list[_Entry] = []
    stack: list[tuple[int, _Entry]] = []
    heads = 0
    above: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.rstrip()
        if not bare.strip() or re.fullmatch(r"\s*(?:-{3,}|\*{3,}|={3,})\s*", bare):
            continue
        if (head := _HEAD.fullmatch(bare)) is not None:
            depth, entry = (
                len(head["level"]) - 10,
                _Entry(_plain(head["text"][0] + head["text"][1:].rstrip(" \t#")), number, is_head=True),
            )
            heads += 1
        elif (marked := _MARKED.fullmatch(bare)) is not None:
            depth = len(marked["indent"].expandtabs(4))
            mark = "" if marked["mark"] in "-*+•" else marked["mark"].rstrip(".)")
            entry = _Entry(_plain(marked["text"]), number, mark)
        elif stack and stack[-1][1].is_head:
            depth, entry = 0, _Entry(_plain(bare.strip()), number)
        elif not top:
            above.append(bare.strip())
            if len(above) > _ABOVE:
                return None
            continue
        elif not bare[0].isspace():
            return None  # a text between the lists
        else:
            stack[-1][1].text += f" {bare.strip()}"
            continue
        while stack and stack[-1][0] >= depth:
            stack.pop()
        (stack[-1][1].below if stack else top).append(entry)
        stack.append((depth, entry))
    deep = max((_depth(entry) for entry in top), default=0)
    if deep < 2 or (above and heads):
        return None
    found = _outline(top, always=False)
    return found and replace(found, left=(*above, *found.left))


def _plain(text: str) -> str:
    """A text without the marks that stand around emphasised words."""
    kept: list[str] = []
    at = begin = 0
    # A mark that closes nowhere below one place closes nowhere below a later one either: it is looked for once.
    open_marks = dict(_EMPHASIS_ENDS)
    while open_marks and (match := _EMPHASIS.search(text, begin)) is not None:
        mark = match[1]
        begin = match.start() + 1
        if mark not in open_marks:
            continue
        if (end := open_marks[mark].search(text, match.end() + 1)) is None:
            del open_marks[mark]
            continue
        kept += (text[at : match.start()], text[match.end() : end.start()])
        at = begin = end.end()
    return "".join([*kept, text[at:]]).strip()


def _depth(entry: _Entry) -> int:
    return 1 + max(map(_depth, entry.below), default=0)


def _outline(top: list[_Entry], *, always: bool) -> Outline | None:
    left: list[str] = []
    items = top
    # What has everything below it is a title.
    while len(items) == 1 and items[0].below and (_depth(items[0]) > 2 or not _is_item(items[0])):
        if items[0].text:
            left.append(items[0].text)
        items = items[0].below
    while len(items) > 1 and any(entry.below for entry in items) and items[0].is_head and not items[0].below:
        left.append(items[0].text)
        items = items[1:]
    if (rows := _rows(items)) is not None:
        width = 4 if any(title for (*_, title), _line in rows) else 3
        table = (("item", "condition", "sentence", "title")[:width], *(row[:width] for row, _ in rows))
        return Outline(table, (), tuple(line for _, line in rows), tuple(left))
    if (listed := _listed(items)) is not None:
        table = (("item", "condition", "sentence"), *(row for row, _ in listed))
        return Outline(table, (), tuple(line for _, line in listed), tuple(left), is_assumed=True)
    if not always:
        return None
    lines = list(_lines(items))
    texts, places = tuple(line for line, _ in lines), tuple(number for _, number in lines)
    return Outline((), texts, places, tuple(left)) if len(lines) > 1 else None


def _rows(items: Sequence[_Entry]) -> list[tuple[tuple[str, str, str, str], int]] | None:
    """A row for each sentence; None where an entry is neither an item nor the name of a condition nor a sentence, or items have other
    conditions than the others."""
    found: list[tuple[tuple[str, str, str, str], int]] = []
    labels: set[str] = set()
    for place, item in enumerate(items, 1):
        if not item.below or _is_sentence(item.text):
            return None
        is_label = _NUMBERED.fullmatch(item.text) is not None or not item.mark
        label = (item.text if is_label else item.mark).rstrip(": ") or str(place)
        if (word := _WORD_AND_NUMBER.fullmatch(label)) is not None and word["word"].casefold() in _WORDS_FOR_ITEMS:
            label = word["number"]
        if (both := _BOTH.fullmatch(label)) is not None and len(item.below) == 1 and not item.below[0].below:
            found.append(((both["item"], both["condition"] or both["letter"], item.below[0].text, ""), item.below[0].line))
            continue
        if label in labels:
            return None
        labels.add(label)
        title = "" if is_label or item.text.rstrip(":").casefold() in _WORDS_FOR_ITEMS else item.text
        for entry in item.below:
            if entry.below:
                if len(entry.below) != 1 or entry.below[0].below or not entry.text or _is_sentence(entry.text):
                    return None
                found.append(((label, entry.text.rstrip(": "), entry.below[0].text, title), entry.below[0].line))
            elif (own := _LABELLED.fullmatch(entry.text) or _LETTERED.fullmatch(entry.text)) is not None:
                found.append(((label, own["label"], own["text"], title), entry.line))
            elif entry.mark and not entry.mark.isdecimal() and _is_sentence(entry.text):
                found.append(((label, entry.mark, entry.text, title), entry.line))
            else:
                return None
    by_item: dict[str, list[str]] = {}
    for (label, condition, *_), _line in found:
        by_item.setdefault(label, []).append(condition)
    sets = [frozenset(own) for own in by_item.values()]
    known = frozenset().union(*sets)
    are_once = all(len(one) == len(own) for one, own in zip(sets, by_item.values(), strict=True))
    is_shared = len(known) * 2 <= len(found) and sets.count(known) * 2 > len(sets)
    return found if len(sets) > 1 and are_once and len(known) > 1 and is_shared else None


def _listed(lists: Sequence[_Entry]) -> list[tuple[tuple[str, str, str], int]] | None:
    """A row for each sentence of lists that are a condition each, whose sentences of a place share their words; None for other lists."""
    sizes = {len(own.below) for own in lists}
    if len(lists) < 2 or len(sizes) != 1 or not sizes - {0, 1} or len({own.text for own in lists}) < len(lists):
        return None
    if any(not own.text or _is_sentence(own.text) for own in lists):
        return None
    if any(entry.below or len(entry.text.split()) < 2 for own in lists for entry in own.below):
        return None
    texts = [[entry.text for entry in own.below] for own in lists]
    across, within = shared_within([list(one) for one in zip(*texts, strict=True)]), shared_within(texts)
    if across < SHARED or across < APART * within:
        return None
    return [
        ((str(number), own.text.rstrip(": "), entry.text), entry.line)
        for own in lists
        for number, entry in enumerate(own.below, 1)
    ]


def _is_item(entry: _Entry) -> bool:
    return _NUMBERED.fullmatch(entry.text) is not None or bool(entry.mark)


def _is_sentence(text: str) -> bool:
    return len(text.split()) > 2 and _ENDED.search(text) is not None


def _lines(entries: Sequence[_Entry], indent: str = "") -> Iterator[tuple[str, int]]:
    """The entries as somebody sees them: numbers before them, and blank lines where a list within a list ends or a heading begins."""
    for n, entry in enumerate(entries):
        if (entry.is_head or entry.below) and n:
            yield "", entry.line
        if entry.text:
            yield f"{indent}{entry.mark}{'. ' if entry.mark else ''}{entry.text}", entry.line
        own = entry.below
        if not entry.text and entry.mark and own and not own[0].below:
            # An item that has no line of its own stands in the line of its first sentence.
            first, *rest = list(_lines(own, indent))
            yield (f"{entry.mark}{first[0].strip()}" if own[0].mark.isalpha() else first[0]), first[1]
            yield from rest
        else:
            yield from _lines(own, indent if entry.is_head else f"{indent}{'  ' if own and own[0].mark else ''}")


class _Page(HTMLParser):
    """The headings and lists of a web page as an outline; without what is struck, and what a browser does not show."""

    def __init__(self) -> None:
        super().__init__()
        self.top: list[_Entry] = []
        self._stack: list[tuple[int, _Entry]] = []
        """Headings and entries that are open, with their depth: a heading's below 0."""
        self._lists: list[tuple[str, str, int]] = []
        """The lists that are open: their tag, how they number, and the number of their last entry."""
        self._text: list[str] = []
        self._skipped = 0
        self._head = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        said = dict(attrs)
        if tag in _UNSEEN or tag in _STRUCK:
            self._skipped += 1
        if tag not in _APART:
            if tag == "br" and self._lists:
                self._text.append("\n")
            elif tag == "br":
                self._close()
            return
        self._close()
        if tag in ("ol", "ul", "dl"):
            start = said.get("start") or "1"
            self._lists.append((tag, said.get("type") or "1", int(start) - 1 if start.isdecimal() else 0))
        elif tag in ("li", "dt", "dd") and self._lists:
            name, kind, number = self._lists[-1]
            number = int(said["value"]) if (said.get("value") or "").isdecimal() else number + 1  # type: ignore[arg-type]
            self._lists[-1] = (name, kind, number)
            depth = 2 * len(self._lists) + (tag == "dd")
            self._open(depth, _Entry("", self.getpos()[0], _mark(name, kind, number)))
        elif tag in _HEADINGS:
            self._head = tag

    def handle_endtag(self, tag: str) -> None:
        if tag in _UNSEEN or tag in _STRUCK:
            self._skipped = max(0, self._skipped - 1)
        if tag not in _APART:
            return
        self._close()
        if tag in ("ol", "ul", "dl") and self._lists:
            self._lists.pop()
        elif tag in ("li", "dd") and self._stack:
            depth = 2 * len(self._lists) + (tag == "dd")
            while self._stack and self._stack[-1][0] >= depth:
                self._stack.pop()
        elif tag in _HEADINGS:
            self._head = ""

    def handle_data(self, data: str) -> None:
        if not self._skipped:
            self._text.append(re.sub(r"\s", " ", data))

    def close(self) -> None:
        super().close()
        self._close()

    def _close(self) -> None:
        """Put the words that were read to where they belong."""
        parts = [own for part in "".join(self._text).split("\n") if (own := " ".join(part.split()))]
        self._text = []
        if not parts:
            return
        if len(parts) > 1 and self._lists and self._stack and not self._stack[-1][1].text and not self._stack[-1][1].below:
            # Lines of one entry are what stands below it.
            self._stack[-1][1].below += [_Entry(part, self.getpos()[0]) for part in parts]
            return
        text = " ".join(parts)
        if self._head:
            self._open(-10 + int(self._head[1]), _Entry(text, self.getpos()[0], is_head=True))
        elif self._lists and self._stack and not self._stack[-1][1].is_head and not self._stack[-1][1].below:
            entry = self._stack[-1][1]
            entry.text = f"{entry.text} {text}".strip()
        elif not self._lists:
            self._open(1, _Entry(text, self.getpos()[0]))

    def _open(self, depth: int, entry: _Entry) -> None:
        while self._stack and self._stack[-1][0] >= depth:
            self._stack.pop()
        (self._stack[-1][1].below if self._stack else self.top).append(entry)
        self._stack.append((depth, entry))


def _mark(name: str, kind: str, number: int) -> str:
    if name != "ol":
        return ""
    if kind in ("a", "A") and 0 < number <= len(_LETTERS):
        return _LETTERS[number - 1].upper() if kind == "A" else _LETTERS[number - 1]
    return str(number)
