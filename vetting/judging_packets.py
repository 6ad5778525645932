"""Packets of an acceptability study: one annotator's sheet as a spreadsheet, in its order, with a cell for each answer.

As in `gapsmith.vetting.packets`, every row carries a key: the packet, the place on the sheet, and a signature that binds
these to the annotator, the study and the place on the sheet. Nothing but the sentences and the scale is in it: no condition, and
nothing by which sentences of one item could be told.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gapsmith.bank import Bank, ItemFilter, StoredItem, digest_of
from gapsmith.bank.formats import SourceFile, checked_header, fitted, write_xlsx
from gapsmith.templates import ConfigError
from gapsmith.vetting.review.acceptability import AcceptabilityStudy, SheetTrial
from gapsmith.vetting.review.answer_quality import GivenAnswer, answers_of, waiting_trials
from gapsmith.vetting.review.norming import Scale, judge_trial
from gapsmith.vetting.review.session import Session

_COLUMNS = ("place", "sentence", "second sentence", "answer", "what answers mean", "annotator", "key")
_KEY = re.compile(r"([0-9a-f]{16})-(?:[0-9a-f]{32}-)?([0-9]+)-([0-9a-f]{32})")
"""Packet, place on the sheet, signature. Packets made before said the uid of the item, too."""
_NOTHING = "Nothing was taken in."


@dataclass(frozen=True, slots=True)
class AnswersTaken:
    """What came back in a packet of a study."""

    author: str
    taken: int
    known: int
    """Sentences that they had answered before, here or from this packet; the earlier answer stays."""
    empty: int
    otherwise: int = 0
    """Of the known ones, those of which the packet says something else."""


def make_judging_packet(study: AcceptabilityStudy, bank: Bank, annotator: str, path: Path) -> int:
    """Write what somebody has still to judge; how many sentences (pairs, for a choice). Raises `ConfigError` where the file is there
    already or nothing is left, and as `sheet` does."""
    if path.suffix.casefold() != ".xlsx":
        raise ConfigError(f"{path}: a packet is a spreadsheet", hint=f"Call it {path.stem}.xlsx.")
    if path.exists():
        raise ConfigError(f"{path}: is there already", hint="Take another name; somebody may be filling it in.")
    trials = waiting_trials(study, bank.read_by(annotator), annotator)
    if not trials:
        raise ConfigError(f"{annotator} has answered all of the study {study.name!r}")
    items = {item.id: item for item in bank.items.iterate(ItemFilter(ids=tuple({one.item_id for one in trials})))}
    packet = secrets.token_hex(8)
    legend = [study.question, *(f"{value} = {name}" for value, name in zip(study.values, study.names, strict=True))]
    rows: list[tuple[str, ...]] = [_COLUMNS]
    for number, one in enumerate(trials):
        item = items[one.item_id]
        key = f"{packet}-{one.place}-{_signature(bank, item, packet, study, annotator, one)}"
        meaning = legend[number] if number < len(legend) else ""
        rows.append((str(one.place), one.text, one.other_text, "", meaning, annotator, key))
    widths = {"place": 7, "sentence": 70, "second sentence": 70 if study.task == "choice" else 4, "what answers mean": 40}
    write_xlsx(path, rows, sheet="judging", widths=widths, choices={"answer": study.values})
    return len(rows) - 1


def is_judging_packet(path: Path) -> bool:
    """Whether a spreadsheet is a packet of a study, by its columns. Raises `FormatError`."""
    top = next(SourceFile(path, unchanged=_NOTHING).rows(), None)
    return top is not None and {"answer", "place", "key"} <= {cell.strip() for cell in top.cells}


def take_judging_packet(study: AcceptabilityStudy, bank: Bank, path: Path, annotator: str | None = None) -> AnswersTaken:
    """Take in the answers of a packet, all or none, under the name that it was made for. Raises `FormatError` with the line for an
    answer that the scale lacks, and `ConfigError` for a packet of another study or annotator."""
    rows = list(_rows(path))
    authors = {author for _, _, author, _, _ in rows}
    if len(authors) != 1:
        raise ConfigError(f"{path}: names {len(authors)} annotators; a packet is one person's", hint=_NOTHING)
    (author,) = authors
    if annotator not in (None, author):
        raise ConfigError(f"{path}: is {author}'s by its column annotator, not {annotator}'s", hint=_NOTHING)
    source = SourceFile(path, unchanged=_NOTHING)
    scale = Scale.of(study)
    with bank.transaction():
        session = Session(bank, author)
        # Whoever takes it in may not see what its author answered; what is known already is theirs to say.
        own = bank.read_by(author)
        waiting = {one.place: one for one in waiting_trials(study, own, author)}
        before = {one.trial.place: _as_filled_in(study, one) for one in answers_of(study, own, author)}
        taken = known = empty = otherwise = 0
        for line, answer, _, key, texts in rows:
            match = _KEY.fullmatch(key)
            if match is None:
                source.refuse(line, "the key in the last column is damaged", hint="Keys stay as they are.")
            packet, place, signature = match.groups()
            one = waiting.get(int(place))
            if not answer:
                empty += 1
                continue
            if one is None:
                known += 1
                otherwise += int(place) in before and _value(study, answer) != before[int(place)]
                continue
            if signature != _signature(bank, bank.items.get(one.item_id), packet, study, author, one):
                raise ConfigError(
                    f"{path}, line {line}: was not made for {author!r} and the study {study.name!r} as it is now",
                    hint=f"The column annotator stays as it is; a study that was made anew wants a new packet. {_NOTHING}",
                )
            if texts != (one.text, one.other_text):
                source.refuse(line, "the sentence is not the one that was sent", hint="Answers are about the sentences as sent.")
            value = _value(study, answer)
            if value is None:
                source.refuse(line, f"{answer!r} is no answer", hint=f"There are: {', '.join((*study.values, *study.names))}.")
            judge_trial(session, one, value, scale, None, study)
            taken += 1
    return AnswersTaken(author, taken, min(known, len(before)), empty, otherwise)


def _as_filled_in(study: AcceptabilityStudy, given: GivenAnswer) -> str:
    """An answer as a packet has it: of a choice, which of the two."""
    if study.task != "choice":
        return given.answer
    return study.values[0 if given.answer == given.trial.condition else 1]


def _value(study: AcceptabilityStudy, answer: str) -> str | None:
    """The answer as it is kept, by its value or by its name."""
    named = dict(zip((name.casefold() for name in study.names), study.values, strict=True))
    return answer if answer in study.values else named.get(answer.casefold())


def _rows(path: Path) -> Iterator[tuple[int, str, str, str, tuple[str, str]]]:
    source = SourceFile(path, unchanged=_NOTHING)
    given = source.rows()
    top = next(given, None)
    if top is None:
        source.refuse(0, "the file is empty")
    header = checked_header(source, top)
    if missing := [name for name in _COLUMNS if name not in header]:
        source.refuse(top.line, f"there is no column {missing[0]!r}", hint="Columns of a packet stay as they are.")
    for row in given:
        cells = {name: cell.strip() for name, cell in zip(header, fitted(source, row, len(header)).cells, strict=True)}
        if not cells["annotator"]:
            source.refuse(row.line, "there is no annotator")
        yield row.line, cells["answer"], cells["annotator"], cells["key"], (cells["sentence"], cells["second sentence"])


def _signature(bank: Bank, item: StoredItem, packet: str, study: AcceptabilityStudy, author: str, one: SheetTrial) -> str:
    """As in packets of the review: keyed with the uid of the revision, which every copy of the bank has and no file that goes out."""
    revision = bank.items.revision_uids(item.id, bytes.fromhex(digest_of(item.sentences)))[-1]
    said = "\0".join((packet, author, study.digest, str(one.place), one.condition, one.other_condition)).encode()
    return hashlib.blake2b(said, digest_size=16, key=bytes.fromhex(revision)).hexdigest()
