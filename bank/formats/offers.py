"""What may be said of a file that is refused: each way is tried before it is printed, and those that keep most of the file come first.
Nothing is decided here: whoever reads the file chooses."""

from __future__ import annotations

import contextlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from gapsmith.bank.formats.asking import OVERRULED, FileAnswer, ShapeError, UndecidedError
from gapsmith.bank.formats.columns import kinds_of, long_ways, region_ways, row_ways
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.headings import is_of_no_item, roles_of
from gapsmith.bank.formats.leaving_out import as_numbers
from gapsmith.bank.formats.likeness import likely_sizes, likeness_of, shared_within, words_of
from gapsmith.bank.formats.rewriting import comments_of, looks_like_json
from gapsmith.bank.formats.source import HEADING_CELL, SourceFile
from gapsmith.bank.formats.striking import sentences_among, struck
from gapsmith.bank.formats.text_items import among_ways
from gapsmith.bank.formats.word_rows import word_ways
from gapsmith.templates import FormatError

Read = Callable[[SourceFile, str | None], ForeignSet]
_TRIES, _ANSWERS = 16, 3
"""How many commands are tried before they are shown, and how many answers to one more question."""
_LEAST_ASKED = 0.9
"""A way that overrules a question is offered beside others only where these keep less than so much of what it keeps."""
_LEAST = 0.25
"""Of what keeps no more than this much of what the best way keeps, nothing is said."""
_SHARED = 0.2
"""Sentences of an item that share no more than this are of no item."""
_APART, _ACROSS, _PARTS = 2.0, 0.4, 6
"""A sentence that shares so many times as much with one of another item as with any of its own, and so much at all, belongs to that one; looked
at where a file was taken for so few items."""
_MORE = 1.2
"""Sentences of an item that share less than so many times what those of different items share are in no order."""
_MEASURED = 200
"""So many items say how alike the sentences of an item are."""
_ABOVE, _BELOW = 3, 12
"""At most so many lines may stand above what a file holds, and are unlike so many of the lines below them."""
_NUMBERED = re.compile(r"\W*(?:item\s*)?\d+\s*[a-z]?\s*[.:)\]]|\W*[a-z][.:)\]]", re.IGNORECASE)

_HEADING = re.compile(r"[^\W\d_][\w-]*(?: [\w()-]+){0,3}:?")
"""A line of a few words without the mark that ends a sentence."""
_ITEM_NUMBER = re.compile(r"\W*\d{1,4}\s*['’a-z]?\W*(?=\S* \S)", re.IGNORECASE)
_APART_LINES = 0.6
"""So many of the lines have a number where those without one are of no item."""
_ROWS_NUMBERED = 0.7
"""Where so many rows begin with a number, one that begins with words is a sum or a note."""
_ROWS_OUT = frozenset({"only", "leave_out", "once"})
_OPENING = frozenset({"header_row", "encoding", "sheets", "comment", "wrapped"})
"""What is said of a file and says nothing of its items."""
_ITEM_LETTER = re.compile(r"\W*\d{1,4}\s*([A-Za-z])\W*")
_LETTER = re.compile(r"\W*(?:\d+\W*)?[a-p][.)\]:]\s", re.IGNORECASE)
"""The letter of a sentence within an item: the lines below it are not all sentences."""


@dataclass(frozen=True, slots=True)
class Tried:
    """A way to take a file, with what the file does not say after it either."""

    answer: FileAnswer
    why: str = ""
    """Why the file is refused all the same, or why it is not to be read so; empty where nothing speaks against it."""
    worth: float = 0.0
    """How much of the file it keeps, to be compared with other ways to take the same file."""
    is_sound: bool = False
    """Whether all it makes sentences of has words, and the sentences of an item share some."""
    has_conditions: bool = False
    """Whether some item has several sentences."""
    is_read: bool = False
    """Whether it is read all the same where something speaks against it."""
    begin: FileAnswer | None = None
    """The answer with which it begins, where it says more than that."""


Begun = tuple[SourceFile, str | None, FileAnswer]
"""A file and its format as somebody brought them, and the first answer since: what another one brings in is held
against these."""


