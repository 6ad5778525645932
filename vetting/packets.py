"""Review packets: a spreadsheet with items and a form of decisions, for an annotator who has no bank.

One row per sentence, the sentences of an item below each other, and four cells to fill in on any row of an item. Nothing
that others, policies, the linter or models say is in it. Every row carries a key: the packet, the item and a digest of the
texts that were sent, and a signature that binds these to the annotator. What comes back is about these texts and no others,
is its annotator's and nobody else's, and is taken in once.

The signature is keyed with the uid of the revision that was sent: every copy of the bank has it, no file that goes out does.
"""

from __future__ import annotations

import hashlib
import re
import secrets
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gapsmith.bank import (
    TEXT_DIGEST,
    UID,
    Bank,
    ItemFilter,
    LockedError,
    StoredItem,
    Verdict,
    digest_of,
    is_locked,
    naming,
)
from gapsmith.bank.formats import SourceFile, checked_header, fitted, write_xlsx
from gapsmith.templates import ConfigError, FormatError, first_of
from gapsmith.vetting.gap_marks import is_marked, marked
from gapsmith.vetting.reasons import REASON_SEPARATOR, checked_reason
from gapsmith.vetting.review.session import Session

_FILLED = ("decision", "reason", "comment")
_COLUMNS = ("item", "condition", "expected", "sentence", *_FILLED, "annotator", "key")
_HOW = "how to fill this in"
"""A column that is only read by people; packets made before had none."""
_WIDTHS = {"item": 8, "condition": 14, "expected": 9, "sentence": 70, "reason": 24, "comment": 32, _HOW: 60}
_KEY = re.compile(r"([0-9a-f]{16})-([0-9a-f]{32})-([0-9a-f]{32})-(?:([0-9a-f]{32})-)?([0-9]+)")
"""Packet, uid of the item, digest of its texts, signature, place of the sentence. Packets of 0.1 have no signature."""
_NOTHING = "Nothing was taken in."
_NAMED = 40
"""So many faults of a packet are named at once."""
_WORDS = {
    **{verdict.value: verdict for verdict in Verdict},
    "approved": Verdict.APPROVE,
    "excluded": Verdict.EXCLUDE,
    "flagged": Verdict.FLAG,
}


@dataclass(frozen=True, slots=True)
class Taken:
    """What came back in a packet."""

    author: str
    decided: dict[Verdict, int]
    """What was new, by verdict."""
    known: int
    """Items whose decision had been taken in from this packet before."""
    empty: int
    """Items on which nothing was decided."""
    changed: tuple[str, ...]
    """Labels of items whose texts were edited since; their decisions were left out."""
    locked: tuple[str, ...] = ()
    """What was locked: ``paradigm/data set``."""
    outside: tuple[str, ...] = ()
    """Labels of new ones that are not in the annotator's share (any more)."""


@dataclass(frozen=True, slots=True)
class _Form:
    line: int
    label: str
    packet: str
    uid: str
    texts: str
    signature: str
    """Empty in packets of 0.1."""
    author: str
    verdict: Verdict | None
    reason: str | None
    comment: str | None
    sentences: tuple[str, ...]
    """As they came back, in the order in which they were sent."""
    places: tuple[int, ...]
    """Which of the item's sentences these are, from 1."""


