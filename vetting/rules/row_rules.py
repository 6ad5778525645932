"""Rules that are rows of the table (`gapsmith.vetting.rules.word_rows`): the word is looked up in the row's list, and the row says what
its property means. The only place that carries rows out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

from gapsmith.bank import Severity
from gapsmith.vetting.rules.counted import Counted
from gapsmith.vetting.rules.hits import Hit
from gapsmith.vetting.rules.knowledge import Knowledge, shipped_rows
from gapsmith.vetting.rules.linkers import hits_of_control
from gapsmith.vetting.rules.matrix import guessed_rogative, is_hardly_told
from gapsmith.vetting.rules.model import WordRule, Words
from gapsmith.vetting.rules.row_conditions import is_met, shown
from gapsmith.vetting.rules.row_words import LookedUp, is_by_role, look_up
from gapsmith.vetting.rules.rule_pages import RulePage
from gapsmith.vetting.rules.word_rows import FLAWS, Asked, RuleRow, by_code, has

_READ_BESIDE: Mapping[str, tuple[str, ...]] = {"verbs": ("linker",), "verb_uses": ("linker",)}
"""List to the roles that decide which of its entries a word is: the linker says which form its verb has. A list that
is looked up by roles may be of verbs."""


def _check(code: str, words: Words) -> Iterator[Hit]:
    have = words.by_role
    for row in words.knowledge.rows.get(code, ()):
        for role in row.roles if len(row.roles) == 1 else [role for role in row.roles if role in have]:
            for word in have.get(role, ()):
                for looked in look_up(row.list, role, word, words):
                    holds = has(row.wanted, looked.classes)
                    if holds or (row.guess is not None and looked.classes is None and looked.guess is not None):
                        yield from _said(row, role, looked, words, holds=holds)


def _said(row: RuleRow, role: str, looked: LookedUp, words: Words, *, holds: bool) -> Iterator[Hit]:
    other: LookedUp | None = None
    for asked in row.asked:
        if asked.name:
            met = is_met(asked.name, looked, words, role)
        elif asked.role:
            found = next((one for one in _looked_at(asked, words) if has(asked.wanted, one.classes)), None)
            met, other = found is not None, other or found
        else:
            met = any(has(asked.wanted, one.classes) for one in look_up(asked.list, role, looked.word, words))
        if met is not asked.holds:
            return
    told = row.message.format(**{field: shown(field, looked, words, other) for field in row.fields})
    slot = looked.word.slot
    if holds:
        word = looked.head if "head" in row.fields else looked.value
        yield Hit(told, slot=slot, severity=row.severity, remedy=row.remedy, word=word)
    elif looked.guess is not None:
        yield from _guessed(row, looked.guess, told, slot)


def _looked_at(asked: Asked, words: Words) -> Iterator[LookedUp]:
    for word in words.with_role(asked.role):
        yield from look_up(asked.list, asked.role, word, words)


def _guessed(row: RuleRow, guess: Counted, said: str, slot: str | None) -> Iterator[Hit]:
    """What is said of a word in no list that is likely to have the property, of several classes for the first that is likely."""
    among, most = FLAWS[row.list], row.guess
    assert most is not None
    kind = next((kind for kind in row.kinds if guess.severity(kind, among)), row.kinds[0]) if row.kinds else ""
    match row.list, kind:
        case "linkers", "control":
            yield from hits_of_control(guess, said, slot, among)
        case "predicates", "rogative" if guessed_rogative(guess):
            yield Hit(f"{said} (a guess: {guess.says})", slot=slot, severity=Severity.INFO)
        case "predicates", "":
            if is_hardly_told(guess):
                yield Hit(f"{said} (a guess: {guess.says})", slot=slot, severity=Severity.INFO)
        case _:
            yield from guess.hits(kind, among, said, slot, most)


def row_rule(code: str, rows: tuple[RuleRow, ...]) -> WordRule:
    """The rule that the rows of one code make; it reads the roles that they name, and those that decide how a word is read."""
    subjects = tuple(dict.fromkeys(role for row in rows for role in row.roles))
    lists = {(row.list, asked.list) for row in rows for asked in (*row.asked, _NONE)}
    beside = (
        *(
            role
            for names in lists
            for name in names
            for role in _READ_BESIDE.get(name, ("linker",) if name and is_by_role(name) else ())
        ),
        *(role for row in rows for asked in row.asked for role in asked.reads),
    )
    return WordRule(code, rows[0].severity, tuple(dict.fromkeys((*subjects, *beside))), partial(_check, code), subjects)


_NONE = Asked("", holds=True)


def own_page(code: str, knowledge: Knowledge) -> RulePage:
    """What there is to read about a rule of a workspace's table: its rows."""
    rows = knowledge.rows[code]
    told = "; ".join(f"{row.of} with {'|'.join('+'.join(some) for some in row.wanted)} in {row.list}" for row in rows)
    remedy = next((row.remedy for row in rows if row.remedy), "Look at it.")
    return RulePage(code, "Rule of the workspace", f"{told}.", (), (), f"The row stands in {rows[0].place}.", remedy, ())


RULES = tuple(row_rule(code, rows) for code, rows in by_code(shipped_rows()).items())
