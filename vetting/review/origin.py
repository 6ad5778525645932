"""Why is this item here: its run, the prompt as it was, the call, the raw reply, and every edit since."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from gapsmith.bank import Bank, BankError, request_in_words
from gapsmith.vetting.review.display import visible
from gapsmith.vetting.review.grid import Line
from gapsmith.vetting.review.item_view import ReviewedItem
from gapsmith.vetting.review.notes import notes_of
from gapsmith.vetting.review.region_text import Seg
from gapsmith.vetting.review.session import Session

_DIGEST = 12
_HEX = re.compile(r"[0-9a-f]{32,}")


def origin_summary(session: Session, view: ReviewedItem) -> list[Line]:
    """Where the item comes from, in a few lines: run, paradigm, parameters, slots. Its run tells of which data set it is, and is left
    out where screens may not tell that yet."""
    item = view.item
    slots = ", ".join(f"{visible(name)} = {visible(value)}" for name, value in (item.slots or {}).items())
    described = [_line(f"Paradigm {visible(view.paradigm.name)}, version {view.paradigm.version}")]
    of_slots = [_line(f"Slots: {slots}")] if item.slots is not None else []
    if _is_veiled(session, view):
        return [*described, *of_slots, _line("The run is shown after you have locked (L).")]
    run = session.bank.runs.get(item.run_id)
    model = f" with {visible(run.model)}" if run.model else ""
    verb = "Imported" if run.kind == "import" else "Generated"
    return [
        _line(f"{verb} in run {run.id} by {visible(run.provider)}{model}, {run.started_at[:16].replace('T', ' ')}"),
        *described,
        _line(f"Parameters: {_parameters(run.settings)}"),
        _line(f"Request: {request_in_words(run.request)}"),
        *of_slots,
    ]


def _is_veiled(session: Session, view: ReviewedItem) -> bool:
    return view.blind and not session.names_sets


def origin_text(session: Session, view: ReviewedItem) -> list[Line]:
    """The origin of an item as lines to read, everything a model or a file wrote made visible."""
    item = view.item
    lines = origin_summary(session, view)
    if view.edits:
        lines += [_heading("Edits")]
        lines += [Line(note.segs) for note in notes_of(view, "") if "edited" in note.text or note.text.startswith("  ")]
    if _is_veiled(session, view):
        return lines
    bank = session.bank
    run = bank.runs.get(item.run_id)
    lines += _call_lines(bank, item.call_id)
    if run.prompt_name is not None:
        lines.append(_heading(f"Prompt {visible(run.prompt_name)} ({visible(run.prompt_hash or '')[:12]})"))
        lines += _text_lines(run.prompt_text or "")
    return lines


def _parameters(values: Mapping[str, Any]) -> str:
    given = {name: _short(value) for name, value in sorted(values.items()) if value is not None}
    return visible(", ".join(f"{name} = {value}" for name, value in given.items())) or "none"


def _short(value: Any) -> Any:
    # A digest says as much by its beginning.
    return f"{value[:_DIGEST]}…" if isinstance(value, str) and _HEX.fullmatch(value) else value


def _call_lines(bank: Bank, call_id: int | None) -> list[Line]:
    if call_id is None:
        return []
    try:
        call = bank.runs.call(call_id)
    except BankError:
        return []
    lines = [_heading(f"Call {call.number + 1} of the run: {call.outcome or 'no answer yet'}")]
    facts = {
        **{name.replace("_", " "): value for name, value in call.details.items()},
        "finish reason": call.finish_reason,
        "attempts": call.attempts,
        "took": f"{call.latency_ms} ms" if call.latency_ms is not None else None,
        "tokens": ", ".join(f"{name} {n:,}" for name, n in call.usage.items()) or None,
        "cost": f"${call.cost_usd:.4f}" if call.cost_usd is not None else None,
        "error": call.error,
    }
    lines.append(_line(" · ".join(f"{name}: {visible(str(value))}" for name, value in facts.items() if value is not None)))
    lines.append(_heading("Raw reply"))
    lines += _text_lines(call.reply or "(none)")
    lines.append(_heading("Request"))
    lines += _text_lines(json.dumps(dict(call.request), ensure_ascii=False, indent=1))
    return lines


def _line(text: str) -> Line:
    return Line((Seg(text),))


def _heading(text: str) -> Line:
    return Line((Seg(f"── {text} ──", ("title",)),))


def _text_lines(text: str) -> list[Line]:
    # Prompts and replies have line breaks of their own, which are kept here: there is no grid to move.
    return [_line(visible(line)) for line in text.split("\n")]