def answered(source: SourceFile, format: str | None, answer: FileAnswer) -> tuple[SourceFile, str | None]:
    """The file and its format as they are with an answer."""
    return replace(source, options=source.options.with_answer(answer), known={}), answer.options.get("format", format)


def tried(
    answers: Sequence[FileAnswer],
    source: SourceFile,
    format: str | None,
    read: Read,
    *,
    only_sound: bool = False,
    begun: Begun | None = None,
) -> list[Tried]:
    """The ways that take the file, those that keep most of it first; those that do not where none does, or where `only_sound` ones count."""
    # Which sheets are meant says nothing of how each is read, so that every one gets a way of its own.
    rounds = [[answer] for answer in answers] if all("sheets" in answer.options for answer in answers) else [answers]
    seen: dict[frozenset[tuple[str, object]], Tried] = {}
    for way in (way for own in rounds for way in _of(own, source, format, read, begun)):
        seen.setdefault(_all_said(way.answer), way)
    ways = list(seen.values())
    # What takes more, as all columns of a text, is the other answer, and no measure of those that choose.
    best = max((way.worth for way in ways if way.answer.word != "all"), default=0.0) or max(
        (way.worth for way in ways), default=0.0
    )
    if best <= 0 or (only_sound and not any(way.is_sound for way in ways)):
        return ways
    ways = [way for way in ways if not way.why]
    # Rows are left out by what a column says where nothing keeps them.
    ways = [way for way in ways if not _leaves_more_out(way, ways)]
    # So does what overrules a question, where another way is asked none.
    asked = [way for way in ways if not _overrules(way)]
    ways = [way for way in ways if not _overrules(way) or all(way.worth * _LEAST_ASKED > other.worth for other in asked)]
    if len({_asked(answer) for answer in answers}) == 1:
        # Which of several parts of a file is meant: practice and fillers, whose items have one sentence, come last.
        return sorted(ways, key=lambda way: not way.has_conditions)
    # What keeps nearly as much stays in the order in which it was thought of.
    # Where something may be left out, that everything is taken is the other answer.
    return sorted(
        (way for way in ways if way.worth > _LEAST * best),
        key=lambda way: (way.answer.word == "all", -round(way.worth / best, 1)),
    )


def _leaves_more_out(way: Tried, ways: Sequence[Tried]) -> bool:
    """Whether a way leaves rows out that were not left out with its first answer, where another one that begins so keeps all of them."""
    own = [other for other in ways if other.begin is way.begin and way.begin is not None]
    return _outs(way) > (set() if way.begin is None else _outs_of(way.begin)) and any(
        way.begin is not None and _outs(other) <= _outs_of(way.begin) for other in own
    )


def _overrules(way: Tried) -> bool:
    """Whether a way names the format to overrule a question that came after its first answer."""
    return "format" in way.answer.options and (way.begin is None or "format" not in way.begin.options)


def _outs(way: Tried) -> set[str]:
    return _outs_of(way.answer)


def _outs_of(answer: FileAnswer) -> set[str]:
    return {str(said) for said in answer.options.get("only", ())}


def _all_said(answer: FileAnswer) -> frozenset[tuple[str, object]]:
    """What an answer says, in whatever order."""
    return frozenset((name, tuple(said) if isinstance(said, list) else said) for name, said in answer.options.items())


def _of(answers: Sequence[FileAnswer], source: SourceFile, format: str | None, read: Read, begun: Begun | None) -> list[Tried]:
    """What becomes of these answers; what overrules a refusal is thought of only where nothing else takes the file."""
    ways: list[Tried] = []
    for overruling in (False, True):
        tries = iter(range(_TRIES))
        ways = [
            replace(way, begin=answer)
            for answer in answers
            for way in _followed(source, format, answer, read, tries, overruling, begun)
        ]
        if not all(way.why for way in ways):
            break
    return ways


def _asked(answer: FileAnswer) -> tuple[tuple[str, str], ...]:
    """What an answer says something of: options, and columns whose values choose rows."""
    return tuple((name, str(said[0]).partition("=")[0] if name == "only" else "") for name, said in answer.options.items())


