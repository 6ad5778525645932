"""Roles of an item whose words no slot names: from what differs between its conditions, and the parse of the fullest one.

The differences say where each gap and the filler are. The parse of the condition that shows all words says what governs them: the
verb or preposition before the place, the noun that the preposition belongs to, the clause of the verb with its subject and the words
between the two, and the verb that this clause is embedded under. Conditions with gaps are never parsed.
Each item is read by itself: on items whose roles are known that was right in 99 of 100, so no vote is taken over the items of a frame,
and what is said of one depends on no other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from gapsmith.parsing import ROOT, Role, Token, Tree, kinds_of
from gapsmith.vetting.roles.differences import COMPLEMENTIZERS, QUESTION_WORDS, Differences, Site, pieces_of
from gapsmith.vetting.roles.item_role import ItemRole, ItemRoles, Origin
from gapsmith.vetting.wordset import word_set

_SUBJECT = frozenset({Role.SUBJECT, Role.PASSIVE_SUBJECT, Role.CLAUSAL_SUBJECT})
_OBJECT = frozenset({Role.OBJECT, Role.INDIRECT_OBJECT})
_NOMINAL = frozenset({"NOUN", "PROPN", "PRON", "NUM", "DET", "ADJ"})
_VERBAL = frozenset({"VERB", "AUX"})
_CLAUSE = frozenset({Role.COMPLEMENT_CLAUSE, Role.CLAUSAL_SUBJECT})
_WITHIN = frozenset({Role.MODIFIER, Role.COMPOUND, Role.CONJUNCT, Role.NOUN_CLAUSE, Role.OPEN_COMPLEMENT, Role.OBLIQUE, *_OBJECT})
"""Relations on the way from a gap up to the subject that it lies in."""
_OF_PREDICATE = frozenset({*_SUBJECT, Role.EXPLETIVE, Role.AUXILIARY, Role.PASSIVE_AUXILIARY, Role.COPULA, Role.ADVERB})
_PREPOSITIONS = word_set(
    "about of on to for from with at by in against toward towards into over after before behind beside between concerning regarding"
    " through under upon around near without within among across like"
)
_PARTICLES = word_set("up down off out on in over away back about through around along apart together")
_AUXILIARIES = word_set(
    "is are was were be been being am has have had do does did will would can could may might must shall should ought need dare used"
    " isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't couldn't cannot mustn't shouldn't"
)
_BE = word_set("is are was were")
_OF_ADJUNCTS = word_set("before after without while by when despite upon on in since from through instead besides")
_MODALS = word_set("will would can could may might must shall should to")
_DETERMINERS = word_set(
    "the a an this that these those every each some any another no both many much few several all my your his her its our their"
)
_DO = word_set("do does did don't doesn't didn't n't not")
_LONGEST_TAIL = 6
_LONGEST_FRAME = 7
"""So many words before the filler are one clause, if no mark stands between them."""
_SURE, _LIKELY, _DOUBTFUL = 0.95, 0.85, 0.6
"""What a role is worth that parse and place agree on, that one of them gives, and that the two disagree on."""


@dataclass(frozen=True)
class _Gap:
    """A gap's place in the fullest condition."""

    site: Site
    words: tuple[int, ...]
    """Words of the parse that fill it."""
    kind: str
    """``verb``, ``preposition``, ``subject`` or ``unknown``: what governs it."""
    governor: int
    """The verb, or the preposition."""
    above: int
    """What a preposition belongs to."""
    confidence: float


