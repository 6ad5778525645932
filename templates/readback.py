"""From sentences back to slots, by aligning the conditions of an item.

The conditions of an item share their slots, so each condition is an equation over words: ``{matrix} who the {noun} about
{linker} {verb} {adverb} .`` A reading is an assignment of words to slots that solves the equations of all conditions at
once. One reading: the item has those slots. Several: it is ambiguous, and they are all given. None: the reading that
solves most conditions, and for each other condition what was expected and what is there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import islice

from gapsmith.templates.model import Alignment, Condition, Paradigm, RegionSpan, Sentence, Slot, Source
from gapsmith.templates.pattern import WordPattern, word_patterns
from gapsmith.templates.realisation import PUNCTUATION, capitalise, realise_condition
from gapsmith.templates.slot_lexicons import lexicon_of

_MAX_READINGS = 4096
"""A condition with more readings than this settles nothing, and says so."""
_SHOWN_WORDS = 6
_MORE_WORDS = (2, 6, 30)
"""How many words a slot may have beyond its limit where limits do not bind; tried one after the other."""


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A condition that the item's slots do not produce."""

    condition: str
    found: str
    expected: str | None
    """The text that the other conditions ask for, or None where nothing could be concluded from them."""
    reason: str


@dataclass(frozen=True, slots=True)
class ReadBack:
    """What the conditions of an item say about its slots."""

    slots: Mapping[str, str] | None
    """The one reading; the first of several; None where no condition could be read."""
    readings: tuple[Mapping[str, str], ...] = ()
    failures: tuple[Mismatch, ...] = field(default=())

    @property
    def ok(self) -> bool:
        """Every condition was read, in one way only, and every slot has a value."""
        return self.slots is not None and len(self.readings) == 1 and not self.failures

    @property
    def ambiguous(self) -> tuple[str, ...]:
        """The slots on which the readings differ."""
        if len(self.readings) < 2:
            return ()
        return tuple(name for name in self.readings[0] if len({reading.get(name) for reading in self.readings}) > 1)


def read_back(paradigm: Paradigm, sentences: Mapping[str, str]) -> ReadBack:
    """The slots behind the texts of some conditions (condition name to text; not every condition has to be there).

    A slot takes one to `max_words` words, one of `closed` where that is not empty; between readings that are all
    possible, those with known words of the slot's lexicon win. Sentences that are given have no slots and no reading."""
    if paradigm.given:
        return ReadBack(None)
    if paradigm.choices:
        return _read_back_by_choice(paradigm, sentences)
    settled = _read_from_fullest(paradigm, sentences)
    if settled is not None:
        return ReadBack(settled, (settled,))
    every = {name: list(_match_condition(paradigm, paradigm.condition(name), text)) for name, text in sentences.items()}
    # A condition with too many readings settles nothing; it is held against what the others say.
    unbounded = [name for name, found in every.items() if len(found) > _MAX_READINGS]
    candidates = {name: found for name, found in every.items() if name not in unbounded}
    every_way = frozenset(unbounded)
    joined: list[dict[str, str]] = [{}]
    solved: list[str] = []
    failed: list[str] = []
    for name in sorted(candidates, key=lambda n: (not candidates[n], len(candidates[n]))):
        extended = _join(joined, candidates[name])
        if extended:
            joined = extended
            solved.append(name)
        else:
            failed.append(name)
    if failed:
        joined, solved = _largest_agreement(candidates, joined, solved)
    if not solved or len(joined) > _MAX_READINGS:
        return ReadBack(None, (), tuple(_failure(paradigm, n, sentences[n], None, n in every_way) for n in sentences))
    readings = _best_readings(paradigm, joined)
    solved += [name for name in unbounded if _gives(paradigm, name, sentences[name], readings[0])]
    failures = tuple(_failure(paradigm, n, sentences[n], readings[0], n in every_way) for n in sentences if n not in solved)
    return ReadBack(readings[0], tuple(readings), failures)


