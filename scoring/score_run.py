"""Scoring the items of a bank: every distinct sentence once, kept block by block, so that a stopped run goes on. The only place
that decides what a bank still needs, and that a run of scoring has failed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gapsmith.bank import NO_CONTEXT, Bank, ItemFilter, ItemStatus, Scorer, Tokens, unknown_words
from gapsmith.scoring.contexts import step_contexts
from gapsmith.scoring.lm import Engine, Request, phase
from gapsmith.templates import CRITICAL_PLACE, GapsmithError, Paradigm, Sentence, Span, locate

KEPT_TEXTS, KEPT_S = 512, 0.1
"""Texts are kept together until there are so many or so many seconds have gone by: a commit waits for the disk."""

Progress = Callable[[int, int], None]
"""Called with the number of texts that have scores in the bank, and the number there will be."""


class NothingToScoreError(GapsmithError):
    """No item is there to be scored, or none is approved; exit code 1."""


class FailedScoresError(GapsmithError):
    """What was wanted has no values: the computation failed for some texts, or none has any; exit code 1.

    All values that there are have been kept; `report` says what was done."""

    def __init__(self, message: str, report: ScoreReport, *, hint: str) -> None:
        super().__init__(message, hint=hint)
        self.report = report


@dataclass(frozen=True, slots=True)
class Selected:
    """What is to be scored."""

    n_items: int
    n_sentences: int
    texts: tuple[str, ...]
    """The distinct texts of the sentences, in the order of the items."""
    spans: Mapping[str, tuple[Span, ...]] | None = None
    """By text, the characters ``[start, end)`` that predictions are about; None where whole sentences are wanted."""
    in_contexts: Mapping[int, tuple[str, ...]] | None = None
    """Context id to the texts that are wanted in it; None: all of them without one."""
    n_outside: int = 0
    """Items that have no context in any of the sets asked for; they are scored behind nothing."""

    @property
    def by_context(self) -> Mapping[int, tuple[str, ...]]:
        """Context id to the texts that are wanted behind it."""
        return {NO_CONTEXT: self.texts} if self.in_contexts is None else self.in_contexts

    @property
    def n_wanted(self) -> int:
        """Different pairs of a context and a text."""
        return sum(map(len, self.by_context.values()))


@dataclass(frozen=True, slots=True)
class ScoreReport:
    """What a scoring run found and did."""

    scorer_id: int
    scorer: Scorer
    provenance: Mapping[str, Any]
    """How the values are computed: engine, device, batch, library versions."""
    n_items: int
    n_sentences: int
    n_texts: int
    """Distinct texts among the sentences, each context counted for itself."""
    n_present: int
    """Texts that this scorer had measured before."""
    n_scored: int
    """Texts that this run has measured."""
    seconds: float
    undefined: Mapping[str, str] = field(default_factory=dict)
    """Text, after its context where it has one, to reason, for the wanted texts of which no token has a value, whenever that
    was found."""
    partial: Mapping[str, str] = field(default_factory=dict)
    """The same for the wanted texts of which some tokens have no value."""
    failed: Mapping[str, str] = field(default_factory=dict)
    """Those of both for which the computation failed, rather than that the text is longer than the model can read, or begins
    with what nothing stands before."""
    n_contexts: int = 0
    """Different contexts behind which texts are wanted."""
    unknown: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Text to its words that a model of whole words does not know, each as often as it stands there, for the wanted texts that have any."""


def select_texts(
    bank: Bank,
    selection: ItemFilter,
    *,
    everything: bool = False,
    critical_only: bool = False,
    contexts: Sequence[str] = (),
) -> Selected:
    """The texts of the approved items among `selection`; of all of them with `everything`, whatever was decided; with
    `critical_only`, only what today's contrasts and criteria measure in them. With `contexts`, names of context sets, each
    item's texts behind each of its contexts, and behind nothing.

    Raises `NothingToScoreError` where there is no such item, saying what there is and what to do, and `BankError` for an
    unknown context set.
    """
    chosen = selection if everything else replace(selection, standing=(ItemStatus.APPROVED,), in_results=True)
    n_items, n_sentences = 0, 0
    texts: dict[str, None] = {}
    spans: dict[str, tuple[Span, ...]] = {}
    measured: dict[tuple[str, str], Paradigm] = {}
    own_contexts: dict[int, dict[int, None]] = {}
    for cell in step_contexts(bank, contexts):
        for item_id, context in cell.contexts.items():
            own_contexts.setdefault(item_id, {})[context] = None
    wanted: dict[int, dict[str, None]] = {NO_CONTEXT: texts}
    n_outside = 0
    for item in bank.items.iterate(chosen):
        n_items += 1
        n_sentences += len(item.sentences)
        texts.update(dict.fromkeys(sentence.text for sentence in item.sentences))
        n_outside += bool(contexts) and item.id not in own_contexts
        for context in own_contexts.get(item.id, ()):
            wanted.setdefault(context, {}).update(dict.fromkeys(sentence.text for sentence in item.sentences))
        if critical_only:
            home = item.paradigm, item.dataset
            if home not in measured:
                measured[home] = bank.datasets.measured(bank.paradigms.current(item.paradigm).paradigm, item.dataset)
            paradigm = measured[home].variant(item.slots if item.slots is not None else item.attributes)
            for sentence in item.sentences:
                known = spans.get(sentence.text, ())
                spans[sentence.text] = tuple(dict.fromkeys([*known, *_measured_in(paradigm, sentence)]))
    if n_items == 0:
        raise _nothing(bank, selection)
    by_context = {context: tuple(own) for context, own in wanted.items()} if contexts else None
    return Selected(n_items, n_sentences, tuple(texts), spans if critical_only else None, by_context, n_outside)