class _Reader:
    def __init__(self, differences: Differences, tree: Tree) -> None:
        self.differences = differences
        self.tree = tree
        self.tokens: Sequence[Token] = tree.parse.tokens
        self.text = tree.parse.text
        self.filler = next((site for site in differences.sites if site.is_filler), None)
        self.moved = self.filler or next((site for site in differences.sites if self._is_moved(site)), None)
        """The place of the filler, or of a phrase that some conditions have there instead of in its gap."""
        self.found: list[ItemRole] = []
        self._added: set[tuple[str, int, int, float, Origin]] = set()
        self._words: dict[tuple[int, int], tuple[int, ...]] = {}

    # -- places

    def _is_moved(self, site: Site) -> bool:
        others = {
            text.casefold() for other in self.differences.sites if other.start > site.start for text in other.texts.values()
        }
        return any(text.casefold().rstrip(" ,") in others for text in site.texts.values() if " " in text)

    def words_of(self, site: Site) -> tuple[int, ...]:
        place = site.start, site.end
        if place not in self._words:
            pieces = self.differences.pieces[site.start : site.end]
            self._words[place] = tuple(self.tree.parse.at(pieces[0].start, pieces[-1].end)) if pieces else ()
        return self._words[place]

    def start_of(self, site: Site) -> int:
        """The first character of a site in the fullest condition."""
        return site.spans[self.differences.base][0]

    @cached_property
    def reach(self) -> list[tuple[int, int]]:
        """The first and last word below each word, itself included."""
        first = list(range(len(self.tokens)))
        last = list(first)
        for word in range(len(self.tokens)):
            above = self.tree.heads[word]
            for _ in self.tokens:
                if above == ROOT:
                    break
                first[above] = min(first[above], word)
                last[above] = max(last[above], word)
                above = self.tree.heads[above]
        return list(zip(first, last, strict=True))

    def stretch(self, first: int, last: int) -> str:
        return self.text[self.tokens[first].start : self.tokens[last].end]

    def add(self, name: str, first: int, last: int, confidence: float, origin: Origin = Origin.PARSE) -> None:
        """Note that the words `first` to `last` have a role."""
        start, end = self.tokens[first].start, self.tokens[last].end
        token = self.tokens[last]
        key = name, start, end, confidence, origin
        if key not in self._added:
            self._added.add(key)
            self.found.append(ItemRole(name, self.text[start:end], origin, confidence, (start, end), token.lemma, token.feats))

    # -- gaps

    def is_verb(self, word: int) -> bool:
        token = self.tokens[word]
        if token.upos in _VERBAL:
            return True
        kinds = kinds_of(token.text)
        before = self.tokens[word - 1].text.casefold() if word else ""
        # "kept embarrassing Rose", "did shock Carla": an adjective and a noun to the parser, a verb after what stands before it.
        is_participle = token.text.endswith("ing") and word > 0 and self.tokens[word - 1].upos in _VERBAL | {"ADP", "ADV"}
        return "VERB" in kinds and (kinds == {"VERB"} or before in _MODALS | _DO or is_participle)

    def gaps(self) -> Iterator[_Gap]:
        for site in self.differences.sites:
            words = self.words_of(site)
            open_somewhere = any(not text for text in site.texts.values())
            if not words or site is self.filler or not open_somewhere:
                continue
            head = next((word for word in words if self.tree.heads[word] not in words), words[-1])
            if self._is_phrase(words):
                yield self._governed(site, words, head)

    def _is_phrase(self, words: tuple[int, ...]) -> bool:
        """Whether words may be a noun phrase: a name whatever its tag, else with a noun or pronoun and without a verb."""
        texts = [self.tokens[word].text for word in words]
        if words[0] and all(text[:1].isupper() for text in texts):
            return True
        if texts[0].casefold() in _DETERMINERS and self.is_noun(words[-1]):
            return True
        tags = [self.tokens[word].upos for word in words]
        verbs = [
            word for word, tag in zip(words, tags, strict=True) if tag in _VERBAL and self.tree.roles[word] is not Role.ADJECTIVE
        ]
        return any(tag in _NOMINAL for tag in tags) and not verbs

    def _governed(self, site: Site, words: tuple[int, ...], head: int) -> _Gap:
        role, above = self.tree.roles[head], self.tree.heads[head]
        before = words[0] - 1
        if before < 0:
            return _Gap(site, words, "subject", above, above, _LIKELY)
        small = self.tokens[before].text.casefold()
        if self.is_verb(before) and small not in _MODALS:
            sure = _SURE if above == before and role in _OBJECT else _LIKELY
            # "the girl amused Anna" may be a relative clause to a parser; the place decides.
            return _Gap(site, words, "verb", before, before, sure)
        verb = before - 1
        if small in _PARTICLES and verb >= 0 and self.is_verb(verb) and self.tree.roles[before] is Role.PARTICLE:
            return _Gap(site, words, "verb", verb, verb, _SURE if above == verb else _LIKELY)
        if small in _PREPOSITIONS or (self.tokens[before].upos == "ADP" and "VERB" not in kinds_of(small)):
            case = self.tree.heads[before] == head
            host = above if case and above != ROOT and above < before else self._host(before)
            near = before - 1
            if near > 0 and host != near and self.is_noun(near) and not self.is_verb(host):
                # "a fable about": an adjective to the parser, a noun to the dictionary and by its place.
                host = near
            return _Gap(site, words, "preposition", before, host, _SURE if case else _LIKELY)
        if role in _OBJECT and above != ROOT:
            return _Gap(site, words, "verb", above, above, _LIKELY)
        if role in _SUBJECT:
            return _Gap(site, words, "subject", above, above, _LIKELY)
        return _Gap(site, words, "unknown", above, above, _DOUBTFUL)

    def is_noun(self, word: int) -> bool:
        """Whether a word that a determiner stands before can be a noun."""
        token = self.tokens[word]
        return token.upos in {"NOUN", "PROPN"} or "NOUN" in kinds_of(token.text)

    def is_head_noun(self, word: int) -> bool:
        """Whether a noun ends here that a determiner or an adjective under one has begun."""
        return self.is_noun(word) and any(self.tokens[i].upos == "DET" for i in range(max(word - 3, 0), word))

    def _host(self, preposition: int) -> int:
        """The noun or verb that stands before a preposition."""
        for word in range(preposition - 1, -1, -1):
            if self.is_noun(word) or self.is_verb(word):
                return word
        return preposition

    # -- clauses

    def subject_over(self, word: int) -> int | None:
        """The subject that a word lies in, as its head noun; None where it lies in none."""
        for _ in self.tokens:
            if self.tree.roles[word] in _SUBJECT and word < self.tree.heads[word]:
                return word if self.is_noun(word) else None
            if self.tree.roles[word] not in _WITHIN:
                return None
            word = self.tree.heads[word]
            if word == ROOT:
                return None
        return None

    def clause(self, verb: int) -> tuple[int, int | None]:
        """The predicate of the clause of a verb and the head of its subject: *is likely to amuse* has its subject above."""
        word = verb
        for _ in self.tokens:
            subject = next((child for child in self.tree.below.get(word, ()) if self.tree.roles[child] in _SUBJECT), None)
            if subject is not None:
                return word, subject
            down = self.tree.roles[word] in {Role.OPEN_COMPLEMENT, Role.CONJUNCT} or self.is_infinitive(word)
            if not down or self.tree.heads[word] == ROOT:
                return word, None
            word = self.tree.heads[word]
        return word, None

    def is_infinitive(self, verb: int) -> bool:
        """Whether *to* stands before a verb, with an adverb between them at the most."""
        before = [self.tokens[i].text.casefold() for i in range(max(verb - 2, 0), verb)]
        return "to" in before[-1:] or (before[:1] == ["to"] and before[1].endswith("ly"))

    def is_linker(self, between: list[int], verb: int) -> bool:
        """Whether the words between a subject and a verb can be what links them: they begin with an auxiliary, or with a verb that
        takes *to* or an -ing form."""
        if any(self.tokens[word].upos == "PUNCT" for word in between):
            return False
        first = next((word for word in between if self.tokens[word].upos not in {"ADV", "PART"}), between[0])
        small = self.tokens[first].text.casefold()
        if self.tokens[first].upos == "AUX" or small in _AUXILIARIES:
            return True
        takes = self.tokens[between[-1]].text.casefold() == "to" or self.tokens[verb].text.endswith("ing")
        return takes and (self.is_verb(first) or "VERB" in kinds_of(small))

    def embedding(self) -> tuple[int, int] | None:
        """The predicate that the filler's clause is embedded under, and that clause's own predicate."""
        if self.filler is None:
            return None
        own = self.words_of(self.filler)
        start = self.start_of(self.filler)
        after = next((i for i, token in enumerate(self.tokens) if token.start >= start and i not in own), None)
        if after is None:
            return None
        candidates = [self.tree.heads[word] for word in own if self.tree.heads[word] != ROOT]
        word = after
        for _ in self.tokens:
            candidates.append(word)
            word = self.tree.heads[word]
            if word == ROOT:
                break
        for clause in candidates:
            above = self.tree.heads[clause]
            if above != ROOT and self.tokens[clause].start >= start > self.tokens[above].start:
                kind = self.tokens[above].upos
                if self.tree.roles[clause] in _CLAUSE and (kind in {"VERB", "AUX", "ADJ"} or self.is_verb(above)):
                    return above, clause
                break
        # "The magistrate know that …": the verb right before the place embeds what follows, whatever the parser made of it.
        last = max((i for i, token in enumerate(self.tokens) if token.end <= start), default=-1)
        verbs = [i for i in range(last) if self.is_verb(i)]
        may_be = self.is_verb(last) or (not verbs and "VERB" in kinds_of(self.tokens[last].text)) if last > 0 else False
        if may_be and self.tokens[last].text.casefold() not in _MODALS:
            return last, self.tree.heads[after] if self.tree.heads[after] > after else after
        return None


