"""What stands before or behind a sentence and is no part of it: judgement marks (``*``, ``?``, ``??``), labels such as ``A:``, norms in
brackets.

Judgement marks are taken off, since no sentence begins with one, and are kept: as what is expected of a condition where all its
sentences have the same, else as the attribute `judgement`. The others are taken off where somebody says so.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from gapsmith.bank.formats.asking import Assumption, FileAnswer
from gapsmith.bank.formats.foreign import BAD, GOOD, ForeignItem, ForeignSentence, ForeignSet, GivenRegion
from gapsmith.bank.formats.headings import HIGH, LOW, fold
from gapsmith.bank.formats.likeness import marks_of
from gapsmith.bank.formats.source import ReadOptions, SourceFile

JUDGEMENT, MARK = "judgement", "mark"
"""The attribute of sentences that says how they were marked; the second one where the file has a column that is called as the first."""
MARKS = "marks"
"""What ``--good`` says of a column that holds marks of judgement."""
IN_BRACKETS = "in_brackets"
"""The attribute of sentences that has what stood in brackets around them."""
BEHIND = "behind"
"""The attribute of sentences that has what else stood behind them."""
TAKEN_OFF = frozenset({JUDGEMENT, IN_BRACKETS, BEHIND})
"""Attributes of what stands around sentences in the file, and in no column."""
_GROUP = r"(?P<held>\[[^][]*\]|\([^()]*\)|\{[^{}]*\}|<[^<>]*>|（[^（）]*）|【[^【】]*】|［[^［］]*］)"
_OPEN, _CLOSED = frozenset("[({<（【［"), frozenset("])}>）】］")
_HELD = re.compile(rf"\s*{_GROUP}\s*")
_BEFORE = re.compile(rf"\s*(?=[\[(<{{][^][(){{}}<>]*\d){_GROUP}\s+(?=\S)")
_BEHIND = re.compile(rf"(?:(?<=[.?!…。？！\"'”’»])\s*|\s+(?=[\[(<{{][^][(){{}}<>]*\d)){_GROUP}\s*\Z")
_COLUMNS = frozenset(
    {
        "grammatical",
        "grammaticality",
        "ungrammatical",
        "acceptable",
        "acceptability",
        "unacceptable",
        "judgement",
        "judgment",
        "expected",
        "akzeptabel",
        "akzeptabilität",
        "grammatisch",
        "grammatikalisch",
        "grammatikalität",
        "gramatical",
        "aceptable",
        "acceptabel",
        "aceitável",
        "accettabile",
        "grammaticale",
        "gramaticale",
        "gramaticalidad",
        "gramaticalidade",
        "грамматичность",
        "приемлемость",
    }
)
"""Headings of what is said of a sentence."""
_UNSAID = frozenset(
    {"label", "labels", "gold", "gold_label", "target", "class", "y", "binary", "violation", "error", "anomaly", "anomalous"}
    | {"correct", "is_error", "is_violation", "wellformed", "well_formed", "illformed", "position"}
)
"""Headings of what may be said of a sentence, where a value says by itself not which way."""
_FAULTS = frozenset({"violation", "error", "anomaly", "anomalous", "is_error", "is_violation", "illformed", "ungrammatical"})
"""Those of them that name what is wrong."""
_PLACES = frozenset({"position"})
_LABELS = {
    **dict.fromkeys(("good", "grammatical", "acceptable", "ok", "well_formed", "sentence_good", "good_sentence"), "ok"),
    **dict.fromkeys(("bad", "ungrammatical", "unacceptable", "ill_formed", "sentence_bad", "bad_sentence"), "*"),
    **dict.fromkeys(("gram", "gramm", "correct", "grammatisch", "korrekt", "richtig", "correcto", "correcta"), "ok"),
    **dict.fromkeys(("ungram", "ungramm", "incorrect", "ungrammatisch", "inkorrekt", "falsch", "incorrecto", "incorrecta"), "*"),
    **dict.fromkeys(("gramatical", "grammaticale", "corretto", "верно", "правильно", "grammaticaal", "correcte"), "ok"),
    **dict.fromkeys(("agramatical", "agrammaticale", "scorretto", "неверно", "неправильно", "ongrammaticaal", "incorrecte"), "*"),
}
"""Labels of conditions that say by themselves what is expected, where all do."""
_VALUES = {
    **dict.fromkeys(
        (
            "true",
            "1",
            "yes",
            "y",
            "ja",
            "oui",
            "si",
            "sí",
            "sì",
            "sim",
            "evet",
            "tak",
            "да",
            "wahr",
            "vrai",
            "ok",
            "good",
            "grammatical",
            "acceptable",
            "✓",
        ),
        "ok",
    ),
    **dict.fromkeys(
        (
            "false",
            "0",
            "no",
            "n",
            "nein",
            "nee",
            "non",
            "não",
            "nao",
            "hayır",
            "nie",
            "нет",
            "falsch",
            "faux",
            "*",
            "bad",
            "ungrammatical",
            "unacceptable",
        ),
        "*",
    ),
    **dict.fromkeys(("?", "??", "#", "%", "marginal", "questionable"), "?"),
}
_MARK = re.compile(
    r"\s*(?:\(\s*(?P<inner>[*?#%]{1,3}|ok)\s*\)|(?P<bare>[*?#%✓√]{1,3}|(?i:ok)(?=[:\s]):?))\s*(?=[^\W_]|[\"'“‘«¿¡(\[])"
)


_MARKS = re.compile(r"[*?#%]{1,3}")
_GLUED = re.compile(r"\s*#(?P<word>\w+)")
"""A sign before a word that may be a mark, or belong to the word, such as #MeToo."""
_TOLD = frozenset("#%")
"""Marks that sentences begin with, too."""


