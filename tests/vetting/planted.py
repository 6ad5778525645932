"""The flaw of every row of the table of word rules, planted in items of frames that no paradigm of ours has."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import islice

from gapsmith.bank import Finding
from gapsmith.templates import Entry, Paradigm
from gapsmith.vetting.rules import load_knowledge
from gapsmith.vetting.rules.word_rows import WORDED, RuleRow
from gapsmith.vetting.wordrates import load_kinds
from tests.vetting.foreign_frames import crossed, island, lint_slots, lint_texts, question, texts_in_slots, words_in_slots

KNOWN = load_knowledge()
_NOWHERE = ("blort", "zorp")


def _verb_form(entry: str, kind: str) -> str | None:
    """A form of a listed verb of one word; of a word that is nowhere, as it would be spelt."""
    if entry not in KNOWN.lists["verbs"] and entry in _NOWHERE:
        return f"{entry}ed"
    if " " in entry:
        return None
    return min(_forms_of(kind).get(entry, ()), default=None)


@cache
def _forms_of(kind: str) -> Mapping[str, list[str]]:
    found: dict[str, list[str]] = {}
    for form, readings in KNOWN.verb_forms.items():
        for reading in readings:
            if reading.kind == kind:
                found.setdefault(reading.lemma, []).append(form)
    return found


def _matrix(form: str, entry: Entry) -> dict[str, str] | None:
    pos = entry.values("pos")
    if " " in form:
        return None
    frame = f"The neighbors were {form}" if pos == ("a",) else f"The neighbors will {form}"
    return island(frame=frame)


def _linker(form: str, entry: Entry) -> dict[str, str] | None:
    if " " in form:
        return None
    if "v" in entry.values("pos"):
        past = _verb_form(form, "past")
        return island(linker=f"{past} to") if past else None
    return island(linker=f"was {form} to")


def _with(name: str) -> Callable[[str, Entry], dict[str, str] | None]:
    return lambda form, _: island(**{name: form}) if " " not in form else None


def _object(form: str, _: Entry) -> dict[str, str] | None:
    return question(filled=form if form in KNOWN.lists["function_words"] else f"the {form}")


def _bare(form: str, _: Entry) -> dict[str, str] | None:
    return question(filled=form)


def _bridge(form: str, _: Entry) -> dict[str, str] | None:
    past = _verb_form(form, "past")
    frame = f"The janitor remembered {{filler}} Peter {past} that two brokers had pawned {{gap}} during the storm"
    return crossed(frame, "what", gap="the rings") if past else None


def _question(form: str, _: Entry) -> dict[str, str] | None:
    past = _verb_form(form, "past")
    frame = f"The janitor remembered {{filler}} Peter {past} whether two brokers had pawned {{gap}} during the storm"
    return crossed(frame, "what", gap="the rings") if past else None


def _extraposing(form: str, _: Entry) -> dict[str, str] | None:
    rest = "that two brokers pawned"
    return {
        "a": f"It was the rings {rest} in March.",
        "b": f"It was the rings {rest} the rings in March.",
        "c": f"It was {form} {rest} in March.",
        "d": f"It was {form} {rest} the rings in March.",
    }


def _tough(form: str, _: Entry) -> dict[str, str] | None:
    return {
        "a": f"The thieves were {form} to handcuff in March.",
        "b": f"It was {form} to handcuff the thieves in March.",
        "c": f"It was {form} to handcuff in March.",
    }


_FRAMES: Mapping[str, Callable[[str, Entry], dict[str, str] | None]] = {
    "matrix": _matrix,
    "linker": _linker,
    "verb": _with("verb"),
    "preposition": _with("preposition"),
    "noun": _with("noun"),
    "adverb": _with("adverb"),
    "name": _with("name"),
    "object": _object,
    "bridge": _bridge,
    "question": _question,
    "extraposing": _extraposing,
    "tough": _tough,
}
_TRIED = 6
_NAMES = ("names", "proper_names")


def _uncounted(table: str, name: str) -> list[str]:
    """Words that are in no list and were counted."""
    return sorted(word for word in load_kinds(table) if word not in KNOWN.lists[name] and word not in KNOWN.verb_forms)


@dataclass(frozen=True)
class Planted:
    """An item with a flaw in it: sentences of somebody's own, or words of roles in slots whose names no rule knows."""

    texts: Mapping[str, str] = field(default_factory=dict)
    filler: str = "who"
    words: Mapping[str, str] = field(default_factory=dict)

    def findings(self, code: str) -> list[Finding]:
        """What the rule says of it."""
        return lint_texts(self.texts, code) if self.texts else lint_slots(self.filler, _parts(self.words), code)

    def in_slots(self) -> tuple[Paradigm, dict[str, str]]:
        """A paradigm that asks a model for the words, and these: of sentences each is the word of a slot without a role."""
        return texts_in_slots(self.texts) if self.texts else words_in_slots(self.filler, _parts(self.words))