def _followed(
    source: SourceFile,
    format: str | None,
    answer: FileAnswer,
    read: Read,
    tries: Iterator[int],
    overruling: bool,
    begun: Begun | None = None,
) -> Iterator[Tried]:
    """The ways that begin with an answer; `begun` is the file and its format as somebody brought them, and the first answer."""
    top, top_format, first = begun or (source, format, answer)
    if next(tries, None) is None:
        return
    own, named = answered(source, format, answer)
    try:
        found = read(own, named)
    except (UndecidedError, ShapeError) as more:
        # To leave rows out overrules nothing: what is left is read as it stands.
        outs = [] if isinstance(more, UndecidedError) else [way for way in more.ways if set(way.options) <= _ROWS_OUT]
        others = more.answers if isinstance(more, UndecidedError) else more.ways if overruling else outs
        if isinstance(more, ShapeError) and more.is_open and _OPENING & set(answer.options):
            # What stands above the headings, or in which signs they are written, says nothing of the rows below them.
            others = (*offers(own), *others)
        if not others:
            yield Tried(answer, more.message)
        if others:
            yield from _with_others(others, answer, own, named, read, tries, overruling, (top, top_format, first))
    except FormatError as error:
        yield Tried(answer, error.message)
    else:
        worth, is_sound, has_conditions = _worth(found)
        if own.options.per_item not in (None, top.options.per_item) and _are_across(found):
            why = (
                "sentences are more like those of another item than like those of their own, as where the parts are lists of conditions; if "
                "line N of every part is of item N, put the parts beside each other, as columns of a table, each under the name of its condition"
            )
            yield Tried(answer, why, is_read=True)
            return
        if (
            own.options.per_item not in (None, top.options.per_item)
            and not found.meta.get("condition")
            and _are_as_like_others(found)
        ):
            why = "the sentences of an item would share no more than those of different items, as where lines stand in no order"
            yield Tried(answer, why, is_read=True)
            return
        # Either says which condition a sentence is of by the place where it stands.
        is_counted = own.options.per_item != top.options.per_item and not found.meta.get("condition")
        says_first = own.options.first != top.options.first or is_counted
        if not top.options.as_it_is and (why := struck(found, own if says_first else None)):
            yield Tried(answer, why, is_read=True)
            return
        lettered = {m[1] for sign in own.options.strip_prefixes if (m := _ITEM_LETTER.fullmatch(sign.strip())) is not None}
        if own.options.per_item != top.options.per_item and len(lettered) > 1:
            letters = ", ".join(sorted(lettered))
            why = f"the lines have numbers with letters ({letters}), which name conditions; their place would be taken for these"
            yield Tried(answer, why, is_read=True)
            return
        marks = [sign for sign in own.options.take_out if sign not in top.options.take_out and set(sign) <= set("*?#%")]
        if marks and own.options.alternatives and len(_marked(found)) > 1:
            why = f"{marks[0]} stands in sentences of {', '.join(_marked(found))}, and would be taken out: it says which one is the bad one"
            yield Tried(answer, why, is_read=True)
            return
        if marks and own.options.first != top.options.first:
            yield Tried(
                answer, f"{marks[0]} may say which sentence of a pair is the bad one, and would be taken out", is_read=True
            )
            return
        if top_format is None and named is not None:
            # A format that nobody named is no word on what else would be asked about: that is answered with it, or it is not offered.
            overruled = [assumption for assumption in found.assumptions if assumption.why == OVERRULED]
            if overruled and not any(_says_more(way, own) for way in overruled[0].ways):
                yield Tried(answer, overruled[0].taken, is_read=True)
                return
            if overruled:
                yield from _with_others(overruled[0].ways, answer, own, named, read, tries, overruling, (top, top_format, first))
                return
        yield Tried(answer, "", worth, is_sound, has_conditions)


def _with_others(
    others: Sequence[FileAnswer],
    answer: FileAnswer,
    own: SourceFile,
    named: str | None,
    read: Read,
    tries: Iterator[int],
    overruling: bool,
    begun: Begun,
) -> Iterator[Tried]:
    """The ways that go on from an answer with one of others."""
    for other in [other for other in others[:_ANSWERS] if _says_more(other, own)]:
        for way in _followed(own, named, other, read, tries, overruling, begun):
            whole = {**answer.options, **way.answer.options}
            word = way.answer.word if way.answer.word == "all" else answer.word
            yield replace(way, answer=FileAnswer(word, f"{answer.means}; {way.answer.means}", whole))


