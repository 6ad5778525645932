"""What a judge is asked about an item. No question names a condition, an expected status or a rule."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from itertools import product

from gapsmith.bank import StoredItem
from gapsmith.templates import Condition, Paradigm, Status, text_sha256, whole

PROMPT_VERSION = "judge.v1"
HIGHEST = 7


class QuestionKind(StrEnum):
    """What a question asks for."""

    CHOICE = "choice"
    """Which of two sentences is better."""
    RATING = "rating"
    """How natural one sentence is."""
    PLAUSIBLE = "plausible"
    """Whether the island can do to the other person what the verb says."""
    COINDEXED = "co-indexed"
    """Whether it can do so to the person whom it is about: the reading with both gaps open."""


@dataclass(frozen=True, slots=True)
class JudgeQuestion:
    """One question about one item."""

    item_id: int
    kind: QuestionKind
    text: str
    """As the judge reads it."""
    conditions: tuple[str, ...] = ()
    """The conditions of the sentences in it, in the order in which they are shown."""
    expected: str | None = None
    """The condition that the design says is better, for a choice."""

    @property
    def key(self) -> str:
        """The same for the same words: what has been answered once is not asked again."""
        return text_sha256(f"{PROMPT_VERSION}\n{self.kind}\n{self.text}")[:20]


def questions_of(
    items: Iterable[StoredItem], paradigm: Paradigm, *, sentences: QuestionKind = QuestionKind.CHOICE, seed: int = 1
) -> list[JudgeQuestion]:
    """All questions about the items, shuffled with the seed; `sentences` says whether these are compared or rated.

    A choice is between a condition that the design calls ok and one that it stars, which differ in one factor."""
    found = [
        question
        for item in items
        for question in (*_about_sentences(item, paradigm, sentences, seed), *_about_words(item, paradigm))
    ]
    # By their text, so that the order does not depend on what else is asked.
    return sorted(found, key=lambda q: text_sha256(f"{seed}\n{q.item_id}\n{q.key}"))


def _about_sentences(item: StoredItem, paradigm: Paradigm, kind: QuestionKind, seed: int) -> Iterator[JudgeQuestion]:
    texts = {s.condition: s.text for s in item.sentences if s.condition in paradigm.condition_by_name and s.text.strip()}
    if kind is QuestionKind.RATING:
        for name, text in texts.items():
            yield JudgeQuestion(item.id, kind, f"How natural is this sentence?\n   {text}", (name,))
        return
    chosen = [paradigm.condition(name) for name in texts]
    for good, bad in product(chosen, chosen):
        if good.status is Status.OK and bad.status is Status.STAR and _one_apart(good, bad):
            shown = [good.name, bad.name]
            random.Random(f"{seed}\n{texts[good.name]}\n{texts[bad.name]}").shuffle(shown)
            text = f"Which sentence is better?\n   A: {texts[shown[0]]}\n   B: {texts[shown[1]]}"
            yield JudgeQuestion(item.id, kind, text, tuple(shown), good.name)


def _one_apart(one: Condition, other: Condition) -> bool:
    return sum(a != b for a, b in zip(one.levels, other.levels, strict=True)) == 1


def _about_words(item: StoredItem, paradigm: Paradigm) -> Iterator[JudgeQuestion]:
    words = _by_role(item.slots or {}, paradigm)
    island = [words.get(role, "") for role in ("determiner", "noun", "preposition")]
    names, verb = words.get("name", "").split("\t"), words.get("verb", "")
    if not all(island) or not verb or len(names) < 2:
        return
    subject = f"{' '.join(island)} {names[0]}"
    yield JudgeQuestion(item.id, QuestionKind.PLAUSIBLE, f"Does this make sense: could {subject} {verb} {names[1]}?")
    yield JudgeQuestion(item.id, QuestionKind.COINDEXED, f"Does this make sense: could {subject} {verb} {names[0]}?")


def _by_role(slots: Mapping[str, str], paradigm: Paradigm) -> dict[str, str]:
    found: dict[str, list[str]] = {}
    for slot in paradigm.visible_slots:
        if slot.role and slots.get(slot.name):
            found.setdefault(slot.role, []).append(slots[slot.name])
    return {role: "\t".join(values) for role, values in found.items()}


_HEAD = """You are a careful native speaker of English. Answer every question below by your own judgment of the
sentence as it stands. The questions are independent of each other.

- Where two sentences are given, answer A or B: the one that is better English. There is always one that you find better.
- Where you are asked how natural a sentence is, answer with a number from 1 (nobody would say this) to 7 (perfectly natural).
- Where you are asked whether something makes sense, answer with a number from 1 (makes no sense) to 7 (makes perfect sense).

Answer with JSON only: {"answers": [{"question": 1, "answer": "A"}, ...]}, with one entry for each question.
"""


def prompt_of(questions: list[JudgeQuestion]) -> str:
    """The prompt that asks these questions, numbered from 1."""
    return _HEAD + "".join(f"\n{number}. {question.text}\n" for number, question in enumerate(questions, 1))


def read_answer(question: JudgeQuestion, answer: str) -> str | None:
    """The condition that was preferred, or the number that was given; None for what answers nothing."""
    said = answer.strip().strip(".:)").upper()
    if question.kind is QuestionKind.CHOICE:
        return question.conditions["AB".index(said)] if said in {"A", "B"} else None
    points = whole(said)
    return said if points is not None and 1 <= points <= HIGHEST else None