def _read_from_fullest(paradigm: Paradigm, sentences: Mapping[str, str]) -> dict[str, str] | None:
    """The one reading that solves all conditions, found from a condition that holds every slot: its readings are the only
    candidates, and the other conditions are held against each. None where that settles nothing: then all are matched."""
    patterns = {name: _patterns(paradigm, paradigm.condition(name)) for name in sentences}
    slots = {name: {p.slot for p in pieces if p.slot is not None} for name, pieces in patterns.items()}
    fullest = max(slots, key=lambda name: len(slots[name]), default=None)
    if fullest is None or any(not names <= slots[fullest] for names in slots.values()):
        return None
    words = {name: _words(text, paradigm.final_punctuation) for name, text in sentences.items()}
    candidates = list(_match_words(paradigm, patterns[fullest], words[fullest]))
    if len(candidates) > _MAX_READINGS:
        return None
    others = [name for name in sentences if name != fullest]
    solved = [reading for reading in candidates if all(_is_solved(patterns[name], words[name], reading) for name in others)]
    readings = _best_readings(paradigm, solved) if solved else []
    return readings[0] if len(readings) == 1 else None


def _is_solved(patterns: tuple[WordPattern, ...], words: list[str], reading: Mapping[str, str]) -> bool:
    """Whether the words of a condition are what the reading gives; the first may have the sentence's capital."""
    at = 0
    for pattern in patterns:
        value = pattern.prefix if pattern.slot is None else pattern.prefix + reading[pattern.slot] + pattern.suffix
        if at == 0 and words and words[0] != value.partition(" ")[0] and (pattern.slot is None or pattern.is_bare):
            value = capitalise(value)
        for word in value.split(" "):
            if at == len(words) or words[at] != word:
                return False
            at += 1
    return at == len(words)


@lru_cache(maxsize=512)
def _pieces(texts: tuple[str, ...]) -> tuple[WordPattern, ...]:
    return tuple(pattern for text in texts for pattern in word_patterns(text))


def _patterns(paradigm: Paradigm, condition: Condition) -> tuple[WordPattern, ...]:
    return _pieces(tuple(condition.regions[region.name] for region in paradigm.regions))


def _gives(paradigm: Paradigm, name: str, text: str, slots: Mapping[str, str]) -> bool:
    """Whether the slots say every word of a condition, and those words are the text's."""
    found = align(paradigm, name, text, slots, Source.IMPORTED)
    return found.regions is not None


def _read_back_by_choice(paradigm: Paradigm, sentences: Mapping[str, str]) -> ReadBack:
    """The reading under the combination of choices that explains most conditions, of equals the one with most listed words;
    several are all given."""
    found: list[tuple[tuple[int, int], ReadBack]] = []
    for chosen, variant in paradigm.variants.items():
        read = read_back(variant, sentences)
        levels = {choice.name: level for choice, level in zip(paradigm.choices, chosen, strict=True)}
        readings = tuple({**levels, **reading} for reading in read.readings)
        rank = len(read.failures), _n_unlisted(variant, read.readings[0] if readings else {})
        found.append((rank, ReadBack(readings[0] if readings else None, readings, read.failures)))
    best = min((rank for rank, read in found if read.readings), default=None)
    if best is None:
        return found[0][1]
    those = [read for rank, read in found if rank == best and read.readings]
    every = tuple(reading for read in those for reading in read.readings)
    return ReadBack(every[0], every, those[0].failures)


def _n_unlisted(paradigm: Paradigm, reading: Mapping[str, str]) -> int:
    """How many words of slots that have a list are not in it."""
    slots = [paradigm.slot_by_name[name] for name in reading]
    listed = {slot.name: reading[slot.name] for slot in slots if slot.words or slot.lexicon}
    return len(listed) - _known_words(paradigm, listed)[0]


def settled_slots(paradigm: Paradigm, sentences: Mapping[str, str], *, limited: bool = True) -> Mapping[str, str] | None:
    """The slots that the texts of some conditions settle: a value for every slot, in one reading only. Else None.

    A condition that the others outvote does not unsettle them; it is left without regions and becomes a finding. Limits on
    words are made for generation: without `limited` slots may have more, but no more than it takes."""
    strict = read_back(paradigm, sentences)
    if not limited and not strict.ok and not paradigm.given:
        for more in _MORE_WORDS:
            read = read_back(_roomy(paradigm, more), sentences)
            if read.readings and len(read.failures) < (len(strict.failures) if _settles(paradigm, strict) else 10**6):
                closest = _closest_to_limits(paradigm, read)
                if _settles(paradigm, closest):
                    return closest.slots
    return strict.slots if _settles(paradigm, strict) else None