NOTHING_TOLD = "no condition leaves out words that another one has, so no gap can be told, nor does a verb that agrees or a polarity item differ"
"""Why an item has no roles."""


def roles_in_parse(differences: Differences, tree: Tree) -> ItemRoles:
    """The roles that the conditions and the parse of the fullest one show; `tree` is the parse of that condition."""
    reader = _Reader(differences, tree)
    gaps = list(reader.gaps())
    fillers = _fillers(reader)
    _matrix(reader)
    for gap in gaps:
        if gap.kind == "verb":
            _of_verb(reader, gap, gaps)
        elif gap.kind == "preposition":
            _of_preposition(reader, gap, gaps)
        _filled(reader, gap, asks_person="who" in fillers or "whom" in fillers)
    _asked_again(reader)
    _licensor(reader, gaps)
    _tail(reader, gaps)
    related = _target(reader) or _polarity(reader)
    _rest(reader)
    unread = "" if gaps or related else NOTHING_TOLD
    if any(gap.kind == "unknown" for gap in gaps):
        unread = "the parser does not tell which verb or preposition a gap belongs to"
    roles = sorted(reader.found, key=lambda role: role.at or (0, 0))
    return ItemRoles(tuple(roles), fillers, unread, base=differences.base, differences=differences, tree=tree)


