"""Does the subject of a matrix frame agree with its verb?"""

from __future__ import annotations

import re
from collections.abc import Sequence

from gapsmith.templates import load_dictionary
from gapsmith.vetting.rules.frames import FrameReading, spaced
from gapsmith.vetting.rules.inflection import BASE, PAST, PRESENT
from gapsmith.vetting.rules.knowledge import Knowledge
from gapsmith.vetting.rules.nouns import noun_number
from gapsmith.vetting.wordset import word_set

_SINGULAR_PRONOUNS = word_set(
    "he she it this that one everyone everybody someone somebody anyone anybody nobody each something everything nothing"
)
_PLURAL_PRONOUNS = word_set("we they you these those many few several both others people police")
_SINGULAR_DETERMINERS = word_set("a an this that every each another one either neither")
_PLURAL_DETERMINERS = word_set("these those many few several both two three four five six ten dozens hundreds")
_PREPOSITIONS = word_set(
    "of in at on from with without for by near behind under over among between outside inside about against who that which"
)
COLLECTIVES = word_set(
    "family team committee cast crew staff government company group band class jury press media public audience board council"
    " couple pair majority minority number rest half lot army navy gang club party opposition management faculty enemy"
    " community crowd department ministry clergy youth data series species sheep all some most none plenty lots"
    " half more any enough who"
)
"""Nouns that go with either number, or whose own does not decide."""
_AUXILIARIES = {
    "is": "are",
    "are": "is",
    "was": "were",
    "were": "was",
    "has": "have",
    "have": "has",
    "does": "do",
    "do": "does",
    "am": "is",
}
_WITHOUT_NUMBER = word_set("can could will would may might must shall should ought did had to cannot")
_WORD = re.compile(r"^[\w'-]+$")


def disagreement(text: str, frame: FrameReading, knowledge: Knowledge) -> tuple[str, str, str] | None:
    """(subject, verb, the form that would agree) where they do not; None where they do or where nobody can tell."""
    subject, verb = _split(frame)
    if not subject or not verb:
        return None
    words = spaced(text)
    wanted = _wanted(words, subject, knowledge)
    if wanted is None:
        return None
    right = agreeing(verb, wanted, knowledge, is_first=subject == ["i"])
    return (" ".join(words[: len(subject)]), verb, right) if right is not None and right != verb else None


def is_present(frame: FrameReading, knowledge: Knowledge) -> bool:
    """Whether the frame's finite verb is in the present tense; a form that is past as well is not."""
    _, verb = _split(frame)
    if verb in {"is", "are", "am", "has", "have", "does", "do", "can", "will"}:
        return True
    kinds = {form.kind for form in knowledge.verb_forms.get(verb, ())}
    return bool(kinds & {PRESENT, BASE}) and PAST not in kinds


def _split(frame: FrameReading) -> tuple[list[str], str]:
    """The words of the subject, and the finite verb."""
    for position, word in enumerate(frame.before):
        if position and word.removesuffix("n't") in _AUXILIARIES:
            return _trimmed(frame.before[:position]), word
        if position and word in _WITHOUT_NUMBER:
            return [], ""
    if frame.verb.removesuffix("n't") in _WITHOUT_NUMBER or frame.verb == "can't":
        return [], ""
    return _trimmed(frame.before), frame.verb


def _trimmed(words: Sequence[str]) -> list[str]:
    nouns = load_dictionary().nouns
    kept = list(words)
    while kept and (
        kept[-1] in {"not", "never", "now", "already", "also", "just", "still", "all", "both", "then", "only"}
        or (kept[-1].endswith("ly") and kept[-1] not in nouns)
    ):
        if len(kept) == 1:
            break
        kept.pop()
    return kept


def _wanted(text: Sequence[str], subject: Sequence[str], knowledge: Knowledge) -> str | None:
    """The number of a subject: ``singular``, ``plural``, or None."""
    if not all(_WORD.match(word) for word in subject):
        return None
    if len(subject) == 1 and subject[0] in _SINGULAR_PRONOUNS:
        return "singular"
    if len(subject) == 1 and (subject[0] in _PLURAL_PRONOUNS or subject[0] == "i"):
        return "plural"
    if "and" in subject:
        return None if subject[0] in {"every", "each"} else "plural"
    if "or" in subject or "nor" in subject:
        return None
    end = next((i for i, word in enumerate(subject) if i and word in _PREPOSITIONS), len(subject))
    head = subject[end - 1]
    if head in _SINGULAR_PRONOUNS:
        return "singular"
    if head in {"police", "people"} and subject[0] not in _SINGULAR_DETERMINERS:
        return "plural"
    if head in COLLECTIVES or head in _PLURAL_PRONOUNS:
        return None
    if head.endswith(("'s", "s'")):
        return None
    if subject[0] in _PLURAL_DETERMINERS:
        return "plural"
    if subject[0] in _SINGULAR_DETERMINERS:
        return "singular"
    if text[end - 1][:1].isupper() and end - 1 >= 0 and (end == 1 or text[end - 2][:1].isupper()):
        is_plain = head in load_dictionary().plurals or head in load_dictionary().nouns
        return None if is_plain else "singular"
    return noun_number(head, knowledge)


def agreeing(verb: str, wanted: str, knowledge: Knowledge, *, is_first: bool) -> str | None:
    """The form of a verb that agrees with a subject in the singular or plural; None where the verb does not tell."""
    if verb.endswith("n't"):
        right = agreeing(verb.removesuffix("n't"), wanted, knowledge, is_first=is_first)
        return "am not" if right == "am" else f"{right}n't" if right is not None else None
    if is_first and verb in {"am", "was"}:
        return verb
    if is_first and verb in {"is", "are"}:
        return "am"
    if is_first and verb == "were":
        return "was"
    if verb in _AUXILIARIES:
        is_singular = verb in {"is", "was", "has", "does"}
        if verb == "am":
            return _AUXILIARIES["are"] if wanted == "singular" else "are"
        return verb if is_singular == (wanted == "singular") else _AUXILIARIES[verb]
    kinds: dict[str, str] = {}
    for form in knowledge.verb_forms.get(verb, ()):
        kinds.setdefault(form.kind, form.lemma)
    if PAST in kinds or not kinds.keys() & {BASE, PRESENT}:
        return None
    if wanted == "singular" and PRESENT not in kinds:
        return _form(kinds[BASE], PRESENT, knowledge)
    if wanted == "plural" and BASE not in kinds:
        return kinds[PRESENT]
    return verb


def _form(lemma: str, kind: str, knowledge: Knowledge) -> str | None:
    for form, entries in knowledge.verb_forms.items():
        if any(entry.lemma == lemma and entry.kind == kind for entry in entries):
            return form
    return None