def _settles(paradigm: Paradigm, read: ReadBack) -> bool:
    if read.slots is None or len(read.readings) != 1:
        return False
    return all(slot.name in read.slots for slot in paradigm.variant(read.slots).visible_slots)


def unreadable(paradigm: Paradigm, sentences: Mapping[str, str]) -> tuple[str, str]:
    """Of sentences that settle no slots: the first condition that cannot be read, and why, naming the word."""
    roomy = _roomy(paradigm, _MORE_WORDS[-1])
    for name, text in sentences.items():
        variants = [roomy, *roomy.variants.values()]
        whys = [why for each in variants if (why := _stops_at(each, each.condition(name), text)) is not None]
        if len(whys) == len(variants):
            # The variant that gets furthest says it best.
            return name, max(whys)[1]
    for more in (0, *_MORE_WORDS):
        read = _closest_to_limits(paradigm, read_back(_roomy(paradigm, more) if more else paradigm, sentences))
        if read.ambiguous:
            values = [" or ".join(dict.fromkeys(repr(r.get(slot, "")) for r in read.readings)) for slot in read.ambiguous]
            ways = "; ".join(f"{slot} {value}" for slot, value in zip(read.ambiguous[:2], values, strict=False))
            return next(iter(sentences)), f"can be read in several ways: {ways}"
        if read.failures and read.slots is not None:
            failure = read.failures[0]
            unlike = f", {failure.expected!r}" if failure.expected else ""
            return failure.condition, f"its words are not those of the other conditions{unlike}"
    return next(iter(sentences)), "its words and those of the other conditions are not the same"


def align(paradigm: Paradigm, condition: str, text: str, slots: Mapping[str, str], source: Source) -> Sentence:
    """The text as a sentence of that condition, with its regions where it is what the slots produce, else without."""
    paradigm = paradigm.variant(slots)
    known = paradigm.condition_by_name.get(condition)
    if known is None:
        return Sentence(condition, text, None, source, why=f"{paradigm.name} has no condition {condition}")
    if paradigm.given:
        return Sentence(condition, text, None, source, why="the file that it came from said no regions")
    if missing := [slot.name for slot in paradigm.visible_slots if slot.name not in slots]:
        why = "its words could not be read" if len(missing) == len(paradigm.visible_slots) else f"no word for {missing[0]}"
        return Sentence(condition, text, None, source, why=why)
    realised = realise_condition(paradigm, known, slots)
    if realised.text == text:
        return Sentence(condition, text, realised.regions, source)
    spans = _loose_spans(realised, text)
    unlike = None if spans is not None else f"it is not what the item's words give: {realised.text}"
    return Sentence(condition, text, spans, source, why=unlike)


def realign(paradigm: Paradigm, sentence: Sentence, slots: Mapping[str, str] | None) -> Sentence:
    """The sentence with the regions that the item's slots give it now. Regions that a file gave, or that an edit carried
    over, stay: no slot decides on them."""
    if sentence.how in (Alignment.GIVEN, Alignment.CARRIED):
        return sentence
    return align(paradigm, sentence.condition, sentence.text, slots or {}, sentence.source)


