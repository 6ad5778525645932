"""The last look at a set that was read, whatever its shape: signs that it is not what it was taken for. A sign is asked about, or refused where
no answer mends it, or told as assumed where the file may well be so; the only place that knows which. Where somebody named the format, all
are told."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from gapsmith.bank.formats.alternatives import choices_of
from gapsmith.bank.formats.asking import OVERRULED, Assumption, FileAnswer
from gapsmith.bank.formats.cleaning import TAKEN_OUT, is_plain, odd_sentences, some
from gapsmith.bank.formats.composing import plain
from gapsmith.bank.formats.foreign import ForeignItem, ForeignSentence, ForeignSet
from gapsmith.bank.formats.gaps import is_gap
from gapsmith.bank.formats.grouping import BECOME, OF_SENTENCES
from gapsmith.bank.formats.headings import NOTES, fold
from gapsmith.bank.formats.left_over import LOOKS_AT_WHAT_IS_LEFT
from gapsmith.bank.formats.likeness import likeness_of, words_of
from gapsmith.bank.formats.marks import IN_BRACKETS, TAKEN_OFF, acceptability_of, context_among, parts_of, refusal_of_context
from gapsmith.bank.formats.said_of import said_of
from gapsmith.bank.formats.sheets import FORMER
from gapsmith.bank.formats.signs import RARE, Entry, Look, Seen, Sign
from gapsmith.bank.formats.source import SourceFile
from gapsmith.bank.formats.striking import MARK_THEM, line_of_order, sentences_among
from gapsmith.bank.formats.suspicious import exchanged_of
from gapsmith.bank.formats.unlike import LOOKS_AT_SIBLINGS

_OF_OURS = frozenset({"numbered", "blocks", "item_lines", "pair_lines"})
"""The formats whose attributes are no columns or keys of the file."""
_MOST = 0.8
"""What so many sentences begin with is a habit of the file."""
_ITEMS_NAMED = 6
"""So many items are named."""
_NOTHING_THERE = frozenset({"-", "–", "—", "--", "∅", "Ø", "ø", "_", "NA", "N/A", "n/a", "null", "NULL"})
"""What people write for a region that is empty."""
_FINAL = frozenset(".?!…。？！")
_FORMS = 8
"""At most so many forms of what stands around sentences are put into a command."""
_SHARED, _NOTHING = 0.5, 0.1
"""Where the sentences of an item usually share so many of their words, those that share no more than this are not of one."""
_MOSTLY = 0.7
"""Sentences of an item that share so many of their words stand where they belong."""
_ORDERS = 2_000
"""The orders of so many items are compared."""
_LONG, _LETTERS = 3.0, 40
"""Within an item a sentence so many times as long as another one, and so many letters longer, is told."""
_CUT = 40
"""Sentences that all end after so many letters or more, in the middle, were cut."""

_WIDTHS = frozenset({50, 60, 64, 80, 100, 120, 127, 128, 140, 160, 200, 250, 254, 255, 256, 500, 511, 512, 1000, 1023, 1024})
"""After how many letters programs cut cells."""

_DAMAGED = re.compile(r"�|(?<=[^\W\d_])\?(?=[^\W\d_])(?!\S*[/=])")
_NO_SENTENCE = re.compile(
    r"#(?:REF|NAME|VALUE|DIV/0|N/A|NULL|NUM|ERROR|BEZUG|WERT|ZAHL)[!?]?|=[A-Z]+[\d(].*|\S+\.(?:wav|mp3|mp4|ogg|png|jpe?g|gif|txt|csv|tsv|xlsx?|json|pdf|html?)"
    r"|(?:https?://|www\.)\S+|[-+]?\d[\d.,:/ %-]*"
)
_OPTIONAL = re.compile(r"(?<=\s)(?:\((?:[*#]|\?{1,3})\s?[^\W\d_][^()]*\)|\*\([^\W\d_][^()]*\))")
_TREE = re.compile(r"\s*\((?:ROOT|TOP|[A-Z]{1,5}[A-Z$-]*) .*\(.*\)\s*\)\s*")
_SLOT = (
    r"(?i:(?:target|noun|name|verb|adj(?:ective)?|adv(?:erb)?|subj(?:ect)?|obj(?:ect)?|pron(?:oun)?|det|prep|word|slot|blank|np|vp|pp|n|v|x|y|"
    r"agent|patient|place|person|critical)(?:[ _-]?(?:\d|sg|pl|[a-z]))?)"
)
_PLACEHOLDER = re.compile(
    rf"\{{\{{?{_SLOT}\}}?\}}|<{_SLOT}>|\[{_SLOT}\]|\$\{{?[A-Z][A-Z_\d]*\}}?(?!\d)|(?<!\d)%[sd](?!\w)|[<\[]/?(?i:mask|unk|blank|oov)[>\]]"
)
_ANGLE = re.compile(r"<[^<>]*>")
_STAR = re.compile(
    r"(?<=[\s(])(?:[*?]{1,3}|[#%])(?=[^\W\d_])|(?<=[.!?…\"'”’])\s*[*#✓✗✔✘]{1,2}\s*\Z|(?<=[.!…])\s*\?{1,3}\s*\Z|\s\?{2,3}\s*\Z"
)
_BEHIND = re.compile(r"[.!?…\"'”’]\s*[*#✗✘]{1,2}\s*\Z")
"""A mark of judgement behind a sentence."""
_ALONE = re.compile(r"(?<!\S)(?<!\d )[~+#^@|\\/<>=*•·¦‖║]{1,2}(?!\S)")
_GLUED = re.compile(r"(?<=\w)[@~^|¦‖](?=\w)(?!\w+\.\w)")
_SIGNS = re.compile(r"[→⇒←⇐↔►▶•◦▪■□●○✓✗✔✘☐☑¶†‡§]|[-=]>|<[-=]|\|\||>>|<<")
_LABEL = re.compile(r"\s*(?P<label>[(\[]?(?:\d{1,4}[a-z]?|[a-h])['’′]{0,3}[.)\]:](?=\s))\s*(?=\S)")
_CODE = re.compile(
    r"\s*(?P<label>[(\[]?(?:[A-Za-z]{1,5}[-_.]?\d{1,4}[A-Za-z]{0,2}|\d{1,4}[A-Za-z]{0,2})(?:[-_.:/][A-Za-z\d]{1,8})*[)\]]?[:.,;)–-]*)\s+(?=\S+\s+\S)"
)
_NAMED = re.compile(r"\s*(?P<label>[^\W\d]\w{0,19}(?: \w{1,12})?:)\s+(?=\S)")
_BARE_LABEL = re.compile(
    r"\s*(?P<label>(?:[^\W\dA-Z]|[A-Z][^\s]*(?=\s{2}))[\w+/-]{0,20})(?: {2,}|\t| (?=[A-Z][^\W\d_]))\s*(?=\S+\s\S)"
)
"""A word before a sentence that begins anew: a name before two blanks, or in small letters before a capital."""
_BRACKETED = re.compile(
    r"\s*(?P<label>\([^()]{1,60}\)|\[[^][]{1,60}\]|\{[^{}]{1,60}\}|（[^（）]{1,60}）|【[^【】]{1,60}】|［[^［］]{1,60}］)\s*(?=\S)"
)
"""Brackets before a sentence."""
_SEPARATOR = r"\s*[:.)\],;|/–—>-]+\s*"
_MAY_LEAD = re.compile(r"\s*(?:\S*[.)\],;/_]|.{0,40}(?:[:|–—>\d]| -)|[^\W\dA-Z]|\S+\s{2})")
"""What a sentence begins like that may have something before it."""
_TAIL = re.compile(
    r"(?P<end>[.?!…][\"”’»)\]]*)\s*(?P<tail>[-+]?\d+(?:[.,]\d+)?\s?%?|(?<=\s)[‘'“\"„][^‘“\"„]+[’'”\"]?\.?[’'”\"]?|(?<=\s)[^.?!…\"”’»)\]]*[^\s.?!…\"”’»)\]])\s*\Z"
)
_ABBREVIATED = re.compile(
    r"(?:\b[A-Za-z]|\b(?:Mrs?|Ms|Dr|St|Prof|Sr|Jr|Mt|Rev|Gen|Col|Capt|Lt|Sgt|vs|etc|[Nn]rs?|[Nn]os?|[Nn]um|ca|bzw|Hr|Fr|z\.B|e\.g|i\.e|[ap]\.m|al|ibid|op|cit|eds?|"
    r"approx|fig|sect|resp|incl|siehe))\.\Z|\b(?![AEIOUYaeiouy])(?:[^\W\d_AEIOUYaeiouyÀ-ÿ]){2,5}\.\Z"
)
"""What ends in a dot and no sentence: words that are known to, and words without a vowel, such as cf. and vgl."""
_ENDED_BEFORE = re.compile(r"(?<=\w\w)[.?!…][\"”’»)\]]*\s+(?=[^\W\d_.]+\.\Z)")
"""The end of a sentence right before an abbreviation."""
_ASKED = re.compile(r"(?P<first>[^.!?…]+ [^.!?…]+[.!][\"”’»]?)\s+(?P<begin>[^\W\d_]+)[ ’'][^.!?…]*\?\s*")
_ENDED = re.compile(r"[.?!…。？！][\"'”’»)\]]*\s*\Z")
_REMARK = re.compile(r"(?<=[.?!…\"”’»)\]])\s+(?P<sign>-{2,}|/{2}|<-+|←)\s+(?=\S*\w)")
"""What sets a remark off from the sentence before it."""
_SWAPPED = re.compile(
    r"\b(?:swapp?ed|interchanged|mixed up|wrong way (?:a?round)|the other way (?:a?round)|vertauscht|verwechselt|interverti\w*|inversé\w*|"
    r"scambiat\w*|intercambiad\w*|omgewisseld|verwisseld)\b",
    re.IGNORECASE,
)
"""A remark that two things stand in each other's place."""
REMARKS = NOTES | {
    "remark",
    "memo",
    "flag",
    "kommentar",
    "anmerkung",
    "bemerkung",
    "commentaire",
    "remarque",
    "nota",
    "opmerking",
    "check",
}
_FLAG = re.compile(r"(?:^|_)(?:flip|flipped|swap|swapped|switched|exchanged|reversed?|inverted|turned)(?:$|_)")
"""Headings that say that two things have changed places."""
_QUOTED = re.compile(r"\"[^\"]+\"|“[^“”]+”|„[^„“”]+[“”]|«[^«»]+»|‘[^‘]+’|'[^']+'")
_OPENING = frozenset("\"“„«‘'")
_SIDES = re.compile(r"[\"(){}\[\]“”«»]")
_DOTS = re.compile(r"(?<=\s)(?:\.{3,}|-{2,})(?=\s|[.?!]\Z)")
_TODO = re.compile(r"\b(?:TODO|FIXME|TBD|TBA|XXX+)\b|\?\?\?+")
_TRACE = re.compile(r"(?<=\w )(?:t|PRO|ec)(?=[ .,;:?!]|\Z)")
_COUNTED = re.compile(r"(?<=\w)\(\d+(?:[.,]\d+)?\)")
_HELD = re.compile(r"\((?P<held>[^()]{1,24})\)")
_PAIRED = (("(", ")"), ("[", "]"), ("{", "}"), ("“", "”"), ("«", "»"))