def _parts(words: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {role: (role, word) for role, word in words.items()}


def _slots(filler: str = "who", **words: str) -> Planted:
    return Planted(filler=filler, words=words)


def _texts(texts: Mapping[str, str]) -> Planted:
    return Planted(texts)


def _asking(filler: str, frame: str, filled: str = "the lobster") -> Planted:
    return _texts(question(frame=frame, filler=filler, verb="devoured", filled=filled))


_PLANTED: Mapping[tuple[str, str], Planted] = {
    ("L105", "unread"): _texts(island(frame="The neighbors zorped")),
    ("L105", "guessed"): _slots(matrix="The neighbors were " + _uncounted("predicates-a", "predicates")[0], name="Anna"),
    ("L106", "other_verb"): _texts(island(frame="The neighbors devoured")),
    ("L107", "negative"): _texts(island(frame="The neighbors did not know")),
    ("L109", "holds_complementizer"): _slots(matrix="The neighbors know that", name="Anna"),
    ("L114", "asks_ever"): _slots("whatever", matrix="The neighbors will steal", object="the rings"),
    ("L114", "asks_what"): _asking("what", "The janitor remembered"),
    ("L114", "asks_where"): _slots("where", matrix="The neighbors remembered", object="the rings"),
    ("L111", "told_beside"): _slots(matrix="The neighbors forgot them", name="Anna"),
    ("L113", "past !malformed frame_now matrix:predicates:predictive"): _slots(
        matrix="The neighbors predict", linker="used to", name="Anna"
    ),
    ("L205", "with_particle !particle_object"): _slots(verb="doze off", name="Anna"),
    ("L205", "with_particle particle_object"): _texts(question(verb="put off")),
    ("L209", "!fits main"): _texts(island(verb="enraged")),
    ("L250", "unread"): _texts(island(linker="was zorpy to")),
    ("L250", "guessed"): _texts(island(linker=f"was {_uncounted('linkers-a', 'linkers')[0]} to")),
    ("L253", "excess"): _texts(island(linker="was too likely to")),
    ("L258", "past adverb:adverbs:future"): _texts(island(linker="used to", adverb="tomorrow")),
    ("L260", "malformed"): _texts(island(linker="is likely")),
    ("L260", "before_base"): _slots(linker="is", verb="enrage", name="Anna"),
    ("L260", "before_participle"): _slots(linker="is", verb="amused", name="Anna"),
    ("L261", "present adverb:adverbs:prospective|future"): _texts(island(linker="is starting to", adverb="tomorrow")),
    ("L261", "perfect adverb:adverbs:prospective"): _texts(island(linker="has started to", adverb="soon")),
    ("L259", "negative"): _texts(island(linker="was not likely to")),
    ("L262", "between island"): _texts(island(linker="expected Tom to")),
    ("L314", "modal_noun"): _texts(island(linker="will")),
    ("L315", ""): _texts(island(determiner="that")),
    ("L408", ""): _texts(island(determiner="this")),
    ("L500", "single capital unlisted"): _texts(island(name="Blortina")),
    ("L500", "person single capital unlisted"): _slots(object="Blortina"),
    ("L502", "capital gap !harmless"): _texts(island(name="Mark")),
    ("L502", "capital gap harmless"): _texts(island(name="Hazel")),
    ("L503", "capital gap in_frame"): _texts(island(frame="Maria found out")),
    ("L507", "gap zone_city"): _texts(island(name="Tashkent")),
    ("L508", "thing"): _slots("what", object="lawyer"),
    ("L508", "thing capital nouns:?|!person"): _slots("what", object="Anna"),
    ("L511", "again"): _texts(island(name="Anna")),
    ("L504", "several described"): _slots(name="the lawyer"),
    ("L504", "several !described"): _slots(name="Anna Smith"),
    ("L505", "single small"): _slots(name="anna"),
    ("L506", "common !named"): _slots(name="lawyer"),
    ("L601", "single day governed"): _texts(island(verb="postpone", adverb="today")),
    ("L603", "several"): _slots(name="Anna", adverb="very soon"),
    ("L604", "single future"): _texts(island(linker="will", adverb="recently")),
    ("L604", "single up_to_now"): _texts(island(linker="has started to", adverb="yesterday")),
    ("L610", "period verb:verb_uses:period"): _texts(island(verb="ruin", adverb="the next morning")),
    ("L607", "attaches"): _texts(island(adverb="in the garden")),
    ("L608", "single future"): _texts(island(linker="will", adverb="already")),
    ("L700", "vulgar_part"): _texts(island(noun="shitstory")),
    ("L701", "before_group"): _texts(island(frame="The hysterical women found out")),
    ("L903", "embedders:?|!content"): _slots("what", content_noun="lawyer", object="rings"),
    ("L906", "singular"): _slots("what", plural="ring"),
    ("L908", "what_alone"): _slots("what", plural="lawyers"),
    ("L909", "no_gerund"): _slots("what", adjunct_verb="devoured", object="rings"),
    ("L911", "second_gap plural"): _slots("what", adjunct_verb="reading", shared="rings"),
    ("L911", "second_gap"): _slots("what", adjunct_verb="reading", shared="lawyer"),
}
"""Rows whose words no list has, or whose roles sentences do not show: code and conditions to the flaw, in sentences of somebody's own or in
slots under names that no rule knows."""


def _words(row: RuleRow) -> Iterator[tuple[str, Entry]]:
    """Words that have the row's property; for a row about words in no list, some that are nowhere."""
    if ("?",) in row.wanted:
        for word in _NOWHERE:
            yield word, Entry(word, {})
    for form, entry in KNOWN.lists[row.list].items():
        if row.holds(frozenset(entry.values("class"))):
            yield entry.form if row.list in _NAMES else form, entry


def planted(row: RuleRow) -> Mapping[str, list[Planted]]:
    """Items with the row's flaw: one that was written for it, or by role some with words that have its property, of which at least half
    have to be objected to."""
    if (written := _PLANTED.get((row.code, " ".join(row.when)))) is not None:
        return {"": [written]}
    found: dict[str, list[Planted]] = {}
    for role in ("noun",) if row.roles == WORDED else row.roles:
        frame = _bare if role == "object" and ("bare" in row.when or row.list in _NAMES) else _FRAMES[role]
        words = list(_words(row))
        made = (frame(form, entry) for form, entry in words[:: max(1, len(words) // (3 * _TRIED))])
        tried = list(islice((texts for texts in made if texts is not None), _TRIED))
        if "negated" in row.when:
            tried = [
                {name: text.replace("neighbors will", "neighbors will not") for name, text in texts.items()} for texts in tried
            ]
        found[role] = [Planted(texts) for texts in tried]
    return found
