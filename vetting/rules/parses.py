"""What parsers say of an item, and whom to blame: the frame, one of its words, or the parser.

Parsers see some things of these sentences well (what a clause's predicate, subject and object are where nothing is missing, what
a word is) and others not at all (which gap a filler belongs to, whether a sentence is grammatical). So a rule states a claim on
a sound condition. Where the item's own parse does not bear it out, the claim is put to the vote over fillings of the item's frame
with words of the paradigm's own lists:

- most of them do not bear it out either: the parser does not see it in this frame, and nothing is said;
- with one of the item's words put in, most of them do not: that word is named. It is a warning where a dictionary has the word as
  something else too; nothing is said where a list of ours vouches for it, or the dictionary knows it as nothing else: then
  the parser does not know the word;
- else only this very sentence is read otherwise: a warning where every other parser agrees, for information where there is none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from gapsmith.bank import Severity
from gapsmith.parsing import MemoryParseStore, ParseStore, Tree, kinds_of, parsed
from gapsmith.templates import Condition, Paradigm, ParadigmError, Slot, lexicon_of, realise_condition, sample, word_patterns
from gapsmith.vetting.rules.hits import Hit

if TYPE_CHECKING:
    from gapsmith.parsing import Parser
    from gapsmith.vetting.rules.knowledge import Knowledge
    from gapsmith.vetting.rules.view import ItemView

FILLINGS = 15
"""How many fillings of a frame vote."""
_MOST = 0.8
"""The share of them that has to bear a claim out for the parser to be believed in that frame."""
_KINDS: Mapping[str, str] = {"verb": "VERB", "noun": "NOUN", "name": "PROPN", "adverb": "ADV"}
"""What a word in a slot of that role should be."""
_FRAME_ROLES = frozenset({"matrix", "determiner", "preposition", "linker", ""})
"""Roles of slots that make the frame; words of the other roles are what is put to the vote."""


class Parses:
    """The parsers that a lint may ask, and what they have said."""

    def __init__(self, parsers: Sequence[Parser], stores: Sequence[ParseStore] | None = None) -> None:
        self.parsers = tuple(parsers)
        self._stores = tuple(stores) if stores is not None else tuple(MemoryParseStore() for _ in self.parsers)
        self._votes = tuple(MemoryParseStore() for _ in self.parsers)
        self._read: dict[tuple[int, str], Tree] = {}

    def trees(self, texts: Iterable[str], parser: int = 0) -> list[Tree]:
        """How a parser reads texts of items, one by one."""
        wanted = list(texts)
        absent = [text for text in wanted if (parser, text) not in self._read]
        found = parsed(self._stores[parser], self.parsers[parser], absent) if absent else {}
        return [self._read.get((parser, text)) or Tree(found[text]) for text in wanted]

    def votes(self, texts: Iterable[str], parser: int = 0) -> list[Tree]:
        """How a parser reads fillings that are nobody's items, and are not kept."""
        wanted = list(texts)
        found = parsed(self._votes[parser], self.parsers[parser], wanted)
        return [Tree(found[text]) for text in wanted]

    def look_ahead(self, texts: Iterable[str]) -> None:
        """Parse many texts at once that will be asked for one by one."""
        wanted = list(texts)
        self._read = {
            (number, text): Tree(parse)
            for number, (store, parser) in enumerate(zip(self._stores, self.parsers, strict=True))
            for text, parse in parsed(store, parser, wanted).items()
        }


@dataclass(frozen=True)
class FilledCondition:
    """A condition with words in its slots: the text, and the characters of each slot and each region."""

    text: str
    slots: Mapping[str, tuple[int, int]]
    regions: Mapping[str, tuple[int, int]]

    def words(self, tree: Tree, places: Iterable[str]) -> list[int]:
        """The words of a parse that lie in slots, or in regions where no slot has the name."""
        spans = [self.slots.get(place) or self.regions[place] for place in places]
        return [word for start, end in spans if start < end for word in tree.parse.at(start, end)]

    def text_of(self, places: Iterable[str]) -> str:
        """What stands in the places, in quotes."""
        spans = sorted(self.slots.get(place) or self.regions[place] for place in places)
        return f"“{self.text[spans[0][0] : spans[-1][1]]}”"


def layout_of(paradigm: Paradigm, condition: Condition, slots: Mapping[str, str]) -> FilledCondition:
    """Where everything stands in a condition realised with these words."""
    sentence = realise_condition(paradigm, condition, slots)
    regions = {span.name: (span.start, span.end) for span in sentence.regions or ()}
    places = {}
    for region in paradigm.regions:
        at = regions[region.name][0]
        for piece in word_patterns(condition.regions[region.name]):
            value = slots[piece.slot] if piece.slot is not None else ""
            if piece.slot is not None:
                start = at + len(piece.prefix)
                places[piece.slot] = (start, start + len(value))
            at += len(piece.prefix) + len(value) + len(piece.suffix) + 1
    return FilledCondition(sentence.text, places, regions)