def _measured_in(paradigm: Paradigm, sentence: Sentence) -> Iterator[Span]:
    """Where the contrasts and criteria look in a sentence; all of it where they look nowhere that can be found."""
    condition = paradigm.condition_by_name.get(sentence.condition)
    critical = None if condition is None else condition.critical
    places = {CRITICAL_PLACE}
    places.update(t.place for c in paradigm.contrasts for t in c.terms if t.condition == sentence.condition)
    places.update(o.place for c in paradigm.criteria for o in c.formula.operands if o.condition == sentence.condition)
    spans = [locate(place, sentence.text, sentence.regions, critical=critical) for place in places]
    found = [span for span in spans if not isinstance(span, str)]
    yield from found or [(0, len(sentence.text))]


def score_selected(
    bank: Bank,
    engine: Engine,
    selected: Selected,
    *,
    progress: Progress | None = None,
    revision: str | None = None,
    boundary: bool = False,
) -> ScoreReport:
    """Score the texts that the engine's settings have no scores for yet; what the engine gives within `KEPT_S` is committed at once.

    A run that is stopped loses at most the block it was computing, one that is killed at most what came in that time as well, and
    the next one goes on from there. What failed before is tried again. Raises `ModelError` where the model fails, and
    `FailedScoresError`, at every run, where a text that is wanted has no value because its computation failed, now or earlier, or
    where none has any. `revision` is the name by which the model's revision was asked for, for the record; `boundary` asks for
    the mass of word boundaries too, which the correction for them needs.
    """
    started = time.monotonic()
    scorer_id = bank.scores.register(engine.model, engine.revision, engine.identity)
    with phase("bank: what is missing"):
        requests, owners = missing_requests(bank, scorer_id, selected, boundary=boundary)
    total = selected.n_wanted
    n_missing = sum(map(len, owners.values()))
    done = total - n_missing
    if progress is not None:
        progress(done, total)
    block: int | None = None
    given: list[Tokens] = []
    kept_at = time.monotonic()

    def keep() -> None:
        nonlocal block, done, kept_at
        # How the values are computed is known once the first are there: only with the weights at hand is it settled.
        if block is None:
            block = bank.scores.block(scorer_id, _provenance(engine, revision))
        by_context: dict[int, list[Tokens]] = {}
        for tokens in given:
            for context in owners[tokens.context, tokens.text]:
                by_context.setdefault(context, []).append(tokens)
        given.clear()
        with phase("bank: keeping values"), bank.transaction():
            for context, some in by_context.items():
                bank.scores.add(scorer_id, some, block=block, context=context, complete=selected.spans is None)
                done += len(some)
        kept_at = time.monotonic()
        if progress is not None:
            progress(done, total)

    try:
        for chunk in engine.score(requests) if requests else ():
            given += chunk
            if len(given) >= KEPT_TEXTS or time.monotonic() - kept_at >= KEPT_S:
                keep()
    finally:
        if given:
            keep()
    with phase("bank: what has no value"):
        lacking = _without_value(bank, scorer_id, selected)
    report = ScoreReport(
        scorer_id=scorer_id,
        scorer=bank.scores.scorer(scorer_id),
        provenance=_provenance(engine, revision),
        n_items=selected.n_items,
        n_sentences=selected.n_sentences,
        n_texts=total,
        n_present=total - n_missing,
        n_scored=n_missing,
        seconds=time.monotonic() - started,
        n_contexts=sum(context != NO_CONTEXT for context in selected.by_context),
        unknown=_unknown(bank, scorer_id, selected),
        **lacking,
    )
    _check(report)
    return report


def _provenance(engine: Engine, revision: str | None) -> dict[str, Any]:
    return {**engine.provenance, **({} if revision is None else {"revision": revision})}


