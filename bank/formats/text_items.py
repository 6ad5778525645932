"""Items as lines of text: numbered examples (``1a.`` to ``1d.``, ``Item 3`` with ``(a)`` and ``(b)``), blocks under
``# experiment item condition`` with questions (the form of Linger and of many experiments since), and plain lines, so many an item.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby, islice, pairwise, takewhile
from statistics import median
from typing import NoReturn, TextIO

from gapsmith.bank.formats.among import examples_among, in_words
from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.foreign import BAD, GOOD, ForeignItem, ForeignSentence, ForeignSet, Json
from gapsmith.bank.formats.grouping import first_seen
from gapsmith.bank.formats.headings import NO_ITEM, is_of_no_item
from gapsmith.bank.formats.laid_out import Place, write_laid_out
from gapsmith.bank.formats.leaving_out import as_numbers
from gapsmith.bank.formats.likeness import breaks_of, likeness_of, odd_order, turning, words_of
from gapsmith.bank.formats.marks import (
    LABEL_OF_LINE,
    are_judgements,
    bare,
    bare_of,
    judgement_of,
    says_context,
    status_of,
)
from gapsmith.bank.formats.source import Progress, SourceFile
from gapsmith.bank.formats.steps import part_ways
from gapsmith.bank.formats.suspicious import listed_columns

NUMBERED, BLOCKS, LINES = "numbered", "blocks", "item_lines"
SUFFIXES = frozenset({".txt", "", ".md", ".rmd", ".qmd", ".markdown", ".text", ".items", ".itm", ".dat"})
_HEAD = re.compile(
    rf"\s*[-=*~_#]*\s*(?:{NO_ITEM}[^\W\d_]{{1,14}}\b[.:]?\s*)?#?\s*"
    r"[(\[]?(?P<number>\d{1,5})[)\]]?\s*[.:)]?\s*[-=*~_]*\s*",
    re.IGNORECASE,
)
_TITLED = re.compile(
    r"\s*(?:[-=*~_#]+\s*)?(?:[ií]tem|example|ex|set|quadruple|quadruplet|quartet|stimulus|frame|satz|beispiel)\b\.?\s*#?\s*(?P<number>\d{1,5})\s*"
    r"(?:[.:)–—-]\s*[(\[]?|[(\[])(?P<title>\S.{0,60}?)[)\]]?\s*[-=*~_#]*\s*",
    re.IGNORECASE,
)
"""An item's number with a title behind it."""
_SUB = re.compile(
    r"(?P<before>\s*(?:[-•–]\s+)?(?:[(\[]?(?P<number>\d{1,5})[)\]]?\s*[.:-]?\s*)?[(\[]?(?![A-Za-z]\.[A-Za-z]\.)(?P<letter>[a-pA-P]|[ivIV]{1,4})(?:\s*[.):\]]+\s*|(?:(?<=\d[a-pA-P])|(?<=\d[.-][a-pA-P]))\s+))(?P<text>\S.*?)(?P<after>\s*)"
)
"""A letter before a sentence; two with a dot each, as of N.B. or e.g., are an abbreviation."""
_DOTTED = re.compile(
    r"(?P<before>\s*[(\[]?(?P<number>\d{1,5})[.-](?P<letter>\d{1,2})[)\].:]?(?:\t|\s+)\s*)(?P<text>\S.*?)(?P<after>\s*)"
)
"""The number of an item with that of a condition, such as 3.2."""
_NAMED = re.compile(
    r"(?P<before>\s*(?:[-*•–]\s+)?(?:[(\[]?(?P<number>\d{1,5})[)\].:]*\s+)?"
    r"\**(?P<letter>(?:[^\W\d_]|[+\-])[\w+\-/. ]{0,30}?)\**\s*:\**\s+)(?P<text>\S.*?)(?P<after>\s*)"
)
_EQUAL = re.compile(
    r"(?P<before>\s*(?:[-*•–]\s+)?(?P<letter>(?:[^\W\d_]|[+\-])[\w+\-/.]{0,30})(?:\s+[=–—|-]\s+|\s*\t\s*))(?P<text>\S.*?)(?P<after>\s*)"
)
"""The name of a condition before such a sign: a sentence may have one, so that only below the numbers of items it is no part of it."""
_COUNTED = re.compile(r"(?P<before>\s*[(\[]?(?P<letter>\d{1,2})(?:[)\].:]+\s*|\t\s*|\s{2,}))(?P<text>\S.*?)(?P<after>\s*)")
"""The number of a condition before a sentence, below the number of its item."""
_BLOCK = re.compile(r"#\s*(?P<experiment>[^\s#]\S*)\s+(?P<item>\S+)\s+(?P<condition>\S+)(?P<rest>.*)")
_ANSWERED = re.compile(
    r"(?P<question>.*[?？][\"'”’)]*)\s*[\[(]?(?P<answer>[YNJVFynj]|[Yy]es|[Nn]o|YES|NO|TRUE|FALSE|[Tt]rue|[Ff]alse|[Jj]a|[Nn]ein|[Nn]ee|[Oo]ui|[Nn]on|[Ss][ií]|[Tt]ak|[Nn]ie|[Ss]im|[Nn]ão|[Дд]а|[Нн]ет|はい|いいえ|是|否|不是)[\])]?\s*"
)
"""A question and its answer."""
_BESIDE = re.compile(
    r"(?:comprehension[ _-]?)?(?:questions?|answers?|correct(?:[ _-]?answer)?|probe|notes?|comments?|remarks?|translation|gloss|source)"
    r"|frage|antwort|kontext|pregunta|respuesta|contexto|réponse|contexte|domanda|risposta|contesto|pergunta|resposta|vraag|antwoord|fråga|svar"
    r"|spørgsmål|pytanie|odpowiedź|вопрос|ответ|контекст|soru|cevap|yanıt|bağlam|質問|答え|文脈|问题|答案|问|答|cq|q|context|background",
    re.IGNORECASE,
)
"""Names before lines that say something of an item, or ask it, beside several conditions."""
_HEAD_BESIDE = re.compile(
    r"\s*[(\[]?(?P<number>\d{1,5})[)\]]?\s*[.:)]\s*(?P<name>context|background|kontext|contexte?|scenario|setting)\s*:\s+(?P<said>\S.*?)\s*",
    re.IGNORECASE,
)
"""An item's number before its context."""
_CALLED = re.compile(r"(?:condition|cond\.?|bedingung|conditie|condici[oó]n|condizione)\s*[:=]\s*(?=\S)", re.IGNORECASE)
"""What stands before the name of a condition in a heading."""
_UNDER = re.compile(r"(?P<before>\s*[(\[]?(?P<number>\d{1,5})[)\].:]+\s+)(?P<text>\S.*?)(?P<after>\s*)")
"""A numbered sentence below the heading of its condition."""
_SENTENCE_END = re.compile(r"[.?!…。？！][\"'”’»)\]]*\s*\Z")
_QUOTES = tuple("'\"‘’“”„«»‹›")
_TRANSLATED = re.compile(r"\s*(?:[^\W\d_]+\s*:\s*)?['\"‘’“”„«»‹›]")
"""How a translation begins: with a quotation mark, behind a word such as Intended: perhaps."""
_REMARKED = re.compile(r"\s*[\[(][^][()]*[\])]\s*\Z")
"""A remark in brackets behind a sentence, for which a gloss has no word."""
_SAME = re.compile(r"\s*(?:idem|id\.|ditto|same|dito|dasselbe|ibid\.?)\s*", re.IGNORECASE)
"""A gloss that is the one above."""
_FOREIGN = re.compile(
    r"[\u0370-\u03ff\u0400-\u052f\u0530-\u05ff\u0600-\u06ff\u0900-\u0dff\u0e00-\u0eff\u10a0-\u10ff\u1100-\u11ff\u1200-\u137f"
    r"\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2}"
)
"""Letters of scripts that are not Latin."""
_LETTERED = re.compile(r"\s*[(\[]?(?:\d{1,5}[)\]]?\s*[.:-]?\s*)?[(\[]?[a-p][.):\]]+\s")
"""The letter of a sentence, with a blank behind it."""
_LETTERS = re.compile(
    r"\s*[(\[]?a[.)\]:=]\s*[^.?!]{1,60}\s[(\[]?b[.)\]:=]\s*[^.?!]{1,60}(?:\s[(\[]?[c-p][.)\]:=]\s*[^.?!]{1,60})*\.?\s*",
    re.IGNORECASE,
)
"""What letters stand for, one behind the other in a line."""
_MAX_LINES = 24
_PARTS = 8
"""So many lists of a text at most are offered."""
_ABOVE = 3
"""So many blocks may stand above the items: a title, a legend."""
_TITLE = 5
"""At most so many lines stand above numbered examples."""
_FIRST = 400
_LIKE, _UNLIKE = 0.4, 0.2
"""Lines of an item that share so many of their words with another one are like it, and those that share no more than this are not; only for a
question."""