class _Faults:
    """What is not filled in as it should be, gathered so that whoever mends it knows all of it after one try."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._found: list[tuple[int, str, str]] = []

    def add(self, line: int, message: str, hint: str = "") -> None:
        """Note a fault."""
        self._found.append((line, message, hint))

    def __bool__(self) -> bool:
        return bool(self._found)

    def refuse(self) -> None:
        """Raise `FormatError` with all of them, where there are some."""
        if not self._found:
            return
        found = sorted(self._found)
        hint = " ".join([*dict.fromkeys(hint for _, _, hint in found if hint), _NOTHING])
        if len(found) == 1:
            raise FormatError(f"{self._path}, line {found[0][0]}: {found[0][1]}", hint=hint)
        lines = [f"line {line}: {message}" for line, message, _ in found[:_NAMED]]
        lines += [f"and {len(found) - _NAMED:,} more"] if len(found) > _NAMED else []
        raise FormatError("\n".join([f"{self._path}: {len(found):,} faults", *lines]), hint=hint)


def make_packet(session: Session, path: Path, item_ids: Sequence[int]) -> int:
    """Write a packet with these items for the session's annotator; how many sentences it holds. Raises `ConfigError` where
    the file is there already, and `FormatError` for a sentence that no cell can hold."""
    if path.suffix.casefold() != ".xlsx":
        raise ConfigError(f"{path}: a packet is a spreadsheet", hint=f"Call it {path.stem}.xlsx.")
    if path.exists():
        raise ConfigError(f"{path}: is there already", hint="Take another name; somebody may be filling it in.")
    packet = secrets.token_hex(8)
    *first, author, last = _COLUMNS
    rows: list[tuple[str, ...]] = [(*first, _HOW, author, last)]
    how = _instructions(session.guide.reasons)
    for item_id in item_ids:
        item = session.bank.items.get(item_id)
        paradigm = session.bank.paradigms.reading(item.paradigm_id).variant(item.slots)
        names = naming(item)
        sent = session.bank.items.revision_uids(item.id, bytes.fromhex(names[TEXT_DIGEST]))[-1]
        signature = _signature(sent, packet, session.author, names[TEXT_DIGEST])
        key = f"{packet}-{names[UID]}-{names[TEXT_DIGEST]}-{signature}"
        for place, sentence in enumerate(item.sentences, 1):
            known = paradigm.condition_by_name.get(sentence.condition)
            expected = known.expected if known is not None else ""
            label = known.label if known is not None else sentence.condition
            told = (item.label, label, expected, marked(sentence, paradigm, critical=False), "", "", "", next(how, ""))
            rows.append((*told, session.author, f"{key}-{place}"))
    choices = {"decision": [verdict.value for verdict in Verdict], "reason": session.guide.reasons}
    write_xlsx(path, rows, sheet="review", widths=_WIDTHS, choices=choices)
    return len(rows) - 1


def _instructions(reasons: Sequence[str]) -> Iterator[str]:
    """What the annotator has to know, a line for each of the first sentences."""
    yield "In one row of every item: decision, which is approve, exclude or flag (for somebody to look at again). Empty: not decided."
    yield f"An exclusion needs a reason, one of: {', '.join(reasons)}. Several with “{REASON_SEPARATOR.strip()}” between them."
    yield "expected says how the sentence should be judged: ok, ? or *. Good items have all sentences as expected. __ is an open gap."
    yield "A comment says what should be changed, or what reason “other” means. Change nothing else; to sort rows is fine."


def take_packet(
    bank: Bank,
    path: Path,
    *,
    annotator: str | None = None,
    skip_changed: bool = False,
    lock: bool = False,
    reasons: Sequence[str] = (),
) -> Taken:
    """Take in the decisions of a packet, all or none, under the name that it was made for.

    `annotator` says again whose it is; a packet of 0.1 does not say it in a way that could not be a slip, so that it has to be
    said. `lock` locks their data sets, `reasons` are those that there are (none: any). Raises `FormatError` with the lines of all that is
    not filled in as it should be, a reason that there is not among it, and `ConfigError` for a name that the packet was not made for, naming
    the items whose texts have changed since (unless they are to be skipped), that are not in this bank, or that the annotator has
    locked."""
    faults = _Faults(path)
    forms = [_with_known_reasons(form, reasons, faults) for form in _forms(path, faults)]
    if not forms:
        faults.refuse()
    authors = {form.author for form in forms if form.author}
    if len(authors) > 1:
        # Where one item has two names, that is the fault.
        faults.refuse()
        raise ConfigError(f"{path}: names {len(authors)} annotators; a packet is one person's", hint=_NOTHING)
    if not authors:
        faults.refuse()
    (author,) = authors
    if annotator not in (None, author):
        raise ConfigError(f"{path}: is {author}'s by its column annotator, not {annotator}'s", hint=_NOTHING)
    if annotator is None and any(not form.signature for form in forms):
        raise ConfigError(
            f"{path}: was made by release 0.1, whose packets do not hold on to the name in them",
            hint=f"Say whose it is: gapsmith packet take {path} --for NAME. {_NOTHING}",
        )
    with bank.transaction():
        by_uid = {item.uid.hex(): item for item in bank.items.iterate(ItemFilter())}
        decided = [form for form in forms if form.verdict is not None]
        if missing := [form.label for form in decided if form.uid not in by_uid]:
            raise ConfigError(f"{path}: not in this bank: {_named(missing)}", hint=_NOTHING)
        for form in decided:
            _note_if_changed(bank, form, by_uid[form.uid], faults)
        if lock and faults:
            # Beside other faults: after these were mended, it would be the next refusal.
            done = _decided_on(bank, author)
            open_forms = [
                form for form in forms if form.verdict is None and form.uid in by_uid and by_uid[form.uid].id not in done
            ]
            if open_forms:
                named = _named([form.label for form in open_forms])
                what = "--lock locks a packet that is decided on as a whole: let them decide on the rest, or leave --lock out."
                faults.add(open_forms[0].line, f"{author} has not decided on {named}", what)
        faults.refuse()
        for form in decided:
            _expect_signed(bank, path, form, by_uid[form.uid])
        fresh = [form for form in decided if not _known(bank, by_uid[form.uid].id, form)]
        changed = [form for form in fresh if digest_of(by_uid[form.uid].sentences) != form.texts]
        if changed and not skip_changed:
            raise ConfigError(
                f"{path}: the texts of {_named([form.label for form in changed])} were changed since the packet was made",
                hint=f"Let {author} decide on the new texts; --skip-changed takes the other decisions. {_NOTHING}",
            )
        new = [form for form in fresh if form not in changed]
        for form in new:
            assert form.verdict is not None
            item_id = by_uid[form.uid].id
            try:
                bank.decisions.decide(
                    [item_id],
                    form.verdict,
                    author=author,
                    reason=form.reason,
                    comment=form.comment,
                    texts={item_id: form.texts},
                    packet=form.packet,
                )
            except LockedError as refused:
                raise ConfigError(
                    f"{path}: {refused.message}", hint=f"Take the lock back in the review (L). {_NOTHING}"
                ) from None
        settled, strange = bank.assignments.outside(author, [by_uid[form.uid].id for form in new])
        outside = {*settled, *strange}
        places = dict.fromkeys((by_uid[one.uid].paradigm, by_uid[one.uid].dataset) for one in forms if one.uid in by_uid)
        if lock:
            _expect_all_decided(bank, path, author, {by_uid[form.uid].id: form.label for form in forms if form.uid in by_uid})
            places |= dict.fromkeys(_answered_before(bank, author, by_uid.values()))
        known_locks = bank.review.locks()
        for place in places if lock else ():
            if not is_locked(known_locks, author, *place):
                bank.review.lock(author, paradigm=place[0], dataset=place[1], locked=True)
    return Taken(
        author,
        dict(Counter(form.verdict for form in new if form.verdict is not None)),
        len(decided) - len(fresh),
        len(forms) - len(decided),
        tuple(form.label for form in changed),
        tuple("/".join(place) for place in places) if lock else (),
        tuple(form.label for form in new if by_uid[form.uid].id in outside),
    )


def _decided_on(bank: Bank, author: str) -> set[int]:
    """The items on whose texts, as they stand now, the annotator has decided."""
    return {own.item_id for own in bank.read_by(author).decisions.current() if own.author == author and own.by_person}


def _answered_before(bank: Bank, author: str, items: Iterable[StoredItem]) -> list[tuple[str, str]]:
    """The data sets of packets that came back from the annotator before, in which nothing is left for them to decide: the last packet
    holds what was left, and so may lack some of the data sets."""
    answered = {own.item_id for own in bank.read_by(author).decisions.current() if own.author == author and own.kind == "packet"}
    done, share = _decided_on(bank, author), bank.assignments.of(author)
    sets: dict[tuple[str, str], list[int]] = {}
    for item in items:
        sets.setdefault((item.paradigm, item.dataset), []).append(item.id)
    return [
        place
        for place, ids in sets.items()
        if answered.intersection(ids) and all(one in done for one in ids if share is None or one in share)
    ]


def _expect_all_decided(bank: Bank, path: Path, author: str, labels: Mapping[int, str]) -> None:
    """Raise `ConfigError` where the annotator has not decided on an item of the packet as it stands now: there is nobody to be asked, as
    in the review, whether to lock all the same."""
    done = _decided_on(bank, author)
    if waiting := [label for item_id, label in labels.items() if item_id not in done]:
        raise ConfigError(
            f"{path}: {author} has not decided on {_named(waiting)}, and what is locked is final",
            hint=f"Take the packet in without --lock, or let {author} decide on the rest. {_NOTHING}",
        )


def _note_if_changed(bank: Bank, form: _Form, item: StoredItem, faults: _Faults) -> None:
    """A decision is about the texts that were sent: with gaps marked, and by place, since what conditions are called is for people."""
    sent = next((one.sentences for one in bank.items.history(item.id) if digest_of(one.sentences) == form.texts), ())
    whole = form.places == tuple(range(1, len(sent) + 1))
    if not whole or not all(is_marked(shown, one.text) for shown, one in zip(form.sentences, sent, strict=True)):
        faults.add(
            form.line,
            f"the sentences of item {form.label} are not those that were sent",
            "Decisions are about the texts as sent; write what should change as a comment.",
        )


def _with_known_reasons(form: _Form, reasons: Sequence[str], faults: _Faults) -> _Form:
    """The form with its reasons spelt as they are known."""
    if form.verdict is not Verdict.EXCLUDE or not reasons or form.reason is None:
        return form
    try:
        return replace(form, reason=checked_reason(form.reason, form.comment, reasons))
    except ConfigError as refused:
        faults.add(form.line, f"item {form.label}: {refused.message}", refused.hint)
        return form


def _signature(revision: str, packet: str, author: str, texts: str) -> str:
    said = "\0".join((packet, author, texts)).encode()
    return hashlib.blake2b(said, digest_size=16, key=bytes.fromhex(revision)).hexdigest()


def _expect_signed(bank: Bank, path: Path, form: _Form, item: StoredItem) -> None:
    """Refuse a name that the packet was not made for."""
    if not form.signature:
        return
    sent = bank.items.revision_uids(item.id, bytes.fromhex(form.texts))
    if any(_signature(uid, form.packet, form.author, form.texts) == form.signature for uid in sent):
        return
    others = (
        name
        for name in bank.review.people()
        if any(_signature(uid, form.packet, name, form.texts) == form.signature for uid in sent)
    )
    made_for = next(others, None)
    raise ConfigError(
        f"{path}, line {form.line}: item {form.label}: the packet was not made for {form.author!r}"
        + (f" but for {made_for!r}" if made_for is not None else ""),
        hint="The column annotator stays as it is; everybody has a packet of their own (`gapsmith packet make --for NAME`). "
        f"{_NOTHING}",
    )


def _known(bank: Bank, item_id: int, form: _Form) -> bool:
    assert form.verdict is not None
    return bank.decisions.is_known(item_id, form.author, form.packet, form.verdict, form.reason, form.comment)


def _named(labels: Sequence[str], most: int = 10) -> str:
    return f"{'item' if len(labels) == 1 else 'items'} {first_of(labels, most)}"


def _forms(path: Path, faults: _Faults) -> Iterator[_Form]:
    source = SourceFile(path, unchanged=_NOTHING)
    given = source.rows()
    top = next(given, None)
    if top is None:
        source.refuse(0, "the file is empty")
    header = checked_header(source, top)
    if missing := [name for name in _COLUMNS if name not in header]:
        source.refuse(top.line, f"there is no column {missing[0]!r}", hint="Columns of a packet stay as they are.")
    items: dict[str, list[tuple[int, int, dict[str, str]]]] = {}
    for row in given:
        cells = dict(zip(header, fitted(source, row, len(header)).cells, strict=True))
        if _KEY.fullmatch(cells["key"].strip()) is None:
            faults.add(row.line, "the key in the last column is damaged", "Keys stay as they are.")
            continue
        key, place = cells["key"].strip().rsplit("-", 1)
        items.setdefault(key, []).append((int(place), row.line, cells))
    for key, rows in items.items():
        # Somebody may have sorted the table.
        yield _form(key, sorted(rows, key=lambda row: row[:2]), faults)


def _form(key: str, numbered: Sequence[tuple[int, int, dict[str, str]]], faults: _Faults) -> _Form:
    rows = [(line, cells) for _, line, cells in numbered]
    line, first = rows[0]
    filled = {}
    for name in (*_FILLED, "annotator"):
        said = {cells[name].strip(): number for number, cells in rows if cells[name].strip()}
        if name == "decision":
            said = {word.casefold(): number for word, number in said.items()}
        if len(said) > 1:
            faults.add(max(said.values()), f"item {first['item']} has two entries under {name!r}", "Leave one.")
        filled[name] = next(iter(said), None)
        line = min([line, *said.values()]) if name == "annotator" else min(said.values(), default=line)
    packet, uid, texts, *rest = key.split("-")
    verdict = _WORDS.get(filled["decision"]) if filled["decision"] is not None else None
    if filled["decision"] is not None and verdict is None:
        faults.add(line, f"item {first['item']}: {filled['decision']!r} is no decision", "Write approve, exclude or flag.")
    elif verdict is None and (filled["reason"] or filled["comment"]):
        faults.add(line, f"item {first['item']} has a remark and no decision", "Write approve, exclude or flag.")
    if verdict is Verdict.EXCLUDE and filled["reason"] is None:
        faults.add(line, f"item {first['item']}: an exclusion needs a reason")
    if filled["annotator"] is None:
        faults.add(line, f"item {first['item']}: there is no annotator", "The column annotator stays as it is.")
    return _Form(
        line,
        first["item"],
        packet,
        uid,
        texts,
        next(iter(rest), ""),
        filled["annotator"] or "",
        verdict,
        filled["reason"],
        filled["comment"],
        tuple(cells["sentence"] for _, cells in rows),
        tuple(place for place, _, _ in numbered),
    )