def looked_over(found: ForeignSet, source: SourceFile, *, told_since: str = "") -> ForeignSet:
    """The set with the signs that are told. Asks about the first one that is to be asked about, and refuses what no answer mends; all are
    told where somebody named the format, or for the reason `told_since`."""
    if source.options.as_it_is:
        return found
    is_said = source.known.get("format") is not None or bool(told_since)
    told: list[Assumption] = []
    entries = [(item, s) for item in found.items for s in item.sentences if s.text.strip()]
    if not entries:
        return found
    several = [item for item in found.items if sum(bool(s.text.strip()) for s in item.sentences) > 1]
    # The same words are looked at more than once.
    words = [[_word_set(s.text) for s in item.sentences if s.text.strip()] for item in several]
    seen = Seen(found, entries, odd_sentences(found, source), list(zip(several, words, strict=True)), source)
    for look in (*_AT_SENTENCES, *_AT_ITEMS, *LOOKS_AT_SIBLINGS, *LOOKS_AT_WHAT_IS_LEFT):
        for sign in look(seen):
            if is_said or not (sign.ways or sign.is_refused):
                why = (told_since or OVERRULED) if sign.ways or sign.is_refused else sign.why or "as the file has it"
                told.append(Assumption(sign.what, sign.message, why, "assumed", sign.option, sign.ways))
            elif sign.is_refused:
                kept = f"To take the sentences as they are, say --format {found.shape}."
                source.refuse(sign.line, sign.message, hint=f"{sign.hint} {kept}\n{source.head}\n")
            else:
                kept = f"To take all of this as sentences all the same, say --format {found.shape}."
                question = sign.question or f"{sign.message[0].upper()}{sign.message[1:]}. Is that no part of the sentences?"
                source.ask(sign.line, sign.message, question, sign.ways, hint=f"{sign.hint} {kept}".strip())
    return replace(found, assumptions=(*found.assumptions, *told), notes=(*found.notes, *_kept(found, source)))


def _kept(found: ForeignSet, source: SourceFile) -> list[str]:
    """Which columns or keys were made attributes, as far as no note says so."""
    said = {
        name for note in found.notes if note.endswith(BECOME) for name in note.removesuffix(BECOME).split(" ", 1)[-1].split(", ")
    }
    is_ours = found.shape in _OF_OURS
    differing = _differing(found)
    names = [
        name
        for name in said_of(found, source)
        if name not in said | differing | TAKEN_OFF | {TAKEN_OUT, source.known.get("mark")} and not is_ours
    ]
    what = "columns" if source.known.get("is_table") else "keys"
    return (
        [f"{what} {', '.join(names)} become attributes of sentences" if said else f"{what} {', '.join(names)}{BECOME}"]
        if names
        else []
    )