def _fillers(reader: _Reader) -> frozenset[str]:
    if reader.filler is None:
        return frozenset()
    return frozenset(text.casefold() for text in reader.filler.texts.values() if text)


def _matrix(reader: _Reader) -> None:
    found = reader.embedding()
    if found is None or reader.filler is None:
        return
    above, _ = found
    start = reader.start_of(reader.filler)
    last = max(i for i, token in enumerate(reader.tokens) if token.end <= start or token.start < start)
    if last < _LONGEST_FRAME and not any(token.upos == "PUNCT" for token in reader.tokens[:last]):
        first = 0
    else:
        below = [above, *(child for child in reader.tree.below.get(above, ()) if reader.tree.roles[child] in _OF_PREDICATE)]
        first = min(reader.reach[child][0] if child != above else above for child in below)
    if first <= above <= last:
        reader.add("matrix", first, last, _SURE)


def _licensor(reader: _Reader, gaps: list[_Gap]) -> None:
    """Where no question word asks: the predicate of *it was clear that …*, and the adjective of *they are easy to read*."""
    if reader.filler is not None:
        return
    small = [token.text.casefold() for token in reader.tokens]
    if small[:1] == ["it"] and "that" in small and len(small) > 1 and small[1] in _BE:
        that = small.index("that")
        if 2 < that <= _LONGEST_FRAME:
            reader.add("extraposing", 2, that - 1, _LIKELY)
        return
    if not any(site.start == 0 and _begins_with_it(site) for site in reader.differences.sites):
        return
    for gap in gaps:
        to = next((i for i in range(gap.governor - 1, 1, -1) if small[i] == "to" and small[i - 1] not in {"going", "able"}), None)
        first = next((i for i in range(len(small)) if small[i] in _BE), None)
        if gap.kind == "verb" and to is not None and first is not None:
            to = next(i for i in range(first, to + 1) if small[i] == "to" or i == to)
            if to - 1 > first and reader.tokens[to - 1].upos in {"ADJ", "NOUN", "VERB", "ADV"}:
                reader.add("tough", to - 1, to - 1, _LIKELY)