def judgement_of(text: str) -> str:
    """The mark before a sentence; empty where there is none."""
    found = _MARK.match(text)
    if found is None:
        return ""
    mark = (found["inner"] or found["bare"]).rstrip(":")
    return "ok" if mark.casefold() == "ok" or mark in "✓√" else mark


LABEL_OF_LINE = re.compile(r"\s*(?P<label>[^\W\d_]{1,20}:)\s+(?=\S)")
"""A word or letter with a colon before a line."""
_CONTEXT = re.compile(
    r"(?:C|Ctx|Cntxt|Context|Kontext|Contexte|Contexto|Contesto|Background|Scenario|Szenario|Situation|Setup|Setting|Preamble|Discourse):",
    re.IGNORECASE,
)


def says_context(label: str) -> bool:
    """Whether a label before a line says that it is the context of sentences, which is never taken off without the line."""
    return _CONTEXT.fullmatch(label.strip()) is not None


def context_among(labels: Iterable[str]) -> str:
    """The label that says context; empty where none does, and where other letters show that a C is a letter among several."""
    own = list(dict.fromkeys(labels))
    found = next(filter(says_context, own), "")
    return "" if len(found) == 2 and any(len(label) == 2 and label != found for label in own) else found


def refusal_of_context(label: str) -> str:
    """What to do with a file whose sentences have a context among or in them, behind a label."""
    return (
        f"Write what is behind {label} into a column of its own, in a table with the columns item, condition, sentence and "
        f"{'context' if says_context(label) else 'another name'}, beside every sentence that is read after it."
    )


def bare(text: str) -> str:
    """The sentence without the mark before it."""
    found = _MARK.match(text)
    return text if found is None else text[found.end() :]


def status_of(mark: str) -> str:
    """What a mark says of acceptability: ``ok``, ``?`` or ``*``."""
    return "*" if "*" in mark else "?" if set(mark) & set("?#%") else "ok"


def around_pattern(texts: Sequence[str]) -> str:
    """What finds what somebody said stands before or behind sentences: a number in it is any number, and dots in brackets anything."""
    each = (re.sub(r"\d+", lambda _: r"\d+", re.escape(text.strip())) for text in texts)
    return "|".join(re.sub(r"\\\.\\\.\\\.|…", lambda _: r"[^][(){}<>]*", one) for one in each)


def parts_of(text: str, options: ReadOptions) -> tuple[str, str, str]:
    """A sentence with what somebody said stands before it and behind it."""
    before = after = ""
    if options.strip_prefixes and (found := re.match(rf"\s*(?:{around_pattern(options.strip_prefixes)})\s*", text)):
        before, text = found[0], text[found.end() :]
    if options.strip_suffixes and (found := re.search(rf"\s*(?:{around_pattern(options.strip_suffixes)})\s*\Z", text)):
        after, text = found[0], text[: found.start()]
    return before, text, after


def bare_of(text: str, options: ReadOptions) -> str:
    """The sentence without what somebody said stands around it."""
    return parts_of(text, options)[1]