def _differing(found: ForeignSet) -> set[str]:
    """What differs between the sentences of every item of several: of that something else is told."""
    several = [item for item in found.items if len(item.sentences) > 1]
    names = {name for item in several[:1] for s in item.sentences for name in s.attributes}
    return {
        name
        for name in names - OF_SENTENCES
        if all(len({str(s.attributes.get(name, "")) for s in item.sentences}) > 1 for item in several)
    }


# ---- at sentences


def _hits(entries: Sequence[Entry], pattern: re.Pattern[str]) -> list[tuple[ForeignItem, ForeignSentence, list[str]]]:
    """The sentences that have something that is found, each with what; gaps are none."""
    found = []
    for item, sentence in entries:
        own = [match[0] for match in pattern.finditer(sentence.text) if not is_gap(match[0])]
        if own:
            found.append((item, sentence, own))
    return found


def _such_as(hits: Sequence[tuple[ForeignItem, ForeignSentence, list[str]]], entries: Sequence[Entry]) -> str:
    item, sentence, _ = hits[0]
    return f"{len(hits):,} of {len(entries):,} sentences, such as item {item.label}, {sentence.condition}: {sentence.text[:100]}"


def _no_words(seen: Seen) -> Iterator[Sign]:
    """Cells in the place of a sentence that are none: numbers, errors of a spreadsheet, names of files, labels."""
    known = {plain(label).casefold() for label in seen.found.conditions}
    known |= {heading.casefold() for heading in seen.found.meta.get("header", ()) if isinstance(heading, str) and heading}
    hits = []
    for item, s in seen.entries:
        text = s.text.strip()
        if len(text) > 40 and " " in text and text[0] not in "=+-0123456789":
            continue
        if _NO_SENTENCE.fullmatch(text) or (len(text) < 40 and text.casefold() in known):
            hits.append((item, s, [text]))
    if not hits:
        return
    cells = tuple(dict.fromkeys(hit[2][0] for hit in hits))
    item, sentence, _ = hits[0]
    message = (
        f"item {item.label} has {cells[0][:60]!r} for {sentence.condition}, which is no sentence "
        f"({len(hits):,} of {len(seen.entries):,} sentences are such)"
    )
    if len(hits) * 2 > len(seen.entries) or len(cells) > _FORMS or any(s.regions for _, s, _ in hits):
        if len(hits) * 4 > len(seen.entries):
            yield Sign(
                "sentences", message, line=sentence.line, is_refused=True,
                hint="If another column has the sentences, name it with --sentence-column.",
            )  # fmt: skip
        else:
            yield Sign("sentences", message, line=sentence.line, is_refused=True, hint="Put the sentences in.")
        return
    yield Sign(
        "sentences",
        message,
        line=sentence.line,
        question=f"{message}. Are sentences missing there?",
        ways=(FileAnswer("yes", "sentences are missing there", {"missing": (*seen.source.options.missing, *cells)}),),
        hint="Or put the sentences in.",
    )


def _damaged(seen: Seen) -> Iterator[Sign]:
    if hits := _hits([e for e in seen.odd if "�" in e[1].text], re.compile("�")) + [
        (item, s, ["?"]) for item, s in seen.entries if "?" in s.text[:-1] and _DAMAGED.search(s.text) and "�" not in s.text
    ]:
        yield Sign(
            "sentences",
            f"a letter is lost, for which {hits[0][2][0]} stands, in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            is_refused=True,
            hint="Save the file from its source again, as UTF-8 (in a spreadsheet: CSV UTF-8).",
        )


def _fillable(seen: Seen) -> Iterator[Sign]:
    if hits := _hits(seen.odd, _PLACEHOLDER):
        yield Sign(
            "sentences",
            f"{hits[0][2][0]} stands for a word that is not there, in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            is_refused=True,
            hint="Fill it in; if it stands for a gap, where no word would be, take it out with "
            f"--gap-mark {_typed(hits[0][2][0])}.",
        )
    trees = [(item, s, ["("]) for item, s in seen.entries if s.text.lstrip()[:1] == "(" and _TREE.fullmatch(s.text)]
    if trees:
        yield Sign(
            "sentences",
            f"a parse stands in the place of a sentence, in {_such_as(trees, seen.entries)}",
            line=trees[0][1].line,
            is_refused=True,
            hint="Write the words alone.",
        )


def _typed(text: str) -> str:
    return f"'{text}'"


def _in_brackets(seen: Seen) -> Iterator[Sign]:
    out = seen.source.options.take_out
    if hits := _hits(seen.odd, _ANGLE):
        signs = tuple(dict.fromkeys(sign for _, _, own in hits for sign in own))
        yield Sign(
            "in sentences",
            f"words in angle brackets ({some(signs)}) stand in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            ways=(
                FileAnswer("yes", "they are taken out", {"take_out": (*out, *(signs if len(signs) <= _FORMS else ("<...>",)))}),
            ),
        )
    if hits := [(item, s, [m[0]]) for item, s in seen.entries if "(" in s.text and (m := _COUNTED.search(s.text))]:
        yield Sign(
            "in sentences",
            f"a number in brackets ({hits[0][2][0]}) stands behind a word in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            ways=(FileAnswer("yes", "it is taken out", {"take_out": (*out, hits[0][2][0])}),),
        )
    judged = []
    for item, s in seen.entries:
        if "(" in s.text:
            own = [
                m[0]
                for m in _HELD.finditer(s.text)
                if acceptability_of(m["held"].strip()) or m["held"].strip() in ("sic", "!", "?", "*", "#")
            ]
            judged += [(item, s, own)] if own else []
    if judged:
        signs = tuple(dict.fromkeys(sign for _, _, own in judged for sign in own))
        yield Sign(
            "in sentences",
            f"{some(signs)} says something of a sentence within it, in {_such_as(judged, seen.entries)}",
            line=judged[0][1].line,
            ways=(FileAnswer("yes", "it is taken out", {"take_out": (*out, *signs)}),),
        )


def _optional(seen: Seen) -> Iterator[Sign]:
    """Words in brackets with a mark of judgement before them or before the brackets: with them it is one sentence, without them another."""
    if hits := [(item, s, [m[0]]) for item, s in seen.entries if "(" in s.text and (m := _OPTIONAL.search(s.text))]:
        yield Sign(
            "in sentences",
            f"{hits[0][2][0]} stands for two sentences, with what the brackets hold and without, in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            is_refused=True,
            hint="Write the two out, each with its own mark before it, or the one that is meant.",
        )