def _marked(found: ForeignSet) -> list[str]:
    """The conditions some of whose sentences had something taken out of them."""
    return [c for c in found.conditions if any(s.condition == c and "taken_out" in s.attributes for _, s in _entries(found))]


def _entries(found: ForeignSet) -> Iterator[tuple[ForeignItem, ForeignSentence]]:
    return ((item, s) for item in found.items for s in item.sentences)


def _says_more(answer: FileAnswer, source: SourceFile) -> bool:
    """Whether an answer says something that was not said: what is asked again all the same has no end."""
    for name, said in answer.options.items():
        known = getattr(source.options, name, None)
        is_whole = not isinstance(said, tuple) or name == "sentence_columns"  # fewer columns are another answer, too
        if said != known if is_whole else set(said) - set(known or ()):
            return True
    return False


def _worth(found: ForeignSet) -> tuple[float, bool, bool]:
    """How much a set has of its file: letters of sentences, the more the fewer conditions its items lack and the more their sentences
    share. Regions that are kept count, too. And whether it is sound, and has several conditions."""
    items = [item for item in found.items if item.sentences]
    texts = [[s.text for s in item.sentences] for item in items]
    letters = sum(len(text) for own in texts for text in own)
    whole = sum(map(len, texts)) / (len(items) * len(found.conditions)) if items else 1.0
    share = shared_within([own for own in texts if len(own) > 1][:_MEASURED])
    are_words = all(len(words_of(text)) > 1 or not text.isascii() for own in texts for text in own)
    worth = max(letters, 1) * min(whole, 1.0) * (0.2 + share) * (1.1 if found.regions else 1.0)
    are_single = all(len(own) == 1 for own in texts)
    return worth, are_words and (share > _SHARED or are_single), not are_single


def _are_across(found: ForeignSet) -> bool:
    """Whether most sentences are clearly more like one of another item than like any of their own: parts of a file, such as lists, are no
    items."""
    words = [[words_of(s.text) for s in item.sentences] for item in found.items]
    if not 1 < len(words) <= _PARTS or max(map(len, words)) > _MEASURED:
        return False
    counts = [
        _likest(one, (word for m, other in enumerate(words) if m != n for word in other))
        > max(_ACROSS, _APART * _likest(one, (word for k, word in enumerate(own) if k != place)))
        for n, own in enumerate(words)
        for place, one in enumerate(own)
    ]
    return sum(counts) * 2 > len(counts)


def _are_as_like_others(found: ForeignSet) -> bool:
    """Whether the sentences of an item share hardly more with each other than with those that stand at the same place of other items."""
    texts = [[s.text for s in item.sentences] for item in found.items if len(item.sentences) == len(found.conditions)][:_MEASURED]
    if len(texts) < 2:
        return False
    return shared_within(texts) < _MORE * shared_within([list(own) for own in zip(*texts, strict=True)])


def _likest(one: frozenset[str], others: Iterable[frozenset[str]]) -> float:
    """The greatest share of words that a sentence has in common with one of others, from 0 to 1."""
    return max((len(one & other) / max(1, len(one | other)) for other in others), default=0.0)


def offers(source: SourceFile) -> list[FileAnswer]:
    """What one could say of a file of which nothing is known, likely ways first; nothing of one that is no text."""
    found: list[FileAnswer] = []
    with contextlib.suppress(FormatError):
        found += _of_comments(source)
        found += among_ways(source)
        found += _of_columns(source)
        found += _of_lines(source)
    return found


def _of_comments(source: SourceFile) -> Iterator[FileAnswer]:
    if _has_lines(source):
        said = (source.options.comment or "").split()
        for mark, _ in comments_of(source.lines):
            yield FileAnswer("", f"lines that begin with {mark} are left out", {"comment": " ".join([*said, mark])})


def _has_lines(source: SourceFile) -> bool:
    return not source.is_spreadsheet and source.rewritten.is_whole and not looks_like_json(source.start)