def _begins_with_it(site: Site) -> bool:
    """Whether some conditions have *it* as their subject, and others the phrase whose place a gap is."""
    return any(text.casefold().split()[:1] == ["it"] for text in site.texts.values())


def _of_verb(reader: _Reader, gap: _Gap, gaps: list[_Gap]) -> None:
    verb, last = gap.governor, gap.words[0] - 1
    last = last if last > verb and reader.tree.roles[last] is Role.PARTICLE else verb
    host = len(gaps) > 1 and gap is max(gaps, key=lambda other: other.words[0])
    subject_of = reader.subject_over(verb)
    noun = verb - 2 if reader.tokens[verb - 1].text.casefold() == "to" else verb - 1
    if subject_of is None and not host and noun > 0 and reader.is_head_noun(noun) and reader.is_infinitive(verb):
        # "the refusal to pardon … is": a parser may take the island for something else; a later gap shows that it is one.
        subject_of = noun if any(other.kind == "verb" and other.governor > verb for other in gaps) else None
    if subject_of is not None and not host:
        if not (reader.is_infinitive(verb) or reader.tokens[verb].text.endswith("ing")):
            return  # a relative clause, or no island that rules know
        # An infinitive or a gerund inside a subject is the island, up to its gap.
        first = subject_of if subject_of < verb else verb
        reader.add("island", first, last, gap.confidence)
        return
    predicate, subject = reader.clause(verb)
    role = reader.tree.roles[verb]
    if subject is None and reader.tokens[verb - 1].text.casefold() in _OF_ADJUNCTS:
        reader.add("adjunct_verb", verb, last, gap.confidence)
        return
    reader.add("conjunct" if role is Role.CONJUNCT else "verb", verb, last, gap.confidence)
    island = [other for other in gaps if other.kind in {"preposition", "verb"} and other.words[-1] < verb]
    if island:
        # The gap's place is certain, so that the words from there to the verb are, too.
        subject = (
            island[-1].above if island[-1].kind == "preposition" else (subject if subject is not None else island[-1].governor)
        )
        end = island[-1].words[-1]
        if reader.tokens[end + 1].upos in {"ADP", "SCONJ", "PRON", "CCONJ"} and end < reader.reach[subject][1] < verb:
            end = reader.reach[subject][1]
    elif subject is None or subject > verb:
        return
    else:
        end = max([reader.reach[subject][1], *_within(subject, verb, gaps)])
    if end < verb - 1 and role is not Role.CONJUNCT:
        between = list(range(end + 1, verb))
        if reader.is_linker(between, verb):
            reader.add("linker", between[0], between[-1], gap.confidence)
    if not any(other.kind in {"preposition", "verb"} and other is not gap and other.words[0] < verb for other in gaps):
        reader.add("subject", reader.reach[subject][0], min(reader.reach[subject][1], verb - 1), gap.confidence)
        reader.add("subject_head", subject, subject, gap.confidence)
    _above(reader, predicate)


def _within(subject: int, verb: int, gaps: list[_Gap]) -> Iterable[int]:
    """The last words of gaps between a subject and its verb: they belong to the subject whatever the parser made of them."""
    return [other.words[-1] for other in gaps if subject < other.words[0] and other.words[-1] < verb]


def _above(reader: _Reader, predicate: int) -> None:
    """The verbs and nouns through whose clauses the gap goes, up to the filler's."""
    found = reader.embedding()
    top = found[1] if found is not None else None
    word = predicate
    for _ in reader.tokens:
        above = reader.tree.heads[word]
        if reader.moved is None or word == top or above == ROOT or above > word:
            return
        if reader.tokens[above].start < reader.start_of(reader.moved):
            return
        marks = [reader.tokens[i].text.casefold() for i in reader.tree.below.get(word, ()) if reader.tree.roles[i] is Role.MARKER]
        if (reader.tree.roles[word] in _CLAUSE or "whether" in marks) and reader.is_verb(above):
            asks = bool(set(marks) & {"whether", "if"}) or any(mark in QUESTION_WORDS for mark in marks)
            reader.add("question" if asks else "bridge", above, above, _LIKELY)
        elif reader.tree.roles[word] is Role.NOUN_CLAUSE and "that" in marks and reader.tokens[above].upos == "NOUN":
            reader.add("content_noun", above, above, _LIKELY)
        word = above