def _stars(seen: Seen) -> Iterator[Sign]:
    out = seen.source.options.take_out
    asking = [entry for entry in seen.entries if entry[1].text.rstrip()[-1:] == "?" and is_plain(entry[1].text)]
    if hits := _hits([*seen.odd, *asking], _STAR):
        signs = tuple(dict.fromkeys(sign.strip() for _, _, own in hits for sign in own))
        answers = []
        if all(_BEHIND.search(s.text) and len(own) == 1 for _, s, own in hits) and not any("?" in sign for sign in signs):
            said = (*seen.source.options.strip_suffixes, *signs)
            answers = [FileAnswer("yes", "it judges the sentence before it, and is taken off", {"strip_suffixes": said})]
        elif not any("?" in sign for sign in signs):
            answers = [FileAnswer("yes", "it is taken out", {"take_out": (*out, *signs)})]
        elif all(s.text.rstrip().endswith("?") and re.search(r"[.!…]\s*\?+\s*\Z|\s\?\?+\s*\Z", s.text) for _, s, _ in hits):
            ends = tuple(dict.fromkeys(re.search(r"\?+\s*\Z", s.text)[0].strip() for _, s, _ in hits))  # type: ignore[index]
            answers = [FileAnswer("yes", "it is taken off", {"strip_suffixes": (*seen.source.options.strip_suffixes, *ends)})]
        yield Sign(
            "in sentences",
            f"{some(signs)} stands within or behind sentences, as if it judged a word or the sentence, in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            ways=tuple(answers),
            is_refused=not answers,
            hint="" if answers else "Take it out, or write it before the sentence if it judges that.",
        )


def _signs(seen: Seen) -> Iterator[Sign]:
    """Signs that part or mark something."""
    out = seen.source.options.take_out
    for pattern in (_ALONE, _GLUED, _SIGNS):
        hits = [
            (item, s, kept)
            for item, s, own in _hits(seen.odd, pattern)
            if (kept := [sign for sign in own if not _is_sum(s.text, sign)])
        ]
        if not hits:
            continue
        signs = tuple(dict.fromkeys(sign for _, _, own in hits for sign in own))
        sign = signs[0]
        if set(signs) == {"|"} and any("Markdown" in how for how in seen.source.how_rewritten):
            yield Sign("in sentences", f"| is a word of {_such_as(hits, seen.entries)}", "in a table of Markdown it parts cells")
            continue
        counts = {s.text.count(sign) for _, s in seen.entries}
        ways = [FileAnswer("out", f"{some(signs)} is taken out", {"take_out": (*out, *signs)})]
        if pattern is _GLUED:
            ways = []  # without it two words would be one
        if len(signs) == 1 and 0 not in counts and seen.found.regions == () and seen.source.options.region_mark is None:
            ways.insert(0, FileAnswer("regions", f"{sign} parts regions", {"region_mark": sign}))
        if pattern is _SIGNS and sign in ("->", "=>", "→", "⇒", "<-", "<=", "←", "⇐", "↔", ">>", "<<", "||"):
            yield Sign(
                "in sentences",
                f"{sign} stands between words in {_such_as(hits, seen.entries)}",
                line=hits[0][1].line,
                is_refused=True,
                hint="Of two sentences or of a sentence and what is said of it, write each into a cell or line of its own.",
            )
            continue
        ways = [replace(way, word="yes") for way in ways] if len(ways) == 1 else ways
        yield Sign(
            "in sentences", f"{some(signs)} stands between words in {_such_as(hits, seen.entries)}", line=hits[0][1].line, ways=tuple(ways),
            is_refused=not ways,
            hint="" if ways else f"Write a blank for {signs[0]}; if it parts regions, write / between these.",
        )  # fmt: skip


def _empty_regions(seen: Seen) -> Iterator[Sign]:
    """A dash in the place of a region that is empty."""
    if not seen.found.regions:
        return
    hits = [
        (item, s, own)
        for item, s in seen.entries
        if s.regions and (own := [sign for region in s.regions if (sign := region.content(s.text).strip()) in _NOTHING_THERE])
    ]
    if hits:
        signs = tuple(dict.fromkeys(sign for *_, own in hits for sign in own))
        yield Sign(
            "regions",
            f"{some(signs)} stands in the place of a region in {_such_as(hits, seen.entries)}",
            line=hits[0][1].line,
            question=f"{some(signs)} stands in the place of a region in {_such_as(hits, seen.entries)}. Is the region empty there?",
            ways=(FileAnswer("yes", "the region is empty there", {"take_out": (*seen.source.options.take_out, *signs)}),),
        )


def _versions_as_regions(seen: Seen) -> Iterator[Sign]:
    """Two regions that are a whole sentence each, much like each other: two versions of it, of which one is meant."""
    found = seen.found
    if len(found.regions) < 2 or found.shape != "region_columns":
        return
    whole: dict[tuple[str, str], list[Entry]] = {}
    for item, s in seen.entries:
        own = [r for r in s.regions or () if len((text := r.content(s.text).strip()).split()) > 2 and _ENDED.search(text)]
        for one, other in pairwise(own):
            here, there = one.content(s.text).strip(), other.content(s.text).strip()
            # A question and what answers it are no versions.
            if here.endswith("?") == there.endswith("?") and (here == there or likeness_of([(here, there)]).alike):
                whole.setdefault((one.name, other.name), []).append((item, s))
    for names, hits in whole.items():
        if len(hits) > 1:
            full = [
                n for n in names if all(any(r.name == n and r.end > r.start for r in s.regions or ()) for _, s in seen.entries)
            ]
            kept = [n for n in full if FORMER.search(n) is None]
            yield Sign(
                "regions",
                f"{names[0]} and {names[1]} hold a whole sentence each, much like each other, in {len(hits):,} of {len(seen.entries):,} "
                f"rows, as two versions of it do: {hits[0][1].text[:100]}",
                line=hits[0][1].line,
                ways=tuple(FileAnswer(n, f"{n} has the sentences", {"sentence_columns": (n,)}) for n in kept),
                is_refused=not kept,
                hint="Write the one that is meant into a column of its own.",
            )
            return


def _is_sum(text: str, sign: str) -> bool:
    """Whether a sign stands between numbers, or is one of a name, such as & Sons."""
    return sign in "+=/<>*" and re.search(rf"\d\s*{re.escape(sign)}\s*\d", text) is not None