def _is_text(source: SourceFile) -> bool:
    return not source.is_spreadsheet and bool(source.start) and not source.may_be_json


def is_plain_text(source: SourceFile) -> bool:
    """Whether it is a text whose lines are no rows: not all of them have as many cells."""
    if not _is_text(source) or source.suffix not in SUFFIXES:
        return False
    sign = source.delimiter
    return sign not in source.start or len({line.count(sign) for line in source.lines if line.strip()}) > 1


def _head(text: str) -> re.Match[str] | None:
    """The number of an item, alone in its line, before a title that is no sentence, or before what is said of the item behind a name."""
    if (beside := _HEAD_BESIDE.fullmatch(text)) is not None:
        return beside
    found = _HEAD.fullmatch(text)
    if found is None and (found := _TITLED.fullmatch(text)) is not None and _SENTENCE_END.search(text) is not None:
        return None
    return found


def heads_of(source: SourceFile) -> frozenset[int]:
    """The lines of a text that number the items below them, by number: two or more, each with another number."""
    if not _is_text(source) or source.suffix not in SUFFIXES:
        return frozenset()
    found = {n: match["number"] for n, line in enumerate(source.lines, 1) if line.strip() and (match := _head(line)) is not None}
    return frozenset(found) if len(found) > 1 and len(set(found.values())) == len(found) else frozenset()


def _filled(source: SourceFile) -> list[tuple[int, str]]:
    headings = _lettered_headings(source)
    return [(n, line) for n, line in enumerate(source.lines, 1) if line.strip() and n not in headings]


def _lettered_headings(source: SourceFile) -> frozenset[int]:
    """The lines that are headings with a letter, such as ``A. Singular subjects``: a capital without a number, behind which no sentence ends,
    where sentences have small letters and an end."""
    if "lettered_headings" not in source.known:
        found: list[int] = []
        small = 0
        for number, line in enumerate(source.lines, 1):
            if (match := _SUB.fullmatch(line)) is None:
                continue
            if match["letter"].isupper() and match["number"] is None and _SENTENCE_END.search(line) is None:
                found.append(number)
            small += match["letter"].islower()
        source.known["lettered_headings"] = frozenset(found) if small >= 2 * len(found) else frozenset()
    own: frozenset[int] = source.known["lettered_headings"]
    return own


def _label_said(source: SourceFile, text: str) -> str:
    """The label before a line that somebody said to be an attribute of its item, such as ``C:``; empty where there is none."""
    own = text.strip()
    return next((label for label in source.options.attributes if label.endswith(":") and own.startswith(label)), "")


def _attribute_called(label: str) -> str:
    return "context" if says_context(label) else re.sub(r"\W+", "_", label.casefold()).strip("_")


def _label_of_items(blocks: Sequence[Sequence[tuple[int, str]]]) -> str:
    """The label, such as ``C:``, that one line of every block has before it and no other line, where other lines have none; else empty."""
    labels = [[match["label"] for _, text in block if (match := LABEL_OF_LINE.match(text)) is not None] for block in blocks]
    return labels[0][0] if len(blocks) > 1 and labels[0] and all(own == labels[0][:1] for own in labels) else ""


# ---- blocks


