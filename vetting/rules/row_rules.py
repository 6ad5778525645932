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
from gapsmith.vetting.rules.matrix import guessed_rogative
from gapsmith.vetting.rules.model import Word, WordRule, Words
from gapsmith.vetting.rules.row_conditions import is_met, shown
from gapsmith.vetting.rules.row_words import look_up
from gapsmith.vetting.rules.rule_pages import RulePage
from gapsmith.vetting.rules.word_rows import CONDITIONS, RuleRow, by_code
from gapsmith.vetting.wordset import word_set

_FLAWS: Mapping[str, frozenset[str]] = {
    "predicates": word_set("antirogative rogative doubtful polar none needs_addressee"),
    "verbs": word_set("object_drop intransitive inchoative thing_object clausal agentive"),
    "linkers": word_set("tough ready control purpose"),
    "nouns": word_set("thing person no_person"),
    "adverbs": word_set("nominal opener no_adverb manner misfit present recent earlier past medial polarity sofar"),
}
"""List to the classes among which a guess has to be likely to be told."""
_READ_BESIDE: Mapping[str, tuple[str, ...]] = {"verbs": ("linker",)}
"""List to the roles that decide which of its entries a word is: the linker says which form its verb has."""


def _check(code: str, words: Words) -> Iterator[Hit]:
    for row in words.knowledge.rows.get(code, ()):
        for word in (word for role in row.roles for word in words.with_role(role)):
            looked = look_up(row.list, word, words)
            if looked is None:
                continue
            guess = None if looked.classes is not None or row.guess is None else looked.guess
            if not (holds := row.holds(looked.classes)) and guess is None:
                continue
            if not all(is_met(condition, looked, words) for condition in row.when):
                continue
            said = row.message.format(**{field: shown(field, looked, words) for field in row.fields})
            if holds:
                yield Hit(said, slot=word.slot, severity=row.severity, remedy=row.remedy)
            elif guess is not None:
                yield from _guessed(row, guess, said, word)


def _guessed(row: RuleRow, guess: Counted, said: str, word: Word) -> Iterator[Hit]:
    """What is said of a word in no list that is likely to have the property."""
    among, most = _FLAWS[row.list], row.guess
    assert most is not None
    match row.list, row.kind:
        case "linkers", "control":
            yield from hits_of_control(guess, said, word.slot, among)
        case "predicates", "rogative" if guessed_rogative(guess):
            yield Hit(f"{said} (a guess: {guess.says})", slot=word.slot, severity=Severity.INFO)
        case _:
            yield from guess.hits(row.kind, among, said, word.slot, most)


def row_rule(code: str, rows: tuple[RuleRow, ...]) -> WordRule:
    """The rule that the rows of one code make; it reads the roles that they name, and those that decide how a word is read."""
    subjects = tuple(dict.fromkeys(role for row in rows for role in row.roles))
    beside = (
        *(role for row in rows for role in _READ_BESIDE.get(row.list, ())),
        *(role for row in rows for condition in row.when for role in CONDITIONS[condition]),
    )
    return WordRule(code, rows[0].severity, tuple(dict.fromkeys((*subjects, *beside))), partial(_check, code), subjects)


def own_page(code: str, knowledge: Knowledge) -> RulePage:
    """What there is to read about a rule of a workspace's table: its rows."""
    rows = knowledge.rows[code]
    told = "; ".join(
        f"{'|'.join(row.roles)} with {'|'.join('+'.join(some) for some in row.wanted)} in {row.list}" for row in rows
    )
    remedy = next((row.remedy for row in rows if row.remedy), "Look at it.")
    return RulePage(code, "Rule of the workspace", f"{told}.", (), (), f"The row stands in {rows[0].place}.", remedy, ())


RULES = tuple(row_rule(code, rows) for code, rows in by_code(shipped_rows()).items())