def _leads(seen: Seen) -> Iterator[Sign]:
    """What stands before sentences: their own label, a number, a name."""
    prefixes = seen.source.options.strip_prefixes
    own: list[tuple[ForeignItem, ForeignSentence, list[str]]] = []
    able = [entry for entry in seen.entries if _MAY_LEAD.match(entry[1].text)]
    for item, s in able:
        text = s.text.lstrip()
        start = text[:40].casefold()
        for label in {s.condition, item.label, *(s.written or "").split("\x1f")} - {""}:
            if label.casefold() in start and (match := re.match(rf"[\W_]*{re.escape(label)}{_SEPARATOR}", text, re.IGNORECASE)):
                whole = match[0]
                rest = text[len(whole) :]
                # The other label may stand behind the first one.
                for more in (item.label, s.condition):
                    if more != label and (second := re.match(rf"{re.escape(more)}{_SEPARATOR}", rest, re.IGNORECASE)):
                        whole += second[0]
                if text[len(whole) :].strip():
                    own.append((item, s, [whole.strip()]))
                    break

    def matching(pattern: re.Pattern[str]) -> list[tuple[ForeignItem, ForeignSentence, list[str]]]:
        return [(item, s, [match["label"].strip()]) for item, s in able if (match := pattern.match(s.text)) is not None]

    labels = matching(_LABEL)
    several = len(seen.entries) > 2
    codes = matching(_CODE)
    names = matching(_NAMED)
    bare_labels = matching(_BARE_LABEL)
    times = Counter(hit[2][0] for hit in bare_labels)
    if len(times) > _FORMS or min(times.values(), default=0) < 2:
        bare_labels = []
    bracketed = [(i, s, [match["label"]]) for i, s in seen.entries if (match := _BRACKETED.match(s.text)) is not None]
    held = Counter(hit[2][0] for hit in bracketed)
    # What many sentences have is no word of one that may be left out.
    if min(held.values(), default=0) < 2:
        bracketed = []
    contexts = []
    if context := context_among(hit[2][0] for hit in names):
        is_own = any(re.sub(r"\W", "", context).casefold() == s.condition.casefold() for _, s, _ in names)
        contexts = [] if is_own else [hit for hit in names if hit[2][0] == context]
    for hits, least in (
        (contexts, 0.0),
        (own, _MOST),
        (labels, 0.0),
        (codes, _MOST),
        (names, _MOST),
        (bare_labels, _MOST),
        (bracketed, _MOST),
    ):
        if not hits or not several or len(hits) < least * len(seen.entries):
            continue
        forms = tuple(dict.fromkeys(re.sub(r"\d+", "1", hit[2][0]) for hit in hits))
        what = "what numbers or names it" if hits is not names else "a name, as of who says it,"
        message = f"{what} ({some([hit[2][0] for hit in hits], 3)}) stands before {_such_as(hits, seen.entries)}"
        if hits is contexts or _is_one_of_each_item(hits, seen):
            yield Sign(
                "before sentences",
                f"{message}, as if it were {'a context' if hits is contexts else 'said of the item'} and no sentence of it",
                line=hits[0][1].line,
                is_refused=True,
                hint=refusal_of_context(forms[0]),
            )
        elif len(forms) > _FORMS:
            yield Sign(
                "before sentences", message, line=hits[0][1].line, is_refused=True, hint="Write it into a column of its own."
            )
        else:
            yield Sign(
                "before sentences",
                message,
                line=hits[0][1].line,
                ways=(
                    FileAnswer(
                        "yes",
                        f"what the brackets hold becomes the attribute {IN_BRACKETS}" if hits is bracketed else "it is taken off",
                        {"strip_prefixes": (*prefixes, *forms)},
                    ),
                ),
            )
        return


def _is_one_of_each_item(hits: Sequence[tuple[ForeignItem, ForeignSentence, list[str]]], seen: Seen) -> bool:
    """Whether the same letter stands before one sentence of every item, and before no other one: it names no sentence of several."""
    several = {item.label for item, _ in seen.several}
    labels = {hit[2][0] for hit in hits}
    own = [item.label for item, *_ in hits]
    return (
        len(labels) == 1 and not any(map(str.isdigit, next(iter(labels)))) and len(several) > 1 and sorted(own) == sorted(several)
    )


def _around(seen: Seen) -> Iterator[Sign]:
    """Quotation marks around nearly all sentences, dots or dashes in them, alternatives in some."""
    options = seen.source.options
    quoted = [
        (i, s, [s.text.strip()[0] + s.text.strip()[-1]])
        for i, s in seen.entries
        if s.text.lstrip()[:1] in _OPENING and _QUOTED.fullmatch(s.text.strip())
    ]
    if len(seen.entries) > 2 and len(quoted) >= _MOST * len(seen.entries):
        pairs = tuple(dict.fromkeys(own[0] for *_, own in quoted))
        prefixes, suffixes = (tuple(dict.fromkeys(pair[n] for pair in pairs)) for n in (0, 1))
        yield Sign(
            "around sentences",
            f"quotation marks stand around {_such_as(quoted, seen.entries)}",
            line=quoted[0][1].line,
            ways=(
                FileAnswer(
                    "yes",
                    "they are taken off",
                    {
                        "strip_prefixes": (*options.strip_prefixes, *prefixes),
                        "strip_suffixes": (*options.strip_suffixes, *suffixes),
                    },
                ),
            ),
        )
    dotted = [(i, s, [m[0]]) for i, s in seen.entries if ("..." in s.text or "--" in s.text) and (m := _DOTS.search(s.text))]
    if dotted and len(dotted) * 2 >= len(seen.entries):
        yield Sign(
            "in sentences",
            f"{dotted[0][2][0]} stands in the place of a word in {_such_as(dotted, seen.entries)}",
            option="--gap-mark",
        )
    if options.alternatives is None and options.region_mark is None and seen.found.regions == ():
        able = [(i, s, [""]) for i, s in seen.entries if any(sign in s.text for sign in "/{|") and choices_of(s.text)]
        if able:
            yield Sign(
                "in sentences",
                f"what may be alternatives is read as it stands in {_such_as(able, seen.entries)}",
                option="--alternatives",
            )


def _remarks(seen: Seen) -> Iterator[Sign]:
    """Remarks behind some sentences, set off from them by dashes, slashes or an arrow."""
    hits = [
        (item, s, [match["sign"]])
        for item, s in seen.entries
        if (match := _REMARK.search(s.text)) is not None
        and not likeness_of([(s.text[: match.start()], s.text[match.end() :])]).alike
    ]
    # Where most sentences go on so, it is how the file writes them.
    if not hits or len(hits) * 2 >= len(seen.entries) or seen.found.regions:
        return
    signs = tuple(dict.fromkeys(own[0] for *_, own in hits))
    taken = replace(
        seen.source.options,
        strip_suffixes=(*seen.source.options.strip_suffixes, *(f"{sign}..." for sign in sorted(signs, key=len, reverse=True))),
    )
    remarked = {id(s) for _, s, _ in hits}
    # The sign must take nothing else off, and all of every remark.
    is_safe = all(
        (parts_of(s.text, taken)[1] == s.text[: match.start()].rstrip())
        if id(s) in remarked and (match := _REMARK.search(s.text)) is not None
        else not any(sign in s.text for sign in signs)
        for _, s in seen.entries
    )
    said = some([s.text[match.end("sign") :].strip()[:60] for _, s, _ in hits if (match := _REMARK.search(s.text))], 3)
    yield Sign(
        "behind sentences",
        f"a remark ({said}) seems to stand behind {_such_as(hits, seen.entries)}",
        line=hits[0][1].line,
        ways=(FileAnswer("yes", "remarks are taken off, and kept beside the sentence", {"strip_suffixes": taken.strip_suffixes}),)
        if is_safe
        else (),
        is_refused=not is_safe,
        hint="" if is_safe else "Write it into a column of its own.",
    )