def recognise_blocks(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if not _is_text(source) or not source.start.startswith("#"):
        return None
    filled = [line for _, line in _filled(source)[:200]]
    heads = [line for line in filled if line.startswith("#")]
    if any(one.startswith("#") and other.startswith("#") for one, other in pairwise(filled)):
        return None  # a block has a sentence
    found = [_BLOCK.fullmatch(line) for line in heads]
    if len({match["experiment"] for match in found if match is not None}) == len(heads):
        return None  # comments of three words
    return "blocks of an item and condition each, with questions" if len(heads) > 1 and all(found) else None


def _asked(questions: Sequence[str], *, answered: bool) -> Iterator[tuple[str, str]]:
    """The questions of a sentence as attributes, and apart from them their answers, where all questions of the file end with one."""
    for n, question in enumerate(questions, 1):
        name = f"question_{n}" if n > 1 else "question"
        match = _ANSWERED.fullmatch(question) if answered else None
        yield name, match["question"] if match else question
        if match:
            yield f"{name}_answer", match["answer"]


def read_blocks(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the blocks; questions become attributes of their sentences. Raises `FormatError` with the line for a block without a
    sentence, and asks which experiment is meant where these have other conditions."""
    blocks = list(_blocks(source))
    experiments = first_seen(name for name, *_ in blocks)
    times = Counter(name for name, *_ in blocks)
    if source.options.only:
        chosen = [part.removeprefix("experiment=") for part in source.options.only]
        if odd := [
            part for part, name in zip(source.options.only, chosen, strict=True) if name == part or name not in experiments
        ]:
            source.refuse(
                0,
                f"has no {' '.join(odd)}",
                hint=f"There are: {', '.join(f'experiment={e}' for e in experiments)}.",
            )
    else:
        chosen = list(experiments)
        own = {name: frozenset(c for e, _, c, *_ in blocks if e == name) for name in experiments}
        if len(set(own.values())) > 1 or (len(experiments) > 1 and any(map(is_of_no_item, experiments))):
            source.ask(
                0,
                f"holds {len(experiments)} experiments{' with different conditions' if len(set(own.values())) > 1 else ''}: "
                f"{', '.join(experiments)}",
                "The file holds several experiments. Which one is to be read?",
                [
                    FileAnswer(
                        name,
                        f"{name}: conditions {', '.join(sorted(own[name]))}; {times[name]:,} of {len(blocks):,} sentences",
                        {"only": (f"experiment={name}",)},
                    )
                    for name in [name for name in experiments if not is_of_no_item(name)] or experiments
                ],
            )
    several = len(chosen) > 1
    every = [question for block in blocks for question in block[6]]
    answered = bool(every) and all(map(_ANSWERED.fullmatch, every))
    layout: list[Place] = []
    found: dict[str, list[ForeignSentence]] = {}
    of_item: dict[str, dict[str, Json]] = {}
    seen: dict[tuple[str, str], int] = {}
    for experiment, item, condition, line, text, after, questions, lines in blocks:
        if experiment not in chosen:
            layout += [(None, -1, own_line, "") for own_line in lines]
            continue
        label = f"{experiment}-{item}" if several else item
        if (label, condition) in seen:
            source.refuse(line, f"item {label} has {condition} already, in line {seen[label, condition]}")
        seen[label, condition] = line
        own_sentences = found.setdefault(label, [])
        for own_line in lines:
            is_text = own_line == f"{text}{after}"
            layout.append((label, len(own_sentences) if is_text else -1, "" if is_text else own_line, after if is_text else ""))
        attributes = dict(_asked(questions, answered=answered))
        own_sentences.append(ForeignSentence(condition, text, line=line, attributes=attributes))
        if progress is not None and len(layout) % 2000 == 0:
            progress(len(seen))
        of_item[label] = {"experiment": experiment}
    items = tuple(ForeignItem(label, tuple(own), of_item[label], line=own[0].line) for label, own in found.items())
    if not items:
        source.refuse(0, "there are no items in it")
    return ForeignSet(
        shape=BLOCKS,
        items=items,
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        meta={"layout": [list(place) for place in layout]},
        notes=tuple(
            source.left_out_as("blocks", {f"experiment={name}": times[name] for name in experiments if name not in chosen})
        ),
        assumptions=(
            Assumption("item and condition", "of the lines # experiment item condition", "that is their form"),
            Assumption(
                "questions",
                f"attributes of their sentences{', with their answers apart from them' if answered else ''}",
                f"their lines begin with ?{' and end with an answer, such as Y or N' if answered else ''}",
            ),
            *(
                [
                    Assumption(
                        "experiments", f"{', '.join(chosen)} as one set", "their conditions are the same", "assumed", "--only"
                    )
                ]
                if several
                else []
            ),
        ),
        encoding=source.encoding,
        name=source.path.stem,
    )


def _blocks(source: SourceFile) -> Iterator[tuple[str, str, str, int, str, str, list[str], list[str]]]:
    head: re.Match[str] | None = None
    text, after, line = "", "", 0
    questions: list[str] = []
    lines: list[str] = []
    for number, own in enumerate([*source.lines, "# - - -"], 1):
        if own.startswith("#"):
            if head is not None:
                if not text:
                    source.refuse(line, "has no sentence below it")
                yield head["experiment"], head["item"], head["condition"], line, text, after, questions, lines
            head = _BLOCK.fullmatch(own)
            if head is None:
                source.refuse(number, "is no line of the form # experiment item condition")
            text, line, questions, lines = "", number, [], [own]
            continue
        lines.append(own)
        if own.startswith("?"):
            questions.append(own[1:].strip())
        elif own.strip() and head is not None:
            if text:
                source.refuse(number, "is a second line of the sentence above", hint="A sentence stands in one line.")
            text = own.rstrip()
            after = own[len(text) :]


# ---- numbered examples


def recognise_numbered(source: SourceFile) -> str | None:
    """What it is, if it is one."""
    if not _is_text(source) or source.suffix not in SUFFIXES:
        return None
    glosses = glosses_of(source)
    lines = [line for n, line in _filled(source) if n not in glosses]
    pattern = _pattern(lines)
    if pattern is None:
        return "numbered sentences, below the headings of their conditions" if _under_headings(source) else None
    what = {_SUB: "letters", _DOTTED: "numbers of conditions", _COUNTED: "numbers of conditions"}.get(
        pattern, "names of conditions"
    )
    return f"numbered examples, with {what} before the sentences"


def glosses_of(source: SourceFile) -> dict[int, str]:
    """The lines below sentences that gloss and translate them, each with which it is: below a sentence behind a letter a gloss, a
    translation in quotation marks, or one behind the other. Below every sentence the same; or a gloss has a word for each of the
    sentence's, so that it is not the rest of it. Empty for other texts."""
    if "glosses" not in source.known:
        begun = list(islice((text for text in source.lines if text.strip()), _TITLE + 4))
        # The first sentences of a long list show that there are none.
        are_quoted = any(text.lstrip()[:1] in _QUOTES for text in begun)
        are_foreign = any(_FOREIGN.search(text) for text in begun)
        source.known["glosses"] = (
            (are_foreign and _romanised(_filled(source))) or (are_quoted and _glosses(_filled(source))) or {}
        )
    own: dict[int, str] = source.known["glosses"]
    return own


def _romanised(lines: Sequence[tuple[int, str]]) -> dict[int, str]:
    """The lines in Latin letters below sentences of a script that is not Latin, which can be no part of them; empty where a line of the
    other script stands among them, or above the first sentence."""
    found: dict[int, str] = {}
    below: list[str] | None = None
    for line, text in lines:
        if _head(text):
            continue
        if (match := _SUB.fullmatch(text)) is not None and _FOREIGN.search(match["text"]):
            below = []
            continue
        if _FOREIGN.search(text) or _LETTERED.match(text):
            return {}
        if below is None:
            continue  # a title
        kind = "translation" if _TRANSLATED.match(text) else f"gloss_{len(below) + 1}" if below else "gloss"
        below.append(kind)
        found[line] = kind
    return found


def _glosses(lines: Sequence[tuple[int, str]]) -> dict[int, str]:
    sentence = ""
    found: dict[int, str] = {}
    below: list[list[str]] = []
    are_aligned = True
    before = 0
    for line, text in lines:
        is_apart, before = line > before + 1, line
        if _head(text):
            continue
        if (match := _SUB.fullmatch(text)) is not None:
            sentence = match["text"]
            below.append([])
        elif below and not is_apart:
            kind = "translation" if _TRANSLATED.match(text) else "gloss"
            said = _REMARKED.sub("", bare(sentence))
            is_same = _SAME.fullmatch(text) is not None
            are_aligned = are_aligned and (kind == "translation" or is_same or len(text.split()) == len(said.split()))
            found[line] = kind
            below[-1].append(kind)
    kinds = {tuple(own) for own in below}
    if len(found) < 3 or not kinds <= {(), ("gloss",), ("translation",), ("gloss", "translation")}:
        return {}
    is_even = len(kinds) == 1 and kinds != {("gloss",)}
    return found if is_even or (are_aligned and "translation" in found.values()) else {}


def _slip(label: str, letter: str, times: Mapping[str, int]) -> str:
    """What may have been meant by a label that an item has twice, where another one is there once less than the others are."""
    usual = times[letter] - 1
    lacking = [name for name, n in times.items() if n == usual - 1]
    if len(lacking) != 1 or any(n != usual for name, n in times.items() if name not in (letter, *lacking)):
        return ""
    return f"{lacking[0]} is there once less than there are items: one of the two may be that. Give it its own label in the file (item {label})."


def _pattern(lines: Sequence[str]) -> re.Pattern[str] | None:
    """What stands before the sentences, where that is so of nearly all lines that are no number of an item."""
    rest = [line for line in lines if not _head(line) and not _said_beside(line)]
    below_numbers = [_EQUAL, *([_COUNTED] if _are_counted(lines) else [])] if len(rest) + 1 < len(lines) else []
    for pattern in (_SUB, _DOTTED, _NAMED, *below_numbers):
        found = [match for line in rest if (match := pattern.fullmatch(line)) is not None]
        if len(found) < 4 or len(found) < 0.8 * len(rest):
            continue
        times = Counter(match["letter"].strip() for match in found)
        if len(times) > 1 and times.most_common(1)[0][1] > 1 and len(times) <= max(2, len(found) // 2):
            return pattern
    return None


def _said_beside(text: str) -> tuple[str, str] | None:
    """What a line says of an item behind a name such as ``Context:``, and the name of that attribute; None for other lines."""
    named = _NAMED.fullmatch(text)
    if named is None or named["number"] or _BESIDE.fullmatch(named["letter"].strip()) is None:
        return None
    return _attribute_called(f"{named['letter'].strip()}:"), named["text"]


def _beside_lines(
    source: SourceFile, filled: Sequence[tuple[int, str]], pattern: re.Pattern[str], legend: frozenset[int]
) -> tuple[dict[int, tuple[str, str]], bool]:
    """The lines that say something of an item behind a name, where most items have such a line, each with the attribute and what it says; and
    whether they stand above the sentences of their item. Refuses them where that cannot be told: nothing numbers the items in lines of their
    own, and such a line stands both above the first sentence and below the last, or at neither."""
    found = {n: said for n, text in filled if not pattern.fullmatch(text) and (said := _said_beside(text)) is not None}
    sentences = [n for n, text in filled if n not in legend and pattern.fullmatch(text)]
    heads = [n for n, text in filled if _head(text)]
    count = len(heads) or max(
        Counter(match["letter"] for n in sentences if (match := pattern.fullmatch(source.lines[n - 1]))).values(), default=0
    )
    times = Counter(name for name, _ in found.values())
    found = {n: said for n, said in found.items() if times[said[0]] * 2 >= count}
    if not found or not sentences or heads:
        return found, False
    above, below = min(found) < sentences[0], max(found) > sentences[-1]
    if above == below:
        line = min(found)
        source.refuse(
            line,
            f"whether {source.lines[line - 1].strip()[:40]!r} says something of the item above it or below it cannot be told",
            hint=f"Number the items in lines of their own, such as Item 1, above all that is said of them.\n{source.head}\n",
        )
    return found, above


def _are_counted(lines: Sequence[str]) -> bool:
    """Whether the lines below each number of an item have numbers of their own, each once."""
    seen: set[str] | None = None
    for line in lines:
        if _head(line):
            seen = set()
        elif seen is not None and (match := _COUNTED.fullmatch(line)) is not None:
            if match["letter"] in seen:
                return False
            seen.add(match["letter"])
    return seen is not None


def _places(source: SourceFile, pattern: re.Pattern[str]) -> dict[str, dict[str, list[int]]]:
    """The lines of each item, by letter."""
    found: dict[str, dict[str, list[int]]] = {}
    label = ""
    for line, text in enumerate(source.lines, 1):
        if head := _head(text):
            label = head["number"]
        elif (match := pattern.fullmatch(text)) is not None and (number := match.groupdict().get("number") or label):
            found.setdefault(number, {}).setdefault(match["letter"].strip(), []).append(line)
    return found


def _replaced(source: SourceFile, pattern: re.Pattern[str]) -> list[FileAnswer]:
    """Where an item has a letter twice, and lacks none that others have: that all but the last of these lines are left out, as where it corrects
    the others, or all but the first. Where it lacks one, a label is a slip, and that the whole item is left out."""
    items = _places(source, pattern)
    every = {letter for own in items.values() for letter in own}
    doubled = {label: own for label, own in items.items() if any(len(lines) > 1 for lines in own.values())}
    if not doubled or len(doubled) * 2 > len(items) or source.rewritten.numbers:
        return []
    if slips := [label for label, own in doubled.items() if len(own) < len(every)]:
        out = as_numbers(n for label in slips for lines in items[label].values() for n in lines)
        are = "item" if len(slips) == 1 else "items"
        means = f"{are} {', '.join(slips)}, where a label stands twice and another one is lacking, {'is' if len(slips) == 1 else 'are'} left out"
        return [FileAnswer("", means, {"leave_out": (*source.options.leave_out, out)})]
    several = [lines for own in doubled.values() for lines in own.values() if len(lines) > 1]
    kinds = (("last", [n for own in several for n in own[:-1]]), ("first", [n for own in several for n in own[1:]]))
    return [
        FileAnswer(
            "",
            f"of lines with the same number and letter the {kept} one is taken; {as_numbers(own)} {'is' if len(own) == 1 else 'are'} left out",
            {"leave_out": (*source.options.leave_out, as_numbers(own))},
        )
        for kept, own in kinds
    ]


def _begun_anew(source: SourceFile, pattern: re.Pattern[str]) -> list[FileAnswer]:
    """Where the numbers of a text begin anew, once or more, and no number has a letter twice in between: that one of its lists is read."""
    lists: list[list[int]] = [[]]
    seen: set[tuple[str, str]] = set()
    first: tuple[str, str] | None = None
    for line, text in _filled(source):
        match = pattern.fullmatch(text)
        if match is not None and match.groupdict().get("number"):
            key = (match["number"], match["letter"].strip())
            first = first or key
            if key in seen and key == first:
                lists.append([])
                seen = set()
            seen.add(key)
        lists[-1].append(line)
    if not 1 < len(lists) <= _TITLE or min(map(len, lists)) < 4 or source.rewritten.numbers or source.options.leave_out:
        return []
    every = {line for own in lists for line in own}
    return [FileAnswer("", f"lines {own[0]} to {own[-1]}", {"leave_out": (as_numbers(every - set(own)),)}) for own in lists]


def among_ways(source: SourceFile) -> Iterator[FileAnswer]:
    """That the numbered examples of a text are read alone, and what stands among them is left out."""
    if not _is_text(source) or source.suffix not in SUFFIXES or source.options.leave_out or not source.rewritten.is_whole:
        return
    found = examples_among(source.lines, (_SUB, _DOTTED, _NAMED), _head)
    if found is None:
        return
    glosses = glosses_of(source)
    out = [n for n in found.out if n not in glosses]
    gone = [line for n in out for line in source.lines_of(n)]
    if gone:
        means = in_words(replace(found, out=out), source.lines, gone)
        yield FileAnswer("", means, {"leave_out": (as_numbers(gone),)})


def expect_examples_alone(source: SourceFile) -> None:
    """Ask about numbered examples among so many other lines that the text is no list of them as it stands."""
    if not is_plain_text(source) or source.known.get("format") is not None:
        return
    # The first lines show that there are some.
    begun = islice((line for line in source.lines if line.strip()), _FIRST)
    if (
        sum(any(one.fullmatch(line) for one in (_SUB, _DOTTED, _NAMED)) for line in begun) < 2
        or recognise_numbered(source) is not None
    ):
        return
    if recognise_blocks(source) is None and (ways := list(among_ways(source))):
        first = next(
            n for n, line in _filled(source) if _SUB.fullmatch(line) or _DOTTED.fullmatch(line) or _NAMED.fullmatch(line)
        )
        source.ask(
            first,
            "numbered examples stand among other lines",
            f"Numbered examples stand among other lines. Are they read alone: {ways[0].means}?",
            [replace(way, word="yes") for way in ways],
        )


def read_numbered(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the examples. Raises `FormatError` with the line for a line that is neither a number nor a sentence behind a letter, and
    for a letter that an item has twice."""
    glosses, lettered = glosses_of(source), _lettered_headings(source)
    filled = [(line, text) for line, text in _filled(source) if line not in glosses]
    said_of: dict[int, dict[str, str]] = {}
    pattern = _pattern([line for _, line in filled])
    if pattern is None and (blocks := _under_headings(source)):
        return _read_under_headings(source, blocks)
    pattern = pattern or _SUB
    layout: list[Place] = []
    found: dict[str, list[tuple[str, str, int]]] = {}
    legend = _legend(source, filled, pattern)
    # What stands below the last example, apart from it, is no sentence.
    last = max((line for line, text in filled if pattern.fullmatch(text) and line not in legend), default=0)
    last = max([last, *(line for line in glosses)])
    blank_below = range(
        last + 1, next((n for n in range(last + 1, len(source.lines) + 1) if not source.lines[n - 1].strip()), last + 1)
    )
    foot: list[tuple[int, str]] = []
    label, own_number = "", 0
    restarts = False
    above: list[tuple[int, str]] = []
    titles: dict[str, str] = {}
    heads: dict[str, int] = {}
    pending: dict[str, tuple[str, int]] = {}
    of_items: dict[str, dict[str, Json]] = {}
    named = Counter(
        match["letter"].strip() for line, text in filled if line not in legend and (match := pattern.fullmatch(text)) is not None
    )
    beside = {name for name in named if _BESIDE.fullmatch(name)} if len(named) > 2 else set()
    beside |= {name for name in named if f"{name}:" in source.options.attributes}
    if unused := [name for name in source.options.attributes if pattern is not _NAMED or name.removesuffix(":") not in named]:
        _refuse_unused(source, unused[0])
    said_beside, is_above = ({}, False) if pattern is _NAMED else _beside_lines(source, filled, pattern, legend)
    for line, text in enumerate(source.lines, 1):
        if not text.strip():
            layout.append((None, -1, text, ""))
            continue
        if line in lettered:
            layout.append((None, -1, text, ""))
            continue
        if line in legend:
            (foot if found else above).append((line, text.strip()))
            layout.append((None, -1, text, ""))
            continue
        if line in glosses:
            layout.append((label, -1, text, ""))
            said_of.setdefault(found[label][-1][2], {})[glosses[line]] = text.strip()
            continue
        if head := _head(text):
            label = head["number"]
            if title := head.groupdict().get("title"):
                titles[label] = title
            if said := head.groupdict().get("said"):
                of_items.setdefault(label, {})[_attribute_called(f"{head['name']}:")] = said
            if found.get(label):
                source.refuse(line, f"item {label} is there already, in line {found[label][0][2]}")
            found[label] = []
            heads[label] = line
            layout.append((label, -1, text, ""))
            continue
        match = pattern.fullmatch(text)
        if line in said_beside:
            name, said = said_beside[line]
            if is_above:
                pending[name] = said, len(layout)  # above the sentences of its item
            elif name in of_items.setdefault(label, {}):
                source.refuse(line, f"says {name} once more of item {label}", hint="An item has it once: join the two lines.")
            else:
                of_items[label][name] = said
            layout.append((label if name not in pending else None, -1, text, ""))
            continue
        if match is None and not found and len(above) < _TITLE:
            above.append((line, text.strip()))
            layout.append((None, -1, text, ""))
            continue
        if match is None and found and line > last and line not in blank_below:
            foot.append((line, text.strip()))
            layout.append((None, -1, text, ""))
            continue
        if match is None:
            below = next((other for n, other in filled if n > line), "")
            after = pattern.fullmatch(below) or _head(below)
            before = source.lines[line - 2] if line > 1 else ""
            if pattern.fullmatch(before) is not None and _SENTENCE_END.search(before) is None:
                source.refuse(
                    line,
                    f"{text.strip()[:60]!r} has no letter, and the line above it does not end as a sentence does",
                    hint=f"If it goes on with that sentence, write the two in one line.\n{source.head}\n",
                )
            if after is not None and found.get(after.groupdict().get("number") or ""):
                _refuse_two_lists(source, line)
            source.refuse(
                line,
                "is neither a number of an item nor a sentence behind its letter",
                hint="The lines around it are. If it is a sentence of the item above it, give it its letter; if it goes on with the line above, "
                f"write the two in one; else take it out, with --leave-out {line}.\n{source.head}\n",
                is_open=True,
            )
        letter = match["letter"].strip()
        if pattern is _NAMED and label and letter in beside:
            name = _attribute_called(f"{letter}:")
            if name in of_items.setdefault(label, {}):
                source.refuse(line, f"says {letter} once more of item {label}", hint="An item has it once: join the two lines.")
            of_items[label][name] = match["text"]
            layout.append((label, -1, text, ""))
            continue
        number = match.groupdict().get("number")
        if number is not None and number != label:
            label = number
        elif number is None and (not label or (restarts and any(letter == c for c, *_ in found[label]))):
            own_number += 1
            restarts = True
            label = str(own_number)
        own = found.setdefault(label, [])
        for name, (said, place) in pending.items():
            of_items.setdefault(label, {})[name] = said
            layout[place] = (label, *layout[place][1:])
        pending.clear()
        if any(letter == condition for condition, *_ in own):
            source.refuse(
                line,
                f"item {label} has {letter!r} already, in line {next(n for c, _, n in own if c == letter)}",
                ways=[*_replaced(source, pattern), *(begun := _begun_anew(source, pattern))],
                hint=f"The numbers begin anew: {begun[0].means} are one list. Two lists have other items under the same numbers: save each "
                "as a file of its own, or give the items of the second one other numbers."
                if begun
                else _slip(label, letter, named)
                or f"Two sentences of an item cannot have one label: give each its own in the file, such as {letter}1 and {letter}2.",
            )
        layout.append((label, len(own), match["before"], match["after"]))
        own.append((letter, match["text"], line))
        if progress is not None and line % 2000 == 0:
            progress(line)
    found = {label: own for label, own in found.items() if own}
    conditions, said = _conditions(source, found)
    items = []
    for label, own in found.items():
        sentences = tuple(
            ForeignSentence(conditions.get((label, letter), letter), text, line=line, attributes=said_of.get(line, {}))
            for letter, text, line in own
        )
        titled: dict[str, Json] = {"title": titles[label]} if label in titles else {}
        items.append(ForeignItem(label, sentences, {**titled, **of_items.get(label, {})}, line=own[0][2]))
    _expect_alike(source, items)
    if pattern is _NAMED and source.known.get("format") is None:
        _ask_what_is_beside(source, items)
    how = "where its first letter comes again" if restarts else "by its number"
    notes, told = _title(above)
    if lettered:
        shown = "; ".join(f"line {n}: {source.lines[n - 1].strip()[:60]}" for n in sorted(lettered)[:4])
        told = (*told, Assumption("headings", shown, "a capital letter, and no sentence behind it", "assumed"))
    if foot:
        notes_below, told_below = _foot(foot)
        notes, told = (*notes, *notes_below), (*told, *told_below)
    if empty := [label for label in heads if label not in found]:
        line = heads[empty[0]]
        told = (
            *told,
            Assumption(
                "numbers alone",
                f"{', '.join(empty[:4])}{' …' if len(empty) > 4 else ''} (line {line}), with no sentence below",
                "a page or another heading perhaps",
                "assumed",
            ),
        )
    return ForeignSet(
        shape=NUMBERED,
        items=tuple(items),
        conditions=first_seen(s.condition for item in items for s in item.sentences),
        meta={"layout": [list(place) for place in layout]},
        notes=notes,
        assumptions=(
            Assumption("item", how, "as examples are numbered"),
            said,
            *(
                [
                    Assumption(
                        "attributes",
                        ", ".join(sorted(beside or {name for own in of_items.values() for name in own})),
                        "lines called so say something of an item, and are no sentences of it",
                    )
                ]
                if beside or any(of_items.values())
                else []
            ),
            *(
                [
                    Assumption(
                        "glosses", "attributes of their sentences", "they stand below the sentences, and are no part of them"
                    )
                ]
                if glosses
                else []
            ),
            *told,
        ),
        encoding=source.encoding,
        name=source.path.stem,
    )


def _refuse_unused(source: SourceFile, name: str) -> NoReturn:
    source.refuse(0, f"no line begins with {name}, as --attribute says", hint="A label of lines ends in a colon, such as C:.")


def _legend(source: SourceFile, filled: Sequence[tuple[int, str]], pattern: re.Pattern[str]) -> frozenset[int]:
    """The lines with a letter and no number above the number of the first item, where that is 1, so that they are of no item: a legend says
    what the letters stand for. And the lines, wherever they stand, in which several letters follow each other. Refuses those above where they
    are as many as an item has and end as sentences do."""
    in_one_line = {line for line, text in filled if _LETTERS.fullmatch(text)}
    others = [line for line, text in filled if line not in in_one_line and (pattern.fullmatch(text) or _head(text))]
    # Among the items such a line is two sentences of one.
    in_one_line = {line for line in in_one_line if not others or not others[0] < line < others[-1]}
    apart: list[tuple[int, str]] = []
    first = ""
    for line, text in filled:
        head, match = _head(text), pattern.fullmatch(text)
        first = (head["number"] if head is not None else match.groupdict().get("number") if match is not None else None) or ""
        if first:
            break
        if match is not None and line not in in_one_line:
            apart.append((line, text))
    if not apart or first.lstrip("0") != "1":
        return frozenset(in_one_line)
    if len(apart) > 1 and all(_SENTENCE_END.search(text) for _, text in apart):
        lines = as_numbers(line for line, _ in apart)
        source.refuse(
            apart[0][0],
            "sentences with letters stand above the number of the first item",
            ways=[FileAnswer("", f"they are of no item, and left out ({lines})", {"leave_out": (lines,)})],
            hint="If they are an item, give it its number.",
        )
    return frozenset({*in_one_line, *(line for line, _ in apart)})


def _ask_what_is_beside(source: SourceFile, items: Sequence[ForeignItem]) -> None:
    """Ask about names before lines that share hardly a word with the other lines of their item, where these share many with each other: a
    context or an answer is said beside the sentences, and is no condition."""
    shares: dict[str, list[float]] = {}
    for item in items:
        words = [words_of(s.text) for s in item.sentences]
        for n, sentence in enumerate(item.sentences):
            others = [len(words[n] & own) / max(1, len(words[n]), len(own)) for m, own in enumerate(words) if m != n]
            shares.setdefault(sentence.condition, []).append(max(others, default=0.0))
    usual = {name: median(own) for name, own in shares.items()}
    like = [name for name, share in usual.items() if share >= _LIKE]
    apart = [name for name, share in usual.items() if share <= _UNLIKE]
    if len(like) < 2 or not apart or len(like) + len(apart) < len(usual):
        return
    shown = "; ".join(
        f"{name}: {next(s.text for item in items for s in item.sentences if s.condition == name)[:60]}" for name in apart
    )
    source.ask(
        next(s.line for item in items for s in item.sentences if s.condition == apart[0]),
        f"what stands behind {', '.join(apart)} shares hardly a word with the other lines of its item ({shown}), as a context or an answer "
        f"does, and those behind {', '.join(like)} are alike",
        f"Are the lines behind {', '.join(apart)} said of the item, and no sentences of it?",
        [
            FileAnswer(
                "yes",
                f"{', '.join(apart)} become attributes of their item; its conditions are {', '.join(like)}",
                {"attributes": (*source.options.attributes, *(f"{name}:" for name in apart))},
            ),
            FileAnswer("no", f"all of {', '.join(usual)} are conditions", {"format": NUMBERED}),
        ],
    )


def _refuse_two_lists(source: SourceFile, line: int) -> NoReturn:
    """Refuse a text in which the numbers of items begin anew below a line that is a heading."""
    numbers = [number for number, _ in _filled(source)]
    before = max(number for number in numbers if number < line)
    # Such headings part the lists; the first one stands above the first list.
    heads = [n for n, text in _filled(source) if _is_list_heading(source, n, text)]
    begins = sorted({*(n for n in heads if n <= line), line, *(n for n in heads if n > line)})
    # The last line that holds something before each next one.
    parts = [
        (begin, numbers[bisect_left(numbers, end) - 1])
        for begin, end in islice(pairwise([*begins, len(source.lines) + 1]), _PARTS)
    ]
    ways = [
        replace(way, means=f"{way.means}: below {source.lines[begin - 1].strip()[:60]!r}")
        for way, (begin, end) in zip(part_ways(len(source.lines), source.options.leave_out, parts), parts, strict=True)
        if end > begin + 1
    ]
    source.refuse(
        line,
        f"the numbers begin anew below {source.lines[line - 1].strip()[:60]!r}: these are two lists in one file",
        hint=f"Save each as a file of its own: lines {numbers[0]} to {before}, and lines {line} to {numbers[-1]} (or to the next such "
        f"heading); or take one of them.\n{source.head}\n",
        ways=ways if not source.rewritten.numbers else [],
    )


def _is_list_heading(source: SourceFile, line: int, text: str) -> bool:
    """Whether a line heads a list: no end of a sentence, no number, no name of a condition, and apart from what stands above it."""
    is_apart = line == 1 or not source.lines[line - 2].strip()
    patterns = (_SUB, _DOTTED, _NAMED, _UNDER)
    return is_apart and not _head(text) and _SENTENCE_END.search(text) is None and not any(p.fullmatch(text) for p in patterns)


def _under_headings(source: SourceFile) -> dict[str, list[tuple[int, re.Match[str]]]]:
    """The numbered sentences below each heading, where all lines are such or headings, the numbers are the same, and the sentences of
    a number are alike; empty elsewhere. Refuses a text in which they are not, and those of a heading are not either."""
    if "under_headings" not in source.known:
        source.known["under_headings"] = _headed(source)
    found: dict[str, list[tuple[int, re.Match[str]]]] = source.known["under_headings"]
    return found


def _headed(source: SourceFile) -> dict[str, list[tuple[int, re.Match[str]]]]:
    filled = _filled(source)
    lines: dict[str, int] = {}
    found: dict[str, list[tuple[int, re.Match[str]]]] = {}
    own: list[tuple[int, re.Match[str]]] | None = None
    for line, text in filled:
        if (match := _UNDER.fullmatch(text)) is not None:
            if own is None or any(match["number"] == other["number"] for _, other in own):
                return {}
            own.append((line, match))
            continue
        heading = text.strip().strip("#*=-:_ ")
        is_one = heading and not _HEAD.fullmatch(text) and _SENTENCE_END.search(text) is None
        if not is_one or heading in found or (own is not None and not own):
            return {}
        lines[heading] = line
        own = found[heading] = []
    if len(found) < 2 or any(len(numbered) < 2 for numbered in found.values()):
        return {}
    by_number: dict[str, list[str]] = {}
    for _, match in (one for numbered in found.values() for one in numbered):
        by_number.setdefault(match["number"], []).append(match["text"])
    several = [texts for texts in by_number.values() if len(texts) > 1]
    across = likeness_of([pair for texts in several for pair in pairwise(texts)])
    within = likeness_of(
        [(one["text"], other["text"]) for numbered in found.values() for (_, one), (_, other) in pairwise(numbered)]
    )
    if source.known.get("format") == NUMBERED or (several and across.alike * 2 > across.pairs):
        called = [_CALLED.match(heading) for heading in found]
        bare_names = [heading[match.end() :] for heading, match in zip(found, called, strict=True) if match is not None]
        # What all headings begin with is no part of the names.
        return dict(zip(bare_names, found.values(), strict=True)) if len(set(bare_names)) == len(found) else found
    if within.alike * 2 <= within.pairs and several:
        _refuse_two_lists(source, list(lines.values())[1])
    return {}


def _read_under_headings(source: SourceFile, blocks: dict[str, list[tuple[int, re.Match[str]]]]) -> ForeignSet:
    if listed_columns(list(blocks)) and source.known.get("format") is None and not source.options.as_it_is:
        message = (
            f"{', '.join(blocks)} are called as the lists of an experiment are, where the condition changes from item to item"
        )
        # No command takes them as conditions: what is called a list is one, and nothing here says which sentences are of one item.
        source.refuse(
            0,
            message,
            hint="Make a table with a row per sentence, and its item, condition and list, in which the sentences of an item have the same item: "
            "where numbers begin anew on other lists, the same number is another item. If every one of them is a condition, call it by what its "
            f"sentences have in common instead of list.\n{source.head}\n",
        )
    held: dict[str, list[ForeignSentence]] = {}
    places: dict[int, Place] = {}
    for heading, numbered in blocks.items():
        for line, match in numbered:
            own = held.setdefault(match["number"], [])
            places[line] = (match["number"], len(own), match["before"], match["after"])
            own.append(ForeignSentence(heading, match["text"], line=line))
    layout = [places.get(line, (None, -1, text, "")) for line, text in enumerate(source.lines, 1)]
    return ForeignSet(
        shape=NUMBERED,
        items=tuple(ForeignItem(number, tuple(own), line=own[0].line) for number, own in held.items()),
        conditions=tuple(blocks),
        meta={"layout": [list(place) for place in layout]},
        assumptions=(
            Assumption("item", "the number before a sentence", "below every heading they are numbered anew"),
            Assumption("condition", f"the headings {', '.join(blocks)}", "the sentences of a number are alike", "assumed"),
        ),
        encoding=source.encoding,
        name=source.path.stem,
    )


def _conditions(
    source: SourceFile, found: dict[str, list[tuple[str, str, int]]]
) -> tuple[dict[tuple[str, str], str], Assumption]:
    """Whether the letters are the conditions; where one of each two sentences is marked, and not under the same letter, the mark
    says which is which."""
    marked = {
        (label, letter): status_of(judgement_of(bare_of(text, source.options)))
        for label, own in found.items()
        for letter, text, _ in own
    }
    by_letter: dict[str, set[str]] = {}
    for (_, letter), status in marked.items():
        by_letter.setdefault(letter, set()).add(status)
    # Marks of several kinds under a letter do not make it another one, as long as none is good.
    if all(len(own) == 1 or "ok" not in own for own in by_letter.values()):
        return {}, Assumption("condition", "the letter or name before a sentence", "it comes again in every item")
    if are_judgements(by_letter):
        return {}, Assumption("condition", "the name before a sentence", "the names say which sentence is acceptable")
    if all(len(own) == 2 and sorted(marked[label, c] == "ok" for c, *_ in own) == [False, True] for label, own in found.items()):
        names = {key: GOOD if status == "ok" else BAD for key, status in marked.items()}
        return names, Assumption(
            "condition", "good and bad, by the mark before one of two sentences", "every item has one of each"
        )
    if source.known.get("format") == NUMBERED:
        return {}, Assumption("condition", "the letter before a sentence", "as said with --format", "said", "--format")
    odd = next(letter for letter, own in by_letter.items() if len(own) > 1)
    message = f"the sentences under {odd!r} are marked differently from item to item, so that it may not be one condition"
    return source.ask(
        0,
        message,
        f"{message[0].upper()}{message[1:]}. Are the letters conditions all the same?",
        [FileAnswer("yes", "the letters are the conditions; marks become an attribute", {"format": NUMBERED})],
    )


def _expect_alike(source: SourceFile, items: Sequence[ForeignItem]) -> None:
    """Refuse items of one sentence each: what stands before them is then no condition."""
    if not any(len(item.sentences) > 1 for item in items):
        source.refuse(0, "every item has one sentence only", hint="Sentences of an item share its number: 1a., 1b.")


# ---- plain lines


def recognise_item_lines(source: SourceFile) -> str | None:
    """What it is, if it is one: said, or blank lines part items of equally many lines. Asks where neighbouring lines alone tell."""
    if not _is_text(source) or source.suffix not in SUFFIXES or "\t" in source.start:
        return None
    if source.options.per_item is not None and _is_a_table(source):
        return None
    blocks = _parted(source)
    if not _is_a_table(source):
        _expect_items_alone(source, blocks)
    if source.options.per_item is not None:
        return f"plain lines, {source.options.per_item} an item"
    sizes = Counter(map(len, blocks))
    usual, times = sizes.most_common(1)[0] if sizes else (0, 0)
    if not _is_a_table(source):
        _expect_no_lines_below(source, blocks)
    if (
        len(blocks) > 1
        and sizes.keys() == {2}
        and not _is_a_table(source)
        and (_is_headed(source) or _is_marked_by_turns(blocks))
    ):
        if all(_is_judged(block) for block in blocks):
            return "pairs, one sentence of each marked"
        least = 2
    else:
        least = 3
    if (
        len(blocks) > 1
        and least <= usual <= _MAX_LINES
        and (times == len(blocks) or (times >= 0.6 * len(blocks) and _are_alike(blocks)))
    ):
        if len(sizes) > 1:
            odd = next(block for block in blocks if len(block) != usual)
            first = next(n for n, block in enumerate(blocks) if len(block) == usual)
            # A title right above the sentences of the first item makes another block of these.
            are_titles = all(sum(_SENTENCE_END.search(text) is not None for _, text in block) < 2 for block in blocks[:first])
            is_above = first <= _ABOVE and are_titles and {len(block) for block in blocks[first:]} == {usual}
            line = blocks[first][0][0]
            shown = " / ".join(text.strip()[:40] for block in blocks[:first] for _, text in block)
            source.refuse(
                odd[0][0],
                f"most items have {usual} lines between blank ones, and the one that begins here has {len(odd)}: which of its "
                "conditions is missing or too many, its lines do not say",
                hint=f"Complete it; or make a table with the columns item, condition and sentence.\n{source.head}\n",
                is_open=odd is blocks[0],  # something else may stand above the items
                ways=[FileAnswer("", f"what stands above line {line} is left out: {shown}", {"header_row": line})]
                if is_above
                else [],
            )
        read_item_lines(source)  # which refuses an item whose words say that its lines stand in another order
        if label := _label_of_items(blocks):
            name, rest = _attribute_called(label), usual - 1
            places = f"the others are its conditions, called line_1 to line_{rest}, by their place, or good and bad where one of two is marked"
            source.ask(
                next(line for line, text in blocks[0] if text.strip().startswith(label)),
                f"{len(blocks):,} blocks of {usual} lines, and one line of each begins with {label}, as if it were no sentence of the item",
                f"One line of each of {len(blocks):,} blocks begins with {label}. Is it said of the item, and no sentence?",
                [
                    FileAnswer(
                        "yes",
                        f"a block is an item; its line behind {label} is the attribute {name}, and {places}",
                        {"per_item": rest, "attributes": (*source.options.attributes, label)},
                    )
                ],
                hint="If it is a sentence of the item like the others, take the label out of the file, or make a table with the columns item, "
                "condition and sentence.",
            )
        source.ask(
            0,
            f"{len(blocks):,} blocks of {usual} lines, and no line says which condition it is",
            f"There are {len(blocks):,} blocks of {usual} lines. Is a block an item, with its conditions in the same order everywhere?",
            [
                FileAnswer(
                    "yes",
                    f"a block is an item; its conditions are called line_1 to line_{usual}, by their place",
                    {"per_item": usual},
                )
            ],
            hint="".join(f"{said[0].upper()}{said[1:]}.\n" for said in _around(source, blocks))
            + f"To name the conditions, write the name of each before its sentence: {_labelled(blocks[0])}",
        )
    lines = [text for _, text in _filled(source)]
    if len(blocks) == 1 and not _is_a_table(source) and (size := _size(source, lines)):
        message = f"neighbouring lines are alike in groups of {size}, as if an item had {size} sentences"
        source.ask(
            0,
            message,
            f"{message[0].upper()}{message[1:]}. Is that so?",
            [FileAnswer("yes", f"every {size} lines are an item, in the same order of conditions", {"per_item": size})],
            hint="If two lines are a pair all the same, say --format pair_lines.",
        )
    return None


def _expect_items_alone(source: SourceFile, blocks: Sequence[Sequence[tuple[int, str]]]) -> None:
    """Refuse blocks of which the first or the last ones do not end as sentences do, where all lines of the others do: a title or a legend is no
    item, be it as long as one."""
    if source.known.get("format") is not None or len(blocks) < 3:
        return
    are_ended = [[_SENTENCE_END.search(text) is not None for _, text in block] for block in blocks]
    whole = [n for n, own in enumerate(are_ended) if all(own)]
    first, last = (whole[0], whole[-1] + 1) if whole else (0, 0)
    apart = [*range(first), *range(last, len(blocks))]
    if last - first < 2 or len(whole) < last - first or not 0 < len(apart) <= _ABOVE + 1 or any(any(are_ended[n]) for n in apart):
        return
    out = [line for n in range(last, len(blocks)) for line, _ in blocks[n]]
    options: dict[str, object] = {"header_row": blocks[first][0][0]} if first else {}
    if out:
        options["leave_out"] = (*source.options.leave_out, as_numbers(out))
    lines = [(line, text) for n in apart for line, text in blocks[n]]
    shown = " / ".join(text.strip()[:40] for _, text in lines)
    source.refuse(
        lines[0][0],
        f"what stands above or below the items does not end as their sentences do, as if it were a title or a legend: {shown}",
        hint=f"{source.head}\n",
        is_open=True,
        ways=[FileAnswer("", f"they are no sentences, and left out: {shown}", options)],
    )


def _around(source: SourceFile, blocks: Sequence[Sequence[tuple[int, str]]]) -> tuple[str, ...]:
    """What to tell of lines above the first item and below the last one, which may say what its conditions are."""
    above, last = _above(source), blocks[-1][-1][0]
    foot = [(line, text.strip()) for line, text in _filled(source) if line > last]
    return (*(_title(above)[0] if 0 < len(above) <= _TITLE else ()), *(_foot(foot)[0] if foot else ()))


def _expect_no_lines_below(source: SourceFile, blocks: Sequence[Sequence[tuple[int, str]]]) -> None:
    """Refuse blocks in each of which several sentences stand behind letters and other lines below these: those are no conditions."""
    if len(blocks) < 2:
        return
    for block in blocks:
        letters = [match["letter"] for _, text in block if (match := _SUB.fullmatch(text)) is not None]
        if len(set(letters)) < 2 or _SUB.fullmatch(next(text for _, text in block if not _head(text))) is None:
            return
    below = [(n, text) for block in blocks for n, text in block if not _SUB.fullmatch(text) and not _head(text)]
    if not below:
        return
    line, text = below[0]
    source.refuse(
        line,
        f"{text.strip()[:60]!r} stands below a sentence with a letter and has none: whether it goes on with the sentence, glosses it or "
        "translates it cannot be told",
        hint="Write a sentence in one line; a gloss has a word for each of its sentence's, and a translation stands in quotation marks, one "
        f"line each.\n{source.head}\n",
        ways=[FileAnswer("", "an indented line goes on with the sentence above it", {"wrapped": True}), *among_ways(source)],
    )


def _labelled(block: Sequence[tuple[int, str]]) -> str:
    """The first sentences of an item with a name before each, for a message."""
    return " / ".join(f"condition_{n}: {text.strip()[:40]}" for n, (_, text) in enumerate(block[:2], 1))


def _are_alike(blocks: Sequence[Sequence[tuple[int, str]]]) -> bool:
    """Whether the lines of a block differ in a few words from one to the next, as the sentences of an item do."""
    return likeness_of([(one, other) for block in blocks for (_, one), (_, other) in pairwise(block)]).alike >= 0.6 * sum(
        len(block) - 1 for block in blocks
    )


def _is_a_table(source: SourceFile) -> bool:
    """Whether the lines are rows: headings above, equally many cells everywhere."""
    return source.has_columns or (len(source.widths) == 1 and 1 not in source.widths and source.suffix not in ("", ".txt"))


def _parted(source: SourceFile) -> list[list[tuple[int, str]]]:
    """The lines of each item: between blank lines, or below the items' numbers."""
    if "parted" not in source.known:
        source.known["parted"] = _parts(source)
    found: list[list[tuple[int, str]]] = source.known["parted"]
    return found


def _parts(source: SourceFile) -> list[list[tuple[int, str]]]:
    blocks = _between_blanks(source.lines)
    if source.options.attributes:
        kept = ([(line, text) for line, text in block if not _label_said(source, text)] for block in blocks)
        return [block for block in kept if block]
    heads = {number for number, text in enumerate(source.lines, 1) if _HEAD.fullmatch(text)}
    if not heads or (title := len(_above(source))) > _TITLE or (title and len(heads) < 2):
        return blocks
    first = min(heads)
    below = _between_blanks(["" if number in heads or number < first else text for number, text in enumerate(source.lines, 1)])
    # What stands below the last item, apart from it, is none.
    while len(below) > len(heads) and below[-1][0][0] - 1 not in heads:
        below.pop()
    # Numbers that stand above nothing, or above some of the blocks only, are lines like others.
    return below if {block[0][0] - 1 for block in below} == heads else blocks


def _above(source: SourceFile) -> list[tuple[int, str]]:
    """The lines above the number of the first item; all of them where there is none."""
    return list(takewhile(lambda line: not _HEAD.fullmatch(line[1]), _filled(source)))


def _title(above: Sequence[tuple[int, str]]) -> tuple[tuple[str, ...], tuple[Assumption, ...]]:
    """What to tell of lines above the first item that are no sentences; nothing where there are none."""
    if not above:
        return (), ()
    said = "; ".join(f"line {line}: {text.strip()[:60]}{'…' if len(text.strip()) > 60 else ''}" for line, text in above)
    note = f"what stands above the first example is no sentence ({said})"
    return (note,), (Assumption("title", said, "it stands above the first example", "assumed"),)


def _foot(below: Sequence[tuple[int, str]]) -> tuple[tuple[str, ...], tuple[Assumption, ...]]:
    """What to tell of lines below the last item that are no sentences."""
    where = "; ".join(f"line {line}: {text[:80]}" for line, text in below[:3]) + (" …" if len(below) > 3 else "")
    note = f"what stands below the last example is no sentence ({where})"
    return (note,), (Assumption("what stands below", where, "a blank line parts it from the last example", "assumed"),)


def _between_blanks(lines: Sequence[str]) -> list[list[tuple[int, str]]]:
    parts = groupby(enumerate(lines, 1), key=lambda line: bool(line[1].strip()))
    return [list(block) for is_text, block in parts if is_text]


def _size(source: SourceFile, lines: Sequence[str], *, whole: bool = True) -> int | None:
    """How many lines an item has, three or more, where neighbours are alike within items and not between them. Refuses lines
    where nearly all items have as many, and one has others."""
    if len(lines) < 6:
        return None
    if len(lines) > _FIRST and _size(source, lines[:_FIRST], whole=False) is None:
        # Pairs are the rule in long files, and their first lines show it.
        return None
    begins = [0, *breaks_of(lines)]
    sizes = [after - here for here, after in zip(begins, [*begins[1:], len(lines)], strict=True)]
    (size, times), *_ = Counter(sizes).most_common(1)
    if size < 3 or len(sizes) < 2 or times < 0.75 * len(sizes):
        return None
    if not whole:
        return size
    odd = next((n for n, own in enumerate(sizes) if own != size), None)
    if odd is not None:
        filled = _filled(source)
        source.refuse(
            filled[begins[odd]][0],
            f"items seem to have {size} lines, and the one that begins here {sizes[odd]}: which of its conditions is missing or "
            "too many, its lines do not say",
            hint=f"Complete it; or make a table with the columns item, condition and sentence.\n{source.head}\n",
            is_open=odd == 0,
        )
    return size if len(set(sizes)) == 1 else None


def read_item_lines(source: SourceFile, progress: Progress | None = None) -> ForeignSet:
    """Read the lines: the first of every item is of one condition, the second of another. Raises `FormatError` with the line where
    lines are left over, and where the words of an item say that its lines stand in another order."""
    filled = [line for block in _parted(source) for line in block]
    per_item = source.options.per_item or len(_parted(source)[0])
    if len(filled) % per_item:
        source.refuse(
            filled[-(len(filled) % per_item)][0],
            f"{len(filled)} lines are not so many times {per_item}",
            hint="Every item has as many lines, or no line says which of its conditions is missing.",
        )
    _expect_whole_blocks(source, per_item)
    lines_of_items = {line for line, _ in filled}
    layout: list[Place] = []
    items: list[ForeignItem] = []
    held: list[ForeignSentence] = []
    said_of: dict[str, dict[str, str]] = {}
    label = ""
    place = 0
    names = [f"line_{n}" for n in range(1, per_item + 1)]
    beside = [name for name in source.options.attributes if name in names]
    conditions = [name for name in names if name not in beside]
    if not conditions:
        source.refuse(0, f"--attribute takes all {per_item} lines of an item", hint="Sentences are left where it names fewer.")
    for line, text in enumerate(source.lines, 1):
        if said := _label_said(source, text):
            if place:
                source.refuse(
                    line,
                    f"stands within an item, where every {per_item} lines are one",
                    hint=f"Write what is behind {said} above it.",
                )
            label = str(len(items) + 1)
            if (name := _attribute_called(said)) in said_of.setdefault(label, {}):
                source.refuse(line, f"says {said} once more of item {label}", hint="An item has it once: join the two lines.")
            said_of[label][name] = text.strip().removeprefix(said).strip()
            layout.append((label, -1, text, ""))
            continue
        if text.strip() and line not in lines_of_items:
            layout.append((None, -1, text, ""))
            continue
        if not text.strip():
            layout.append((None, -1, text, ""))
            continue
        bare = text.strip()
        start = text.index(bare)
        label = label if place else _label(source, line, len(items))
        place += 1
        if (name := f"line_{place}") in beside:
            said_of.setdefault(label, {})[name] = bare
            layout.append((label, -1, text, ""))
        else:
            layout.append((label, len(held), text[:start], text[start + len(bare) :]))
            held.append(ForeignSentence(name, bare, line=line))
        if place == per_item:
            items.append(ForeignItem(label, tuple(held), said_of.get(label, {}), line=held[0].line))
            held, place = [], 0
            if progress is not None and len(items) % 2000 == 0:
                progress(len(items) * per_item)
    if unused := [
        name
        for name in source.options.attributes
        if name not in beside and not any(_label_said(source, text) == name for text in source.lines)
    ]:
        _refuse_unused(source, unused[0])
    if over := [label for label in said_of if label not in {item.label for item in items}]:
        source.refuse(
            0, f"what is said of item {over[0]} stands above no sentence", hint="Every item has its own lines below it."
        )
    if twice := next((label for label, times in Counter(item.label for item in items).items() if times > 1), None):
        source.refuse(0, f"item {twice} is there twice", hint="Number the items, each with its own number.")
    are_apart = _is_headed(source) or bool(said_of) or _is_marked_by_turns(_parted(source))
    by_mark = per_item == 2 == len(conditions) and are_apart and all(_is_judged(block) for block in _parted(source))
    if by_mark:
        items = [replace(item, sentences=tuple(replace(s, condition=_member(s.text)) for s in item.sentences)) for item in items]
    else:
        expect_same_order(source, items)
    how = "as said" if source.options.per_item else "blank lines stand between items"
    sure = "said" if source.options.per_item else "certain"
    above = _above(source)
    notes, told = _title(above) if len(above) <= _TITLE else ((), ())
    last = max(lines_of_items)
    if foot := [(line, text.strip()) for line, text in _filled(source) if line > last]:
        notes_below, told_below = _foot(foot)
        notes, told = (*notes, *notes_below), (*told, *told_below)
    return ForeignSet(
        shape=LINES,
        items=tuple(items),
        conditions=(GOOD, BAD) if by_mark else tuple(conditions),
        meta={"layout": [list(place) for place in layout]},
        notes=notes
        if by_mark
        else (*notes, f"conditions are called {conditions[0]} to {conditions[-1]}, by the place of their line in the item"),
        assumptions=(
            Assumption("item", f"every {per_item} lines", how, "said" if sure == "said" else "certain", "--per-item"),
            Assumption("condition", "good and bad, by the mark before one of two sentences", "every item has one of each")
            if by_mark
            else Assumption(
                "condition",
                "the place of a line in its item",
                "nothing else says it: see whether the lines of all items are of the same conditions in the same order",
                "assumed",
            ),
            *(
                Assumption(
                    "attribute",
                    f"{name}, that line of every item"
                    if name in beside
                    else f"{_attribute_called(name)}, what is behind {name} in a line of an item",
                    "as said",
                    "said",
                    "--attribute",
                )
                for name in source.options.attributes
            ),
            *told,
        ),
        encoding=source.encoding,
        name=source.path.stem,
    )


def _is_headed(source: SourceFile) -> bool:
    """Whether the lines of each item stand below its number."""
    heads = {number for number, text in enumerate(source.lines, 1) if _HEAD.fullmatch(text)}
    return bool(heads) and {block[0][0] - 1 for block in _parted(source)} == heads


def _is_marked_by_turns(blocks: Sequence[Sequence[tuple[int, str]]]) -> bool:
    """Whether blank lines part pairs in each of which one sentence is marked, now the first and now the second one."""
    return (
        len(blocks) > 1
        and all(len(block) == 2 and _is_judged(block) for block in blocks)
        and len({_member(block[0][1]) for block in blocks}) > 1
    )


def _is_judged(block: Sequence[tuple[int, str]]) -> bool:
    """Whether just one of two sentences is marked."""
    return sorted(_member(text) for _, text in block) == [BAD, GOOD]


def _member(text: str) -> str:
    return GOOD if status_of(judgement_of(text.strip())) == "ok" else BAD


def _expect_whole_blocks(source: SourceFile, per_item: int) -> None:
    """Refuse an item that a blank line parts, unless such a line stands behind every so many: lines may be missing before and behind it."""
    blocks = _parted(source)
    is_headed = _is_headed(source)
    count = 0
    for block, after in pairwise(blocks):
        count += len(block)
        # The number of an item parts it from the one above, be they of one size or not.
        if (count % per_item and len(set(map(len, blocks))) > 1) or (is_headed and len(block) != per_item):
            source.refuse(
                after[0][0],
                f"what parts the blocks stands within an item, where every {per_item} lines are one",
                hint=f"Every item has {per_item} lines, or no line says which of its conditions is missing: complete it, or make a table "
                f"with the columns item, condition and sentence.\n{source.head}\n",
            )


def _label(source: SourceFile, line: int, before: int) -> str:
    """What an item is called that begins in this line: by the number above it, else in order."""
    head = _HEAD.fullmatch(source.lines[line - 2]) if line > 1 else None
    return head["number"] if head is not None else str(before + 1)


def expect_same_order(source: SourceFile, items: Sequence[ForeignItem]) -> None:
    """Refuse an item whose words say that its lines stand in another order than those of the others."""
    texts = [[s.text for s in item.sentences] for item in items]
    if (turned := turning(texts)) is not None:
        source.refuse(
            0,
            f"the order of conditions seems to change from item to item: {turned!r} stands in as many lines of every item, and in other ones "
            "from item to item",
            hint="Without labels the place of a line says nothing then, as where the lines are those of the lists of an experiment. Write the "
            "name of its condition before each sentence, or make a table with the columns item, condition and sentence.",
        )
    odd = odd_order(texts)
    if odd is not None:
        source.refuse(
            items[odd[0]].sentences[0].line,
            f"the lines of this item stand in another order than those of the others, by {odd[1]!r}",
            hint="Without labels only the order says which condition a line is. Put them in one order, or make a table with the "
            "columns item, condition and sentence.",
        )


def write_text_items(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    """Write the lines as they stood, with the sentences as they read now; items that came from elsewhere are left out."""
    if items.shape not in (NUMBERED, BLOCKS, LINES):
        return _write_numbered(stream, items)
    return write_laid_out(stream, items)


def _write_numbered(stream: TextIO, items: ForeignSet) -> tuple[str, ...]:
    left_out = []
    for number, item in enumerate(items.items):
        if not item.sentences or any("\n" in s.text or not s.text.strip() for s in item.sentences):
            left_out.append(item.label)
            continue
        stream.write(("\n" if number else "") + f"Item {item.label}\n")
        for sentence in item.sentences:
            stream.write(f"{sentence.condition}: {sentence.text}\n")
    return tuple(left_out)