@dataclass(frozen=True)
class Claim:
    """What a sound condition should show to a parser that reads it well."""

    code: str
    condition: str
    holds: Callable[[Tree, FilledCondition], bool]
    says: Callable[[FilledCondition], str]
    """What the parse does not bear out, for the message."""
    places: tuple[str, ...]
    """The slots that it is about, first to be blamed."""


class StructureReader:
    """The claims of one paradigm, and the votes that were taken."""

    def __init__(self, paradigm: Paradigm, knowledge: Knowledge, parses: Parses, claims: Sequence[Claim]) -> None:
        self.paradigm = paradigm
        self._knowledge = knowledge
        self.parses = parses
        self.claims = claims
        self._votes: dict[tuple[int, tuple[tuple[str, str], ...]], float] = {}

    @cached_property
    def references(self) -> list[dict[str, str]]:
        """Fillings from the paradigm's own lists; none where it has no lists."""
        try:
            return list(islice(sample(self.paradigm.evenly, seed=0), FILLINGS))
        except ParadigmError:
            return []

    def texts(self, sentences: Iterable[tuple[str, str]]) -> Iterator[str]:
        """Those of (condition, text) that a claim is about."""
        about = {claim.condition for claim in self.claims}
        return (text for condition, text in sentences if condition in about)

    def doubt(self, slot: Slot, value: str) -> Severity | None:
        """How much it means that a parser misreads a word: None where we know better."""
        if self._listed(slot, value):
            return None
        kind = _KINDS.get(slot.role)
        if kind is None or " " in value:
            return Severity.INFO
        kinds = kinds_of(value)
        if kinds - {kind}:
            return Severity.WARNING
        return Severity.INFO if kind != "PROPN" and not kinds else None

    def _listed(self, slot: Slot, value: str) -> bool:
        own = slot.words or (own_list.by_form if (own_list := lexicon_of(self.paradigm, slot)) is not None else ())
        if value in own or value.casefold() in own:
            return True
        match slot.role:
            case "verb":
                forms = self._knowledge.verb_forms.get(value.casefold(), ())
                return any(self._knowledge.entry("verbs", form.lemma) for form in forms)
            case "noun":
                return self._knowledge.entry("nouns", value) is not None
            case "name":
                return "given" in self._knowledge.classes("names", value)
            case "adverb":
                return bool(self._knowledge.classes("adverbs", value) - {"misfit", "no_adverb", "nominal"})
        return False

    def share(self, claim: Claim, words: Mapping[str, str]) -> float:
        """In how many fillings the claim is borne out, these words being in their slots."""
        key = (self.claims.index(claim), tuple(sorted(words.items())))
        if key not in self._votes:
            condition = self.paradigm.condition(claim.condition)
            layouts = [layout_of(self.paradigm, condition, {**filling, **words}) for filling in self.references]
            trees = self.parses.votes(layout.text for layout in layouts)
            held = sum(claim.holds(tree, layout) for tree, layout in zip(trees, layouts, strict=True))
            self._votes[key] = held / len(layouts) if layouts else 0.0
        return self._votes[key]


@dataclass(frozen=True)
class ParsedItem:
    """An item with the parsers that may be asked about it."""

    view: ItemView
    reader: StructureReader

    def hits(self, code: str) -> Iterator[Hit]:
        """What the claims with that code come to."""
        for claim in self.reader.claims:
            if claim.code == code:
                yield from self._judged(claim)

    def _judged(self, claim: Claim) -> Iterator[Hit]:
        paradigm, parses = self.reader.paradigm, self.reader.parses
        slots = self.view.slots
        sentence = self.view.item.sentence(claim.condition)
        if sentence is None or any(slot.name not in slots for slot in paradigm.visible_slots):
            return
        layout = layout_of(paradigm, paradigm.condition(claim.condition), slots)
        if layout.text != sentence.text:
            # Other rules say what is wrong with such a text.
            return
        (tree,) = parses.trees([layout.text])
        if claim.holds(tree, layout):
            return
        open_slots = [slot for slot in paradigm.visible_slots if slot.role not in _FRAME_ROLES]
        frame = {s.name: slots[s.name] for s in paradigm.visible_slots if s not in open_slots}
        if self.reader.share(claim, frame) < _MOST:
            return
        label, says = self.view.label(claim.condition), claim.says(layout)
        for name in sorted((slot.name for slot in open_slots), key=lambda name: name not in claim.places):
            share = self.reader.share(claim, {**frame, name: slots[name]})
            if share > 0.5:
                continue
            severity = self.reader.doubt(paradigm.slot_by_name[name], slots[name])
            if severity is not None:
                n = len(self.reader.references)
                vote = f"so in {round((1 - share) * n)} of {n} fillings with “{slots[name]}”"
                yield Hit(f"{says} in {label}; {vote}", condition=claim.condition, slot=name, severity=severity)
            return
        others = [parses.trees([layout.text], parser)[0] for parser in range(1, len(parses.parsers))]
        agreed = bool(others) and not any(claim.holds(other, layout) for other in others)
        yield Hit(
            f"{says} in {label}" + (f"; {len(others) + 1} parsers agree" if agreed else ""),
            condition=claim.condition,
            severity=Severity.WARNING if agreed else None,
        )