def _of_lines(source: SourceFile) -> Iterator[FileAnswer]:
    options = source.options
    if not _has_lines(source):
        return
    lines = [line for line in source.lines if line.strip()]
    if not options.leave_out and options.header_row is None and (paged := _over_pages(source)) is not None:
        yield paged
    if not options.leave_out and (beside := _under_headings(source)):
        means = f"headings are left out, and what stands under {', '.join(beside[1])}" if beside[1] else "headings are left out"
        yield FileAnswer("", means, {"leave_out": (as_numbers(beside[0]),)})
    sections = [] if options.leave_out else _sections(source)
    if sections and (top := _headings_within(source, _ABOVE + 1)) is not None:
        for title, begin, end in sections:
            if is_of_no_item(title) or is_of_no_item(re.split(r"\W", title, maxsplit=1)[0]):
                continue
            out = [n for n in range(1, len(source.lines) + 1) if n != top and not begin <= n <= end]
            beneath = "" if len(roles_of(title.split(source.delimiter))) > 1 else f", below {title[:60]!r}"
            means = f"lines {begin} to {end}{beneath}, and none of the others but the headings"
            yield FileAnswer("", means, {"leave_out": (as_numbers(out),)})
    if not options.leave_out and not sections and (apart := _without_numbers(source)):
        shown = " / ".join(source.lines[number - 1].strip()[:40] for number in apart[:_ANSWERS])
        means = f"lines without an item's number are left out: {shown}{' …' if len(apart) > _ANSWERS else ''}"
        yield FileAnswer("", means, {"leave_out": (as_numbers(apart),)})
    if options.header_row is None and not _has_headings(source):
        first = _headings_within(source, _ABOVE + 1)
        for count in range(1, min(_ABOVE, len(lines) - 2) + 1):
            if first is not None and source.lines.index(lines[count]) + 1 > first:
                break  # a row of headings is no title
            if not _are_titles(lines[:count], lines[count : count + _BELOW]):
                break
            line = source.lines.index(lines[count]) + 1
            is_close = line > 1 and source.lines[line - 2].strip()
            below = lines[count : count + _BELOW]
            if is_close and sentences_among(lines[:count]) and len(sentences_among(below)) == len(below):
                break  # a sentence right above bare sentences is one of them, however little it shares with the others
            means = f"what stands above line {line} is left out: {' / '.join(text.strip()[:60] for text in lines[:count])}"
            yield FileAnswer("", means, {"header_row": line})
    if options.per_item is None and len(source.first_row) < 2 and sum(bool(_LETTER.match(line)) for line in lines) < 2:
        for size in islice(likely_sizes(lines, times=1.0), 1):
            yield FileAnswer("", f"every {size} lines are an item, in the same order of conditions", {"per_item": size})


def _over_pages(source: SourceFile) -> FileAnswer | None:
    """That of a table whose headings stand again on every page the first ones are read, and lines are left out that repeat them, hold one
    cell, or begin otherwise than the numbered rows; None for other texts."""
    rows = [(number, [cell.strip() for cell in line.split("\t")]) for number, line in enumerate(source.lines, 1) if line.strip()]
    times = Counter(tuple(cells) for _, cells in rows if sum(map(bool, cells)) > 2)
    head = next((number for number, cells in rows if times[tuple(cells)] > 1 and not any(c.isdigit() for c in cells)), None)
    if head is None or source.rewritten.numbers:
        return None
    headings = next(cells for number, cells in rows if number == head)
    below = [(number, cells) for number, cells in rows if number > head]
    whole = [(number, cells) for number, cells in below if cells != headings and sum(map(bool, cells)) > 1]
    begun = [cells[0] for _, cells in whole if cells[0]]
    are_numbered = sum(map(str.isdigit, begun)) >= _ROWS_NUMBERED * len(begun)
    kept = [number for number, cells in whole if not are_numbered or not cells[0] or cells[0].isdigit()]
    out = [(number, cells) for number, cells in below if number not in kept]
    if not kept or len(kept) < len(out):
        return None
    said = dict.fromkeys(" ".join(filter(None, cells))[:40] for _, cells in out if cells != headings)
    means = (
        f"the headings stand in line {head} and again below; lines that repeat them, head a page or have no number are left out"
    )
    options: dict[str, object] = {"leave_out": (as_numbers(number for number, _ in out),)}
    if head > rows[0][0]:
        options = {"header_row": head, **options}
    return FileAnswer("", f"{means}: {' / '.join(said)}" if said else means, options)