def _brackets(texts: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Brackets before or behind sentences with a number in them, or behind the mark that ends them: options that take them off."""
    found = {
        "strip_prefixes": [match for text in texts if text.lstrip()[:1] in _OPEN and (match := _BEFORE.match(text)) is not None],
        "strip_suffixes": [
            match for text in texts if text.rstrip()[-1:] in _CLOSED and (match := _BEHIND.search(text)) is not None
        ],
    }
    return {
        name: tuple(dict.fromkeys(f"{match['held'][0]}...{match['held'][-1]}" for match in own))
        for name, own in found.items()
        # Behind the mark that ends a sentence nothing belongs to it, be it once in a file.
        if len(own) > 1 or (own and own[0].end() == len(own[0].string))
    }


def expect_no_labels(source: SourceFile, texts: Sequence[str], *, as_they_are: str = "") -> None:
    """Ask about sentences that nearly all begin with a label, such as ``A:``, or nearly all with the same mark. `as_they_are` is
    the format whose name says that they belong to the sentences."""
    texts = [bare_of(text, source.options) for text in texts if text.strip()]
    kept = f"If it belongs to them, say --format {as_they_are}." if as_they_are else ""
    if brackets := _brackets(texts):
        held = next(match["held"] for text in texts if (match := _BEFORE.match(text) or _BEHIND.search(text)) is not None)
        options = {name: (*getattr(source.options, name), *own) for name, own in brackets.items()}
        source.ask(
            0,
            f"brackets stand before or behind its sentences, such as {held}, as if what they hold were said of the sentence",
            f"Brackets such as {held} stand before or behind the sentences. Are they no part of them?",
            [FileAnswer("yes", f"what the brackets hold becomes the attribute {IN_BRACKETS}", options)],
            hint=kept,
        )
    # What one sentence begins with is no habit of a file.
    found = marks_of([text for text in texts if _GLUED.match(text) is None]) if len(texts) > 1 else ()
    marks = [mark for mark in found if not (set(mark) <= set("*?#%") and not _all_alike(texts, mark))]
    if not marks:
        return
    if context := context_among(marks):
        source.refuse(
            0,
            f"its sentences begin with {context}, as if what stands behind it were a context and no sentence",
            hint=f"{refusal_of_context(context)} {kept}\n{source.head}\n",
        )
    shown = ", ".join(marks[:4]) + (" …" if len(marks) > 4 else "")
    one_of_each = tuple(dict.fromkeys(re.sub(r"\d+", "1", mark) for mark in marks))
    answers = [
        FileAnswer("yes", "take it off the sentences", {"strip_prefixes": (*source.options.strip_prefixes, *one_of_each)}),
    ]
    source.ask(
        0,
        f"its sentences begin with {shown}, as if that were a label or a star and not part of them",
        f"The sentences begin with {shown}. Is that a label, to be taken off?",
        answers,
        hint=kept,
    )


def unmarked(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set with marks and said prefixes beside its sentences instead of in them."""
    options = source.options
    said_around = (*options.strip_prefixes, *options.strip_suffixes)
    texts = [s.text for item in found.items for s in item.sentences]
    kept = _kept_as_text(found, source)
    marks = [judgement_of(text) if text not in kept else "" for text in (bare_of(text, options) for text in texts)]
    if not any(marks) and not said_around:
        return found
    parts = [parts_of(text, options) for text in texts]
    # A mark behind a sentence says the same of it as one before it, once somebody said that it is none of its signs.
    marks = [
        mark or (after.strip() if _MARKS.fullmatch(after.strip()) else "")
        for mark, (_, _, after) in zip(marks, parts, strict=True)
    ]
    taken = sum(bool(before or after) for before, _, after in parts)
    for name, place, own in (("prefix", "begins", options.strip_prefixes), ("suffix", "ends", options.strip_suffixes)):
        if own and not any(part[0 if name == "prefix" else 2] for part in parts):
            source.refuse(0, f"no sentence {place} with {' or '.join(map(repr, own))}", hint=f"Leave --strip-{name} out.")
    by_condition: dict[str, set[str]] = {}
    given = iter(marks)
    for item in found.items:
        for sentence in item.sentences:
            by_condition.setdefault(sentence.condition, set()).add(next(given))
    is_even = any(marks) and all(len({status_of(mark) for mark in own}) == 1 for own in by_condition.values())
    # A column of that name is the file's own.
    name = MARK if _judging(found, {JUDGEMENT}) else JUDGEMENT
    source.known["mark"] = name
    given = iter(marks)
    items = tuple(
        replace(
            item,
            sentences=tuple(
                _bare(sentence, options, next(given), keep=name if any(marks) and not is_even else "")
                for sentence in item.sentences
            ),
        )
        for item in found.items
    )
    expected = {name: status_of(next(iter(own))) for name, own in by_condition.items()} if is_even else {}
    said = []
    notes: tuple[str, ...] = ()
    if said_around:
        said.append(
            Assumption("around sentences", f"{', '.join(said_around)} taken off {taken:,} of {len(texts):,}", "as said", "said")
        )
    if any(marks):
        kinds = ", ".join(dict.fromkeys(filter(None, marks)))
        if doubtful := Counter(mark for mark in marks if _TOLD & set(mark)):
            off = ", ".join(f"{mark} in {n:,} sentence{'s' if n > 1 else ''}" for mark, n in doubtful.items())
            notes = (f"taken off: {off}",)
        where = "what is expected of the conditions" if is_even else f"the attribute {name}"
        said.append(
            Assumption(
                "judgement marks", f"{kinds} before {sum(map(bool, marks)):,} sentences, kept as {where}", "no sentence begins so"
            )
        )
    return replace(
        found,
        items=items,
        expected={**expected, **found.expected} if is_even else found.expected,
        meta={**found.meta, "judged": any(marks) or bool(said_around)},
        notes=(*found.notes, *notes),
        assumptions=(*found.assumptions, *said),
    )


def without_ends(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set without blanks before and behind its sentences, which are kept beside them; as it is for whoever looks for what is wrong with a
    file, and where the file parts sentences into regions, which have their own ends."""
    if source.options.as_it_is:
        return found
    count = 0
    items = []
    for item in found.items:
        if odd := sum(s.regions is None and s.text != s.text.strip() != "" for s in item.sentences):
            count += odd
            item = replace(item, sentences=tuple(map(_trimmed, item.sentences)))
        items.append(item)
    if not count:
        return found
    stand = f"{count:,} of {sum(len(item.sentences) for item in items):,} sentences"
    told = Assumption("around sentences", f"blanks before or behind {stand} are no part of them", "no sentence begins or ends so")
    return replace(found, items=tuple(items), assumptions=(*found.assumptions, told))


def _trimmed(sentence: ForeignSentence) -> ForeignSentence:
    text = sentence.text.strip()
    if sentence.regions is not None or not text or text == sentence.text:
        return sentence
    start = sentence.text.index(text)
    before, behind = sentence.text[:start], sentence.text[start + len(text) :]
    return replace(sentence, text=text, mark=sentence.mark + before, behind=behind + sentence.behind)


def _kept_as_text(found: ForeignSet, source: SourceFile) -> frozenset[str]:
    """The sentences whose ``#`` belongs to the word behind it: all that begin so where items have it in all their sentences and the word
    nowhere without it, none where every such word stands elsewhere without it. Refuses a file of which neither holds, unless its
    format is named: then they are kept as they stand."""
    glued: dict[str, str] = {}
    first: ForeignSentence | None = None
    are_whole = True
    for item in found.items:
        own = [_GLUED.match(bare_of(sentence.text, source.options)) for sentence in item.sentences]
        glued |= {match.string: match["word"] for match in own if match is not None}
        first = first or next((s for s, match in zip(item.sentences, own, strict=True) if match is not None), None)
        are_whole = are_whole and (not any(own) or (all(own) and len(own) > 1))
    if first is None:
        return frozenset()
    words = set(glued.values())
    bare_words = {
        word
        for item in found.items
        for sentence in item.sentences
        for word in re.findall(r"(?<![#\w])\w+", sentence.text)
        if word in words
    }
    if bare_words == words:
        return frozenset()
    if (are_whole and not bare_words) or source.known.get("format") is not None or source.options.as_it_is:
        return frozenset(glued)
    return source.refuse(
        first.line,
        f"# stands before a word, such as in {first.text[:80]!r}: whether it is a mark of judgement or belongs to the word, the file "
        f"does not say ({len(glued):,} sentence{'s' if len(glued) > 1 else ''})",
        hint=f"If it is a mark, write a space behind it in the file.\n{source.head}\n",
        ways=[
            FileAnswer("", "# belongs to the sentences", {"format": found.shape}),
            FileAnswer("", "# is taken off, and is not kept", {"strip_prefixes": (*source.options.strip_prefixes, "#")}),
        ],
    )


def judged_by_column(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set with what is expected of each condition, where a column says one thing of all its sentences: as somebody said with
    ``--good``, as a heading such as `grammatical` or the labels themselves leave no doubt. Asks where a column says 0 or 1 of them and
    nothing says which is good."""
    if source.options.good:
        for said in source.options.good:
            found = _said_good(found, source, said)
        return found
    if found.expected or not found.items:
        return found
    why_not = []
    for name in _judging(found, _COLUMNS):
        judged = _by_values(found, name)
        if isinstance(judged, ForeignSet):
            return judged
        why_not += [judged] if judged else []
    if (labels := _labelled(found.conditions)) is not None:
        taken = Assumption("expected", "as the conditions are called", "their labels say it")
        return replace(found, expected=labels, assumptions=(*found.assumptions, taken))
    headings = found.meta.get("condition")
    for place, name in enumerate(headings if isinstance(headings, list) and found.levels else ()):
        if (levels := _labelled([own[place] for own in found.levels.values()])) is not None:
            return _expecting(found, {label: levels[own[place]] for label, own in found.levels.items()}, name)
    found = replace(found, notes=(*found.notes, *why_not))
    if source.known.get("format") is None and not source.options.as_it_is:
        if not why_not:
            _ask_about_marks(found, source)
        _ask_which_is_good(found, source)
    return found


def expect_agreement(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """Refuse marks that say something else of a sentence than its condition or a column does, such as ``*`` under `grammatical`: one of
    the two is wrong, and which one the file does not say. Where the format is named, it is told of each."""
    options = source.options
    by_labels = _labelled(found.conditions) or {}
    header = found.meta.get("header")
    called = {
        name: header[place]
        for name in (GOOD, BAD)
        if header and isinstance(place := found.meta.get(name), int) and place < len(header)
    }
    made = source.known.get("mark", JUDGEMENT)
    names = [name for name in _judging(found, _COLUMNS) if name != made and name not in found.factors]
    odd: list[tuple[ForeignItem, ForeignSentence, str, str]] = []
    bare_ones: list[tuple[ForeignItem, ForeignSentence]] = []
    """Sentences without a mark that a column says are bad, where marks stand before others."""
    is_marked = bool(names) and _are_marked(found, options, names)
    for item in found.items:
        for sentence in item.sentences:
            mark = judgement_of(bare_of(sentence.written_text, options))
            said = {"ok" if mark == "ok" else "*": f"marked {mark}"} if mark == "ok" or "*" in mark else {}
            if not mark and is_marked:
                said = {"ok": "not marked"}
            for name in names:
                value = str(sentence.attributes.get(name, item.attributes.get(name, ""))).strip()
                if (status := acceptability_of(value)) is not None:
                    said.setdefault(_status_said(status, turned=fold(name).startswith("un")), f"{value} in the column {name}")
            status = by_labels.get(sentence.condition, found.expected.get(sentence.condition, ""))
            said.setdefault(status, f"under {called.get(sentence.condition, sentence.condition)}")
            if {"ok", "*"} <= set(said):
                odd.append((item, sentence, said["*"], said["ok"]))
            elif not mark and not is_marked and "in the column" in said.get("*", ""):
                bare_ones.append((item, sentence))
    if not odd:
        return found
    item, sentence, bad, good = odd[0]
    first = f"item {item.label}: {sentence.text[:80]!r} is {bad}, and {good}"
    others = "; ".join(f"item {i.label} ({source.place(s.line)}) is {b}, and {g}" for i, s, b, g in odd[1:5])
    rest = len(odd) - 5
    more = f"; {others}{f'; and {rest:,} more' if rest > 0 else ''} ({len(odd):,} sentences in all)" if others else ""
    if bare_ones:
        some = ", ".join(f"item {i.label}, {s.condition}" for i, s in bare_ones[:4]) + (" …" if len(bare_ones) > 4 else "")
        more += f"; {len(bare_ones):,} more that a column says are bad have no mark ({some})"
    if source.known.get("format") is not None or options.as_it_is:
        note = f"{first} ({source.place(sentence.line)}){more}"
        if any(said.partition("=")[0] == made for said in options.good):
            return replace(found, notes=(*found.notes, note))
        # What a condition says is another thing than a mark; a column and a mark both judge the sentence.
        open_ones = [s for _, s, *both in odd if not any(said.startswith("under ") for said in both)]
        left = f"; there {made} is left open" if open_ones else ""
        return replace(_left_open(found, open_ones, made), notes=(*found.notes, f"{note}{left}"))
    which = f"{', '.join(f'item {i.label}, {s.condition}' for i, s, *_ in odd[:5])}{' …' if rest > 0 else ''}"
    left = "" if by_labels else f", left open where a column says the opposite ({which})"
    by_marks = {"good": (f"{made}=ok",)}
    called_so = "the headings" if called else "the conditions and columns"
    return source.refuse(
        sentence.line,
        f"{first}{more}",
        hint=f"One of the two is wrong: exchange the sentences in the file, or mend the mark.\n{source.head}\n",
        ways=[
            *([FileAnswer("", "the marks hold, and sentences are exchanged", by_marks)] if _exchanged(found, made, "ok") else []),
            FileAnswer(
                "",
                f"{called_so} hold, and what marks say is the attribute {made}{left}",
                {"format": found.shape},
            ),
        ],
    )


def _left_open(found: ForeignSet, contradicted: Sequence[ForeignSentence], made: str) -> ForeignSet:
    """The set without what marks say, under the name `made`, of sentences of which something else says the opposite."""
    gone = set(map(id, contradicted))
    items = tuple(
        replace(
            item,
            sentences=tuple(
                replace(s, attributes={name: value for name, value in s.attributes.items() if name != made})
                if id(s) in gone
                else s
                for s in item.sentences
            ),
        )
        for item in found.items
    )
    return replace(found, items=items)


def _are_marked(found: ForeignSet, options: ReadOptions, names: Sequence[str]) -> bool:
    """Whether most sentences that a column says are bad have a star before them: one of these without it is said to be good by that."""
    bad = [
        judgement_of(bare_of(s.written_text, options))
        for item in found.items
        for s in item.sentences
        for name in names
        if _status_said(
            acceptability_of(str(s.attributes.get(name, item.attributes.get(name, ""))).strip()) or "",
            turned=fold(name).startswith("un"),
        )
        == "*"
    ]
    return len(bad) > 1 and sum("*" in mark for mark in bad) * 2 > len(bad)


def _labelled(labels: Iterable[str]) -> dict[str, str] | None:
    """What labels say of acceptability, where all of them do and not the same; None elsewhere."""
    said = {label: "*" if label.strip() == "*" else _LABELS.get(fold(label)) for label in labels}
    known = {label: status for label, status in said.items() if status is not None}
    return known if len(known) == len(said) and set(known.values()) == {"ok", "*"} else None


def are_judgements(labels: Iterable[str]) -> bool:
    """Whether labels of conditions say which sentences are acceptable and which are not."""
    return _labelled(labels) is not None


def _by_values(found: ForeignSet, name: str) -> ForeignSet | str:
    """The set with what a column such as `grammatical` says of each condition; where it says ``*`` of some sentences of a condition and
    ``??`` of others, none of them is ok, which is told. Why it says nothing of the conditions where it says ok of some sentences of one
    only; empty where it says something else."""
    turned = fold(name).startswith("un")
    times = _times(found, name)
    by_marks = are_marks(value for own in times.values() for value in own)
    values = {
        label: {
            value: status_of(value)
            if by_marks
            else _status_said(known, turned=turned)
            if (known := acceptability_of(value))
            else ""
            for value in own
        }
        for label, own in times.items()
    }
    if any(not status for own in values.values() for status in own.values()):
        return ""
    statuses = {label: set(own.values()) for label, own in values.items()}
    several = [label for label, own in statuses.items() if len(own) > 1]
    if not several:
        return _expecting(found, {label: next(iter(own)) for label, own in statuses.items()}, name, by_marks=by_marks)
    nothing = "nothing"
    why = "; ".join(
        f"{name} says {' and '.join(f'{value or nothing} of {n}' for value, n in times[label].items())} sentences of {label}"
        for label in several[:3]
    )
    if any("ok" in statuses[label] for label in several):
        return f"nothing is expected of {', '.join(several)}, since {why}; every sentence keeps what {name} says of it"
    taken = Assumption("expected", f"* of {', '.join(several)}", f"{why}, and ok of none", "assumed", "--good")
    return replace(
        found,
        expected={label: "*" if "*" in own else next(iter(own)) for label, own in statuses.items()},
        assumptions=(*found.assumptions, taken),
    )


def acceptability_of(value: str) -> str | None:
    """What a cell says of acceptability; None where it says something else."""
    return _VALUES.get(value.casefold()) or _LABELS.get(fold(value))


def are_marks(values: Iterable[str]) -> bool:
    """Whether what stands in a column is marks of judgement and nothing else: a star or question mark in some cells, none or ok in others."""
    own = {value.strip().casefold() for value in values}
    marks = {value for value in own if _MARKS.fullmatch(value)}
    return any("*" in mark or "?" in mark for mark in marks) and bool(own - marks) and own - marks <= {"", "ok", "✓", "√"}


def _ask_about_marks(found: ForeignSet, source: SourceFile) -> None:
    """Ask about a column that holds marks of judgement alone, under a heading that does not say what they are of."""
    for name in _of_marks(found):
        times = Counter(value for own in _times(found, name).values() for value in own.elements())
        shown = ", ".join(f"{value or 'nothing'} {count:,} times" for value, count in times.items())
        message = f"the column {name!r} holds marks alone ({shown})"
        source.ask(
            0,
            message,
            f"{message[0].upper()}{message[1:]}. Do they judge the sentences?",
            [
                FileAnswer(
                    "yes",
                    f"what {name} has is how acceptable a sentence is: ok where it has no mark",
                    {"good": (f"{name}={MARKS}",)},
                ),
                FileAnswer("no", f"{name} says something else", {"format": found.shape}),
            ],
        )


def _of_marks(found: ForeignSet) -> list[str]:
    """The columns beside the sentences that hold marks of judgement and nothing else, whatever they are called."""
    names = dict.fromkeys(name for item in found.items for s in item.sentences for name in s.attributes)
    if JUDGEMENT in names:
        names.pop(MARK, None)
    names.pop(JUDGEMENT, None)  # by its name
    return [name for name in names if are_marks(value for own in _times(found, name).values() for value in own)]


def _times(found: ForeignSet, name: str) -> dict[str, Counter[str]]:
    """How often a column says what of the sentences of each condition; of a column of the condition, its level."""
    headings = found.meta.get("condition")
    level = headings.index(name) if isinstance(headings, list) and name in headings else None
    times: dict[str, Counter[str]] = {}
    for item in found.items:
        for sentence in item.sentences:
            if level is not None:
                value = found.levels.get(sentence.condition, (sentence.condition,))[level]
            else:
                value = sentence.attributes.get(name, item.attributes.get(name, ""))
            times.setdefault(sentence.condition, Counter())[str(value).strip()] += 1
    return times


def _by_condition(found: ForeignSet, name: str) -> dict[str, set[str]]:
    """What a column says of the sentences of each condition."""
    return {label: set(own) for label, own in _times(found, name).items()}


def _judging(found: ForeignSet, known: Collection[str]) -> list[str]:
    """The columns of the condition and of sentences that are called so."""
    headings = found.meta.get("condition")
    first = next((item for item in found.items if item.sentences), None)
    own = [*headings] if isinstance(headings, list) else []
    own += [*first.sentences[0].attributes, *first.attributes] if first is not None else []
    return [name for name in own if fold(name) in known]


def _said_good(found: ForeignSet, source: SourceFile, said: str) -> ForeignSet:
    """The set with the polarity that somebody said: of conditions, of single sentences, or of the first of two sentences in a row."""
    name, _, value = said.partition("=")
    name, value = name.strip(), value.strip()
    if said.strip() in found.conditions:
        return _good_conditions(found, source)
    headings = found.meta.get("condition")
    own = [*(headings if isinstance(headings, list) else ())]
    own += [heading for item in found.items for heading in (*item.attributes, *(n for s in item.sentences for n in s.attributes))]
    if name not in own or not value:
        known = f"Columns that say something of sentences: {', '.join(dict.fromkeys(own))}; --good COLUMN=VALUE. " if own else ""
        bare_source = replace(source, options=replace(source.options, good=()), known=dict(source.known))
        ways = [
            f"  {bare_source.typed(FileAnswer('', '', {'good': (label,)}))}   ({label} is the acceptable condition)"
            for label in found.conditions[:_CONDITIONS_NAMED]
        ]
        hint = f"{known}Or name the acceptable conditions:\n" + "\n".join(ways) + "\n"
        source.refuse(0, f"has no column for --good {said}, and no condition that is called so", hint=hint)
    if value == MARKS and are_marks(cell for own in _times(found, name).values() for cell in own):
        judged = _by_values(found, name)
        return judged if isinstance(judged, ForeignSet) else replace(found, notes=(*found.notes, judged))
    by_condition = _by_condition(found, name)
    are_said = any(value in values for values in by_condition.values())
    if (paired := _paired(found, source, name, value, are_said=are_said)) is not None:
        return paired
    if not are_said:
        values = ", ".join(dict.fromkeys(value for values in by_condition.values() for value in sorted(values)))
        source.refuse(0, f"{name!r} is nowhere {value!r}", hint=f"It says: {values}.")
    taken = Assumption("expected", f"ok where {name} is {value}, * elsewhere", "as said", "said")
    if all(name in item.attributes and len(item.sentences) == 2 for item in found.items) and len(found.conditions) == 2:
        return _turned(found, name, value)
    mixed = [label for label, values in by_condition.items() if value in values and len(values) > 1]
    if not mixed:
        expected = {label: "ok" if value in values else "*" for label, values in by_condition.items()}
        return replace(found, expected=expected, assumptions=(*found.assumptions, taken))
    if (exchanged := _exchanged(found, name, value)) is not None:
        return exchanged
    # Where the file has a column of that name, what is made of it would stand in its place.
    own_name = JUDGEMENT if name != JUDGEMENT else f"{JUDGEMENT}_said"
    items = tuple(
        replace(
            item,
            sentences=tuple(
                replace(
                    s,
                    attributes={
                        **s.attributes,
                        own_name: "ok" if str(s.attributes.get(name, item.attributes.get(name))).strip() == value else "*",
                    },
                )
                for s in item.sentences
            ),
        )
        for item in found.items
    )
    note = (
        f"nothing is expected of {', '.join(mixed[:3])}{' …' if len(mixed) > 3 else ''}, where {name} is {value} for some sentences and not "
        f"for others; every sentence has it as the attribute {own_name}"
    )
    return replace(found, items=items, assumptions=(*found.assumptions, taken), notes=(*found.notes, note))


_CONDITIONS_NAMED = 4
"""So many conditions are named that could be the acceptable ones."""


def _good_conditions(found: ForeignSet, source: SourceFile) -> ForeignSet:
    """The set with those conditions acceptable that somebody named, and the others not. Refuses a name that is no condition's."""
    named = [said.strip() for said in source.options.good]
    if odd := [name for name in named if name not in found.conditions]:
        source.refuse(
            0,
            f"has no condition {odd[0]!r} for --good",
            hint=f"Conditions: {', '.join(found.conditions)}. Columns are named alone.",
        )
    taken = Assumption("expected", f"ok of {', '.join(named)}, * of the others", "as said", "said", "--good")
    expected = {label: "ok" if label in named else "*" for label in found.conditions}
    told = (a for a in found.assumptions if a.what != "expected")
    return replace(found, expected=expected, assumptions=(*told, taken))


def _paired(found: ForeignSet, source: SourceFile, name: str, value: str, *, are_said: bool) -> ForeignSet | None:
    """Items of two rows that only their place tells apart, as pairs of a good and a bad sentence: the good one is that of which the column says
    the value, or the one with the higher or lower number; None for other sets."""
    if found.conditions != ("row_1", "row_2") or (not are_said and value not in (HIGH, LOW)):
        return None
    items = []
    for item in found.items:
        own = [str(s.attributes.get(name, item.attributes.get(name, ""))).strip() for s in item.sentences]
        if are_said:
            ok = [cell == value for cell in own]
        else:
            try:
                numbers = [float(cell.replace(",", ".")) for cell in own]
            except ValueError:
                source.refuse(
                    item.sentences[0].line,
                    f"item {item.label} has a {name} that is no number: {', '.join(map(repr, own))}",
                    hint="Give it one, or leave the item out.",
                )
            ok = [number == (max if value == HIGH else min)(numbers) for number in numbers]
        if sorted(ok) != [False, True]:
            if are_said:
                return None
            source.refuse(
                item.sentences[0].line,
                f"the sentences of item {item.label} have the same {name}: {' and '.join(own)}",
                hint="Neither is the good one: leave the item out, or say which is with a column of its own.",
            )
        pair = [replace(s, condition=GOOD if good else BAD, written=None) for s, good in zip(item.sentences, ok, strict=True)]
        items.append(replace(item, sentences=tuple(sorted(pair, key=lambda s: s.condition != GOOD))))
    how = f"the one whose {name} is {value}" if are_said else f"the one with the {'higher' if value == HIGH else 'lower'} {name}"
    taken = Assumption("good and bad", f"{how} is the good one of every item", "as said", "said", "--good")
    return _as_pairs(found, items, taken, "condition")


def _exchanged(found: ForeignSet, name: str, value: str) -> ForeignSet | None:
    """Pairs whose conditions are called good and bad, or so, with their sentences exchanged where what is said of each says the other thing;
    None for other sets."""
    labels = _labelled(found.conditions)
    if labels is None or len(labels) != 2:
        return None
    by_status = {status: label for label, status in labels.items()}
    items, odd = [], []
    for item in found.items:
        ok = [str(s.attributes.get(name, item.attributes.get(name))).strip() == value for s in item.sentences]
        if sorted(ok) != [False, True] or len({s.condition for s in item.sentences}) != 2:
            return None
        pair = [replace(s, condition=by_status["ok" if good else "*"]) for s, good in zip(item.sentences, ok, strict=True)]
        is_odd = any(one.condition != other.condition for one, other in zip(pair, item.sentences, strict=True))
        odd += [f"{item.label} (line {item.sentences[0].line})"] * is_odd
        items.append(replace(item, sentences=tuple(replace(s, written=None) for s in pair)) if is_odd else item)
    said = f"the sentences of item {', '.join(odd[:6])}{' …' if len(odd) > 6 else ''} are exchanged, as {name} says"
    taken = Assumption("good and bad", said, f"{value} is the good one", "said", "--good")
    # No file has these sentences under these labels.
    return replace(
        found,
        shape="condition_columns",
        items=tuple(items),
        expected=labels,
        meta={},
        assumptions=(*found.assumptions, taken),
        notes=(*found.notes, said),
    )


def _turned(found: ForeignSet, name: str, value: str) -> ForeignSet:
    """Pairs under good and bad, where a column says row by row which of two sentences is the good one."""
    first = found.conditions[0]
    items = []
    for item in found.items:
        is_first = str(item.attributes[name]).strip() == value
        pair = [replace(s, condition=GOOD if (s.condition == first) == is_first else BAD, written=None) for s in item.sentences]
        items.append(replace(item, sentences=tuple(sorted(pair, key=lambda s: s.condition != GOOD))))
    taken = Assumption(
        "good and bad", f"{first} is the good one where {name} is {value}, the other one elsewhere", "as said", "said"
    )
    return _as_pairs(found, items, taken, "conditions")


def _as_pairs(found: ForeignSet, items: Sequence[ForeignItem], taken: Assumption, instead_of: str) -> ForeignSet:
    """The set with these items as pairs of a good and a bad sentence, and what was taken for that in the place of another assumption."""
    # No file has its sentences under these labels.
    return replace(
        found,
        shape="condition_columns",
        items=tuple(items),
        conditions=(GOOD, BAD),
        expected={GOOD: "ok", BAD: "*"},
        meta={},
        factors={},
        levels={},
        assumptions=(*(own for own in found.assumptions if own.what != instead_of), taken),
    )


def _ask_which_is_good(found: ForeignSet, source: SourceFile) -> None:
    """Ask which of two values of a column, such as 0 and 1 under `label`, says that a sentence is acceptable."""
    headings = found.meta.get("condition")
    for name in _judging(found, _COLUMNS | _UNSAID):
        if not (isinstance(headings, list) and name in headings) and not any(
            name in s.attributes for item in found.items for s in item.sentences
        ):
            continue  # what is said of a whole item
        by_condition = _by_condition(found, name)
        values = list(dict.fromkeys(value for own in by_condition.values() for value in sorted(own)))
        is_known = fold(name) in _COLUMNS and all(map(acceptability_of, values))
        if is_known or len(values) != 2 or "" in values or (fold(name) in _PLACES and len(found.conditions) != 2):
            continue
        first = next((s for item in found.items for s in item.sentences), None)
        some = ""
        if first is not None:
            level = headings.index(name) if isinstance(headings, list) and name in headings else None
            its_own = (
                first.attributes.get(name, "") if level is None else found.levels.get(first.condition, (first.condition,))[level]
            )
            some = f", such as {first.text[:60]!r} where it is {its_own}"
        known = {value: acceptability_of(value) for value in values}
        if fold(name) in _FAULTS and set(known.values()) == {"ok", "*"}:
            # What names a fault and is not so says that there is none.
            values = [value for value in values if known[value] == "*"]
        source.ask(
            0,
            f"{name!r} says {' or '.join(known)} of its sentences, and nothing says which means that one is acceptable{some}",
            f"{name!r} says {' or '.join(known)} of the sentences{some}. Which means that a sentence is acceptable?",
            [
                FileAnswer(
                    value if len(values) > 1 else "yes",
                    f"sentences whose {name} is {value} are the good ones",
                    {"good": (f"{name}={value}",)},
                )
                for value in sorted(
                    values, key=lambda value: ((acceptability_of(value) == "ok") == (fold(name) in _FAULTS), value)
                )
            ],
            hint=f"If it says something else, name the format: --format {found.shape}.",
        )


def _expecting(found: ForeignSet, expected: dict[str, str], name: str, *, by_marks: bool = False) -> ForeignSet:
    how, why = f"as the column {name} says of each condition", "it says one thing of all its sentences"
    taken = Assumption("expected", how, why)
    if by_marks:
        taken = Assumption(
            "expected", f"{how}: ok where it has no mark", "it holds marks of judgement and nothing else", "assumed", "--good"
        )
    return replace(found, expected=expected, assumptions=(*found.assumptions, taken))


def _status_said(value: str, *, turned: bool) -> str:
    return {"ok": "*", "*": "ok"}.get(value, value) if turned else value


def _all_alike(texts: Iterable[str], mark: str) -> bool:
    return all(judgement_of(text) == mark for text in texts)


def _bare(sentence: ForeignSentence, options: ReadOptions, mark: str, *, keep: str) -> ForeignSentence:
    before, rest, after = parts_of(sentence.text, options)
    if mark:
        rest = bare(rest)
    cut = len(sentence.text) - len(rest) - len(after)
    attributes = {keep: mark or "ok", **sentence.attributes} if keep else sentence.attributes
    if after.strip() and _HELD.fullmatch(after) is None:
        attributes = {**attributes, (keep or JUDGEMENT) if acceptability_of(after.strip()) else BEHIND: after.strip()}
    if held := [match["held"][1:-1].strip() for part in (before, after) if (match := _HELD.fullmatch(part)) is not None]:
        attributes = {**attributes, IN_BRACKETS: "; ".join(held)}
    if not cut and not after:
        return replace(sentence, attributes=attributes)
    regions = sentence.regions
    if regions is not None:
        regions = tuple(_moved(region, cut, len(rest)) for region in regions)
    return replace(sentence, text=rest, mark=sentence.text[:cut], behind=after, regions=regions, attributes=attributes)


def _moved(region: GivenRegion, cut: int, end: int) -> GivenRegion:
    start, stop = (min(max(place - cut, 0), end) for place in (region.start, region.end))
    raw = region.raw if region.start >= cut and region.end - cut <= end else None
    return replace(region, start=start, end=stop, raw=raw)
