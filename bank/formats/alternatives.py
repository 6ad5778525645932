"""Sentences that hold alternatives: ``was/*were``, ``{is|are}``, ``(is/are)``, ``[was / were]``. Each becomes a row of its own, with what was
chosen in a column; nothing is taken for alternatives unless somebody says so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from gapsmith.bank.formats.among import beside_items, is_heading
from gapsmith.bank.formats.headings import roles_of

CROSSED, PARALLEL = "crossed", "parallel"
COLUMN = "alternative"
"""The heading of what was chosen."""
_SIGN = r"[*?#%]{1,3}"
_WORD = rf"(?:{_SIGN})?[^\W\d_](?:[\w'’-]*\w)?"
_PLACE = re.compile(
    r"(?:[\[({<](?P<held>[^][(){}<>]*[/|][^][(){}<>]*)[\])}>]"
    r"|\{(?P<listed>[^][(){}<>/|]*,[^][(){}<>/|]*)\})(?:_?(?P<index>[₀-₉ᵢⱼₖ]|(?<=_)\{?\w{1,2}\}?(?!\w)|(?<=[}\])])\d(?!\w)))?"
    rf"|(?<![\w/|*])(?P<words>{_WORD}(?:/{_WORD})+|{_WORD}~{_WORD})(?![\w/|~])"
    rf"|(?<!\S)(?P<starred>{_WORD} [/|] {_SIGN}[^\W\d_][\w'’-]*)(?![\w/|])"
)
_LETTERED = r"(?:[(\[]?[a-h][.)\]]\s+)?"
_WHOLE = re.compile(
    rf"\s*{_LETTERED}(?P<one>(?:{_SIGN})?\s*\S.*?[.?!][\"'”’»]?)"
    r"(?:\s*//\s*|\s*\n\s*|\s+(?:/|\||vs\.?|--?|–|—|->|→|=>|>{1,2}|<)\s+)"
    rf"{_LETTERED}(?P<other>(?:{_SIGN})?\s*[^\W\d_a-z].*?[.?!][\"'”’»]?)\s*"
)
"""Two whole sentences in one line."""
_WITHIN = re.compile(r"(?<=\s)[*](?=[^\W\d_])")
"""A star before a word within a sentence."""
_OPTIONAL = re.compile(rf"(?P<needed>(?<!\S)\*)?\((?P<mark>{_SIGN})?(?P<word>[^\W\d_A-Z][\w'’-]*(?: [\w'’-]+)?)\)(?=[\s.,?!])")
"""A word that may be there or not: ``(that)``, ``(*that)``, ``*(that)``."""
_NO_CHOICE = frozenset({"and/or", "s/he", "he/she", "she/he", "him/her", "his/her", "w/o", "n/a", "either/or", "his/hers"})
_ELEMENT = re.compile(r"</?\w+[^<>]*/?>")
"""An element of HTML."""
_TAGGED = re.compile(r"\S*[^\W\d_A-Z]\S*/[A-Z]{1,4}\d?\$?|[A-Z]\w*/[A-Z]{2,4}\d?\$?")
"""A word with a tag."""
_EMPTY = frozenset({"", "∅", "ø", "Ø", "_", "-", "–", "—", "0"})
_ORDER = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")
_NUMBER = re.compile(r"\s*(?:[A-Za-z]{1,8} ?)?[(\[]?(?P<number>\d{1,5})(?:[)\].:,;\t]+\s*|\s{2,})")


@dataclass(frozen=True, slots=True)
class Alternatives:
    """A place of a sentence with its alternatives."""

    start: int
    end: int
    words: tuple[str, ...]
    """Without their marks."""
    marks: tuple[str, ...]
    is_bare: bool
    """Whether a slash between words is all that shows it."""
    index: str = ""
    """What stands behind it: places with the same index are chosen together."""


def choices_of(text: str) -> list[Alternatives]:
    """The places of a sentence that seem to hold alternatives."""
    if (two := _WHOLE.fullmatch(text)) is not None:
        parts = [two["one"].strip(), two["other"].strip()]
        marks = [mark[0] if (mark := re.match(_SIGN, part)) else "" for part in parts]
        words = [part[len(mark) :].strip() for part, mark in zip(parts, marks, strict=True)]
        within = [_WITHIN.findall(word) for word in words]
        if not any(marks) and sorted(map(len, within)) == [0, 1]:
            # The star stands where the problem is, and says the same of its sentence as one before it.
            marks = [own[0] if own else "" for own in within]
            words = [_WITHIN.sub("", word) for word in words]
        return [Alternatives(0, len(text), tuple(words), tuple(marks), is_bare=False)]
    found = [
        Alternatives(
            match.start(),
            match.end(),
            (match["word"], ""),
            (match["mark"] or "", "*" if match["needed"] else ""),
            is_bare=False,
        )
        for match in _OPTIONAL.finditer(text)
        if text[: match.start()].strip()
    ]
    for match in _PLACE.finditer(text):
        if match[0].casefold() in _NO_CHOICE or _ELEMENT.fullmatch(match[0]) or _TAGGED.fullmatch(match[0]):
            continue
        if match["listed"] is not None and re.search(r"[\"']\s*:", match["listed"]):
            continue  # an object of JSON
        held = match["held"] or match["words"] or match["starred"] or match["listed"]
        sign = "," if match["listed"] is not None else r"\|" if "|" in held else "~" if "~" in held else "/+"
        parts = [part.strip() for part in re.split(sign, held)]
        marks = [mark[0] if (mark := re.match(_SIGN, part)) else "" for part in parts]
        words = [part[len(mark) :].strip() for part, mark in zip(parts, marks, strict=True)]
        words = ["" if word in _EMPTY else word for word in words]
        # A norm behind the sentence, or numbers, are said of it.
        is_behind = match["held"] is not None and re.search(r"[.?!…][\"'”’»]?\s*\Z", text[: match.start()])
        are_words = any(words) and all(not word or re.search(r"[^\W\d_]", word) for word in words) and not re.search(r"\d", held)
        # The same word twice is a choice beside others, with which it goes.
        is_choice = len(set(words)) == len(words) or (match["words"] is not None and len(set(words)) == 1)
        if is_choice and len(words) <= len(_ORDER) and are_words and not is_behind:
            is_bare = match["words"] is not None and not any(marks)
            index = (match["index"] or "").strip("{}")
            found.append(Alternatives(match.start(), match.end(), tuple(words), tuple(marks), is_bare, index))
    if all(len(set(choice.words)) == 1 for choice in found):
        return []
    return sorted(found, key=lambda choice: choice.start)


def are_indexed(choices: Sequence[Alternatives]) -> bool:
    """Whether indices say which places of a sentence are chosen together: every place has one."""
    return bool(choices) and all(choice.index for choice in choices)


def _first_places(choices: Sequence[Alternatives]) -> list[int]:
    """The place that stands for each place: the first one with the same index, itself where there is no index."""
    first: dict[str, int] = {}
    return [first.setdefault(choice.index, n) if choice.index else n for n, choice in enumerate(choices)]


def sentences_of(text: str, choices: Sequence[Alternatives], how: str) -> Iterator[tuple[tuple[int, ...], str]]:
    """The sentences that a text makes, with the number of the alternative that was chosen at each place, and the mark of the worst
    before them."""
    sizes = [range(len(choice.words)) for choice in choices]
    own = _first_places(choices)
    free = [n for n, place in enumerate(own) if n == place]
    if how == PARALLEL:
        picks: Iterator[tuple[int, ...]] = zip(*sizes, strict=True)
    else:
        chosen_of = (dict(zip(free, pick, strict=True)) for pick in product(*(sizes[n] for n in free)))
        picks = (tuple(chosen[place] for place in own) for chosen in chosen_of)
    for pick in picks:
        made, behind, marks = "", 0, []
        for choice, chosen in zip(choices, pick, strict=True):
            made += text[behind : choice.start] + choice.words[chosen]
            behind = choice.end
            marks.append(choice.marks[chosen])
        made = re.sub(r" +(?=[ .,;:?!])", "", made + text[behind:]).strip()
        yield (
            pick,
            max(marks, key=lambda mark: ("*" in mark, bool(mark)), default="")
            + made[:1].upper() * (choices[0].start == 0)
            + made[choices[0].start == 0 :],
        )


def named(all_choices: Sequence[Sequence[Alternatives]], how: str) -> list[list[str]]:
    """What the alternatives at each place are called, place by place: by their words where these are the same in all sentences, as good
    and bad where one of two is marked everywhere, else by their place."""
    given = [choices for choices in all_choices if choices]
    if how == PARALLEL:
        # Of places that go together there may be more in one sentence than in another.
        least = min(map(len, given))
        names = [_names(list(own), is_alone=len(given[0]) == 1) for own in zip(*(c[:least] for c in given), strict=True)]
        told = next((own for own in names if own[:1] != [_ORDER[0]]), names[0])
        return [told, *([""] * len(told) for _ in range(max(map(len, given)) - 1))]
    names = [_names(list(own), is_alone=len(given[0]) == 1) for own in zip(*given, strict=True)]
    # What is chosen with an earlier place says nothing more.
    return [
        name if n == place else [""] * len(name)
        for n, (name, place) in enumerate(zip(names, _first_places(given[0]), strict=True))
    ]


def _names(own: Sequence[Alternatives], *, is_alone: bool) -> list[str]:
    count = max(len(choice.words) for choice in own)
    first = own[0]
    alike = all(choice.words == first.words for choice in own)
    if alike and all(choice.marks == first.marks for choice in own):
        return [re.sub(r"\s+", "_", word) or "none" for word in first.words]
    if is_alone and all(len(c.words) == 2 and [bool(mark) for mark in c.marks].count(True) == 1 for c in own):
        return ["good", "bad"]
    return [re.sub(r"\s+", "_", word) or "none" for word in first.words] if alike else list(_ORDER[:count])


def label(pick: Sequence[int], choices: Sequence[Alternatives], names: Sequence[Sequence[str]]) -> str:
    """What the condition is called in which these alternatives were chosen."""
    if names[0] == ["good", "bad"] and len(choices) == 1:
        return "bad" if choices[0].marks[pick[0]] else "good"
    return "_".join(filter(None, (own[chosen] for own, chosen in zip(names, pick, strict=False))))


def expanded(texts: Sequence[str], how: str) -> list[list[tuple[str, str]]]:
    """Of each text, its sentences, each with the label of its alternatives; a text without any as it is. Raises `ValueError` with the
    number of a text, from 0, that has other places than the first."""
    choices = [choices_of(text) for text in texts]
    filled = [own for own in choices if own]
    if not filled:
        raise ValueError(0)
    for number, own in enumerate(choices):
        wrong = own and (
            (len(own) != len(filled[0]) and how != PARALLEL)
            or any(len(one.words) != len(other.words) for one, other in zip(own, filled[0], strict=False))
            or (how != PARALLEL and _first_places(own) != _first_places(filled[0]))
            # Where nothing is chosen in the one place that there is, the two sentences would be the same.
            or (how != PARALLEL and any(len(set(one.words)) == 1 for one in own))
        )
        if wrong or (how == PARALLEL and len({len(choice.words) for choice in own}) > 1):
            raise ValueError(number)
    names = named(filled, how)
    return [
        [(label(pick, own, names), made) for pick, made in sentences_of(text, own, how)] if own else [("", text)]
        for text, own in zip(texts, choices, strict=True)
    ]


def rows_of(lines: Sequence[str], how: str) -> tuple[list[list[str]], list[int]]:
    """Lines of sentences as rows under headings, and the line, from 1, of each. Raises `ValueError` as `expanded` does."""
    filled = [(n, line) for n, line in enumerate(lines) if line.strip()]
    numbers = [_NUMBER.match(line) for _, line in filled]
    is_numbered = all(numbers) and len({match["number"] for match in numbers if match}) == len(numbers)
    texts = [line[match.end() :] if is_numbered and match else line for (_, line), match in zip(filled, numbers, strict=True)]
    try:
        found = expanded(texts, how)
    except ValueError as error:
        raise ValueError(filled[error.args[0]][0]) from None
    rows, places = [["item", COLUMN, "sentence"]], [filled[0][0] + 1]
    for count, ((place, _), match, own) in enumerate(zip(filled, numbers, found, strict=True), 1):
        item = match["number"] if is_numbered and match else str(count)
        rows += [[item, name, " ".join(text.split())] for name, text in own]
        places += [place + 1] * len(own)
    return rows, places


def apart_from_numbered(lines: Sequence[str]) -> list[int] | None:
    """The lines, by number from 1, among or above sentences that are numbered and most of which hold alternatives: headings, and what stands
    under one for practice or fillers. None where there are none, or where the others are not all numbered."""
    beside = beside_items(lines)
    filled = [(n, line) for n, line in enumerate(lines, 1) if line.strip()]
    kept = [(n, line) for n, line in filled if n not in beside and _NUMBER.match(line)]
    out = [n for n, _ in filled if (n, _) not in kept]
    others = [line for n, line in filled if n in out and n not in beside]
    first = kept[0][0] if kept else 0
    # Below the first of them only a heading is none of them; what is said above may be anything.
    are_apart = all(n < first or n in beside or is_heading(line) for n, line in filled if n in out)
    return out if out and len(kept) > 1 and len(others) <= len(kept) and are_apart else None


def column_of(top: Sequence[str], body: Sequence[Sequence[str]]) -> int | None:
    """The column most of whose cells hold alternatives within a sentence; the one with the longest cells of several."""
    able = [column for column in range(len(top)) if hold([row[column] for row in body if column < len(row)])]
    return max(able, key=lambda column: sum(len(row[column]) for row in body if column < len(row)), default=None)


def hold(texts: Sequence[str]) -> bool:
    """Whether nearly all sentences hold alternatives."""
    filled = [text for text in texts if len(text.split()) > 2]
    return (
        len(filled) > 1 and len(filled) * 2 > len(texts) and sum(bool(choices_of(text)) for text in filled) >= 0.8 * len(filled)
    )


def headings_with(top: Sequence[str], known_items: Sequence[str]) -> tuple[list[str], bool]:
    """The headings with those of what is added, and whether rows are numbered as items."""
    needs_item = "item" not in roles_of(top) and not any(heading in known_items for heading in top)
    return [*top, COLUMN, *(["item"] if needs_item else [])], needs_item