def _under_headings(source: SourceFile) -> tuple[list[int], list[str]] | None:
    """The lines of a text, by number, that are headings, and those that stand under a heading for practice or fillers, with what these are
    called; None where there is none called so."""
    if len(source.first_row) > 1 and _has_headings(source):
        return None
    out: list[int] = []
    called: list[str] = []
    is_out = False
    kept = 0
    for number, line in enumerate(source.lines, 1):
        text = line.strip()
        if _HEADING.fullmatch(text):
            name = text.rstrip(":")
            is_out = is_of_no_item(name) or is_of_no_item(name.partition(" ")[0])
            called += [name] if is_out else []
            out.append(number)
        elif text and is_out:
            out.append(number)
        else:
            kept += bool(text)
    return (out, called) if called and kept > len(out) / 2 and not source.rewritten.numbers else None


def _sections(source: SourceFile) -> list[tuple[str, int, int]]:
    """The parts of a text below lines without a number, each with its title, its first and its last line, where the numbers of items begin anew
    below one of these: the same number is of another item there. Empty where they do not."""
    found: list[tuple[str, int, int]] = []
    title, first, is_anew = "", 0, False
    seen: list[int] = []
    for number, line in enumerate(source.lines, 1):
        named = line.strip(" \t;,|")
        if not named:
            continue
        if (match := _ITEM_NUMBER.match(line)) is None:
            # Headings of columns stand below the title of their part.
            title = title if title and not first and len(roles_of(line.split(source.delimiter))) > 1 else named
            first = 0
            continue
        own = int(re.sub(r"\D", "", match[0]))
        if not first:
            first = number
            is_anew = is_anew or (bool(seen) and own <= min(seen))
            found.append((title, number, number))
        found[-1] = (found[-1][0], found[-1][1], number)
        seen.append(own)
    return found if is_anew and not source.rewritten.numbers else []


def _without_numbers(source: SourceFile) -> list[int]:
    """The lines of a text, by number, that begin with no number of an item, where most others do: titles, notes, practice; none where it has
    rows, or where lines stand without a number in most items."""
    if len(source.first_row) > 1 and _has_headings(source):
        return []
    filled = [(number, line) for number, line in enumerate(source.lines, 1) if line.strip()]
    apart = [number for number, line in filled if _ITEM_NUMBER.match(line) is None]
    return apart if 0 < len(apart) < _APART_LINES * len(filled) and not source.rewritten.numbers else []


def _has_headings(source: SourceFile) -> bool:
    """Whether the first row is one of the table's: called so, or as many cells as all others have, several, and none a sentence or a
    number."""
    if len(roles_of(source.first_row)) > 1:
        return True
    widths = {len(row.cells) for row in source.rows()}
    top = [cell.strip() for cell in source.first_row]
    return (
        len(widths) == 1
        and len(top) > 2
        and all(cell and (len(cell.split()) < 4 or HEADING_CELL.fullmatch(cell)) and not cell.isdigit() for cell in top)
    )


def _headings_within(source: SourceFile, count: int) -> int | None:
    """The line, from 1, of the first row whose cells are headings that are known, several, among the first lines that hold something; None
    where none is."""
    filled = islice(((number, line) for number, line in enumerate(source.lines, 1) if line.strip()), count)
    return next(
        (
            number
            for number, line in filled
            if any(len(cells) > 2 and len(roles_of(cells)) > 1 for sign in "\t;," for cells in [line.split(sign)])
        ),
        None,
    )


def _are_titles(above: Sequence[str], below: Sequence[str]) -> bool:
    """Whether lines are no sentences of an item: none has a number or letter before it, and none is like a line below."""
    alike = likeness_of([(one, other) for one in above for other in below]).alike
    return not alike and not any(_NUMBERED.match(line) for line in above)


def _of_columns(source: SourceFile) -> Iterator[FileAnswer]:
    if len(source.first_row) < 2:
        return
    yield from word_ways(source)
    yield from long_ways(source)
    yield from region_ways(source)
    yield from row_ways(source)
    # What leaves rows out comes last, so that it is thought of where nothing keeps them.
    if not source.options.only:
        yield from kinds_of(source)