def _tails(seen: Seen) -> Iterator[Sign]:
    """What stands behind the mark that ends a sentence."""
    hits: list[tuple[ForeignItem, ForeignSentence, list[str]]] = []
    ended = 0
    for item, s in seen.entries:
        text = s.text
        last = text.rstrip()[-1:]
        if last in _FINAL or _ENDED.search(text[-4:]):
            ended += 1
            if last not in "\"'”’":
                continue
        match = _TAIL.search(text)
        if match is None or len(match["tail"].split()) > 10:
            continue
        if _ABBREVIATED.search(text[: match.end("end")]):
            # Such as cf. and a name behind the sentence: the tail begins before them.
            if (before := _ENDED_BEFORE.search(text[: match.end("end")])) is not None:
                hits.append((item, s, [text[before.end() :].strip()]))
            continue
        if match["tail"][:1] in "\"“„‘'" and (text.count('"') > 2 or len(match["tail"].split()) < 2):
            continue
        hits.append((item, s, [match["tail"].strip()]))
    if not hits or (ended + len(hits)) * 2 < len(seen.entries):
        return
    forms = tuple(dict.fromkeys(re.sub(r"\d+", "1", hit[2][0]) for hit in hits))
    if len(forms) > _FORMS and len({(form[0], form[-1]) for form in forms}) == 1 and not forms[0][0].isalnum():
        forms = (f"{forms[0][0]}...{forms[0][-1]}",)
    message = f"something ({some([hit[2][0][:40] for hit in hits], 3)}) stands behind the end of {_such_as(hits, seen.entries)}"
    if len(forms) > _FORMS:
        yield Sign("behind sentences", message, line=hits[0][1].line, is_refused=True, hint="Write it into a column of its own.")
        return
    if seen.found.regions:
        yield Sign("behind sentences", message, option="--attribute" if seen.found.shape == "region_columns" else "")
        return
    suffixes = (*seen.source.options.strip_suffixes, *sorted(forms, key=len, reverse=True))
    yield Sign(
        "behind sentences",
        message,
        line=hits[0][1].line,
        ways=(FileAnswer("yes", "it is taken off, and kept beside the sentence", {"strip_suffixes": suffixes}),),
    )


def _questions(seen: Seen) -> Iterator[Sign]:
    """A question behind the sentence in nearly every cell, as people are asked one about it."""
    hits = [
        (item, s, [match["begin"]])
        for item, s in seen.entries
        if s.text.rstrip()[-1:] == "?"
        and (match := _ASKED.fullmatch(s.text)) is not None
        and not _ABBREVIATED.search(match["first"])
    ]
    if len(hits) < _MOST * len(seen.entries) or seen.found.regions:
        return
    begins = tuple(dict.fromkeys(own[0] for *_, own in hits))
    suffixes = (*seen.source.options.strip_suffixes, *(f"{begin}...?" for begin in begins))
    taken = replace(seen.source.options, strip_suffixes=suffixes)
    # The words must take off all of every question, and nothing else.
    is_safe = len(begins) <= _FORMS and all(
        parts_of(s.text, taken)[1] == match["first"] for _, s, _ in hits if (match := _ASKED.fullmatch(s.text)) is not None
    )
    yield Sign(
        "behind sentences",
        f"a question seems to stand behind {_such_as(hits, seen.entries)}",
        line=hits[0][1].line,
        ways=(FileAnswer("yes", "questions are taken off, and kept beside the sentence", {"strip_suffixes": suffixes}),)
        if is_safe
        else (),
        is_refused=not is_safe,
        hint="" if is_safe else "Write it into a column of its own.",
    )


def _may_be_open(text: str) -> bool:
    return "TODO" in text or "XXX" in text or "TB" in text or "FIXME" in text or "???" in text


def _may_have_trace(text: str) -> bool:
    return (
        (" t" in text and (" t " in text or re.search(r" t(?:[.,;:?!]|\Z)", text) is not None)) or "PRO" in text or " ec" in text
    )


def _open_ends(seen: Seen) -> Iterator[Sign]:
    """Notes to oneself, traces, marks without their partners, sentences that were cut."""
    if todo := [(i, s, [m[0]]) for i, s in seen.entries if _may_be_open(s.text) and (m := _TODO.search(s.text))]:
        yield Sign(
            "in sentences", f"{todo[0][2][0]} stands in {_such_as(todo, seen.entries)}", line=todo[0][1].line, is_refused=True,
            hint="Finish the sentence.",
        )  # fmt: skip
    if traces := [(i, s, [m[0]]) for i, s in seen.entries if _may_have_trace(s.text) and (m := _TRACE.search(s.text))]:
        signs = tuple(dict.fromkeys(own[0] for *_, own in traces))
        yield Sign(
            "in sentences",
            f"{some(signs)} stands in the place of a word, as traces and empty subjects do, in {_such_as(traces, seen.entries)}",
            line=traces[0][1].line,
            ways=(FileAnswer("yes", "it stands for a gap", {"gap_marks": (*seen.source.options.gap_marks, *signs)}),),
        )
    odd = []
    for item, s in seen.entries:
        text = s.text
        if _SIDES.search(text) is not None and (
            text.count('"') % 2 or any(text.count(one) != text.count(other) for one, other in _PAIRED)
        ):
            odd.append((item, s, [""]))
    if odd:
        # In most sentences it is no slip, but a part of something that was cut.
        is_usual = len(odd) > 3 and len(odd) >= _MOST * len(seen.entries)
        yield Sign(
            "marks without their partner",
            f"a quotation mark or bracket that is not closed, in {_such_as(odd, seen.entries)}",
            line=odd[0][1].line,
            is_refused=is_usual,
            hint="Write the sentences alone." if is_usual else "",
        )
    ended = [s.text.rstrip()[-1:] in _FINAL or bool(_ENDED.search(s.text)) for _, s in seen.entries]
    opened = [entry for entry, is_ended in zip(seen.entries, ended, strict=True) if not is_ended]
    if not opened:
        return
    longest = max(len(s.text) for _, s in seen.entries)
    cut = [(i, s, [""]) for i, s in opened if len(s.text) == longest and not s.regions]
    is_usual = sum(ended) * 2 > len(ended) - len(cut) or longest in _WIDTHS
    are_all = sum(len(s.text) == longest for _, s in seen.entries) == len(cut)
    if len(cut) > 2 and longest >= _CUT and is_usual and are_all and len({s.text for _, s, _ in cut}) > 2:
        item, s, _ = cut[0]
        yield Sign(
            "sentences",
            f"{len(cut):,} sentences have {longest} letters, none has more, and none of these ends, as if they had been cut there, such as item "
            f"{item.label}, {s.condition}: …{s.text[-40:]}",
            line=s.line,
            is_refused=True,
            hint="Save the file from its source again, with whole cells.",
        )
    if len(opened) <= RARE * len(seen.entries):
        yield Sign("ends", f"no mark ends {_such_as([(i, s, ['']) for i, s in opened], seen.entries)}; one ends all others")


_PARTED = re.compile(r"(?<=\w)[ \t\u00a0]+(?:\.(?!\S)|,(?=\s))")
"""A full stop or a comma behind a blank, as tokenizers part them."""