def carried(before: Sentence, text: str, source: Source) -> Sentence:
    """Another text for a sentence whose regions are not decided by slots: they move along where the edit lies within one
    region, or changes white space between them, and are lost, with the reason, where it reaches across several."""
    if before.regions is None:
        return Sentence(before.condition, text, None, source, why=before.why)
    old = before.text
    head = 0
    while head < min(len(old), len(text)) and old[head] == text[head]:
        head += 1
    tail = 0
    while tail < min(len(old), len(text)) - head and old[-1 - tail] == text[-1 - tail]:
        tail += 1
    first, last = head, len(old) - tail
    grown = len(text) - len(old)
    homes = [n for n, span in enumerate(before.regions) if span.start <= first and last <= span.end and span.end > span.start]
    between = not (old[first:last] + text[head : len(text) - tail]).strip()
    if not homes and between and not any(s.start < last and first < s.end for s in before.regions):
        moved = tuple(RegionSpan(s.name, *(p if p < last else p + grown for p in s[1:])) for s in before.regions)
        return Sentence(before.condition, text, moved, source, Alignment.CARRIED)
    if not homes:
        why = f"an edit from {old[first:last]!r} to {text[head : len(text) - tail]!r} reaches across its regions"
        return Sentence(before.condition, text, None, source, why=why)
    home = homes[0]
    spans = tuple(
        span if n < home else RegionSpan(span.name, span.start + grown * (n > home), span.end + grown)
        for n, span in enumerate(before.regions)
    )
    return Sentence(before.condition, text, spans, source, Alignment.CARRIED)


def _loose_spans(realised: Sentence, text: str) -> tuple[RegionSpan, ...] | None:
    # A text that differs only in spaces, in the case of its first letter or in a missing final period is still aligned.
    assert realised.regions is not None
    spans: list[RegionSpan] = []
    position = 0
    for region in realised.regions:
        words = realised.text[region.start : region.end].split()
        start = end = position
        for i, word in enumerate(words):
            before = position
            while position < len(text) and text[position].isspace():
                position += 1
            if before and position == before and region.name != PUNCTUATION:
                return None
            found = text[position : position + len(word)]
            same = found == word or (not spans and i == 0 and capitalise(found) == capitalise(word))
            if not same:
                if region.name == PUNCTUATION and position == len(text):
                    break
                return None
            start = position if i == 0 else start
            position += len(word)
            end = position
        spans.append(RegionSpan(region.name, start if words else position, end if words else position))
    return tuple(spans) if not text[position:].strip() else None


@lru_cache(maxsize=64)
def _roomy_as(key: _ByDigest, more: int) -> Paradigm:
    return _with_more(key.paradigm, more)


@dataclass(frozen=True)
class _ByDigest:
    """A paradigm as a key: two are the same where their form and words are."""

    paradigm: Paradigm

    def __hash__(self) -> int:
        return hash((self.paradigm.form_digest, self.paradigm.own_words_digest))

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _ByDigest)
            and self.paradigm.form_digest == other.paradigm.form_digest
            and self.paradigm.own_words_digest == other.paradigm.own_words_digest
            and self.paradigm.path == other.paradigm.path
        )


def _roomy(paradigm: Paradigm, more: int) -> Paradigm:
    """The paradigm with slots that may have so many words more than they say."""
    return _roomy_as(_ByDigest(paradigm), more)


def _with_more(paradigm: Paradigm, more: int) -> Paradigm:
    slots = tuple(slot if slot.closed else replace(slot, max_words=slot.max_words + more) for slot in paradigm.slots)
    variants = {chosen: _with_more(variant, more) for chosen, variant in paradigm.variants.items()}
    return replace(paradigm, slots=slots, variants=variants)


def _closest_to_limits(paradigm: Paradigm, read: ReadBack) -> ReadBack:
    """Of several readings those with the fewest words beyond the limits, first of the slots that take one word."""
    if len(read.readings) < 2:
        return read
    limits = {slot.name: slot.max_words for slot in paradigm.visible_slots}

    def beyond(reading: Mapping[str, str]) -> tuple[int, int]:
        over = {name: max(0, len(value.split()) - limits.get(name, 1)) for name, value in reading.items()}
        return sum(n for name, n in over.items() if limits.get(name, 1) == 1), sum(over.values())

    least = min(map(beyond, read.readings))
    readings = tuple(reading for reading in read.readings if beyond(reading) == least)
    return ReadBack(readings[0], readings, read.failures)