def _of_preposition(reader: _Reader, gap: _Gap, gaps: list[_Gap]) -> None:
    noun = gap.above
    if not reader.is_noun(noun):
        if reader.is_verb(noun) and reader.subject_over(noun) is None:
            reader.add("verb_phrase", noun, gap.governor, gap.confidence)
        elif reader.is_verb(noun):
            first = reader.subject_over(noun) or noun
            reader.add("island", min(first, noun), gap.governor, gap.confidence)
        return
    before_verb = any(other.kind == "verb" and other.words[0] > gap.words[-1] for other in gaps)
    if reader.subject_over(noun) is None and not before_verb:
        return
    children = reader.tree.below.get(noun, ())
    compound = [i for i in children if reader.tree.roles[i] is Role.COMPOUND and i < noun]
    first = noun
    while first - 1 in compound:
        first -= 1
    reader.add("noun", first, noun, gap.confidence)
    reader.add("preposition", gap.governor, gap.governor, gap.confidence)
    # In "found out that old stories about him" the parser may take the complementizer for the determiner; it alternates with the filler.
    opener = reader.words_of(reader.moved) if reader.moved is not None else ()
    before = [i for i in children if i < first and i not in opener]
    determiners = [i for i in before if reader.tree.roles[i] in {Role.DETERMINER, Role.POSSESSOR}]
    if not determiners and first - 1 not in (-1, *opener) and reader.tokens[first - 1].text.casefold() in _DETERMINERS:
        determiners = [first - 1]
    for child in determiners:
        reader.add("determiner", child, child, gap.confidence)


def _filled(reader: _Reader, gap: _Gap, *, asks_person: bool) -> None:
    """The words that fill a gap: a name where the filler asks for a person and they are one."""
    if gap.kind not in {"verb", "preposition", "subject"}:
        return
    first, last = gap.words[0], gap.words[-1]
    text = reader.stretch(first, last)
    is_name = asks_person and first > 0 and " " not in text and text[:1].isupper()
    reader.add("name" if is_name else "object", first, last, _SURE, Origin.DIFFERENCE)


def _asked_again(reader: _Reader) -> None:
    """A question word where a gap is filled: *about whom* after *who*."""
    for site in reader.differences.sites:
        if site is not reader.filler and site.start == site.end and site.is_filler:
            name, text = next((name, text) for name, text in site.texts.items() if text)
            asks = any("who" in (t.casefold(), t.casefold()[:3]) for t in (reader.filler.texts.values() if reader.filler else ()))
            role = "name" if asks else "object"
            reader.found.append(ItemRole(role, text, Origin.DIFFERENCE, _SURE, site.spans[name], condition=name))


def _tail(reader: _Reader, gaps: list[_Gap]) -> None:
    """What follows the last gap, up to the end of the sentence."""
    last = max((gap for gap in gaps if gap.kind in {"verb", "preposition"}), key=lambda gap: gap.words[-1], default=None)
    if last is None:
        return
    after = [i for i in range(last.words[-1] + 1, len(reader.tokens)) if reader.tokens[i].upos != "PUNCT"]
    if not after or len(after) > _LONGEST_TAIL or any(reader.tokens[i].upos == "PUNCT" for i in range(after[0], after[-1])):
        return
    if any(reader.is_verb(i) or reader.tokens[i].text.casefold() in COMPLEMENTIZERS for i in after):
        return
    reader.add("adverb" if len(after) == 1 else "time", after[0], after[-1], _SURE, Origin.DIFFERENCE)


_NUMBERED = (("is", "are"), ("was", "were"), ("has", "have"), ("does", "do"))


def _is_number_pair(texts: set[str]) -> bool:
    """Whether two words are the singular and the plural of one verb, by their spelling."""
    one, other = sorted(texts, key=len)
    if any(set(pair) == {word.removesuffix("n't") for word in texts} for pair in _NUMBERED):
        return True
    return other in {f"{one}s", f"{one}es", f"{one[:-1]}ies"} and "VERB" in kinds_of(one)