def _parted_marks(seen: Seen) -> Iterator[Sign]:
    """Sentences with a blank before a full stop or a comma: a model reads another token there."""
    hits = _hits([entry for entry in seen.entries if " ." in entry[1].text or " ," in entry[1].text], _PARTED)
    if hits:
        yield Sign(
            "blanks",
            f"a blank stands before a full stop or a comma in {_such_as(hits, seen.entries)}",
            "as the file has it; a model reads another token there than behind a word",
        )


# ---- at items


def _alike(seen: Seen) -> Iterator[Sign]:
    """Items whose sentences are the same, share nothing, or differ much in length where those of others do not."""
    several = [item for item, _ in seen.several]
    if len(several) < 3:
        return
    same, long, shares = [], [], []
    for item, words in seen.several:
        own = [s for s in item.sentences if s.text.strip()]
        texts = [s.text for s in own]
        if len(set(texts)) < len(texts) and len({(s.condition, s.text) for s in own}) == len(own):
            same.append(item)
        sizes = sorted(map(len, texts))
        if sizes[-1] >= _LONG * sizes[0] and sizes[-1] - sizes[0] >= _LETTERS:
            long.append(item)
        if len(words) == 2:
            shares.append((len(words[0] & words[1]) / max(1, min(map(len, words))), item))
            continue
        least = min(
            max(len(one & other) / max(1, min(len(one), len(other))) for m, other in enumerate(words) if m != n)
            for n, one in enumerate(words)
        )
        shares.append((least, item))
    if same:
        told = []
        for item in same[:_ITEMS_NAMED]:
            times = Counter(s.text for s in item.sentences)
            told.append(f"item {item.label}: {some([s.condition for s in item.sentences if times[s.text] > 1])}")
        more = " …" if len(same) > _ITEMS_NAMED else ""
        yield Sign(
            "equal sentences", f"{_items(same, several)} the same sentence in several conditions ({'; '.join(told)}{more})"
        )
    if long and len(long) <= RARE * len(several):
        item = long[0]
        ends = sorted((s.text for s in item.sentences), key=len)
        yield Sign(
            "lengths",
            f"{_items(long, several)} sentences of very different length, such as item {item.label}: {ends[0][:50]} / {ends[-1][:50]}…",
        )
    usual = median(share for share, _ in shares) if shares else 0.0
    apart = [item for share, item in shares if share <= _NOTHING]
    if apart and usual >= _SHARED and len(apart) <= RARE * len(several):
        item = apart[0]
        some_texts = " / ".join(s.text[:50] for s in item.sentences[:3])
        message = (
            f"the sentences of item {item.label} have no words in common, and those of the other items most of them: {some_texts} "
            f"({len(apart):,} of {len(several):,} items are such)"
        )
        yield Sign(
            "items",
            message,
            line=item.sentences[0].line,
            is_refused=True,
            hint="If a sentence stands at another item, or rows or columns were moved, put them in their places.",
        )
    elif usual <= _NOTHING and len(several) > 3:
        item = several[0]
        some_texts = " / ".join(s.text[:50] for s in item.sentences[:3])
        yield Sign(
            "items",
            f"the sentences of an item usually have no words in common, such as item {item.label}: {some_texts}",
            option="--item-column" if seen.source.known.get("is_table") else "",
        )


def _one_list(seen: Seen) -> Iterator[Sign]:
    """Items of one sentence each, and every condition in several of them, as a list of an experiment has them."""
    items = seen.found.items
    times = Counter(s.condition for _, s in seen.entries)
    if len(seen.entries) != len(items) or len(times) < 2 or min(times.values()) < 2:
        return
    said, options = seen.found.meta, seen.source.options
    columns = {
        name: tuple([held] if isinstance(held, str) else held or ())
        for name, held in (("item_columns", said.get("item")), ("condition_columns", said.get("condition")))
    }
    are_said = bool(options.item_columns and options.condition_columns)
    ways = (
        [FileAnswer("yes", "each item has the one sentence that is here; the others are missing", columns)]
        if all(columns.values()) and not are_said
        else []
    )
    yield Sign(
        "items",
        f"every item has one sentence only, and its {len(times)} conditions are in several items each, as in one list of an experiment: "
        f"{len(items) * (len(times) - 1):,} of {len(items) * len(times):,} sentences are not here",
        line=seen.entries[0][1].line,
        question="Every item has one sentence only, as in one list of an experiment. Is that all there is of them?",
        ways=tuple(ways),
        hint="Where the other lists are in other files, import their folder, so that items get all their sentences.",
    )


def _word_set(text: str) -> frozenset[str]:
    """The words of a sentence, with the marks that stand at them."""
    return frozenset(text.casefold().split()) if " " in text and text.isascii() else words_of(text)


def _moved(seen: Seen) -> Iterator[Sign]:
    """Sentences whose rare words stand in none of their own item and all in another one, as where a column was sorted by itself."""
    several, words = [item for item, _ in seen.several], [own for _, own in seen.several]
    # Where sentences share most words with others of their item, they stand where they belong.
    if len(several) < 3 or not any(len(frozenset.intersection(*own)) < _MOSTLY * min(map(len, own)) for own in words):
        return
    first: dict[str, int] = {}
    second: dict[str, int] = {}
    many: set[str] = set()
    for n, own in enumerate(words):
        for word in frozenset().union(*own):
            if first.setdefault(word, n) != n and second.setdefault(word, n) != n:
                many.add(word)
    twice = second.keys() - many
    moved = []
    for n, (item, own) in enumerate(zip(several, words, strict=True)):
        for place, sentence in enumerate(s for s in item.sentences if s.text.strip()):
            rare = own[place] & twice
            if len(rare) < 2 or any(rare & other for m, other in enumerate(own) if m != place):
                continue
            elsewhere = Counter(m for word in rare for m in (first[word], second[word]) if m != n)
            at, times = elsewhere.most_common(1)[0]
            if times > 1 and times == len(rare):
                moved.append((item, sentence, several[at]))
    if not moved:
        return
    item, sentence, other = moved[0]
    yield Sign(
        "items",
        f"{sentence.text[:70]!r} shares its words with item {other.label} and stands at item {item.label}: {len(moved):,} of "
        f"{len(seen.entries):,} sentences seem to stand at other items than they belong to",
        line=sentence.line,
        is_refused=True,
        hint="Where a column was sorted or moved by itself, or a row has another item's sentence, put them in their places.",
    )


def _items(own: Sequence[ForeignItem], several: Sequence[ForeignItem]) -> str:
    return f"{len(own):,} of {len(several):,} items have" if len(own) > 1 else f"1 of {len(several):,} items has"


def _exchanged(seen: Seen) -> Iterator[Sign]:
    """An item whose words say that its labels stand at other sentences than those of the others do."""
    if len(seen.found.conditions) < 2:
        return
    odd = exchanged_of(seen.found, seen.source, _ORDERS)
    # Of sentences of which one is acceptable and one is not, an ending shows number or gender: that goes either way.
    is_ending = odd is not None and odd[1].startswith("-") and {"ok", "*"} <= set(seen.found.expected.values())
    if odd is not None and not is_ending:
        item = odd[0]
        yield Sign(
            "conditions",
            f"as their labels say, though by {odd[1]!r} the sentences of item {item.label} may have each other's labels "
            f"({seen.source.place(item.sentences[0].line)})",
        )