def _stops_at(paradigm: Paradigm, condition: Condition, text: str) -> tuple[int, str] | None:
    """How many pieces of its pattern a text follows, and what is wrong with the next one; None where it follows them all."""
    words = _words(text, paradigm.final_punctuation)
    pieces = [(region.name, piece) for region in paradigm.regions for piece in word_patterns(condition.regions[region.name])]
    reached: dict[int, int] = {}
    patterns = tuple(piece for _, piece in pieces)
    # Without bounds on what is left, so that it is seen how far the words go along.
    most = [len(words)] * (len(patterns) + 1)
    if next(_match(paradigm, patterns, most, words, 0, 0, {}, reached), None) is not None:
        return None
    if not words:
        return 0, "there is no text"
    place = max(reached)
    at = reached[place]
    if place == len(patterns):
        return place, f"{' '.join(words[at:])!r} is left over at its end"
    region, piece = pieces[place]
    rest = " ".join(words[at:]) if at < len(words) else ""
    if piece.slot is None:
        return place, f"there is no {piece.prefix!r} (region {region}) in {_shortened(words)!r}"
    slot = paradigm.slot_by_name[piece.slot]
    if not rest:
        return place, f"it ends where {slot.name} should be"
    if slot.closed:
        return place, f"{words[at]!r} is no {slot.name} of {paradigm.name} ({', '.join(slot.closed)})"
    return place, f"{_shortened(words[at:])!r} is not {slot.name} and what follows it"


def _shortened(words: list[str]) -> str:
    return " ".join(words) if len(words) <= _SHOWN_WORDS else " ".join((*words[:_SHOWN_WORDS], "…"))


def _match_condition(paradigm: Paradigm, condition: Condition, text: str) -> Iterator[dict[str, str]]:
    yield from _match_words(paradigm, _patterns(paradigm, condition), _words(text, paradigm.final_punctuation))


def _match_words(paradigm: Paradigm, patterns: tuple[WordPattern, ...], words: list[str]) -> Iterator[dict[str, str]]:
    most = [0]
    for pattern in reversed(patterns):
        most.append(most[-1] + (1 if pattern.slot is None else paradigm.slot_by_name[pattern.slot].max_words))
    yield from islice(_match(paradigm, patterns, most[::-1], words, 0, 0, {}), _MAX_READINGS + 1)


def _words(text: str, punctuation: str) -> list[str]:
    stripped = text.strip()
    if punctuation and stripped.endswith(punctuation):
        stripped = stripped[: -len(punctuation)]
    return stripped.split()


def _match(
    paradigm: Paradigm,
    patterns: tuple[WordPattern, ...],
    most: list[int],
    words: list[str],
    p: int,
    w: int,
    bound: dict[str, str],
    reached: dict[int, int] | None = None,
) -> Iterator[dict[str, str]]:
    """Every way to read the words from `w` on as the patterns from `p` on. `reached` takes down how far a reading came: for
    each pattern the first word at which it was looked for."""
    if reached is not None:
        reached[p] = min(w, reached.get(p, w))
    if p == len(patterns):
        if w == len(words):
            yield dict(bound)
        return
    if not len(patterns) - p <= len(words) - w <= most[p]:
        return
    pattern = patterns[p]
    if pattern.slot is None:
        if words[w] == pattern.prefix or (w == 0 and words[w] == capitalise(pattern.prefix)):
            yield from _match(paradigm, patterns, most, words, p + 1, w + 1, bound, reached)
        return
    slot = paradigm.slot_by_name[pattern.slot]
    literal = patterns[p + 1].prefix if p + 1 < len(patterns) and patterns[p + 1].slot is None else None
    for length in range(max(1, len(words) - w - most[p + 1]), min(slot.max_words, len(words) - w) + 1):
        if literal is not None and reached is None and words[w + length : w + length + 1] != [literal]:
            continue
        for value in _slot_values(slot, pattern, words[w : w + length], initial=w == 0):
            if bound.get(slot.name, value) == value and not _ends_in_mark(paradigm, value):
                yield from _match(paradigm, patterns, most, words, p + 1, w + length, {**bound, slot.name: value}, reached)


