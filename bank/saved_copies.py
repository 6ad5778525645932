"""Bringing back what a saved copy of a bank (`gapsmith.bank.rescue`) has and a merge leaves out: scores, parses, contexts, drafts
and batches under way, which nobody else has."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

import numpy as np

from gapsmith.bank.asked import REQUEST
from gapsmith.bank.file_copies import RESCUED
from gapsmith.bank.merging import Merged
from gapsmith.bank.store import Bank
from gapsmith.bank.tokens import Tokens
from gapsmith.bank.undefined import PART


def is_rescued(bank: Bank) -> bool:
    """Whether a bank is such a copy."""
    return bank.db.execute("SELECT 1 FROM property WHERE name = ?", (RESCUED,)).fetchone() is not None


def bring_back(ours: Bank, saved: Bank, done: Merged) -> None:
    """Bring into a bank what a merge of a saved copy leaves out, and count it in `done`. Nothing that is here is changed."""
    with ours.transaction():
        for scorer in saved.scores.scorers():
            done.added["scores"] += _scores(ours, saved, scorer.id)
        for row in saved.db.execute("SELECT * FROM producer WHERE kind = 'parser' ORDER BY id").fetchall():
            done.added["parses"] += _parses(ours, saved, row)
        done.added["contexts of items"] += _contexts(ours, saved, done)
        done.added["texts not saved yet"] += _drafts(ours, saved, done)
        done.added["batches"] += _batches(ours, saved)
        # A count of nothing is no news.
        for what in [what for what, count in done.added.items() if not count]:
            del done.added[what]


@dataclass(frozen=True, slots=True)
class _Kept:
    """Scores that were computed alike."""

    block: int
    complete: bool
    context: int
    texts: list[str]


def _kept_scores(saved: Bank, scorer: int) -> Iterator[_Kept]:
    rows = saved.db.execute(
        "SELECT score.block_id, score.complete, score.context_id, text.text FROM score"
        " JOIN text ON text.id = score.text_id WHERE producer_id = ? ORDER BY 1, 2, 3, text.id",
        (scorer,),
    )
    for _, members in groupby(rows, key=lambda row: tuple(row)[:3]):
        alike = list(members)
        first = alike[0]
        texts = [row["text"] for row in alike]
        yield _Kept(first["block_id"], bool(first["complete"]), first["context_id"], texts)


def _scores(ours: Bank, saved: Bank, scorer: int) -> int:
    known = saved.scores.scorer(scorer)
    (kind,) = saved.db.execute("SELECT kind FROM producer WHERE id = ?", (scorer,)).fetchone()
    our_scorer, blocks, count = None, dict[int, int](), 0
    for kept in _kept_scores(saved, scorer):
        if our_scorer is None:
            our_scorer = ours.scores.register(known.model, known.revision, known.identity, kind=kind)
        context = ours.contexts.register(saved.contexts.sentences(kept.context))
        here = ours.scores.get(our_scorer, kept.texts, context=context)
        there = saved.scores.get(scorer, kept.texts, context=kept.context)
        new = [tokens for text, tokens in there.items() if _adds(tokens, here.get(text))]
        if not new:
            continue
        if kept.block not in blocks:
            (provenance,) = saved.db.execute("SELECT provenance FROM block WHERE id = ?", (kept.block,)).fetchone()
            blocks[kept.block] = ours.scores.block(our_scorer, json.loads(provenance))
        ours.scores.add(our_scorer, new, block=blocks[kept.block], context=context, complete=kept.complete)
        count += len(new)
    return count


def _adds(new: Tokens, known: Tokens | None) -> bool:
    """Whether scores have something that those of the same text here lack."""
    if known is None or (known.boundary is None and new.boundary is not None):
        return True
    if known.reason == PART and new.reason != PART:
        return True
    if known.asked is None:
        return False
    return new.asked is None or bool((new.asked & ~np.asarray(known.asked)).any())


def _parses(ours: Bank, saved: Bank, parser: sqlite3.Row) -> int:
    rows = saved.db.execute(
        "SELECT text.text FROM parse JOIN text ON text.id = parse.text_id WHERE producer_id = ? ORDER BY text.id",
        (parser["id"],),
    )
    texts = [row["text"] for row in rows]
    if not texts:
        return 0
    our_parser = ours.parses.register(parser["name"], json.loads(parser["identity"]))
    here = ours.parses.get(our_parser, texts)
    new = {text: parse for text, parse in saved.parses.get(parser["id"], texts).items() if text not in here}
    ours.parses.add(our_parser, new)
    return len(new)


def _contexts(ours: Bank, saved: Bank, done: Merged) -> int:
    items = _items(saved, done)
    count = 0
    for one in saved.contexts.sets():
        here = {known.name: known for known in ours.contexts.sets()}.get(one.name)
        # Other contexts under the same name are left as they are.
        name = one.name if here is None or here.sampler == one.sampler else f"{one.name}-{RESCUED}"
        said = one.sampler if one.request is None else {**one.sampler, REQUEST: one.request}
        our_set = ours.contexts.define(name, said)
        known = ours.contexts.assigned(our_set)
        lengths = saved.contexts.lengths(one.id)
        new: dict[tuple[int, int], int] = {}
        our_lengths: dict[int, int] = {}
        for (item, step), context in saved.contexts.assigned(one.id).items():
            if item in items and (items[item], step) not in known:
                ours_now = ours.contexts.register(saved.contexts.sentences(context))
                new[items[item], step] = ours_now
                if context in lengths:
                    our_lengths[ours_now] = lengths[context]
        ours.contexts.assign(our_set, new, lengths=our_lengths)
        count += len(new)
    return count


def _items(saved: Bank, done: Merged) -> dict[int, int]:
    """The id of an item there to its id here."""
    rows = saved.db.execute("SELECT id, uid FROM item").fetchall()
    return {row["id"]: done.item_ids[row["uid"].hex()] for row in rows if row["uid"].hex() in done.item_ids}


def _drafts(ours: Bank, saved: Bank, done: Merged) -> int:
    items, count = _items(saved, done), 0
    rows = saved.db.execute("SELECT draft.*, uid FROM draft JOIN revision ON revision.id = base_revision_id").fetchall()
    for row in rows:
        item = items.get(row["item_id"])
        revision = ours.db.execute("SELECT id FROM revision WHERE uid = ?", (row["uid"],)).fetchone()
        if item is None or revision is None:
            continue
        if all(draft.field != row["field"] for draft in ours.review.drafts(row["author"], item)):
            ours.review.save_draft(row["author"], item, row["field"], row["text"], revision["id"])
            count += 1
    return count


def _batches(ours: Bank, saved: Bank) -> int:
    count = 0
    for row in saved.db.execute("SELECT batch.*, run.uid AS run FROM batch JOIN run ON run.id = run_id").fetchall():
        run = ours.db.execute("SELECT id FROM run WHERE uid = ?", (row["run"],)).fetchone()
        if run is not None:
            cursor = ours.db.execute(
                "INSERT INTO batch (uid, run_id, intended_at, submitting_at, name, ended_at, status, details)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (uid) DO UPDATE SET"
                " submitting_at = coalesce(submitting_at, excluded.submitting_at), name = coalesce(name, excluded.name),"
                " ended_at = coalesce(ended_at, excluded.ended_at), status = excluded.status, details = excluded.details"
                " WHERE (name IS NULL AND excluded.name IS NOT NULL) OR (ended_at IS NULL AND excluded.ended_at IS NOT NULL)"
                " OR (submitting_at IS NULL AND excluded.submitting_at IS NOT NULL)",
                (
                    row["uid"],
                    run["id"],
                    row["intended_at"],
                    row["submitting_at"],
                    row["name"],
                    row["ended_at"],
                    row["status"],
                    row["details"],
                ),
            )
            count += cursor.rowcount
    return count