def _target(reader: _Reader) -> bool:
    """The verb whose number conditions vary, the noun that decides it, and the nouns between the two."""
    for site in reader.differences.fine:
        words = reader.words_of(site)
        texts = {text.casefold() for text in site.texts.values() if text}
        if len(words) != 1 or len(texts) != 2 or not _is_number_pair(texts) or not words[0]:
            continue
        verb = words[0]
        if reader.tokens[verb].upos not in _VERBAL and not reader.is_verb(verb):
            continue
        head = _head_of(reader, verb)
        if head is None:
            continue
        reader.add("target", verb, verb, _SURE, Origin.DIFFERENCE)
        reader.add("controller", head, head, _LIKELY)
        between = [word for word in range(head + 1, verb) if reader.tokens[word].upos in {"NOUN", "PROPN"}]
        if between and between[-1] != head:
            reader.add("attractor", between[-1], between[-1], _LIKELY)
        return True
    return False


def _head_of(reader: _Reader, verb: int) -> int | None:
    """The head of the subject of a verb: the noun that its clause begins with where a relative clause follows it."""
    start = next(
        (i for i in range(verb, -1, -1) if i == 0 or reader.tokens[i - 1].text.casefold() in {"that", "whether", ","}), 0
    )
    for first in (start, 0):
        nouns = [i for i in range(first, verb) if reader.tokens[i].upos in {"NOUN", "PROPN"}]
        noun = next((i for i in nouns if i + 1 not in nouns), None)
        if noun is not None and reader.tokens[noun + 1].text.casefold() in {"that", "who", "which", "whom"} | _PREPOSITIONS:
            return noun
    word = verb
    for _ in reader.tokens:
        subject = next((i for i in reader.tree.below.get(word, ()) if reader.tree.roles[i] in _SUBJECT and i < verb), None)
        if subject is not None:
            return subject
        word = reader.tree.heads[word]
        if word == ROOT:
            return None
    return None


_NEGATIVE = word_set("no not never nobody nothing none neither few hardly scarcely barely rarely seldom without n't")
_POLAR = word_set("ever any anybody anyone anything yet anymore either whatsoever")


def _polarity(reader: _Reader) -> bool:
    """A polarity item, and the negation that only some conditions have above it."""
    polar = [i for i, token in enumerate(reader.tokens) if token.text.casefold() in _POLAR]
    for site in reader.differences.fine if polar else ():
        licensing = [(name, text) for name, text in site.texts.items() if _NEGATIVE & set(text.casefold().split())]
        if not licensing or len(licensing) == len(site.texts):
            continue
        name, text = licensing[0]
        at = site.spans[name]
        condition = None if name == reader.differences.base else name
        word = next(w for w in text.split() if w.casefold() in _NEGATIVE)
        start = at[0] + text.index(word)
        place = start, start + len(word)
        reader.found.append(ItemRole("licensor", word, Origin.DIFFERENCE, _SURE, place, condition=condition))
        reader.add("licensee", polar[0], polar[0], _SURE, Origin.DIFFERENCE)
        return True
    return False


def _rest(reader: _Reader) -> None:
    """The words that have no role of their own, and those that only other conditions have."""
    taken = bytearray(len(reader.text) + 1)
    for role in reader.found:
        if role.at is not None and role.condition is None:
            taken[role.at[0] : role.at[1]] = b"\1" * (role.at[1] - role.at[0])
    for word, token in enumerate(reader.tokens):
        if token.upos != "PUNCT" and not taken[token.start]:
            reader.add("rest", word, word, _SURE)
    known = {piece.small for piece in reader.differences.pieces}
    for site in reader.differences.sites:
        for name, text in site.texts.items():
            for piece in pieces_of(text) if name != reader.differences.base else ():
                if piece.small not in known and piece.text[0].isalpha():
                    known.add(piece.small)
                    start = site.spans[name][0]
                    at = start + piece.start, start + piece.end
                    reader.found.append(ItemRole("rest", piece.text, Origin.DIFFERENCE, _SURE, at, condition=name))