def _without_value(bank: Bank, scorer_id: int, selected: Selected) -> dict[str, dict[str, str]]:
    """What is wanted and has no value in the bank, by the names of the fields of `ScoreReport`."""
    lacking = {(own.context, own.text): own for own in bank.scores.lacking(scorer_id)}
    found: dict[str, dict[str, str]] = {"undefined": {}, "partial": {}, "failed": {}}
    for context, texts in selected.by_context.items() if lacking else ():
        there = [lacking[context, text] for text in texts if (context, text) in lacking]
        if selected.spans is not None and there:
            # Tokens that are not wanted may be without a value.
            known = bank.scores.get(scorer_id, [own.text for own in there], context=context)
            there = [own for own in there if not known[own.text].covers(selected.spans[own.text])]
        before = bank.contexts.joined([context])[context] if there else ""
        for own in there:
            shown = f"{before} {own.text}" if before else own.text
            found["partial" if own.n_values else "undefined"][shown] = own.reason
            if own.has_failed:
                found["failed"][shown] = own.reason
    return found


def _unknown(bank: Bank, scorer_id: int, selected: Selected) -> dict[str, tuple[str, ...]]:
    scorer = bank.scores.scorer(scorer_id)
    if scorer.unknown_id is None:
        return {}
    known = bank.scores.get(scorer_id, selected.texts)
    found = {text: unknown_words(known[text], scorer.unknown_id) for text in selected.texts if text in known}
    return {text: words for text, words in found.items() if words}


def _check(report: ScoreReport) -> None:
    """Raise `FailedScoresError` where what was asked for cannot be had."""
    if report.failed:
        text, reason = next(iter(report.failed.items()))
        raise FailedScoresError(
            f"the computation failed for {len(report.failed):,} of {report.n_texts:,} sentences, which lack a value; the first "
            f"is {text[-200:]!r}: {reason}",
            report,
            hint="What has values is kept, and the others are tried again when you score again. Where that does not help, check "
            "the model's files, take another number format (--dtype float32) or another model, or exclude these items.",
        )
    if report.n_texts and len(report.undefined) == report.n_texts:
        raise FailedScoresError(
            f"none of the {report.n_texts:,} sentences has a value: {next(iter(report.undefined.values()))}",
            report,
            hint="Take a model that can score them: `gapsmith doctor` lists those that are in reach.",
        )


def missing_requests(
    bank: Bank, scorer_id: int, selected: Selected, *, boundary: bool = False
) -> tuple[list[Request], Mapping[tuple[str, str], Sequence[int]]]:
    """What the scorer has not measured yet; and by context and text, the ids of the contexts that read so."""
    requests: dict[tuple[str, str], Request] = {}
    owners: dict[tuple[str, str], list[int]] = {}
    wanted = selected.by_context
    if selected.spans is None and len(wanted) > 50:
        missing = bank.scores.missing_behind(scorer_id, wanted, boundary=boundary)
    else:
        missing = {
            context: bank.scores.missing(scorer_id, texts, context=context, boundary=boundary, spans=selected.spans)
            for context, texts in wanted.items()
        }
    again: dict[int, set[str]] = {}
    for own in bank.scores.lacking(scorer_id):
        if own.has_failed:
            again.setdefault(own.context, set()).add(own.text)
    for context, failed in again.items():
        there = set(missing.get(context, ()))
        missing[context] = [text for text in wanted.get(context, ()) if text in there or text in failed]
    # The mass of boundaries is kept for all tokens of a text that have a value, or for none.
    unlike = bank.scores.unlike_in_boundary(scorer_id, boundary=boundary)
    joined = bank.contexts.joined([context for context, texts in missing.items() if texts])
    for context, texts in missing.items():
        for text in texts:
            before = joined[context]
            is_unlike = (context, text) in unlike
            spans = None if selected.spans is None or (boundary and is_unlike) else selected.spans[text]
            requests[before, text] = Request(text, before, spans=spans, boundary=boundary or is_unlike)
            owners.setdefault((before, text), []).append(context)
    return list(requests.values()), owners


def _nothing(bank: Bank, selection: ItemFilter) -> NothingToScoreError:
    n_there = bank.items.count(selection)
    if n_there:
        which = "the only item is not" if n_there == 1 else f"none of the {n_there:,} items is"
        return NothingToScoreError(
            f"{which} approved, so there is nothing to score",
            hint="Decide on them with `gapsmith review` or `gapsmith decide --policy clean`, or score them undecided with "
            "`gapsmith score --all`.",
        )
    names = bank.paradigms.names()
    if selection.paradigm is not None and names:
        return NothingToScoreError(
            f"there are no items of {selection.paradigm} to score", hint=f"There are items of: {', '.join(names)}."
        )
    return NothingToScoreError(
        "there are no items to score yet",
        hint="Make some with `gapsmith generate`, or bring yours with `gapsmith import`.",
    )