def _slot_values(slot: Slot, pattern: WordPattern, words: list[str], *, initial: bool) -> Iterator[str]:
    value = " ".join(words)
    if not (value.startswith(pattern.prefix) and value.endswith(pattern.suffix)):
        return
    value = value[len(pattern.prefix) : len(value) - len(pattern.suffix)]
    values = [value]
    small = value[:1].lower() + value[1:]
    if initial and pattern.is_bare and capitalise(small) == value:
        # The capital may be the sentence's and not the word's; the other conditions or the word lists decide.
        values.append(small)
    yield from (v for v in dict.fromkeys(values) if v and (not slot.closed or v in slot.closed))


def _ends_in_mark(paradigm: Paradigm, value: str) -> bool:
    return bool(paradigm.final_punctuation) and value.endswith(paradigm.final_punctuation)


def _join(left: list[dict[str, str]], right: list[dict[str, str]]) -> list[dict[str, str]]:
    if not left or not right:
        return []
    shared = sorted(set(left[0]) & set(right[0]))
    index: dict[tuple[str, ...], list[dict[str, str]]] = {}
    for reading in right:
        index.setdefault(tuple(reading[name] for name in shared), []).append(reading)
    joined = [{**reading, **other} for reading in left for other in index.get(tuple(reading[name] for name in shared), ())]
    return joined[: _MAX_READINGS + 1]


def _largest_agreement(
    candidates: Mapping[str, list[dict[str, str]]], joined: list[dict[str, str]], solved: list[str]
) -> tuple[list[dict[str, str]], list[str]]:
    # A bad condition may have come first and set the others wrong: start from each condition in turn, join to it whichever of
    # the others agree with what has been joined so far, and keep the largest set. That looks at n starts instead of all 2^n
    # subsets, and finds the largest set wherever the sound conditions agree among each other and the bad ones do not: a sound
    # start can only lose sound ones to a bad one that agrees with it on every shared slot, and that one is no fault then.
    best, best_solved = joined, solved
    for first in candidates:
        trial, trial_solved = _join([{}], candidates[first]), [first]
        if not trial:
            continue
        for name in candidates:
            if name != first and (extended := _join(trial, candidates[name])):
                trial, trial_solved = extended, [*trial_solved, name]
        if len(trial_solved) > len(best_solved):
            best, best_solved = trial, trial_solved
    return best, best_solved


def _best_readings(paradigm: Paradigm, readings: list[dict[str, str]]) -> list[dict[str, str]]:
    scored = [(_known_words(paradigm, reading), reading) for reading in readings]
    top = max(score for score, _ in scored)
    best: dict[tuple[str, ...], dict[str, str]] = {}
    for score, reading in scored:
        if score == top:
            # Readings that differ only in the case of a first letter are one; the text as it is written stands for it.
            best.setdefault(tuple(f"{name}={capitalise(value)}" for name, value in sorted(reading.items())), reading)
    return list(best.values())


def _known_words(paradigm: Paradigm, reading: Mapping[str, str]) -> tuple[int, int]:
    """How many words are listed, and how many of them in this very case."""
    known = exact = 0
    for name, value in reading.items():
        forms = _known_forms(paradigm, name)
        known += value.casefold() in forms
        exact += forms.get(value.casefold()) == value
    return known, exact


@lru_cache(maxsize=512)
def _own_forms(words: tuple[str, ...]) -> Mapping[str, str]:
    return {word.casefold(): word for word in words}


def _known_forms(paradigm: Paradigm, name: str) -> Mapping[str, str]:
    slot = paradigm.slot_by_name[name]
    if slot.words:
        return _own_forms(slot.words)
    lexicon = lexicon_of(paradigm, slot)
    return lexicon.forms if lexicon is not None else {}


def _failure(paradigm: Paradigm, name: str, text: str, slots: Mapping[str, str] | None, every_way: bool = False) -> Mismatch:
    expected = None
    condition = paradigm.condition(name)
    if slots is not None and all(
        pattern.slot is None or pattern.slot in slots
        for region in paradigm.regions
        for pattern in word_patterns(condition.regions[region.name])
    ):
        expected = realise_condition(paradigm, condition, slots).text
    if every_way and expected is None:
        return Mismatch(name, text, None, f"can be read in more than {_MAX_READINGS:,} ways")
    reason = "differs from what the other conditions ask for" if expected else "does not have the shape of its condition"
    return Mismatch(name, text, expected, reason)