def _labels(seen: Seen) -> Iterator[Sign]:
    """Labels of conditions or items that may be two ways to write one."""
    if seen.found.shape == "condition_columns":
        return
    by_item: list[frozenset[str]] = []
    times: Counter[str] = Counter()
    for n, one in enumerate(seen.found.conditions[:60]):
        for other in seen.found.conditions[n + 1 : 60]:
            is_same = fold(one) == fold(other) and fold(one) != ""
            if not is_same and not _one_slip(one, other):
                continue
            if not by_item:
                by_item = [frozenset(s.condition for s in item.sentences) for item in seen.found.items]
                times = Counter(label for own in by_item for label in own)
            if not is_same and min(times[one], times[other]) > max(1, 0.1 * len(by_item)):
                continue
            if any({one, other} <= own for own in by_item):
                continue
            rare = min(one, other, key=lambda label: times[label])
            yield Sign(
                "conditions",
                f"{one!r} and {other!r} are two conditions, which no item has together, as if one were a slip of the other "
                f"({times[one]:,} and {times[other]:,} items)",
                line=seen.found.line_of(rare),
                is_refused=True,
                hint="Write the label in one way.",
            )
            return
    if all(item.label.isdecimal() and (item.label[0] != "0" or item.label == "0") for item in seen.found.items):
        return
    folded = Counter(re.sub(r"\b0+(?=\d)|\.0\b", "", fold(item.label)) for item in seen.found.items)
    twice = [
        item for item in seen.found.items if folded[re.sub(r"\b0+(?=\d)|\.0\b", "", fold(item.label))] > 1 and fold(item.label)
    ]
    if twice:
        yield Sign(
            "items", f"{some([repr(item.label) for item in twice])} are items of their own, as they are written differently"
        )


def _one_slip(one: str, other: str) -> bool:
    """Whether two words of some length differ in one letter, or by two that changed places."""
    if min(len(one), len(other)) < 6 or abs(len(one) - len(other)) > 1 or any(sign.isdigit() for sign in {*one} ^ {*other}):
        return False
    start = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest, others = one[start:], other[start:]
    if len(rest) < 2 or len(others) < 2:
        return len(one) != len(other) and False
    return (
        rest[1:] == others[1:]
        or rest[1:] == others
        or rest == others[1:]
        or (rest[:2] == others[1::-1] and rest[2:] == others[2:])
    )


def _order(seen: Seen) -> Iterator[Sign]:
    """A file that says that the order within its pairs changes, where somebody said which sentence comes first in all."""
    if seen.source.options.first is not None and (line := line_of_order(seen.found, seen.source)):
        yield Sign(
            "good and bad",
            f"the file says that the order of good and bad changes from one item to the next: {line[:160]}",
            is_refused=True,
            hint=f"{MARK_THEM[0].upper()}{MARK_THEM[1:]}.",
        )


def _headings(seen: Seen) -> Iterator[Sign]:
    """Headings that are sentences: the first row of a table that has none."""
    if not seen.source.known.get("is_table") or seen.source.options.headings is not None:
        return
    header = [heading for heading in seen.found.meta.get("header", ()) if isinstance(heading, str)]
    header += seen.found.conditions if seen.found.shape == "condition_columns" else ()
    # Such as pair no., which is short for something.
    if odd := [text for text in sentences_among(header) if len(text.split()) > 2 or _ABBREVIATED.search(text) is None]:
        yield Sign(
            "headings",
            f"the first row is taken for headings, and holds a sentence: {odd[0][:80]}",
            line=1,
            is_refused=True,
            hint="Write a row of headings above it, or say them with --headings NAME,NAME.",
        )


def _columns(seen: Seen) -> Iterator[Sign]:
    """Columns or keys that hold sentences and are kept as attributes."""
    texts: dict[str, list[str]] = {}
    for item in seen.found.items[:200]:
        for attributes in (item.attributes, *(s.attributes for s in item.sentences)):
            for name, value in attributes.items():
                if isinstance(value, str) and value.strip():
                    texts.setdefault(name, []).append(value)
    for name, own in texts.items():
        if name in TAKEN_OFF or fold(name).rstrip("_0123456789") in NOTES or len(own) < 2 or len(set(own)) * 2 < len(own):
            continue
        if sum(len(text.split()) > 3 for text in own) >= _MOST * len(own):
            yield Sign(
                "attribute",
                f"{name!r} holds several words, such as {own[0][:60]!r}, and is kept as an attribute",
                "something else is taken for the sentences",
                option="--sentence-column" if seen.source.known.get("is_table") else "",
            )


def _flags(seen: Seen) -> Iterator[Sign]:
    """An attribute of pairs that says of each whether its members stand the other way round."""
    found = seen.found
    if len(found.conditions) != 2 or seen.source.options.good or not found.items:
        return
    for name in found.items[0].attributes:
        values = Counter(str(item.attributes.get(name, "")).strip() for item in found.items)
        if _FLAG.search(fold(name)) is None or len(values) != 2 or "" in values:
            continue
        one, other = found.conditions
        message = (
            f"{name!r} says {' or '.join(sorted(values))} of each pair, as if {one} and {other} stood the other way round in some"
        )
        yield Sign(
            "good and bad",
            message,
            line=found.items[0].sentences[0].line if found.items[0].sentences else 0,
            question=f"{message}. Where does {one} hold the good sentence?",
            ways=tuple(
                FileAnswer(
                    value, f"{one} is the good one where {name} is {value}, {other} elsewhere", {"good": (f"{name}={value}",)}
                )
                for value in sorted(values)
            ),
        )


def _says_swapped(seen: Seen) -> Iterator[Sign]:
    """A remark beside some sentences that says that things have changed places there: whether that was mended, it does not say."""
    for item in seen.found.items if not seen.source.options.good else ():
        for sentence in item.sentences:
            for name, value in {**item.attributes, **sentence.attributes}.items():
                if (
                    not isinstance(value, str)
                    or _SWAPPED.search(value) is None
                    or fold(name).rstrip("_0123456789") not in REMARKS
                ):
                    continue
                yield Sign(
                    "conditions",
                    f"{name!r} says of item {item.label}: {value.strip()[:80]!r}, as if labels or sentences stood in each other's place",
                    line=sentence.line,
                    is_refused=True,
                    hint="Put them in their places in the file, and take the remark out.",
                )
                return


_AT_SENTENCES: tuple[Look, ...] = (
    _remarks,
    _no_words,
    _damaged,
    _fillable,
    _in_brackets,
    _optional,
    _stars,
    _versions_as_regions,
    _empty_regions,
    _signs,
    _leads,
    _around,
    _tails,
    _parted_marks,
    _questions,
    _open_ends,
)
_AT_ITEMS: tuple[Look, ...] = (_headings, _one_list, _order, _labels, _flags, _says_swapped, _alike, _moved, _exchanged, _columns)
