"""What programs and people write into a sentence that is no word of it: markup, entities, escapes, indices, brackets of a parse, tags, damage
of an encoding. The only place that finds such and takes it out: the same pattern does both, so that a file is asked about exactly what
``--clean`` would mend. It is taken out where somebody says so."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import islice

from gapsmith.bank.formats.asking import OVERRULED, Assumption, FileAnswer
from gapsmith.bank.formats.composing import compose
from gapsmith.bank.formats.edits import Edit, applied, edited, with_blank
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.latex import bare as bare_latex
from gapsmith.bank.formats.marks import around_pattern
from gapsmith.bank.formats.source import SourceFile

TAKEN_OUT = "taken_out"
"""The attribute of sentences that has what ``--take-out`` took out of them."""
_ODD = re.compile(r"[^\w\s.,;:?!'’\"“”()–—…-]|_|\s\s|[^\x00-\x7f]|[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""What a sentence has in it that may need a look."""
_SHOWN = 60

_TAG_NAMES = (
    "a|abbr|b|big|br|center|cite|code|del|div|em|font|h[1-6]|i|img|ins|kbd|label|li|mark|ol|p|pre|q|small|span|strike|strong|sub|sup|table|tbody|"
    "td|th|tr|tt|u|ul|var|wbr"
)
_HELD_TAG = re.compile(r"<(?P<name>sub|sup|del|strike)\b[^<>]*>[^<>]*</(?P=name)>", re.IGNORECASE)
_TAG = re.compile(rf"</?(?:{_TAG_NAMES})\b[^<>]*>|<!--.*?-->", re.IGNORECASE)
_ENTITY = re.compile(r"&(?:#\d{1,6}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8}\d{0,2});")
_MARKDOWN = re.compile(
    r"(?P<gone>~~(?=\S)[^~]+(?<=\S)~~)"
    r"|(?<![\w*])(?P<bold>\*\*\*|\*\*|__)(?=[^\W_])(?P<b>[^*]+?)(?<=[^\s])(?P=bold)(?![\w*])"
    r"|(?<![\w*])\*(?=[^\W_])(?P<em>[^*]+?)(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w_])_(?!x[\dA-Fa-f]{4}_)(?=[^\W_])(?P<us>[^_]+?)(?<=[^\s_])_(?![\w_])"
    r"|`(?P<code>[^`'’]+)`"
    r"|\[(?P<link>[^][]+)\]\((?:https?:|#|/)[^()]*\)"
    r"|\\(?P<escaped>[*_~`#+|<>-])"
)
_LATEX = re.compile(
    r"\\[A-Za-z]+\s*\{|\\(?:textit|emph|textbf|textsc|it|bf|em|sc)\b|\$[^$]*[_^\\][^$]*\$|``[^`']+''"
    r"|(?<=\w)\\['`^\"~=.]\{?\\?\w|\\['`^\"~=.]\{|\\[%&#_$]|\{\\\w+\b"
)
_ESCAPE = re.compile(
    r"\\(?:[nrt](?![a-z]*\{)(?!ext|ilde)|u\{?[0-9a-fA-F]{4}\}?|x[0-9a-fA-F]{2}|\\|/)|(?<!\w)\\[\"']|\\[\"'](?!\w)"
)
_ESCAPED = {"n": " ", "r": " ", "t": " ", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_RUN = re.compile(r"[^\x00-\x7f]{2,}")
_PLAIN_LETTER = re.compile(r"[À-ſ\u0370-\u04ff‐-⁞“”‘’„€™¿¡«»°§\u00a0]+")
"""Signs of which a text in two bytes or three each was damaged, if that they were."""
_INVISIBLE = re.compile(r"[\u200b\u200e\u200f\u202a-\u202e\u2060\ufeff\u00ad\ufffc]|[\x00-\x08\x0e-\x1b\x7f-\x84\x86-\x9f]")
_SPACES = re.compile(r"\s{2,}|[^\S ]")
_INDEX = re.compile(
    r"(?<![^\s(\[])(?P<trace>(?:t|e|ec)(?:_\{?\w{1,2}\}?|[₀-₉ᵢⱼₖ]+))(?=[\s.,;:?!)\]/|]|\Z)"
    r"|(?<=[^\W_])_\{[A-Za-z0-9,/ ]{1,6}\}|(?<=[^\W_])_(?:[i-n]|\d{1,2})(?![^\W_])|(?<=[])}])_\{?\w{1,3}\}?|(?<=[\w\])])[₀-₉ᵢⱼₖₘₙ⁰¹²³⁴-⁹]+"
)
_LABELLED = r"(?:[A-Z]{1,4}[A-Za-z]{0,3}(?:['’]|-[A-Z]+)?)"
_BRACKET = re.compile(
    rf"\[(?:_?\{{?{_LABELLED}\}}?(?=\s)\s+)?|(?<=[^\s])\s*\](?:_?\{{?{_LABELLED}\}}?(?=[\s.,;:?!\]]|\Z))?|\]|[{{}}⟨⟩⟦⟧「」【】]"
)
_EMPTY_BRACKETS = re.compile(r"[\[{<(] *(?:(?i:mask|blank|unk|oov)|_+|\.{2,}|…)? *[\]}>)]")
_SPECIAL = re.compile(r"</?s>|<(?:bos|eos|pad|sep|cls)>|\[(?:CLS|SEP|PAD|BOS|EOS)\]|<\|[^|<>]*\|>", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_LOOKED_AT, _NEARLY = 20, 0.8
_SUBWORD = re.compile(r" ?##(?=\w)|@@ | ?[▁Ġ]|</w>")
_POS = r"(?:[A-Z]{2,5}\$?|[A-Z]{1,4}\d?|[.,:;?!]|-[LR]RB-|PUNCT)"
_POS_TAG = re.compile(rf"(?<=\S)(?P<sign>[/_|])(?:{_POS})(?=\s|\Z)")


_JOINED = re.compile(r"(?<=[^\s_])_(?=[^\s_])")
"""An underscore with something on both sides, as presentation programs join the words that are shown together."""


def _of(pattern: re.Pattern[str], instead: Callable[[re.Match[str]], str]) -> Callable[[str], list[Edit]]:
    return lambda text: [(match.start(), match.end(), instead(match)) for match in pattern.finditer(text)]


def _joint(match: re.Match[str]) -> str:
    """What stands between two pieces: a blank where a word begins."""
    return " " if match[0][-1] in "▁Ġ" and match.start() > 0 else ""


def _in_html(text: str) -> list[Edit]:
    if not ("<" in text or "&" in text):
        return []
    found: list[Edit] = []
    for match in _HELD_TAG.finditer(text):
        found.append((*with_blank(text, match.start(), match.end()), ""))
    for match in _TAG.finditer(text):
        if any(start <= match.start() < end for start, end, _ in found):
            continue
        name = match[0].strip("</>").split()[0].casefold() if match[0].strip("</>") else ""
        if name in ("br", "p", "div", "li", "td", "tr", "hr"):
            around = text[match.start() - 1 : match.start()].isspace() or text[match.end() : match.end() + 1].isspace()
            at_end = not text[: match.start()].strip() or not text[match.end() :].strip()
            place = with_blank(text, match.start(), match.end()) if around or at_end else match.span()
            found.append((*place, "" if around or at_end else " "))
        else:
            found.append((match.start(), match.end(), ""))
    for match in _ENTITY.finditer(text):
        meant = html.unescape(match[0])
        if meant != match[0]:
            found.append((match.start(), match.end(), " " if meant == "\u00a0" else meant))
    return _apart(found)


def _in_markdown(text: str) -> list[Edit]:
    def instead(match: re.Match[str]) -> str:
        return next((part for part in match.group("b", "em", "us", "code", "link", "escaped") if part is not None), "")

    found = []
    for match in _MARKDOWN.finditer(text):
        place = match.span() if match["gone"] is None else with_blank(text, *match.span())
        found.append((*place, instead(match)))
    return found


def _in_latex(text: str) -> list[Edit]:
    if _LATEX.search(text) is None:
        return []
    made = bare_latex(text, {})
    moves = SequenceMatcher(None, text, made, autojunk=False).get_opcodes()
    return [(start, end, made[a:b]) for kind, start, end, a, b in moves if kind != "equal"]


def _in_escapes(text: str) -> list[Edit]:
    if "\\" not in text or _LATEX.search(re.sub(r"\\[\\/%&#_$]|~", "", text)) is not None:
        return []
    found: list[Edit] = []
    for match in _ESCAPE.finditer(text):
        sign = match[0][1:]
        if sign in ("n", "r", "t"):
            around = text[match.start() - 1 : match.start()].isspace() or text[match.end() : match.end() + 1].isspace()
            found.append((match.start(), match.end(), "" if around else " "))
        else:
            found.append((match.start(), match.end(), _ESCAPED.get(sign) or chr(int(sign.strip("ux{}"), 16))))
    return found


def _in_encoding(text: str) -> list[Edit]:
    """Runs of signs that are one or two of them in UTF-8, read as if each byte were a sign."""
    if text.isascii():
        return []
    found: list[Edit] = []
    for match in _RUN.finditer(text):
        try:
            raw = b"".join(sign.encode("latin-1") if "\x80" <= sign <= "\x9f" else sign.encode("cp1252") for sign in match[0])
            meant = raw.decode("utf-8")
        except UnicodeError:
            continue
        if _PLAIN_LETTER.fullmatch(meant):
            found.append((match.start(), match.end(), meant))
    return found


def _in_indices(text: str) -> list[Edit]:
    return [
        (*(match.span() if match["trace"] is None else with_blank(text, *match.span())), "") for match in _INDEX.finditer(text)
    ]


def _in_special(text: str) -> list[Edit]:
    return [(*with_blank(text, *match.span()), "") for match in _SPECIAL.finditer(text)]


_LISTED = re.compile(r"\s*[\[(]\s*(?P<words>(?:\"[^\"]*\"|'[^']*')(?:\s*,\s*(?:\"[^\"]*\"|'[^']*'))*)\s*,?\s*[\])]\s*")
_QUOTED_WORD = re.compile(r"\"([^\"]*)\"|'([^']*)'")


def _in_lists(text: str) -> list[Edit]:
    """A list of words as programs write it, such as ['The', 'dog', 'barks', '.'], as the sentence of these words."""
    if (match := _LISTED.fullmatch(text)) is None:
        return []
    words = [match[1] or match[2] or "" for match in _QUOTED_WORD.finditer(match["words"])]
    return [(0, len(text), compose(words)[0])] if len(words) > 1 else []


def _in_brackets(text: str) -> list[Edit]:
    if _EMPTY_BRACKETS.search(text):
        return []
    return [(match.start(), match.end(), "") for match in _BRACKET.finditer(text)]


def _in_capitals(text: str) -> list[Edit]:
    words = list(_WORD.finditer(text))
    marked = [n for n, word in enumerate(words) if n and len(word[0]) > 1 and word[0].isupper()]
    # One run of words within a sentence whose others are in small letters.
    if not marked or marked[-1] - marked[0] >= len(marked) or len(words) - len(marked) < 2:
        return []
    start, end = words[marked[0]].start(), words[marked[-1]].end()
    return [(start, end, text[start:end].lower())]


def _marked_by_capitals(found: ForeignSet) -> list[tuple[ForeignItem, ForeignSentence]]:
    """The sentences with words in capitals, where nearly all have such, and not the same one; a name such as NASA stands in few, or in all."""
    entries = [(item, s) for item in found.items for s in item.sentences if s.text.strip()]
    if not entries or sum(bool(_in_capitals(s.text)) for _, s in entries[:_LOOKED_AT]) < _NEARLY * len(entries[:_LOOKED_AT]):
        return []
    hits = [(item, s, edits[0]) for item, s in entries if (edits := _in_capitals(s.text))]
    kinds = {s.text[start:end] for _, s, (start, end, _) in hits}
    return [(item, s) for item, s, _ in hits] if len(hits) >= _NEARLY * len(entries) and len(kinds) > 1 else []


def _in_tags(text: str) -> list[Edit]:
    found = [*_POS_TAG.finditer(text)]
    # One word with a slash and capitals behind it, such as TCP/IP, is no sentence with tags.
    if len(found) < 2 or len(found) * 2 < len(text.split()):
        return []
    edits: list[Edit] = []
    for match in found:
        begin = text.rfind(" ", 0, match.start())
        if begin >= 0 and re.fullmatch(r"[.,:;?!]", text[begin + 1 : match.start()]):
            edits.append((begin, begin + 1, ""))  # a mark stands right behind its word
        edits.append((match.start(), match.end(), ""))
    return edits


@dataclass(frozen=True, slots=True)
class Kind:
    """Something that stands in sentences and is no word of them."""

    name: str
    what: str
    """In words."""
    done: str
    """What becomes of it."""
    edits: Callable[[str], list[Edit]]


KINDS: Mapping[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("encoding", "words damaged by a wrong encoding (UTF-8 read as something else)", "are mended", _in_encoding),
        Kind("lists", "words listed in brackets, as a program writes them", "become a sentence", _in_lists),
        Kind("html", "HTML", "is taken off, and entities are the signs they stand for", _in_html),
        Kind("escapes", "signs of a program's text, such as \\n or \\u00e9", "are what they stand for", _in_escapes),
        Kind("latex", "LaTeX", "is taken off", _in_latex),
        Kind("markdown", "Markdown, such as *…* or **…**", "is taken off; what is struck through goes", _in_markdown),
        Kind("subwords", "signs of a tokenizer within words", "are taken out, and words joined", _of(_SUBWORD, _joint)),
        Kind("special", "signs of a language model's input, such as <s> or [CLS]", "are taken out", _in_special),
        Kind("tags", "a tag behind each word", "are taken off", _in_tags),
        Kind("capitals", "words in capitals, as one marks a word", "are put into small letters", _in_capitals),
        Kind("underscores", "underscores between words", "become blanks", _of(_JOINED, lambda _: " ")),
        Kind("indices", "indices on words, or traces with one", "are taken off, traces with them", _in_indices),
        Kind("invisible", "signs that nobody sees", "are taken out", _of(_INVISIBLE, lambda _: "")),
        Kind("brackets", "brackets around parts of a sentence", "are taken off with their labels, and the words stay", _in_brackets),
        Kind("blanks", "blanks of another kind, or several in a row", "become one blank", _of(_SPACES, lambda _: " ")),
    )
}  # fmt: skip
"""By name, in the order in which they are looked for and mended."""
CLEANED = tuple(KINDS)
_TOLD = frozenset({"blanks", "invisible"})
"""Kinds that may belong to a sentence, such as the blank before a French question mark, or that the linter mends: they are told, and not
asked about."""
_SAID = frozenset({"underscores"})
"""Kinds that are taken out where somebody says so, and looked for elsewhere (`gapsmith.bank.formats.suspicious`)."""
_LATE = frozenset({"brackets", "blanks"})
"""Kinds that are looked for when what stands before and behind sentences is off."""


def _apart(edits: Sequence[Edit]) -> list[Edit]:
    found: list[Edit] = []
    for edit in sorted(edits):
        if not found or edit[0] >= found[-1][1]:
            found.append(edit)
    return found


def is_plain(text: str) -> bool:
    """Whether nothing but words and marks of a sentence stands in a text, which is quick to see."""
    return _ODD.search(text) is None


def odd_sentences(found: ForeignSet, source: SourceFile) -> list[tuple[ForeignItem, ForeignSentence]]:
    """The sentences that are not plain and not blank."""
    if source.known.get("plain") is found.items:
        return []
    odd = [(item, s) for item in found.items for s in item.sentences if _ODD.search(s.text) and s.text.strip()]
    if not odd:
        source.known["plain"] = found.items
    return odd


def cleaned(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set without what somebody said is to be cleaned or taken out. Refuses what is said and stands nowhere."""
    said, out = source.options.clean, source.options.take_out
    if not said and not out:
        return found
    if unknown := [name for name in said if name not in KINDS]:
        source.refuse(0, f"--clean knows no {unknown[0]!r}", hint=f"It knows: {', '.join(KINDS)}.")
    # In the order in which they are found, whatever the order in which they were said.
    kinds = [kind for kind in KINDS.values() if kind.name in said]
    pattern = re.compile(around_pattern(out)) if out else None
    times = dict.fromkeys((*(kind.name for kind in kinds), *out), 0)
    items = tuple(
        replace(item, sentences=tuple(_cleaned(s, kinds, pattern, times, out) for s in item.sentences)) for item in found.items
    )
    for name in times:
        if not times[name]:
            option = "--clean" if name in KINDS and name in said else "--take-out"
            source.refuse(0, f"no sentence has anything for {option} {name}", hint="Leave it out.")
    more = [
        Assumption(f"--clean {k.name}", f"{k.what}, in {times[k.name]:,} sentences: {k.done}", "as said", "said") for k in kinds
    ]
    if out:
        counted = ", ".join(f"{name} ({times[name]:,})" for name in out)
        more.append(Assumption("--take-out", f"{counted}, kept as the attribute {TAKEN_OUT}", "as said", "said"))
    note = "what was taken out of sentences is no part of them, and does not go out again with them"
    return replace(found, items=items, assumptions=(*found.assumptions, *more), notes=(*found.notes, note))


def _cleaned(
    sentence: ForeignSentence, kinds: Sequence[Kind], pattern: re.Pattern[str] | None, times: dict[str, int], out: Sequence[str]
) -> ForeignSentence:
    if pattern is not None and (matches := [m for m in pattern.finditer(sentence.text) if m[0]]):
        for name in out:
            times[name] += any(re.fullmatch(around_pattern([name]), m[0]) for m in matches)
        edits = _apart([(*with_blank(sentence.text, *m.span()), "") for m in matches])
        held = "; ".join(m[0].strip() for m in matches)
        sentence = replace(edited(sentence, edits), attributes={**sentence.attributes, TAKEN_OUT: held})
    elif pattern is not None:
        sentence = replace(sentence, attributes={**sentence.attributes, TAKEN_OUT: ""})
    for kind in kinds:
        if edits := kind.edits(sentence.text):
            times[kind.name] += 1
            sentence = edited(sentence, edits)
    if kinds and sentence.text != sentence.text.strip():
        first, last = len(sentence.text) - len(sentence.text.lstrip()), len(sentence.text.rstrip())
        ends: list[Edit] = [(0, first, ""), (last, len(sentence.text), "")]
        sentence = edited(sentence, [edit for edit in ends if edit[0] < edit[1]])
    return sentence


def expect_clean(found: ForeignSet, source: SourceFile, *, late: bool = False) -> ForeignSet:
    """The set, with what is told of its sentences. Asks about kinds that stand in sentences; where somebody said that the file is as it is,
    by its format, they are told."""
    if source.options.as_it_is:
        return found
    odd = odd_sentences(found, source)
    capitals = [] if late else _marked_by_capitals(found)
    if not odd and not capitals:
        return found
    said = source.known.get("format") is not None
    told: list[Assumption] = []
    for kind in KINDS.values():
        if (kind.name in _LATE) != late or kind.name in source.options.clean or kind.name in _SAID:
            continue
        hits = [(item, s, edits) for item, s in (capitals if kind.name == "capitals" else odd) if (edits := kind.edits(s.text))]
        if not hits:
            continue
        item, sentence, edits = hits[0]
        start, end, _ = edits[0]
        shown = _around(sentence.text, start, end)
        stand = f"{len(hits):,} of {sum(len(i.sentences) for i in found.items):,} sentences"
        if said or kind.name in _TOLD or (kind.name == "encoding" and source.options.encoding is not None):
            why = OVERRULED if said and kind.name not in _TOLD else f"in {stand}, such as item {item.label}: {shown}"
            # What would only be told needs no answer.
            ways = tuple(_ways(kind, [s.text for _, s, _ in hits], source)) if said and kind.name not in _TOLD else ()
            told.append(
                Assumption("in sentences", f"{kind.what}, taken as words of them", why, "assumed", f"--clean {kind.name}", ways)
            )
            continue
        meant = applied(sentence.text, edits)
        source.ask(
            sentence.line,
            f"{kind.what} in {stand}, such as item {item.label}: {shown}",
            f"The sentences have {kind.what} in them ({stand}), such as: {shown}. Is that no part of them? It would be read as: {meant[:160]}",
            list(_ways(kind, [s.text for _, s, _ in hits], source)),
            hint=f"If it belongs to the sentences, say --format {found.shape}.",
        )
    return replace(found, assumptions=(*found.assumptions, *told)) if told else found


def _ways(kind: Kind, texts: Sequence[str], source: SourceFile) -> Iterator[FileAnswer]:
    options = source.options
    way = FileAnswer("yes", f"{kind.what}: {kind.done}", {"clean": (*options.clean, kind.name)})
    groups = sorted({match[0][0] for text in texts for match in re.finditer(r"\[[^][]*\]|\{[^{}]*\}", text)})
    if kind.name != "brackets" or not groups:
        yield way
        return
    held = tuple(f"{sign}...{'}' if sign == '{' else ']'}" for sign in groups)
    behind = [match[0].strip() for text in texts if (match := _HELD_BEHIND.search(text)) is not None]
    if behind:
        # What brackets hold behind the end of a sentence is no word of it.
        forms = tuple(dict.fromkeys(f"{one[0]}...{one[-1]}" for one in behind))
        means = "brackets behind sentences are taken off, and what they hold is kept beside the sentence"
        yield FileAnswer("yes", means, {"strip_suffixes": (*options.strip_suffixes, *forms)})
        return
    yield replace(way, word="words")
    if _marks_a_word(texts):
        return
    yield FileAnswer("all", "the brackets go with what they hold", {"take_out": (*options.take_out, *held)})


_HELD_BEHIND = re.compile(r"(?<=[.?!…\"'”’»])\s+(?P<held>[\[{][^][{}]*[\]}])\s*\Z|(?<=[.?!…\"'”’»])[\[{][^][{}]*[\]}]\s*\Z")


def _marks_a_word(texts: Sequence[str]) -> bool:
    """Whether brackets mark a word of the sentences, as one marks the critical one: one pair in each, around words before which and behind
    which the sentence goes on, and others in several sentences. Without them the sentences would lack a word."""
    held = [re.findall(r"[\[{]([^][{}]+)[\]}]", text) for text in texts]
    within = [re.fullmatch(r".*\w\W*[\[{][^\W\d][^][{}]*[\]}](?: .*\w.*|[.?!,]?)", text) for text in texts]
    return len(set(map(tuple, held))) > 1 and all(len(own) == 1 for own in held) and all(within)


def _around(text: str, start: int, end: int) -> str:
    """A sentence, cut around a place."""
    text = "".join(sign if sign.isprintable() else f"<U+{ord(sign):04X}>" for sign in text)
    if len(text) <= 2 * _SHOWN:
        return text
    first, last = max(0, start - _SHOWN), min(len(text), end + _SHOWN)
    return f"{'…' * (first > 0)}{text[first:last]}{'…' * (last < len(text))}"


def some(labels: Sequence[str], most: int = 4) -> str:
    """The first labels of several."""
    return f"{', '.join(islice(labels, most))}{' …' if len(labels) > most else ''}"
