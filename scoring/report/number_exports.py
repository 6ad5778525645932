"""Numbers on their way out: the long frame, tokens and words, tests, items, conditions and decisions, as tables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import TYPE_CHECKING, Any

from gapsmith.bank import (
    TEXT_DIGEST,
    Bank,
    Comment,
    Decision,
    ItemFilter,
    Label,
    StoredItem,
    blind_cells,
    find_items,
    is_on_texts_of,
    naming,
)
from gapsmith.bank.formats import STANDING_COLUMNS
from gapsmith.scoring.analysis.comparing import RunComparison
from gapsmith.scoring.analysis.itemwise import item_pair_rows
from gapsmith.scoring.analysis.results import Analysis
from gapsmith.scoring.analysis.tabled import condition_rows, item_rows, result_rows
from gapsmith.scoring.frame_wish import FrameWish, scorers_of
from gapsmith.scoring.long_frame import OPTIONAL, long_table
from gapsmith.scoring.report.number_tables import NumberTable, RowsMadeAnew
from gapsmith.scoring.token_table import TOKEN_COLUMNS, WORD_COLUMNS, token_rows, word_rows
from gapsmith.scoring.withheld import scorers_to_tell
from gapsmith.templates import DEFAULT_MEASURE, ConfigError

if TYPE_CHECKING:
    from gapsmith.scoring.unigrams import UnigramTables

NUMBERS: Mapping[str, str] = {
    "long": "one row per item, condition, region, model and measure, for R and pandas",
    "parquet": "the same as Parquet",
    "tokens": "one row per token of each sentence and model",
    "words": "one row per word of each sentence and model: the sum over the tokens that begin in it",
    "tests": "one row per test of each contrast: estimate, interval, statistic, p, corrected p, n",
    "items": "one row per item and contrast or criterion: its value, whether as expected, or why it is not known",
    "differences": "one row per item and contrast of two models, data sets or contexts: both values, whether as expected",
    "conditions": "one row per condition: mean, SD, interval and n at the critical region",
    "r": "a folder with a mixed model for R: a script for lme4 and lmerTest, and its data",
    "decisions": "one row per item: where it stands, who decided what, when and why",
}
"""What goes out as a table of numbers, by name."""


@dataclass(frozen=True, slots=True)
class NumbersMade:
    """A table and what is to be said of it."""

    table: NumberTable
    versions: int = 1
    """Forms that the items were made with."""
    left_out: int = 0
    """Sentences in no condition of the paradigm."""
    notes: tuple[str, ...] = ()
    doubts: tuple[str, ...] = ()
    """Those of the notes that say that values are approximate, or lacking."""


def long_frame(bank: Bank, selection: ItemFilter, wish: FrameWish, unigrams: UnigramTables | None = None) -> NumbersMade:
    """The long frame of the selected items, which are of one paradigm and of forms with the same factors and conditions.

    `unigrams` is what SLOR takes away. Raises `GapsmithError` where nothing is selected or the forms differ in them, and what
    `gapsmith.scoring.long_table` raises.
    """
    source = find_items(bank, selection)
    paradigm = source.common()
    conditions = source.design(wish.design).conditions
    wished = scorers_of(bank, source, conditions, wish)
    scorers, withheld = scorers_to_tell(bank, wished, selection, "a table of items", contexts=wish.contexts)
    measures = wish.measures or (DEFAULT_MEASURE,)
    found = long_table(
        bank,
        selection,
        scorers=scorers,
        conditions=conditions,
        measures=measures,
        corrected=wish.corrected,
        convention=wish.convention,
        unigrams=unigrams,
        critical_only=wish.critical_only,
        whole=wish.whole,
        contexts=wish.contexts,
    )
    caption = f"{paradigm.name}: surprisal by item, condition and region"
    table = NumberTable(found.columns, list(found.rows), caption, OPTIONAL)
    made = NumbersMade(table, len(source.versions), source.outside(paradigm.condition_by_name), tuple(withheld), tuple(withheld))
    return made if unigrams is None else replace(made, notes=(*withheld, *unigrams.notes), doubts=(*withheld, *unigrams.doubts))


def token_table(bank: Bank, selection: ItemFilter, wish: FrameWish, *, words: bool, keep: bool = True) -> NumbersMade:
    """One row per token, or per word between white space, of the selected items' sentences under each scorer; they are kept, or made
    each time they are gone through.

    A word's value is the sum over the tokens that begin in it. Places are characters of the sentence, from 0, half-open.
    """
    source = find_items(bank, selection)
    conditions = source.design(wish.design).conditions
    rows_of = word_rows if words else token_rows
    scorers, withheld = scorers_to_tell(bank, scorers_of(bank, source, conditions, wish), selection, "a table of items")

    def make() -> Iterator[dict[str, Any]]:
        return chain.from_iterable(rows_of(bank, selection, scorer_id, frozenset(conditions)) for scorer_id in scorers)

    rows = list(make()) if keep else RowsMadeAnew(make)
    table = NumberTable(WORD_COLUMNS if words else TOKEN_COLUMNS, rows, "Surprisal by word" if words else "Surprisal by token")
    outside = source.outside(source.newest.condition_by_name)
    return NumbersMade(table, len(source.versions), outside, tuple(withheld), tuple(withheld))


def analysis_table(kind: str, analyses: Sequence[Analysis]) -> NumberTable:
    """``tests``, ``items`` or ``conditions`` of these analyses, one after the other."""
    rows_of = {"tests": result_rows, "items": item_rows, "conditions": condition_rows}[kind]
    rows = [row for analysis in analyses for row in rows_of(analysis)]
    columns = tuple(dict.fromkeys(name for row in rows for name in row))
    return NumberTable(columns, rows, {"tests": "Tests", "items": "Values by item", "conditions": "Conditions"}[kind])


def difference_table(found: RunComparison, *, keep: bool = True) -> NumberTable:
    """Every item of every two runs that are compared, with both values; the rows are kept, or made each time they are gone through.
    Raises `ConfigError` where there are no two."""
    rows = list(item_pair_rows(found)) if keep else RowsMadeAnew(lambda: item_pair_rows(found))
    first = next(iter(rows), None)
    if first is None:
        raise ConfigError(
            f"there is nothing to hold the items of {found.paradigm.name} against",
            hint="Differences need two models, revisions, data sets or contexts: score under another model, or say --by dataset.",
        )
    return NumberTable(tuple(first), rows, "Differences by item")


_OF_A_DECISION = STANDING_COLUMNS[STANDING_COLUMNS.index("decision") : STANDING_COLUMNS.index("text")]


def decision_table(bank: Bank, selection: ItemFilter) -> NumberTable:
    """One row per item and decision; an item without one has a row of its own, and so has who remarked on it and decided nothing.
    ``current`` is no where the item has other texts now than those that were decided on: revision, text and digest are then of those, and
    the decision does not count for the status. ``before_time`` says of an adjudication who had not locked or read then. ``opened``,
    ``seconds``, ``blind`` and ``said_blind`` are those of `gapsmith.vetting.decisions_csv`; a row without a decision and with
    ``said_blind`` is of one that was taken back. ``remarks`` are those of the row's author, whatever text they were made on."""
    remarks: dict[int, dict[str, list[Comment]]] = {}
    for remark in bank.review.comments():
        remarks.setdefault(remark.item_id, {}).setdefault(remark.author, []).append(remark)
    decisions: dict[int, list[Decision]] = {}
    every = bank.decisions.all()
    for decision in every:
        decisions.setdefault(decision.item_id, []).append(decision)
    blind = blind_cells(bank)
    taken_back: dict[int, list[tuple[Label, dict[str, str]]]] = {}
    for label, cells in blind.taken_back(every):
        taken_back.setdefault(label.item_id, []).append((label, cells))
    rows: list[dict[str, Any]] = []
    for item in bank.items.iterate(selection):
        head = {
            "paradigm": item.paradigm,
            "dataset": item.dataset,
            "item": item.label,
            "status": item.status.value,
        }
        said_of = [(entry, is_on_texts_of(entry, item)) for entry in decisions.get(item.id, ())]
        empty = dict.fromkeys(_OF_A_DECISION)
        said = {name: _in_words(theirs, item) for name, theirs in remarks.get(item.id, {}).items()}
        of_item = [
            {
                "decision": entry.verdict.value,
                "kind": entry.kind,
                "current": "yes" if current else "no",
                "author": entry.author,
                "reason": entry.reason,
                "comment": entry.comment,
                # Once, where somebody has decided in two ways, as a reader and as who adjudicates.
                "remarks": said.pop(entry.author, None),
                "at": entry.at,
                "before_time": entry.before_time or None,
                "opened": entry.opened_in_words if entry.by_person else None,
                "seconds": round(entry.seen.seconds, 3) if entry.seen is not None else None,
                **{name: value or None for name, value in blind.of(entry).items()},
            }
            | _texts(item if current else bank.items.at(item.id, entry.revision_id))
            for entry, current in said_of
        ]
        of_item += [
            empty
            | {"author": label.author, "current": "yes" if label.current else "no", "remarks": said.pop(label.author, None)}
            | (_texts(item) if label.current else {"revision": None, "text": None, **naming(item), TEXT_DIGEST: label.texts})
            | cells
            for label, cells in taken_back.get(item.id, ())
        ]
        of_item += [empty | {"author": name, "remarks": words} | _texts(item) for name, words in said.items()]
        rows += [head | entry for entry in of_item or [empty | _texts(item)]]
    return NumberTable(STANDING_COLUMNS, rows, "Decisions")


def _in_words(remarks: Sequence[Comment], item: StoredItem) -> str:
    """What one person remarked, as one cell."""
    return " / ".join(one.text + ("" if is_on_texts_of(one, item) else " (on an earlier text)") for one in remarks)


def _texts(item: StoredItem) -> dict[str, Any]:
    text = item.sentences[0].text if item.sentences else None
    return {"revision": item.revision_number, "text": text, **naming(item)}


def make_numbers(
    kind: str,
    bank: Bank,
    selection: ItemFilter,
    wish: FrameWish,
    *,
    analyses: Sequence[Analysis] = (),
    unigrams: UnigramTables | None = None,
    keep: bool = True,
) -> NumbersMade:
    """The table of that kind; `analyses` are needed for ``tests``, ``items`` and ``conditions`` only, `unigrams` for SLOR. `keep` as
    `token_table` has it."""
    if kind in ("tests", "items", "conditions"):
        return NumbersMade(analysis_table(kind, analyses))
    if kind == "decisions":
        return NumbersMade(decision_table(bank, selection))
    if kind in ("tokens", "words"):
        return token_table(bank, selection, wish, words=kind == "words", keep=keep)
    return long_frame(bank, selection, wish, unigrams)
